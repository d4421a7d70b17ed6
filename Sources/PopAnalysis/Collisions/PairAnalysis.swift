internal import PopCEL
internal import PopLogic
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// A trigger that creates tasks for several popups at the same time.
enum CommonTrigger: Sendable, Hashable {
    /// The app starts, and with it a session.
    case launch
    case event(EventIndex)
    case changed(KeyIndex)
    case acted(PopupIndex, String)

    init?(_ trigger: Trigger) {
        switch trigger {
        case .occasion(let occasion):
            guard occasion.comesWithStart else { return nil }
            self = .launch
        case .event(let event): self = .event(event.event)
        case .changed(let key): self = .changed(key)
        case .acted(let popup, let action): self = .acted(popup, action)
        }
    }
}

/// Rules whose popups are compared with each other: which popups can meet, and in which scenario.
struct PairAnalysis: Sendable {
    /// The rules, prepared for many scenarios.
    let stage: PreparedRules
    let limits: AnalysisLimits
    /// The date before which no scenario begins; nil if it may begin at any date.
    let at: Timestamp?
    var logic: Logic
    /// The number of scenarios that were run to check whether two popups meet.
    var told = 0
    /// The meanings of the entries that conditions read.
    private(set) var meanings: [SlotTable.Entry: SlotMeaning] = [:]
    /// By popup, the demand that must hold for it to show.
    let demands: TypedArray<PopupIndex, Requirement>
    /// By popup, true if it has a rollout or a schedule, and true if it comes after others. Most
    /// popups have neither, so that pairs need no further checks.
    private let isBound: TypedArray<PopupIndex, Bool>
    private let isFollower: TypedArray<PopupIndex, Bool>
    /// By popup, the condition of each event that only one trigger names. If several triggers name
    /// an event, any of their conditions is sufficient, which only a scenario can determine.
    private let soleConditions: TypedArray<PopupIndex, [EventIndex: Program]>
    private let neighbours: DependencySlice
    /// The fields that each event carries in a scenario.
    let readFields: ReadFields
    private var known: [PopupIndex: People] = [:]
    private var knownUsers: [PopupIndex: People] = [:]
    /// The keys that describe a situation and not a user.
    let momentary: Set<KeyIndex>

    /// Creates the value. The results of conditions named in `open` are left open.
    init(
        _ rules: RuleSet, leavingOpen open: Set<String> = [], at: Timestamp? = nil,
        limits: AnalysisLimits
    ) {
        stage = PreparedRules(rules)
        self.at = at
        self.limits = limits
        demands = TypedArray(rules.popups.places.map { rules.demand(of: $0) })
        isBound = TypedArray(
            rules.popups.places.map {
                let popup = rules.popups[$0]
                return popup.audience.rollout != nil || !popup.timing.schedule.isEmpty
            })
        isFollower = TypedArray(rules.popups.places.map { !rules.popups[$0].after.isEmpty })
        soleConditions = TypedArray(
            rules.popups.places.map { place in
                Dictionary(grouping: rules.popups[place].eventTriggers) { $0.event }
                    .compactMapValues { $0.count == 1 ? $0[0].where?.program : nil }
            })
        neighbours = DependencySlice(rules)
        readFields = ReadFields(rules)
        var programs: [Program] = []
        for popup in rules.popups.places { programs += demands[popup].met + demands[popup].unmet }
        let declarations = Declarations(rules, leavingOpen: open)
        logic = Logic(
            of: programs, declarations: at.map { declarations.beginning(at: $0) } ?? declarations,
            limits: limits.logicOfAll)
        var momentary: Set<KeyIndex> = []
        for key in rules.keys.places where rules.keys[key].isMomentary { momentary.insert(key) }
        for popup in rules.popups.places {
            for case .changed(let key) in rules.popups[popup].triggers { momentary.insert(key) }
            programs += rules.popups[popup].eventConditions.map { $0.condition.program }
        }
        self.momentary = momentary
        programs += rules.conditions.map { $0.condition.program }
        for program in programs {
            for (slot, entry) in program.slotEntries where slot.number < rules.slots.count {
                meanings[entry] = rules.slots[slot.number]
            }
        }
    }

    var rules: RuleSet { stage.rules }

    /// Returns the popups that may take part in scenarios of some popups, and of a cap that counts
    /// others together with them; nil if that isn't far less work.
    func stage(
        of popups: [PopupIndex], at triggers: [CommonTrigger], counted: Set<PopupIndex> = []
    ) -> PreparedRules? {
        guard rules.popups.count > limits.popupsOfStories else { return nil }
        return neighbours.popups(
            around: popups, at: triggers, counted: counted, in: rules,
            atMost: rules.popups.count / 4
        ).map { PreparedRules(rules.keeping($0)) }
    }

