internal import PopCEL
internal import PopLogic
public import PopScheduler
public import PopSource

/// An analysis of the conditions of rules: it finds conditions that are never or always true, parts
/// of them without an effect, and popups for the same users.
public enum Meaning {
    /// Returns the findings about rules beyond those that are already known.
    ///
    /// Precondition: the rules were compiled from files whose findings are `known`, and all errors
    /// are in `broken`.
    public static func findings(
        in rules: RuleSet, known: Diagnostics = Diagnostics(),
        without broken: BrokenParts = BrokenParts(), limits: AnalysisLimits = .standard
    ) -> Diagnostics {
        findings(in: rules, known: known, without: broken, limits: limits, check: {})
    }

    /// Returns the same findings. `check` is called repeatedly, and can end the analysis by
    /// throwing.
    public static func findings(
        in rules: RuleSet, known: Diagnostics, without broken: BrokenParts,
        limits: AnalysisLimits = .standard, check: () throws -> Void
    ) rethrows -> Diagnostics {
        var reading = MeaningReading(
            rules, told: ReportedRanges(known), without: broken, limits: limits)
        reading.lookAtNamedConditions()
        reading.lookAtGroups()
        try reading.lookAtPopups(check: check)
        try reading.lookForSameAudiences(check: check)
        return reading.found
    }
}

/// The places with a known finding about the meaning of a condition.
struct ReportedRanges {
    private let ranges: [SourceRange]

    init(_ known: Diagnostics) {
        let checks: Set<Check> = [
            .logicNeverTrue, .logicAlwaysTrue, .hygieneWhenFalse, .scheduleDismissedAtOnce,
        ]
        ranges = known.list.filter { checks.contains($0.check) }.map { $0.range }
    }

    /// Returns true if a place contains a finding.
    func isTold(in place: SourceRange) -> Bool {
        ranges.contains { range in
            range.file == place.file && range.lower >= place.lower && range.upper <= place.upper
        }
    }
}

/// A pass through rules that collects findings.
struct MeaningReading {
    let rules: RuleSet
    let told: ReportedRanges
    let broken: BrokenParts
    let limits: AnalysisLimits
    private(set) var found = Diagnostics()
    /// The named conditions that are constant or already have a finding. Conditions that use them
    /// treat their results as unknown.
    private var open: Set<String> = []
    private var declarations: Declarations
    /// The groups whose condition is constant or already has a finding.
    private var openGroups: Set<GroupIndex> = []
    private var keys: ReadKeys
    /// The conditions without findings, by their source.
    private var quiet: Set<String> = []

    /// The finding about a single condition.
    enum Judgement {
        case never(UnsatCore)
        case always
        case idle([Logic.IdlePart])
        case nothing
    }

    init(
        _ rules: RuleSet, told: ReportedRanges, without broken: BrokenParts, limits: AnalysisLimits
    ) {
        self.rules = rules
        self.told = told
        self.broken = broken
        self.limits = limits
        open = broken.conditions
        openGroups = broken.groups
        declarations = Declarations(rules)
        keys = ReadKeys(rules)
    }

    mutating func report(_ diagnostic: Diagnostic) { found.report(diagnostic) }
}

// MARK: One condition

extension MeaningReading {
    /// Returns true if a condition should be examined. A constant is a deliberate switch, and a
    /// condition with a finding isn't reported twice.
    func isAsked(_ condition: Condition) -> Bool {
        condition.program.constantValue == nil && !told.isTold(in: condition.range)
    }

    private func logic(_ programs: [Program], declarations: Declarations) -> Logic {
        Logic(of: programs, declarations: declarations, limits: limits.logic)
    }

    /// Returns the finding about a condition. `event` distinguishes the event fields that it reads.
    mutating func judge(_ condition: Condition, event: EventIndex? = nil) -> Judgement {
        guard isAsked(condition) else { return .nothing }
        let program = condition.program
        guard keys.anyReadTwice(in: [program]) else { return .nothing }
        let text = "\(event.map { $0.number } ?? -1) \(program.expression.description)"
        if quiet.contains(text) { return .nothing }
        let judgement = judge(program, declarations: declarations)
        if case .nothing = judgement { quiet.insert(text) }
        return judgement
    }

