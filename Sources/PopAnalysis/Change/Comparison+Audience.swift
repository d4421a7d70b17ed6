internal import PopCEL
internal import PopLogic
internal import PopScheduler
internal import PopSource

// The users who may see a popup, before and after.
extension Comparison {
    func audience(from old: PopupRule, to new: PopupRule) -> Finding {
        let before = old.demand(in: earlier)
        let after = new.demand(in: later, isLater: true)
        let sides = sides(from: before, to: after)
        guard let sides else { return notCompared("audience", demands: [before, after]) }
        if sides.directions.isEmpty {
            return Finding(lines: dismissLines(from: old, to: new))
        }
        let isMoved = hasOtherTriggers(old, than: new)
        if isMoved, let together = together(from: old, to: new), together.directions.isEmpty {
            let note = "in total, the same users as before meet all conditions"
            var finding = Finding(of: sides, note: note)
            finding.isMoved = true
            return finding
        }
        let reaches = reaches(of: old, and: new)
        let told =
            reaches.earlier.keys.isEmpty && reaches.later.keys.isEmpty
            ? sides : self.sides(from: before, to: after, within: reaches) ?? sides
        if told.directions.isEmpty {
            let keys = Set(reaches.earlier.keys + reaches.later.keys).sorted().map { "`\($0)`" }
            return Finding(
                of: sides,
                note: "none of these users sees the popup, because of"
                    + " \(keys.joined(separator: ", "))")
        }
        // Conditions at the time of the trigger are a separate question.
        let isPart = isMoved || old.hasOpenWindows || new.hasOpenWindows
        let line = RuleChanges.Line(
            key: isPart ? "when" : "audience", text: told.text(of: "users"), details: told.details)
        let affected = told.affected.map {
            RuleChanges.Affected(
                popup: new.id, person: $0.person, isGained: $0.isGained, facts: $0.facts)
        }
        return Finding(lines: [line], affected: affected, isDecided: told.isDecided)
    }

    func notCompared(_ key: String, demands: [Requirement]) -> Finding {
        let others = othersRead(by: demands).map { "`\($0)`" }.joined(separator: ", ")
        let reason =
            others.isEmpty
            ? "the defaults of too many context keys in the conditions changed"
            : "the type of \(others) changed"
        return Finding(
            lines: [RuleChanges.Line(key: key, text: "not compared: \(reason)")],
            isDecided: false)
    }

    /// The users gained and lost by the step from some conditions to others.
    struct Sides {
        /// The directions; empty if the same users meet both.
        var directions: [Direction] = []
        var details: [String] = []
        var affected: [(person: Person, facts: [Witness.Fact], isGained: Bool)] = []
        var isDecided = true

        /// Users gained or lost, as far as that could be determined.
        struct Direction: Equatable {
            let isGained: Bool
            let certainty: Certainty
        }

        /// The certainty that there are such users.
        enum Certainty {
            /// The conditions themselves confirm an example.
            case confirmed
            /// There are such users if any user can meet the unchanged parts that nothing is known
            /// about.
            case supposed
            /// It could not be determined.
            case open
        }

        /// Returns the directions as text, such as `some users gained, some lost`.
        func text(of noun: String) -> String {
            let confirmed = verbs(.confirmed)
            let supposed = verbs(.supposed).filter { !confirmed.contains($0) }
            let open = verbs(.open).filter { !(confirmed + supposed).contains($0) }
            let parts = [
                confirmed.isEmpty ? "" : "some \(noun) \(confirmed.joined(separator: ", some "))",
                supposed.isEmpty
                    ? ""
                    : "\(noun) \(supposed.joined(separator: " and ")), if any \(noun) can meet the"
                        + " unchanged parts of the conditions, which could not be analyzed",
                open.isEmpty
                    ? ""
                    : "it could not be determined whether \(noun) are"
                        + " \(open.joined(separator: " or "))",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "; ")
        }

        private func verbs(_ certainty: Certainty) -> [String] {
            directions.filter { $0.certainty == certainty }.map { $0.isGained ? "gained" : "lost" }
        }

        fileprivate mutating func add(isGained: Bool, _ certainty: Certainty) {
            let direction = Direction(isGained: isGained, certainty: certainty)
            if !directions.contains(direction) { directions.append(direction) }
        }
    }

    /// Compares two demands; nil if they read entries of different types, or too many keys with
    /// different defaults. With `reaches`, users who fail the other requirements of the popup are
    /// left out.
    func sides(
        from before: Requirement, to after: Requirement,
        within reaches: (earlier: Reach, later: Reach)? = nil
    ) -> Sides? {
        guard othersRead(by: [before, after]).isEmpty,
            let settings = settings(of: [before, after])
        else { return nil }
        var sides = Sides()
        if settings.count == 1, signatures(before) == signatures(after) { return sides }
        let steps = [
            (isGained: true, one: after, other: before, reach: reaches?.later),
            (isGained: false, one: before, other: after, reach: reaches?.earlier),
        ]
        for (isGained, one, other, reach) in steps {
            var told: Set<String> = []
            for setting in settings {
                look(
                    for: one, without: other, reach: reach, isGained: isGained, in: setting,
                    told: &told, into: &sides)
            }
        }
        return sides
    }

