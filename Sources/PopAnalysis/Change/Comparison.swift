internal import PopCEL
internal import PopLogic
internal import PopScheduler
internal import PopSource

/// A comparison of the popups of two rule sets.
struct Comparison {
    let earlier: RuleSet
    let later: RuleSet
    let limits: AnalysisLimits
    let declarations: Declarations
    /// The names of the keys that describe a situation: declared as momentary, or used by a
    /// trigger.
    let momentaryKeys: Set<String>
    /// The indexes of the earlier popups by their ids.
    let earlierPlaces: [String: PopupIndex]
    /// By template of each rule set, the actions that count as a refusal.
    private let refusals: (earlier: Refusals, later: Refusals)
    /// By popup, the popups with equal priority that it is placed before now, and wasn't before.
    private let overtaken: [String: LaneOrder.Names]
    /// The popups by their schedulers before and after.
    private let orders: [LanePair: LaneOrder]
    /// True if the order of all popups was compared.
    let isOrderDecided: Bool
    /// The former names of groups that were only renamed.
    private let formerNames: [GroupIndex: String]

    init(_ earlier: RuleSet, _ later: RuleSet, _ limits: AnalysisLimits) {
        self.earlier = earlier
        self.later = later
        self.limits = limits
        declarations = Declarations(earlier: earlier, later: later)
        momentaryKeys = Self.momentaryKeys(of: [earlier, later])
        var places: [String: PopupIndex] = [:]
        for place in earlier.popups.places { places[earlier.popups[place].id] = place }
        earlierPlaces = places
        refusals = (earlier.refusals, later.refusals)
        var steps = PairSteps(limits)
        overtaken = Self.overtaken(
            from: earlier, to: later, atMost: limits.overtakenPopups, &steps)
        orders = Self.orders(of: later, in: earlier, at: places)
        isOrderDecided = !steps.isUsedUp
        formerNames = Self.formerNames(from: earlier, to: later)
    }

    /// Returns the name of a group of the later rules; its former name if it was renamed.
    func name(of group: GroupIndex) -> String { formerNames[group] ?? later.groups[group].name }

    /// The results of comparing a popup.
    struct Finding {
        var lines: [RuleChanges.Line] = []
        var affected: [RuleChanges.Affected] = []
        var isDecided = true
        /// True if a condition moved between trigger and popup, and all conditions together mean
        /// the same.
        var isMoved = false

        mutating func add(_ other: Finding) {
            lines += other.lines
            affected += other.affected
            isDecided = isDecided && other.isDecided
        }
    }

    /// Compares a popup. The comparison uses normalized rules, and the report uses the rules as
    /// written.
    func finding(from old: PopupRule, to new: PopupRule) -> Finding {
        var (one, other) = (
            old.plain(in: earlier, refusals: refusals.earlier),
            new.plain(in: later, refusals: refusals.later)
        )
        var finding = audience(from: one, to: other)
        leaveOutTold(&one, &other)
        let former = FormerConditions(of: one)
        for row in RulePhrases.rows {
            if row.name == "trigger", var triggers = triggers(from: one, to: other) {
                // A condition that moved between a trigger and the popup is visible in no scenario.
                if finding.isMoved { triggers.affected = [] }
                finding.add(triggers)
            } else if let text = step(
                of: row, from: (old, one), to: (new, other), former: former)
            {
                var line = RuleChanges.Line(key: row.name, text: text)
                line.details = details(of: row.name, from: one, to: other)
                finding.lines.append(line)
            }
        }
        if let others = overtaken[new.id] {
            let names = Self.some(of: others.ids, areAll: others.areAll)
            let text = "now shows before \(names) if they wait with the same priority"
            finding.lines.append(RuleChanges.Line(key: "order", text: text))
        }
        return finding
    }

