internal import PopCEL
internal import PopExplanations
internal import PopLogic
public import PopScheduler

/// What the step from one rule set to another one does, by meaning and not by text.
public struct RuleChanges: Sendable {
    /// One thing that is otherwise.
    public struct Line: Sendable, Hashable {
        /// What it is about: a key, or `audience`.
        public let key: String
        /// What becomes of it.
        public let text: String
        /// More about it, a line each.
        public var details: [String] = []
    }

    /// What changes of a popup, or of another entry of the rules.
    public struct Entry: Sendable, Hashable {
        /// Whether there is one before and after.
        public enum Kind: String, Sendable, Hashable {
            /// It comes.
            case added
            /// It goes.
            case removed
            /// It is another one.
            case changed
        }

        /// Such as `popup welcome`.
        public let name: String
        /// Whether there is one before and after.
        public let kind: Kind
        /// A line for each key that says something else.
        public let lines: [Line]
    }

    /// Somebody for whom the step changes whether a popup may show.
    package struct Affected: Sendable, Hashable {
        /// The id of the popup.
        package let popup: String
        package let person: Person
        /// Whether it may show to them afterwards, and not before; otherwise the other way round.
        package let isGained: Bool
    }

    /// One for each popup whose audience grows, and one for each whose audience shrinks.
    package private(set) var affected: [Affected] = []
    /// Popups first, then what they share.
    public private(set) var entries: [Entry] = []
    /// Whether everything was found out.
    public private(set) var isDecided = true

    /// Whether both rule sets mean the same.
    public var isSame: Bool { entries.isEmpty }

    /// From an earlier to a later rule set.
    public init(
        from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits = .standard
    ) {
        let comparison = Comparison(earlier, later, limits)
        var former: [String: PopupIndex] = [:]
        for place in earlier.popups.places { former[earlier.popups[place].id] = place }
        for place in later.popups.places {
            let popup = later.popups[place]
            guard let old = former.removeValue(forKey: popup.id) else {
                entries.append(
                    Entry(
                        name: "popup \(popup.id)", kind: .added,
                        lines: [.audience(of: place, in: later, limits)]))
                continue
            }
            let lines = comparison.lines(from: earlier.popups[old], to: popup)
            isDecided = isDecided && lines.isDecided
            affected += lines.affected
            add("popup \(popup.id)", lines.all)
        }
        for place in earlier.popups.places where former[earlier.popups[place].id] != nil {
            entries.append(
                Entry(
                    name: "popup \(earlier.popups[place].id)", kind: .removed,
                    lines: [.audience(of: place, in: earlier, limits)]))
        }
        let parts = (SharedParts(earlier), SharedParts(later))
        add(parts.0, parts.1)
    }

    private mutating func add(_ name: String, _ lines: [Line]) {
        if lines.isEmpty { return }
        entries.append(Entry(name: name, kind: .changed, lines: lines))
    }

    private mutating func add(_ earlier: SharedParts, _ later: SharedParts) {
        for (name, keys) in later.entries {
            guard let old = earlier[name] else {
                entries.append(Entry(name: name, kind: .added, lines: []))
                continue
            }
            var lines: [Line] = []
            for (key, text) in keys {
                let before = old.first { $0.key == key }?.text
                if before != text { lines.append(Line(key: key, text: step(before, text))) }
            }
            add(name, lines)
        }
        for (name, _) in earlier.entries where later[name] == nil {
            entries.append(Entry(name: name, kind: .removed, lines: []))
        }
    }
}

extension RuleChanges.Line {
    fileprivate static func audience(
        of popup: PopupIndex, in rules: RuleSet, _ limits: AnalysisLimits
    ) -> Self {
        let users = Audience(of: popup, in: rules, limits: limits).users.texts
        return Self(key: "audience", text: users[0], details: Array(users.dropFirst()))
    }
}

/// From one text to another; nothing is a dash. Of long ones only the parts that differ.
func step(_ before: String?, _ after: String?) -> String {
    var (one, other) = (before, after)
    if let before, let after, max(before.count, after.count) > wholeLength {
        (one, other) = differingParts(before, after)
    }
    return "\(one.map { bounded($0) } ?? "–") → \(other.map { bounded($0) } ?? "–")"
}