    /// Looks for users who meet one demand and not the other. `told` are the lines that were
    /// already reported.
    private func look(
        for one: Requirement, without other: Requirement, reach: Reach?, isGained: Bool,
        in setting: Setting, told: inout Set<String>, into sides: inout Sides
    ) {
        var declarations = setting.declarations
        if let popup = reach?.popup {
            declarations = declarations.knowing(popup: popup.id, at: popup.place)
        }
        var logic = Logic(
            of: (one.isLater ? other : one).conditions, declarations: declarations.whileShowing(),
            limits: limits.logic)
        let one = reach.map { logic.narrowed(one, to: $0) } ?? one
        switch logic.implies(one, other) {
        case .yes: return
        case .notKnown:
            guard logic.differs(one, from: other) else {
                sides.isDecided = false
                return sides.add(isGained: isGained, .open)
            }
            sides.add(isGained: isGained, .supposed)
            let texts = AudienceText(
                rules: one.isLater ? later : earlier, declarations: declarations)
            tell(
                lines(
                    for: one, without: other, logic: &logic, words: texts, mayRepeat: false),
                isGained: isGained, in: setting, told: &told, into: &sides)
        case .no(let witness):
            sides.add(isGained: isGained, .confirmed)
            let texts = AudienceText(
                rules: one.isLater ? later : earlier, declarations: declarations)
            let isNew = tell(
                lines(for: one, without: other, logic: &logic, words: texts), isGained: isGained,
                in: setting, told: &told, into: &sides)
            guard isNew else { return }
            let person = Person(witness, texts)
            sides.details.append("example: \(person.text)")
            sides.affected.append((person, witness.facts, isGained))
        }
    }

    /// Adds lines about users gained or lost. Returns false if all of them were reported before.
    @discardableResult
    private func tell(
        _ lines: SideLines, isGained: Bool, in setting: Setting, told: inout Set<String>,
        into sides: inout Sides
    ) -> Bool {
        let isNew = lines.texts.isEmpty || !lines.texts.allSatisfy { told.contains($0) }
        told.formUnion(lines.texts)
        guard isNew else { return false }
        let unset = setting.unset.map { "\($0) not set" }.joined(separator: ", ")
        let change = isGained ? "newly shown to" : "no longer shown to"
        let whole = isGained ? "among its current users" : "among its former users"
        let lead = lines.isOfRest ? "\(whole), \(change)" : change
        for (position, line) in (lines.texts.isEmpty ? ["some"] : lines.texts).enumerated() {
            let parts = unset.isEmpty ? [line] : line == "everyone" ? [unset] : [unset, line]
            sides.details.append(
                "\(position == 0 ? "\(lead):" : "or") \(parts.joined(separator: ", "))")
        }
        return true
    }

    /// The lines about users who meet one condition and not the other.
    private struct SideLines {
        var texts: [String]
        /// True if the lines only distinguish these users from others who meet the one condition.
        var isOfRest = false
    }

    /// The maximum number of alternatives that may repeat a shared part of both conditions.
    private static let mostAlternatives = 3

    private func lines(
        for one: Requirement, without other: Requirement, logic: inout Logic, words: AudienceText,
        mayRepeat: Bool = true
    ) -> SideLines {
        let cover = logic.cover(of: one, without: other)
        if let (name, isMet) = logic.name(of: one, without: other), isMet {
            return SideLines(texts: [words.line(name, asking: cover?.lines ?? [])])
        }
        // A few lines are the best description, unless they repeat a part that wasn't understood.
        if let cover, cover.lines.count <= Self.mostAlternatives, mayRepeat {
            return SideLines(texts: cover.lines.map { words.line($0) })
        }
        if let rest = logic.cover(ofThoseIn: one, leftOutBy: other), !rest.lines.isEmpty,
            cover.map({ rest.size < $0.size }) ?? true
        {
            return SideLines(texts: rest.lines.map { words.line($0) }, isOfRest: true)
        }
        return SideLines(texts: cover?.lines.map { words.line($0) } ?? [])
    }

    /// Returns lines about a different `dismiss_when` if the same users may see the popup.
    private func dismissLines(from old: PopupRule, to new: PopupRule) -> [RuleChanges.Line] {
        let (one, other) = (old.dismissWhen, new.dismissWhen)
        if one == nil, other == nil { return [] }
        let before = Requirement([one?.program].compactMap { $0 })
        let after = Requirement([other?.program].compactMap { $0 }, isLater: true)
        if one != nil, other != nil, isEqual(before, to: after) { return [] }
        func text(_ condition: Condition?) -> String? {
            condition.map { "`\($0.program.expression.description)`" }
        }
        return [RuleChanges.Line(key: "dismiss_when", text: step(from: text(one), to: text(other)))]
    }
}

extension Comparison.Finding {
    /// Creates a finding about a condition that other users meet, but that doesn't change who sees
    /// the popup.
    fileprivate init(of sides: Comparison.Sides, note: String) {
        let line = RuleChanges.Line(
            key: "when", text: sides.text(of: "users"), details: sides.details + [note])
        self.init(lines: [line], isDecided: sides.isDecided)
    }
}

extension PopupRule {
    /// True if windows of its schedule have different conditions.
    var hasOpenWindows: Bool {
        commonWindowCondition == nil && timing.schedule.contains { $0.when != nil }
    }

    /// Returns true if its `dismiss_when` reads whether its schedule is open.
    func asksForSchedule(in rules: RuleSet) -> Bool {
        dismissWhen?.program.slots.contains { rules.slots[$0] == .scheduleOpen } ?? false
    }
}