    /// Removes the parts that were compared with the audience: groups without caps, and conditions
    /// of schedules.
    private func leaveOutTold(_ one: inout PopupRule, _ other: inout PopupRule) {
        let groups = [
            one.group.map { earlier.groups[$0] }, other.group.map { later.groups[$0] },
        ]
        if groups.allSatisfy({ $0?.caps.isEmpty ?? true }) { (one.group, other.group) = (nil, nil) }
        guard !one.hasOpenWindows, !other.hasOpenWindows, !one.asksForSchedule(in: earlier),
            !other.asksForSchedule(in: later)
        else { return }
        one.timing.schedule = one.timing.schedule.map(\.withoutCondition)
        other.timing.schedule = other.timing.schedule.map(\.withoutCondition)
    }

    private typealias Written = (rule: PopupRule, plain: PopupRule)

    /// Returns the text of the earlier and later value of a key; nil if they are the same.
    private func step(
        of row: RulePhrases.Row, from old: Written, to new: Written,
        former: FormerConditions
    ) -> String? {
        var (before, after) = (RulePhrases(earlier), RulePhrases(later))
        (before.isExact, after.isExact) = (true, true)
        before.condition = { signature(of: $0, in: earlier) }
        after.condition = { signature(of: $0, beside: former) }
        after.group = name
        if isSameText(row.text(old.plain, before), row.text(new.plain, after)) { return nil }
        before.condition = RulePhrases(earlier).condition
        after.condition = { words(for: $0, beside: former) }
        let exact = (row.text(old.plain, before), row.text(new.plain, after))
        (before.isExact, after.isExact) = (false, false)
        let (one, other) = (row.text(old.rule, before), row.text(new.rule, after))
        return isSameText(one, other)
            ? PopAnalysis.step(from: exact.0, to: exact.1) : PopAnalysis.step(from: one, to: other)
    }

    /// Returns the first names, and the number of further ones; "at least" is added if these aren't
    /// all.
    static func some(of names: [String], areAll: Bool = true) -> String {
        let least = areAll ? "" : "at least "
        let more = names.count > 5 ? " and \(least)\(names.count - 5) more" : ""
        return names.prefix(5).joined(separator: ", ") + more
    }
}

// MARK: The order of popups

extension Comparison {
    /// Returns the popups that each popup is placed before now, and wasn't before. The place in the
    /// files decides among popups that begin to wait at the same time with the same priority.
    private static func overtaken(
        from earlier: RuleSet, to later: RuleSet, atMost most: Int, _ steps: inout PairSteps
    ) -> [String: LaneOrder.Names] {
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
        var found: [String: (ids: Set<String>, areAll: Bool)] = [:]
        for group in groups.values
        where zip(group, group.dropFirst()).contains(where: { $0.place > $1.place }) {
            let least = LeastNumbers(group.map { $0.place })
            for (position, popup) in group.enumerated() {
                let others = least.places(
                    in: (position + 1)..<group.count, below: popup.place, atMost: most + 1,
                    steps: &steps)
                if others.isEmpty { continue }
                found[popup.id, default: ([], true)].ids.formUnion(others.map { group[$0].id })
                if others.count > most { found[popup.id]?.areAll = false }
            }
        }
        return found.mapValues { ($0.ids.sorted(), $0.areAll) }
    }

    /// A scheduler of the earlier rules, and one of the later rules.
    struct LanePair: Hashable {
        let earlier: LaneIndex
        let later: LaneIndex
    }

    /// Returns the popups that schedulers order by priority in both rule sets.
    private static func orders(
        of later: RuleSet, in earlier: RuleSet, at places: [String: PopupIndex]
    ) -> [LanePair: LaneOrder] {
        var members: [LanePair: [LaneOrder.Member]] = [:]
        for popup in later.popups {
            guard let place = places[popup.id] else { continue }
            let former = earlier.popups[place]
            guard earlier.schedulers[former.scheduler].strategy == .priority,
                later.schedulers[popup.scheduler].strategy == .priority
            else { continue }
            let pair = LanePair(earlier: former.scheduler, later: popup.scheduler)
            members[pair, default: []].append(
                LaneOrder.Member(id: popup.id, before: former.priority, after: popup.priority))
        }
        return members.mapValues { LaneOrder($0) }
    }