/// Up to this many characters a text is told as a whole.
private let wholeLength = 70

/// What differs between two lists, with dots for what they have in common.
private func differingParts(_ before: String, _ after: String) -> (String, String) {
    let (one, other) = (before.split(separator: ", "), after.split(separator: ", "))
    let start = zip(one, other).prefix { $0 == $1 }.count
    let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
    func text(_ parts: [Substring]) -> String {
        let middle = parts.dropFirst(start).dropLast(end).joined(separator: ", ")
        let shown = [start > 0 ? "…" : "", middle, end > 0 ? "…" : ""].filter { !$0.isEmpty }
        return middle.isEmpty ? "…" : shown.joined(separator: " ")
    }
    return (text(one), text(other))
}

/// The popups of two rule sets side by side.
struct Comparison {
    let earlier: RuleSet
    let later: RuleSet
    let limits: AnalysisLimits
    let declarations: Declarations
    /// The names of context keys that are declared otherwise.
    private let otherKeys: Set<String>
    /// By popup those of its priority that it stands before now, and did not before.
    private let overtaken: [String: [String]]

    init(_ earlier: RuleSet, _ later: RuleSet, _ limits: AnalysisLimits) {
        self.earlier = earlier
        self.later = later
        self.limits = limits
        declarations = Declarations(earlier: earlier, later: later)
        var former: [String: String] = [:]
        for key in earlier.keys { former[key.name] = SharedParts.declaration(of: key) }
        otherKeys = Set(
            later.keys.filter { key in
                former[key.name].map { $0 != SharedParts.declaration(of: key) } ?? false
            }.map { $0.name })
        overtaken = Self.overtaken(earlier, later)
    }

    /// Of popups that wait from one moment on with one priority, the place in the files decides.
    private static func overtaken(_ earlier: RuleSet, _ later: RuleSet) -> [String: [String]] {
        var places: [String: (place: Int, lane: String, priority: Int)] = [:]
        for (place, popup) in earlier.popups.enumerated() {
            places[popup.id] = (place, earlier.schedulers[popup.scheduler].name, popup.priority)
        }
        struct Moment: Hashable {
            var scheduler: LaneIndex
            var priority: Int
            var trigger: CommonTrigger
        }
        var groups: [Moment: [(id: String, place: Int)]] = [:]
        for popup in later.popups where popup.isEnabled {
            guard let former = places[popup.id], former.priority == popup.priority,
                former.lane == later.schedulers[popup.scheduler].name
            else { continue }
            for trigger in popup.commonTriggers {
                let moment = Moment(
                    scheduler: popup.scheduler, priority: popup.priority, trigger: trigger)
                groups[moment, default: []].append((popup.id, former.place))
            }
        }
        var found: [String: Set<String>] = [:]
        for group in groups.values
        where zip(group, group.dropFirst()).contains(where: { $0.place > $1.place }) {
            for (position, popup) in group.enumerated() {
                let others = group[(position + 1)...].filter { $0.place < popup.place }
                found[popup.id, default: []].formUnion(others.map(\.id))
            }
        }
        return found.filter { !$0.value.isEmpty }.mapValues { $0.sorted() }
    }

    func lines(
        from old: PopupRule, to new: PopupRule
    ) -> (all: [RuleChanges.Line], affected: [RuleChanges.Affected], isDecided: Bool) {
        var (lines, affected, isDecided) = audienceLines(from: old, to: new)
        let (before, after) = (RuleWords(earlier), RuleWords(later))
        var exact = (before, after)
        exact.0.condition = { signature(of: $0, in: earlier) }
        exact.1.condition = { signature(of: $0, in: later) }
        for row in RuleWords.rows {
            if row.name == "trigger", let triggers = triggerLines(from: old, to: new) {
                lines += triggers.lines
                isDecided = isDecided && triggers.isDecided
                continue
            }
            if row.text(old, exact.0) == row.text(new, exact.1) { continue }
            var meant = after
            meant.condition = { words(for: $0, of: new, beside: old) }
            let (one, other) = (row.text(old, before), row.text(new, meant))
            if one == other { continue }
            var line = RuleChanges.Line(key: row.name, text: step(one, other))
            line.details = details(of: row.name, from: old, to: new)
            lines.append(line)
        }
        if let others = overtaken[new.id] {
            let text = "now before \(Self.some(of: others)) where they wait with one priority"
            lines.append(RuleChanges.Line(key: "order", text: text))
        }
        return (lines, affected, isDecided)
    }