    /// Returns the users who may see a popup.
    mutating func people(_ popup: PopupIndex) -> People {
        if let people = known[popup] { return people }
        let people = logic.people(meeting: demands[popup])
        known[popup] = people
        return people
    }

    /// Returns the users who may see a popup at some time.
    mutating func users(_ popup: PopupIndex) -> People {
        if let people = knownUsers[popup] { return people }
        let (meanings, momentary) = (meanings, momentary)
        let people = logic.people(people(popup)) { entry in
            guard let meaning = meanings[entry] else { return false }
            if case .key(let key) = meaning { return momentary.contains(key) }
            if case .variant = meaning { return false }
            return true
        }
        knownUsers[popup] = people
        return people
    }

    /// Returns the entries that conditions read, directly or through named conditions.
    func entriesRead(by programs: [Program]) -> Set<SlotTable.Entry> {
        var found: Set<SlotTable.Entry> = []
        var seen: Set<ConditionIndex> = []
        var pending = programs
        while let program = pending.popLast() {
            for (_, entry) in program.slotEntries {
                found.insert(entry)
                if case .condition(let condition)? = meanings[entry],
                    seen.insert(condition).inserted
                {
                    pending.append(rules.conditions[condition].condition.program)
                }
            }
        }
        return found
    }

    /// Returns the keys that determine whether two popups show: their conditions read them, or
    /// assignments are based on them.
    func keysRead(by popups: [PopupIndex]) -> Set<KeyIndex> {
        var programs: [Program] = []
        var found: Set<KeyIndex> = []
        for popup in popups {
            let rule = rules.popups[popup]
            programs += demands[popup].met + demands[popup].unmet
            programs += rule.eventConditions.map { $0.condition.program }
            if let rollout = rule.audience.rollout { found.insert(rollout.key) }
            if let experiment = rule.experiment { found.insert(experiment.assignment.key) }
            for case .changed(let key) in rule.triggers { found.insert(key) }
            for case .key(let key) in rule.timing.schedule.map(\.zone) { found.insert(key) }
        }
        if let holdout = rules.holdout { found.insert(holdout.key) }
        for entry in entriesRead(by: programs) {
            switch meanings[entry] {
            case .key(let key)?: found.insert(key)
            case .variant(let popup)?:
                if let experiment = rules.popups[popup].experiment {
                    found.insert(experiment.assignment.key)
                }
            case nil, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
                .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
                .eventCount, .lastEvent, .sinceEvent, .eventSum, .scheduleOpen, .payload,
                .payloadField:
                break
            }
        }
        return found
    }

    /// Returns the demand for an event to create tasks for both popups; nil for a trigger without
    /// conditions.
    func demand(of trigger: CommonTrigger, by popups: [PopupIndex]) -> Requirement? {
        guard case .event(let event) = trigger else { return nil }
        let conditions = popups.compactMap { soleConditions[$0][event] }
        return conditions.isEmpty ? nil : Requirement(conditions)
    }

    /// Returns true if rollouts, or schedules apart from their conditions, keep two popups apart.
    func areApartByRules(_ one: PopupIndex, _ other: PopupIndex) -> Bool {
        guard isBound[one], isBound[other] else { return false }
        let (one, other) = (rules.popups[one], rules.popups[other])
        let (schedule, second) = (one.timing.schedule, other.timing.schedule)
        if schedule.isApart(from: second) { return true }
        var (first, end) = schedule.commonTime(with: second)
        if let at {
            if let end, end <= at { return true }
            first = max(first, at)
        }
        if one.audience.rollout == nil, other.audience.rollout == nil { return false }
        return !one.dates(sharedWith: other, from: first)
            .contains { date in
                end.map { date < $0 } ?? true && one.isDrawn(with: other, at: date)
            }
    }

    /// Returns true if a popup has a rollout or a schedule.
    func isBound(_ popup: PopupIndex) -> Bool { isBound[popup] }

    /// Returns true if one of the popups comes after the other one.
    func isSuccessor(_ one: PopupIndex, _ other: PopupIndex) -> Bool {
        (isFollower[one] || isFollower[other])
            && (rules.popups[one].after.contains { $0.popup == other }
                || rules.popups[other].after.contains { $0.popup == one })
    }
}

extension RuleSet {
    /// Returns the demand that must hold for a popup to show, as far as conditions express it.
    fileprivate func demand(of popup: PopupIndex) -> Requirement {
        let rule = popups[popup]
        var demand = Requirement([])
        if let group = rule.group, let when = groups[group].when {
            demand.met.append(when.program)
        }
        if let when = rule.when { demand.met.append(when.program) }
        let schedule = rule.timing.schedule
        if schedule.count == 1, let when = schedule[0].when { demand.met.append(when.program) }
        if let condition = rule.dismissWhen,
            !condition.program.slots.contains(where: { slots[$0] == .scheduleOpen })
        {
            demand.unmet.append(condition.program)
        }
        return demand
    }
}