    private func judge(_ program: Program, declarations: Declarations) -> Judgement {
        var logic = logic([program], declarations: declarations)
        if let clash = logic.clash(of: [program]) { return .never(clash) }
        if logic.clash(of: [], unless: [program]) != nil { return .always }
        let idle = logic.idleParts(of: program)
        return idle.isEmpty ? .nothing : .idle(idle)
    }

    /// Reports the finding about a condition. Returns true if the condition is never or always
    /// true.
    @discardableResult
    mutating func tell(_ judgement: Judgement, of condition: Condition, owner: Owner) -> Bool {
        switch judgement {
        case .nothing: return false
        case .never(let clash):
            report(.never(clash, owner: owner, at: condition.range))
            return true
        case .always:
            report(.always(condition, owner: owner))
            return true
        case .idle(let parts):
            for part in parts { report(.idle(part, owner: owner)) }
            return false
        }
    }
}

// MARK: Named conditions, and groups

extension MeaningReading {
    mutating func lookAtNamedConditions() {
        for named in rules.conditions where !isAsked(named.condition) { open.insert(named.name) }
        declarations = Declarations(rules, leavingOpen: open)
        var judgements: [(NamedCondition, Judgement)] = []
        var decided: Set<String> = []
        for named in rules.conditions where !open.contains(named.name) {
            let judgement = judge(named.condition)
            judgements.append((named, judgement))
            switch judgement {
            case .never, .always: decided.insert(named.name)
            case .idle, .nothing: break
            }
        }
        for (named, judgement) in judgements {
            var judgement = judgement
            // A consequence of another condition is reported only there.
            let others = decided.subtracting([named.name])
            if !others.isEmpty, decided.contains(named.name) {
                let without = Declarations(rules, leavingOpen: open.union(others))
                judgement = judge(named.condition.program, declarations: without)
            }
            tell(judgement, of: named.condition, owner: .condition(named.name))
        }
        guard !decided.isEmpty else { return }
        open.formUnion(decided)
        declarations = Declarations(rules, leavingOpen: open)
        quiet = []
    }

    mutating func lookAtGroups() {
        for group in rules.groups.places where !openGroups.contains(group) {
            guard let when = rules.groups[group].when else { continue }
            let isDecided = tell(judge(when), of: when, owner: .group(rules.groups[group].name))
            if isDecided || !isAsked(when) { openGroups.insert(group) }
        }
    }
}

// MARK: Popups

extension MeaningReading {
    mutating func lookAtPopups(check: () throws -> Void) rethrows {
        for place in rules.popups.places where !broken.popups.contains(place) {
            try check()
            let popup = rules.popups[place]
            for case .event(let trigger) in popup.triggers {
                guard let condition = trigger.where else { continue }
                tell(
                    judge(condition, event: trigger.event), of: condition,
                    owner: .trigger(popup: popup.id))
            }
            for goal in popup.goals {
                guard let condition = goal.where else { continue }
                tell(
                    judge(condition, event: goal.event), of: condition,
                    owner: .goal(goal.name, popup: popup.id))
            }
            lookAtShowing(popup)
        }
    }