    private static func some(of names: [String]) -> String {
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return names.prefix(5).joined(separator: ", ") + more
    }

    /// A condition with all that its names stand for.
    private func signature(of condition: Condition, in rules: RuleSet) -> String {
        signature(of: condition.program, in: rules)
    }

    private func signature(of program: Program, in rules: RuleSet) -> String {
        let named = rules.conditions(usedBy: program).map { rules.conditions[$0] }
            .map { "\($0.name): \($0.condition.program.expression.description)" }.sorted()
        return ([program.expression.description] + named).joined(separator: "\n")
    }

    /// As the earlier popup has it where it says the same there.
    private func words(
        for condition: Condition, of new: PopupRule, beside old: PopupRule
    ) -> String {
        let candidates = (old.ownConditions + old.eventConditions.map { $0.condition })
        let after = Demand([condition.program], isLater: true)
        for candidate in candidates {
            let before = Demand([candidate.program])
            let isSame =
                signature(of: candidate, in: earlier) == signature(of: condition, in: later)
            if isSame || isEqual(before, after).isYes {
                return "`\(candidate.program.expression.description)`"
            }
        }
        let text = condition.program.expression.description
        let isOther = candidates.contains { $0.program.expression.description == text }
        return isOther ? "`\(text)` as its names are now" : "`\(text)`"
    }

    private enum Same {
        case yes, no, notKnown

        var isYes: Bool { self == .yes }
    }

    private func isEqual(_ before: Demand, _ after: Demand) -> Same {
        if isDeclaredOtherwise(before) || isDeclaredOtherwise(after) { return .notKnown }
        var logic = Logic(
            of: before.conditions, declarations: declarations, limits: limits.logic)
        let (one, other) = (logic.implies(before, after), logic.implies(after, before))
        switch (one, other) {
        case (.yes, .yes): return .yes
        case (.no, _), (_, .no): return .no
        case (.notKnown, _), (_, .notKnown): return .notKnown
        }
    }

    private func isDeclaredOtherwise(_ demand: Demand) -> Bool {
        !otherNames(in: demand).isEmpty
            || demand.conditions.contains { program in
                program.slotEntries.contains { declarations.isDeclaredOtherwise($0.entry) }
            }
    }

    /// The context keys that conditions read and that are declared otherwise.
    private func otherNames(in demand: Demand) -> [String] {
        if otherKeys.isEmpty { return [] }
        let rules = demand.isLater ? later : earlier
        return rules.keys(readBy: demand.conditions).map { rules.keys[$0].name }
            .filter { otherKeys.contains($0) }
    }
}

// MARK: The audience

extension PopupRule {
    /// Whether one of several windows of its schedule has a condition of its own.
    fileprivate var hasOpenWindows: Bool {
        timing.schedule.count > 1 && timing.schedule.contains { $0.when != nil }
    }

    /// Whether nobody sees it, whatever its conditions say.
    fileprivate var isForNobody: Bool {
        !isEnabled || audience.rollout.map { $0.share.largest == 0 } ?? false
    }
}