extension PopupRule {
    var eventTriggers: [EventTrigger] {
        triggers.compactMap { if case .event(let trigger) = $0 { trigger } else { nil } }
    }

    var commonTriggers: Set<CommonTrigger> { Set(triggers.compactMap(CommonTrigger.init)) }
}

extension PopupRule {
    /// Returns the part of all users who may see it at a date; empty if its schedule isn't open
    /// then.
    func part(at date: Timestamp) -> Range<Double> {
        timing.schedule.mayBeOpen(at: date)
            ? audience.rollout?.share.part(at: date) ?? 0..<100 : 0..<0
    }

    /// Returns true if a user may be in the rollout parts of both popups at a date.
    func isDrawn(with other: PopupRule, at date: Timestamp) -> Bool {
        let (one, second) = (audience.rollout, other.audience.rollout)
        let part = one?.share.part(at: date) ?? 0..<100
        let otherPart = second?.share.part(at: date) ?? 0..<100
        guard let one, let second, one.key == second.key, one.salt == second.salt else {
            return !part.isEmpty && !otherPart.isEmpty
        }
        return part.overlaps(otherPart)
    }

    /// Returns a date, and all later dates at which the rollout part of one of two popups changes.
    func dates(sharedWith other: PopupRule, from date: Timestamp) -> [Timestamp] {
        let changes = [audience.rollout, other.audience.rollout].flatMap {
            $0?.share.changes ?? []
        }
        return [date] + changes.filter { $0 > date }.sorted()
    }

    /// Returns a date at which both may show to a user, as far as schedules and rollouts determine
    /// it; if there is no such date, a date at which their schedules are open.
    func start(
        with other: PopupRule, notBefore date: Timestamp, within budget: WorkBudget
    ) -> Timestamp {
        let (schedule, second) = (timing.schedule, other.timing.schedule)
        let usual = schedule.start(with: second, notBefore: date, within: budget)
        return dates(sharedWith: other, from: usual).lazy
            .map { schedule.start(with: second, notBefore: $0, within: budget) }
            .first { self.isDrawn(with: other, at: $0) } ?? usual
    }
}

extension [Schedule] {
    /// The beginning of the first entry and the end of the last one, in UTC.
    fileprivate var bounds: (from: Timestamp?, until: Timestamp?) {
        let calendar = LocalCalendar.utc
        let from =
            allSatisfy { $0.from != nil } ? compactMap(\.from).map(calendar.start).min() : nil
        let until =
            allSatisfy { $0.until != nil } ? compactMap(\.until).map(calendar.end).max() : nil
        return (from, until)
    }

    /// Returns true if one schedule ends, in all time zones, before the other one begins.
    fileprivate func isApart(from other: [Schedule]) -> Bool {
        let (one, second) = (bounds, other.bounds)
        let slack = slack(beside: other)
        func isBefore(_ until: Timestamp?, _ from: Timestamp?) -> Bool {
            guard let until, let from else { return false }
            return until.later(by: slack) <= from
        }
        return isBefore(one.until, second.from) || isBefore(second.until, one.from)
    }

    /// Returns the possible error of comparing both schedules in UTC.
    private func slack(beside other: [Schedule]) -> Duration {
        Set((self + other).map(\.zone)).count <= 1 ? .zero : .seconds(86_400 * 2)
    }

    /// Returns the time in which both may be open, as far as they specify it, in any time zone.
    fileprivate func commonTime(
        with other: [Schedule]
    ) -> (from: Timestamp, until: Timestamp?) {
        let (one, second, slack) = (bounds, other.bounds, slack(beside: other))
        let from = [one.from, second.from].compactMap { $0 }.max()
        let until = [one.until, second.until].compactMap { $0 }.min()
        let first = from ?? until.map { Swift.min($0.later(by: .seconds(-86_400)), .usualStart) }
        return (first?.later(by: .zero - slack) ?? .usualStart, until?.later(by: slack))
    }

    /// Returns true if a date is between its beginning and its end, in UTC.
    fileprivate func mayBeOpen(at date: Timestamp) -> Bool {
        let (from, until) = bounds
        return from.map { $0 <= date } ?? true && until.map { date < $0 } ?? true
    }