    /// Examines the conditions that are evaluated when a popup is about to show.
    private mutating func lookAtShowing(_ popup: PopupRule) {
        var parts: [Required] = []
        if let group = popup.group, !openGroups.contains(group), let when = rules.groups[group].when
        {
            parts.append(Required(when, .group(rules.groups[group].name)))
        }
        for schedule in popup.timing.schedule {
            guard let when = schedule.when else { continue }
            let isDecided = tell(judge(when), of: when, owner: .schedule(popup: popup.id))
            if !isDecided, isAsked(when), popup.timing.schedule.count == 1 {
                parts.append(Required(when, .schedule(popup: popup.id)))
            }
        }
        var isDecided = false
        if let when = popup.when {
            isDecided = tell(judge(when), of: when, owner: .popup(popup.id))
            if !isDecided, isAsked(when) { parts.append(Required(when, .popup(popup.id))) }
        }
        var kept: Condition?
        if let dismissal = popup.dismissWhen {
            let judgement = judge(dismissal)
            if case .always = judgement {
                kept = dismissal
            } else if !tell(judgement, of: dismissal, owner: .dismissal(popup: popup.id)),
                isAsked(dismissal)
            {
                kept = dismissal
            }
        }
        if !isDecided { lookTogether(popup, parts: parts, dismissal: kept) }
    }

    /// Checks whether conditions can hold together, and whether some of them imply parts of others.
    private mutating func lookTogether(
        _ popup: PopupRule, parts: [Required], dismissal: Condition?
    ) {
        let programs = parts.map { $0.condition.program }
        let others = [dismissal?.program].compactMap { $0 }
        guard programs.count + others.count > 1 || !others.isEmpty,
            keys.anyShared(programs + others)
        else { return }
        let texts = programs.map { $0.expression.description }
        let text =
            texts.joined(separator: "\n") + "\nunless "
            + others.map { $0.expression.description }.joined()
        if quiet.contains(text) { return }
        var logic = logic(programs + others, declarations: declarations)
        if let clash = logic.clash(of: programs, unless: others) {
            let owners = parts.map { $0.owner } + others.map { _ in .dismissal(popup: popup.id) }
            let place = popup.when ?? dismissal ?? parts.last?.condition
            report(
                .neverShows(clash, popup: popup.id, owners: owners, at: place?.range ?? popup.range)
            )
            return
        }
        if let own = parts.last, case .popup = own.owner,
            lookForRepeats(own, of: parts.dropLast(), logic: &logic)
        {
            return
        }
        quiet.insert(text)
    }

    /// Reports the parts that the group or the schedule already implies. Returns true if there are
    /// any.
    private mutating func lookForRepeats(
        _ own: Required, of others: ArraySlice<Required>, logic: inout Logic
    ) -> Bool {
        let program = own.condition.program
        for other in others where keys.anyShared([program, other.condition.program]) {
            if case .yes = logic.implies(other.condition.program, program) {
                report(.repeats(own, alreadyIn: other))
                return true
            }
            let parts = logic.idleParts(of: program, beside: other.condition.program)
            for part in parts { report(.repeats(part, of: own, alreadyIn: other)) }
            if !parts.isEmpty { return true }
        }
        return false
    }
}

/// A condition that a popup needs in order to show.
struct Required {
    let condition: Condition
    let owner: Owner

    init(_ condition: Condition, _ owner: Owner) {
        self.condition = condition
        self.owner = owner
    }
}

// MARK: Popups for the same users

extension MeaningReading {
    /// Reports popups whose conditions are written differently but mean the same.
    ///
    /// Only considers popups in the same scheduler with the same triggers and schedule, neither of
    /// which comes after the other. Other popups are intentionally for the same users.
    mutating func lookForSameAudiences(check: () throws -> Void) rethrows {
        var alike: [String: [PopupIndex]] = [:]
        for popup in rules.popups.places where !broken.unclear.contains(popup) {
            let rule = rules.popups[popup]
            guard let when = rule.when, isAsked(when), rule.isEnabled,
                rule.audience.rollout == nil, rule.audience.experiment == nil
            else { continue }
            alike[likeness(of: rule), default: []].append(popup)
        }
        for popups in alike.values.sorted(by: { $0[0].number < $1[0].number })
        where Set(popups.map { text(of: rules.popups[$0]) }).count > 1 {
            try tellSameAudiences(among: popups, check: check)
        }
    }