extension Comparison {
    private func audienceLines(
        from old: PopupRule, to new: PopupRule
    ) -> (lines: [RuleChanges.Line], affected: [RuleChanges.Affected], isDecided: Bool) {
        let before = old.demand(in: earlier)
        let after = new.demand(in: later, isLater: true)
        let others = Set(otherNames(in: before) + otherNames(in: after)).sorted()
        if !others.isEmpty {
            let names = others.map { "`\($0)`" }.joined(separator: ", ")
            return (
                [
                    RuleChanges.Line(
                        key: "audience", text: "not compared: \(names) is declared otherwise")
                ], [], false
            )
        }
        if signatures(before, earlier) == signatures(after, later) { return ([], [], true) }
        if isDeclaredOtherwise(before) || isDeclaredOtherwise(after) {
            return (
                [
                    RuleChanges.Line(
                        key: "audience",
                        text: "not compared: "
                            + "what conditions read is declared otherwise")
                ], [], false
            )
        }
        let step = sides(from: before, to: after)
        if step.words.isEmpty { return (dismissLines(from: old, to: new), [], true) }
        // Who is let through at the moment of the trigger is another question.
        let hasOtherTriggers =
            Set(old.eventConditions.map { signature(of: $0.condition, in: earlier) })
            != Set(new.eventConditions.map { signature(of: $0.condition, in: later) })
        let isPart =
            hasOtherTriggers || old.hasOpenWindows || new.hasOpenWindows
            || old.isForNobody && new.isForNobody
        let line = RuleChanges.Line(
            key: isPart ? "when" : "audience", text: step.text, details: step.details)
        let affected = step.affected.map {
            RuleChanges.Affected(popup: new.id, person: $0.person, isGained: $0.isGained)
        }
        return ([line], affected, step.isDecided)
    }

    /// Who is let in and who is left out by a step from some conditions to others.
    private struct Sides {
        /// Such as `grows`; none when both are met by the same.
        var words: [String] = []
        var details: [String] = []
        var affected: [(person: Person, isGained: Bool)] = []
        var isDecided = true

        var text: String { words.joined(separator: ", ") }
    }

    private func sides(from before: Demand, to after: Demand) -> Sides {
        var logic = Logic(
            of: before.conditions, declarations: declarations.whileShowing(), limits: limits.logic)
        var result = Sides()
        let sides = [
            (isGained: true, "now also", after, before, later),
            (isGained: false, "no more", before, after, earlier),
        ]
        for (isGained, lead, one, other, rules) in sides {
            let word = isGained ? "grows" : "shrinks"
            switch logic.implies(one, other) {
            case .yes: continue
            case .notKnown:
                result.isDecided = false
                result.words.append("whether it \(word) is not known")
            case .no(let witness):
                result.words.append(word)
                let texts = TestWords(rules: rules, declarations: declarations)
                let lines = logic.cover(of: one, without: other)?.lines ?? []
                if lines.isEmpty { result.details.append("\(lead) some") }
                for (position, tests) in lines.enumerated() {
                    result.details.append("\(position == 0 ? lead : "or") \(texts.line(tests))")
                }
                let person = Person(witness, texts)
                result.details.append("such as \(person.text)")
                result.affected.append((person, isGained))
            }
        }
        return result
    }

    /// Which events each trigger lets pass, where the triggers themselves are the same; nil where
    /// they are not, or where it is not known what conditions read.
    private func triggerLines(
        from old: PopupRule, to new: PopupRule
    ) -> (lines: [RuleChanges.Line], isDecided: Bool)? {
        let (one, other) = (triggers(of: old, in: earlier), triggers(of: new, in: later))
        guard let one, let other, Set(one.keys) == Set(other.keys) else { return nil }
        var lines: [RuleChanges.Line] = []
        var isDecided = true
        for (name, condition) in other.sorted(by: { $0.key < $1.key }) {
            guard let former = one[name], former != nil || condition != nil else { continue }
            let before = Demand([former?.program].compactMap { $0 })
            let after = Demand([condition?.program].compactMap { $0 }, isLater: true)
            if signatures(before, earlier) == signatures(after, later) { continue }
            if isDeclaredOtherwise(before) || isDeclaredOtherwise(after) { return nil }
            let step = sides(from: before, to: after)
            if step.words.isEmpty { continue }
            isDecided = isDecided && step.isDecided
            lines.append(
                RuleChanges.Line(
                    key: "trigger", text: "\(name): \(step.text)", details: step.details))
        }
        return (lines, isDecided)
    }

    /// The conditions of triggers by what they wait for; nil where two wait for the same.
    private func triggers(of popup: PopupRule, in rules: RuleSet) -> [String: Condition?]? {
        let words = RuleWords(rules)
        var all: [String: Condition?] = [:]
        for trigger in popup.triggers {
            var condition: Condition?
            if case .event(let event) = trigger { condition = event.where }
            let former = all.updateValue(condition, forKey: words.name(of: trigger))
            if former != nil { return nil }
        }
        return all
    }