    /// Returns the consequences of a different priority: the popups that a popup is before now,
    /// level with, or after.
    func orderDetails(from old: PopupRule, to new: PopupRule) -> [String] {
        let pair = LanePair(earlier: old.scheduler, later: new.scheduler)
        guard let order = orders[pair] else { return [] }
        let most = limits.overtakenPopups
        let (one, other) = (old.priority, new.priority)
        var steps = PairSteps(limits)
        let names: [(String, LaneOrder.Names)] = [
            ("now shows before", order.overtaken(from: one, to: other, atMost: most, &steps)),
            ("now has the same priority as", order.levelled(from: one, to: other, atMost: most)),
            ("now shows after", order.overtaking(from: one, to: other, atMost: most, &steps)),
        ]
        if steps.isUsedUp {
            return ["not compared with the other popups, because there are too many"]
        }
        return names.filter { !$0.1.ids.isEmpty }.map { words, names in
            "\(words) \(Self.some(of: names.ids.sorted(), areAll: names.areAll))"
        }
    }

    private static func momentaryKeys(of ruleSets: [RuleSet]) -> Set<String> {
        var names: Set<String> = []
        for rules in ruleSets {
            for key in rules.keys where key.isMomentary { names.insert(key.name) }
            for popup in rules.popups {
                for case .changed(let key) in popup.triggers { names.insert(rules.keys[key].name) }
            }
        }
        return names
    }

    /// Returns the former names of groups that have a new name and the same popups.
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

extension Schedule {
    fileprivate var withoutCondition: Schedule {
        var schedule = self
        schedule.when = nil
        return schedule
    }
}

// The consequences of a key with a different value.
extension Comparison {
    func details(
        of key: String, from old: PopupRule, to new: PopupRule
    ) -> [String] {
        switch key {
        case "priority": orderDetails(from: old, to: new)
        case "rollout":
            rolloutDetails(from: old.audience.rollout, to: new.audience.rollout)
                + dateDetails(from: old.audience.rollout, to: new.audience.rollout)
        case "experiment": experimentDetails(from: old.experiment, to: new.experiment)
        default: []
        }
    }

    private func rolloutDetails(from old: Rollout?, to new: Rollout?) -> [String] {
        guard let old, let new else { return [] }
        let isOther = !isSameDraw(old, new)
        // If no users or all users are assigned, other users can't be.
        let isDrawn = [old, new].allSatisfy { rollout in
            rollout.share.largest > 0 && rollout.share != .range(0..<100)
        }
        guard isDrawn else { return [] }
        if !isOther, case .range(let one) = old.share, case .range(let other) = new.share {
            let isWithin =
                one.clamped(to: other) == one || other.clamped(to: one) == other
            return isWithin ? [] : ["different users are assigned"]
        }
        return isOther ? ["different users are assigned"] : []
    }

    private func dateDetails(from old: Rollout?, to new: Rollout?) -> [String] {
        RolloutDates(from: old, to: new, isSameDraw: isSameDraw(old, new)).texts
    }

    /// Returns true if two rollouts assign the same position to each user.
    private func isSameDraw(_ old: Rollout?, _ new: Rollout?) -> Bool {
        guard let old, let new else { return true }
        return isSameText(old.salt, new.salt)
            && earlier.keys[old.key].name == later.keys[new.key].name
    }

    private func experimentDetails(from old: Experiment?, to new: Experiment?) -> [String] {
        guard let old, let new else { return [] }
        var (one, other) = (old.assignment, new.assignment)
        let key = earlier.keys[one.key].name != later.keys[other.key].name
        one.key = other.key
        // Users who newly take part don't move existing users to other arms.
        one.share = other.share
        one.arms = one.arms.inLowestTerms
        other.arms = other.arms.inLowestTerms
        // The name of the layer has no effect.
        one.layer?.layer = other.layer?.layer ?? ""
        let isSalted =
            !isSameText(one.salt, other.salt) || !isSameText(one.layer?.salt, other.layer?.salt)
        return key || isSalted || one != other ? ["users move between variants"] : []
    }
}