    private mutating func tellSameAudiences(
        among popups: [PopupIndex], check: () throws -> Void
    ) rethrows {
        let all = popups.map { programs(of: rules.popups[$0]) }
        var logic = logic(all.flatMap { $0 }, declarations: declarations)
        var first: [People: PopupIndex] = [:]
        for (popup, programs) in zip(popups, all) {
            try check()
            guard let audience = logic.audience(of: programs) else { continue }
            guard let other = first[audience] else {
                first[audience] = popup
                continue
            }
            let (one, second) = (rules.popups[popup], rules.popups[other])
            guard text(of: one) != text(of: second), one.timing.schedule == second.timing.schedule,
                !one.after.contains(where: { $0.popup == other }),
                !second.after.contains(where: { $0.popup == popup }),
                let when = one.when, let otherWhen = second.when
            else { continue }
            report(.sameAudience(one.id, at: when.range, as: second.id, place: otherWhen.range))
        }
    }

    private func programs(of popup: PopupRule) -> [Program] {
        let group = popup.group.flatMap { rules.groups[$0].when?.program }
        return [group, popup.when?.program].compactMap { $0 }
    }

    private func text(of popup: PopupRule) -> String {
        programs(of: popup).map { $0.expression.description }.joined(separator: " && ")
    }

    /// Returns the properties that popups share if they may be for the same users by mistake.
    private func likeness(of popup: PopupRule) -> String {
        var words = ["\(popup.scheduler.number)"]
        words += popup.triggers.map { trigger in
            switch trigger {
            case .occasion(let occasion): occasion.rawValue
            case .event(let event):
                "event \(event.event.number) \(event.occurrence) "
                    + (event.where?.program.expression.description ?? "")
            case .changed(let key): "changed \(key.number)"
            case .acted(let popup, let action): "acted \(popup.number) \(action)"
            }
        }.sorted()
        let read = programs(of: popup).reduce(into: Set<String>()) { all, program in
            all.formUnion(keys.keys(of: program))
        }
        return (words + read.sorted()).joined(separator: "\n")
    }
}

/// The part of the rules that a condition belongs to.
enum Owner: Sendable {
    /// The `when` of a popup.
    case popup(String)
    /// The `dismiss_when` of a popup.
    case dismissal(popup: String)
    /// The `when` in the schedule of a popup.
    case schedule(popup: String)
    /// The `where` of a trigger of a popup.
    case trigger(popup: String)
    /// The `where` of a goal of a popup.
    case goal(String, popup: String)
    case group(String)
    /// A named condition.
    case condition(String)
}

extension Owner {
    /// The subject of a finding.
    var subject: String {
        switch self {
        case .popup(let popup), .dismissal(let popup), .schedule(let popup), .trigger(let popup),
            .goal(_, let popup):
            "popup `\(popup)`"
        case .group(let group): "group `\(group)`"
        case .condition(let name): "condition `\(name)`"
        }
    }

    /// The consequence if the condition is never true.
    var never: String {
        switch self {
        case .popup: "so the popup never shows"
        case .dismissal: "so `dismiss_when` never dismisses the popup"
        case .schedule: "so this entry of the schedule never applies"
        case .trigger: "so no event matches"
        case .goal(let name, _): "so the goal `\(name)` is never reached"
        case .group: "so no popup of the group ever shows"
        case .condition(let name): "so `\(name)` is never true"
        }
    }

    /// The consequence if the condition is always true.
    var always: String {
        switch self {
        case .popup: "so `when` excludes no user"
        case .dismissal: "so the popup never shows"
        case .schedule: "so the schedule is the same without it"
        case .trigger: "so every event matches"
        case .goal: "so every event counts"
        case .group: "so it excludes no user from the popups of the group"
        case .condition(let name): "so `\(name)` is the same for all users"
        }
    }

    /// The text that follows "required by".
    var place: String {
        switch self {
        case .popup: "`when`"
        case .dismissal: "`dismiss_when`"
        case .schedule: "the schedule"
        case .trigger, .goal: "`where`"
        case .group(let name): "the group `\(name)`"
        case .condition(let name): "`\(name)`"
        }
    }
}