    /// Where the same people may see it, but something else takes it down.
    private func dismissLines(from old: PopupRule, to new: PopupRule) -> [RuleChanges.Line] {
        let (one, other) = (old.dismissWhen, new.dismissWhen)
        if let one, let other {
            let (before, after) = (
                Demand([one.program]), Demand([other.program], isLater: true)
            )
            if isEqual(before, after).isYes { return [] }
        } else if one == nil, other == nil {
            return []
        }
        func text(_ condition: Condition?) -> String? {
            condition.map { "`\($0.program.expression.description)`" }
        }
        return [RuleChanges.Line(key: "dismiss_when", text: step(text(one), text(other)))]
    }

    private func signatures(_ demand: Demand, _ rules: RuleSet) -> [[String]] {
        [demand.met, demand.unmet].map { $0.map { signature(of: $0, in: rules) } }
    }
}

// MARK: What follows from a key

extension Comparison {
    private func details(
        of key: String, from old: PopupRule, to new: PopupRule
    ) -> [String] {
        switch key {
        case "priority": orderDetails(from: old, to: new)
        case "rollout": rolloutDetails(old.audience.rollout, new.audience.rollout)
        case "experiment": experimentDetails(old.experiment, new.experiment)
        default: []
        }
    }

    private func orderDetails(from old: PopupRule, to new: PopupRule) -> [String] {
        let (before, after) = (order(beside: old, earlier), order(beside: new, later))
        var details: [String] = []
        for place in Place.allCases {
            let names = after.keys.filter { id in
                after[id] == place && before[id].map { $0 != place } ?? false
            }.sorted()
            if names.isEmpty { continue }
            details.append("\(place.rawValue) \(Self.some(of: names))")
        }
        return details
    }

    private enum Place: String, CaseIterable {
        case before = "now before"
        case level = "now level with"
        case behind = "now behind"
    }

    /// Where a popup goes, beside the others of its scheduler.
    private func order(beside popup: PopupRule, _ rules: RuleSet) -> [String: Place] {
        guard rules.schedulers[popup.scheduler].strategy == .priority else { return [:] }
        var order: [String: Place] = [:]
        for other in rules.popups
        where other.scheduler == popup.scheduler && other.id != popup.id {
            order[other.id] =
                other.priority < popup.priority
                ? .before : other.priority == popup.priority ? .level : .behind
        }
        return order
    }

    private func rolloutDetails(_ old: Rollout?, _ new: Rollout?) -> [String] {
        guard let old, let new else { return [] }
        let isOther =
            old.salt != new.salt || earlier.keys[old.key].name != later.keys[new.key].name
        // Of nobody and of everybody no others can be drawn.
        let isDrawn = [old, new].allSatisfy { rollout in
            rollout.share.largest > 0 && rollout.share != .range(0..<100)
        }
        guard isDrawn else { return [] }
        if !isOther, case .range(let one) = old.share, case .range(let other) = new.share {
            let isWithin =
                one.clamped(to: other) == one || other.clamped(to: one) == other
            return isWithin ? [] : ["other people are drawn"]
        }
        return isOther ? ["other people are drawn"] : []
    }

    /// By name, with the smallest weights that divide the users in the same way.
    private func inLowestTerms(_ arms: [Assignment.Arm]) -> [Assignment.Arm] {
        func divisor(_ one: Int, _ other: Int) -> Int {
            other == 0 ? one : divisor(other, one % other)
        }
        let common = max(arms.reduce(0) { divisor($1.weight, $0) }, 1)
        return arms.sorted { $0.name < $1.name }.map {
            Assignment.Arm($0.name, weight: $0.weight / common)
        }
    }

    private func experimentDetails(_ old: Experiment?, _ new: Experiment?) -> [String] {
        guard let old, let new else { return [] }
        var (one, other) = (old.assignment, new.assignment)
        let key = earlier.keys[one.key].name != later.keys[other.key].name
        one.key = other.key
        // Who takes part besides stays in the arm that is theirs.
        one.share = other.share
        one.arms = inLowestTerms(one.arms)
        other.arms = inLowestTerms(other.arms)
        return key || one != other ? ["people move between arms"] : []
    }
}