    /// Returns a date from which on both may be open, not before another date.
    fileprivate func start(
        with other: [Schedule], notBefore date: Timestamp, within budget: WorkBudget
    ) -> Timestamp {
        let (one, second) = (bounds, other.bounds)
        let begin = [one.from, second.from].compactMap { $0 }.max()
        let end = [one.until, second.until].compactMap { $0 }.min()
        var start = date
        if let begin, begin > date {
            start = begin
        } else if let end, end <= date {
            start = begin ?? end.later(by: .seconds(-86_400))
        }
        return firstOpen(with: other, from: start, within: budget) ?? start
    }

    /// Returns the first quarter of an hour of the next days in which the days and hours of both
    /// are open.
    private func firstOpen(
        with other: [Schedule], from date: Timestamp, within budget: WorkBudget
    ) -> Timestamp? {
        let (one, second) = (OpenWindows(self), OpenWindows(other))
        guard one.hasDaysOrHours || second.hasDaysOrHours else { return nil }
        return (0..<Self.quarters).lazy.map { date.later(by: .seconds(900 * $0)) }
            .first {
                one.isOpen(at: $0, within: budget) == true
                    && second.isOpen(at: $0, within: budget) == true
            }
    }

    /// The number of quarters of an hour in eight days.
    private static let quarters = 8 * 96
}

extension Timestamp {
    fileprivate static var usualStart: Timestamp { ScenarioStart.usualStart }

    /// Returns the date that is later by a duration; the same date if the result is out of range.
    func later(by time: Duration) -> Timestamp { subtracting(.zero - time) ?? self }
}

/// The times at which a schedule is open, apart from the conditions of its entries. Created once
/// for questions about many dates.
///
/// Entries that differ only in their conditions are kept once.
struct OpenWindows {
    private struct Window {
        let entry: Schedule
        let begin: Timestamp?
        let end: Timestamp?
        let calendar: LocalCalendar

        func contains(_ date: Timestamp) -> Bool {
            if let begin, date < begin { return false }
            if let end, date >= end { return false }
            return entry.includes(date, calendar: calendar)
        }
    }

    private var windows: [Window] = []

    init(_ schedule: [Schedule]) {
        struct Times: Hashable {
            let from: Schedule.Bound?
            let until: Schedule.Bound?
            let days: Set<Schedule.Weekday>?
            let hours: Schedule.Hours?
            let zone: Zone
        }
        var seen: Set<Times> = []
        for entry in schedule {
            let times = Times(
                from: entry.from, until: entry.until, days: entry.days, hours: entry.hours,
                zone: entry.zone)
            guard seen.insert(times).inserted else { continue }
            windows.append(
                Window(
                    entry: entry, begin: entry.fromMoment, end: entry.untilMoment,
                    calendar: entry.zone.calendar ?? .utc))
        }
    }

    /// The dates at which windows begin and end.
    var bounds: Set<Timestamp> {
        Set(windows.flatMap { [$0.begin, $0.end] }.compactMap { $0 })
    }

    /// True if days or hours open and close it.
    var hasDaysOrHours: Bool { windows.contains { $0.entry.days != nil || $0.entry.hours != nil } }

    /// Returns true if one of the windows is open at a date; always true for a schedule without
    /// entries. Returns nil if the budget doesn't suffice to check all of them.
    func isOpen(at date: Timestamp, within budget: WorkBudget) -> Bool? {
        guard budget.charge(.comparedPairs, windows.count) else { return nil }
        return windows.isEmpty || windows.contains { $0.contains(date) }
    }
}

extension CommonTrigger {
    /// The sort order of triggers in lists: start, events, changes, actions.
    var rank: (Int, Int, String) {
        switch self {
        case .launch: (0, 0, "")
        case .event(let event): (1, event.number, "")
        case .changed(let key): (2, key.number, "")
        case .acted(let popup, let action): (3, popup.number, action)
        }
    }
}

extension RuleSet {
    /// Returns a trigger as text for reports.
    func text(of trigger: CommonTrigger) -> String {
        switch trigger {
        case .launch: "when the app starts"
        case .event(let event): "when `\(events[event].name)` is sent"
        case .changed(let key): "when `\(keys[key].name)` changes"
        case .acted(let popup, "close"): "when `\(popups[popup].id)` is closed"
        case .acted(let popup, let action): "when `\(action)` is used in `\(popups[popup].id)`"
        }
    }
}

extension WindowCap {
    /// Returns the cap as text for reports.
    func text(in rules: RuleSet) -> String {
        let times = max == 1 ? "once" : "\(max) times"
        switch per {
        case .rolling(let time): return "\(times) in \(PopScheduler.timeText(time))"
        case .calendar(let unit): return "\(times) per \(unit.noun)"
        case .session: return "\(times) per session"
        case .value(let key): return "\(times) for each value of `\(rules.keys[key].name)`"
        }
    }
}
