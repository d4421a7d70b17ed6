internal import PopCEL
internal import PopLogic
internal import PopScheduler

/// The popups of two rule sets side by side.
struct Comparison {
    let earlier: RuleSet
    let later: RuleSet
    let limits: AnalysisLimits
    let declarations: Declarations
    /// By popup those of its priority that it stands before now, and did not before.
    private let overtaken: [String: [String]]
    /// Groups of the later rules that are those of the earlier ones under another name: that name.
    private let formerNames: [GroupIndex: String]

    init(_ earlier: RuleSet, _ later: RuleSet, _ limits: AnalysisLimits) {
        self.earlier = earlier
        self.later = later
        self.limits = limits
        declarations = Declarations(earlier: earlier, later: later)
        overtaken = Self.overtaken(from: earlier, to: later)
        formerNames = Self.formerNames(from: earlier, to: later)
    }

    /// The name of a group of the later rules, or that which it had in the earlier ones.
    func name(of group: GroupIndex) -> String { formerNames[group] ?? later.groups[group].name }

    /// What is found out about a popup.
    struct Finding {
        var lines: [RuleChanges.Line] = []
        var affected: [RuleChanges.Affected] = []
        var isDecided = true
        /// Whether a condition moved to another moment, and all of them together mean the same.
        var isMoved = false

        mutating func add(_ other: Finding) {
            lines += other.lines
            affected += other.affected
            isDecided = isDecided && other.isDecided
        }
    }

    /// What becomes of a popup. What is compared is what both come down to, what is told is what is
    /// written.
    func finding(from old: PopupRule, to new: PopupRule) -> Finding {
        var (one, other) = (old.plain(in: earlier), new.plain(in: later))
        var finding = audience(from: one, to: other)
        leaveOutTold(&one, &other)
        for row in RuleWords.rows {
            if row.name == "trigger", var triggers = triggers(from: one, to: other) {
                // What moved between a trigger and the popup is seen in no story.
                if finding.isMoved { triggers.affected = [] }
                finding.add(triggers)
            } else if let text = step(of: row, from: (old, one), to: (new, other)) {
                var line = RuleChanges.Line(key: row.name, text: text)
                line.details = details(of: row.name, from: one, to: other)
                finding.lines.append(line)
            }
        }
        if let others = overtaken[new.id] {
            let text = "now before \(Self.some(of: others)) where they wait with one priority"
            finding.lines.append(RuleChanges.Line(key: "order", text: text))
        }
        return finding
    }

    /// Leaves out what was compared with the audience: groups that have no caps, and conditions of
    /// schedules.
    private func leaveOutTold(_ one: inout PopupRule, _ other: inout PopupRule) {
        let groups = [
            one.group.map { earlier.groups[$0] }, other.group.map { later.groups[$0] },
        ]
        if groups.allSatisfy({ $0?.caps.isEmpty ?? true }) { (one.group, other.group) = (nil, nil) }
        guard !one.hasOpenWindows, !other.hasOpenWindows, !one.asksForSchedule(in: earlier),
            !other.asksForSchedule(in: later)
        else { return }
        for place in one.timing.schedule.indices { one.timing.schedule[place].when = nil }
        for place in other.timing.schedule.indices { other.timing.schedule[place].when = nil }
    }

    private typealias Written = (rule: PopupRule, plain: PopupRule)

    /// What a key said and says; nil where that is the same.
    private func step(
        of row: RuleWords.Row, from old: Written, to new: Written
    ) -> String? {
        var (before, after) = (RuleWords(earlier), RuleWords(later))
        (before.isExact, after.isExact) = (true, true)
        before.condition = { signature(of: $0, in: earlier) }
        after.condition = { signature(of: $0, beside: old.plain) }
        after.group = name
        if row.text(old.plain, before) == row.text(new.plain, after) { return nil }
        before.condition = RuleWords(earlier).condition
        after.condition = { words(for: $0, beside: old.plain) }
        let exact = (row.text(old.plain, before), row.text(new.plain, after))
        (before.isExact, after.isExact) = (false, false)
        let (one, other) = (row.text(old.rule, before), row.text(new.rule, after))
        return one == other
            ? PopAnalysis.step(from: exact.0, to: exact.1) : PopAnalysis.step(from: one, to: other)
    }

    static func some(of names: [String]) -> String {
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return names.prefix(5).joined(separator: ", ") + more
    }
}

// MARK: Popups beside each other

extension Comparison {
    /// Of popups that wait from one moment on with one priority, the place in the files decides.
    private static func overtaken(from earlier: RuleSet, to later: RuleSet) -> [String: [String]] {
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

    /// Groups with other names and the same popups.
    private static func formerNames(
        from earlier: RuleSet, to later: RuleSet
    ) -> [GroupIndex: String] {
        func groups(_ rules: RuleSet, without names: Set<String>) -> [[String]: GroupIndex] {
            var members: [GroupIndex: [String]] = [:]
            for popup in rules.popups {
                if let group = popup.group { members[group, default: []].append(popup.id) }
            }
            var found: [[String]: GroupIndex] = [:]
            for (place, ids) in members where !names.contains(rules.groups[place].name) {
                found[ids.sorted()] = place
            }
            return found
        }
        let former = groups(earlier, without: Set(later.groups.map { $0.name }))
        let latter = groups(later, without: Set(earlier.groups.map { $0.name }))
        var names: [GroupIndex: String] = [:]
        for (group, place) in latter {
            if let known = former[group] { names[place] = earlier.groups[known].name }
        }
        return names
    }
}
