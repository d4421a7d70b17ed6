internal import PopCEL
internal import PopScenario
internal import PopScheduler

/// The history of a user, as far as a test file can express it.
struct RecordedHistory {
    private(set) var entries: [String] = []
    /// Remarks on facts that a test file can't express.
    private(set) var remarks: [String] = []

    /// The maximum number of dates that are written; beyond it, only their number is.
    private static let mostDates = 200

    init(_ history: History, of rules: RuleSet, isMidway: Bool = false) {
        for popup in rules.popups {
            guard let past = history.popups[popup.id], past != History.Popup() else { continue }
            add(past, of: popup, with: rules)
        }
        for event in rules.events {
            guard let past = history.events[event.name], past.count > 0 else { continue }
            add(past, of: event)
        }
        add(history.sessions, isMidway: isMidway)
        if !history.occurrences.isEmpty {
            remarks.append("The earlier counts of `nth` and `every` are not known here.")
        }
        if !history.values.counts.isEmpty {
            remarks.append("The earlier counts per value of a key are not known here.")
        }
    }

    private mutating func add(_ past: History.Popup, of rule: PopupRule, with rules: RuleSet) {
        let acts = Self.acts(past, declared: rules.actions(of: rule).map(\.name))
        let seen = Self.sightings(past, of: rule)
        let reached = Self.conversions(past, of: rule)
        var isWhole = past.reservations.isEmpty && seen.isWhole && reached.isWhole
        var keys = seen.keys
        if let reason = past.lastReason, reason.endsWhatShows, past.shownCount > 0 {
            keys.append("reason: \(reason.rawValue)")
        }
        // Nobody does more in a test than it was shown.
        if acts.count <= past.shownCount { keys += acts.keys } else { isWhole = false }
        keys += reached.keys
        if !keys.isEmpty { entries.append("\(YAMLText.name(rule.id)): \(YAMLText.braced(keys))") }
        if !isWhole || acts.count > 1 {
            remarks.append("The history of \(rule.id) contains more than a test can express.")
        }
    }

    /// Returns the dates of its impressions, or of its exposures for a user in control, and the
    /// arm.
    private static func sightings(
        _ past: History.Popup, of rule: PopupRule
    ) -> (keys: [String], isWhole: Bool) {
        let exposures = past.exposures
        let isControl = past.shownCount == 0
        let count = isControl ? exposures.count : past.shownCount
        let dates = isControl ? exposures.dates : past.impressions
        if count == 0 { return ([], true) }
        let isEach = count == dates.count && count <= mostDates
        let last = (isControl ? dates.last : past.lastShown).map { ["last: \($0)"] } ?? []
        var keys = isEach ? ["shown: \(list(dates))"] : ["shown: \(count)"] + last
        if exposures.count == 0 { return (keys, isEach) }
        let isOfOneKind = exposures.controlCount == (isControl ? count : 0)
        guard exposures.count == count, isOfOneKind, let arm = exposures.variant, !arm.isEmpty,
            rule.experiment?.has(arm: arm) == true
        else { return (keys, false) }
        keys.append("variant: \(YAMLText.name(arm))")
        return (keys, isEach)
    }

    /// When its first goal was reached because of it, each time at the last date.
    private static func conversions(
        _ past: History.Popup, of rule: PopupRule
    ) -> (keys: [String], isWhole: Bool) {
        guard let goal = rule.goals.first, let reached = past.goals[goal.name],
            let first = (past.impressions + past.exposures.dates).min(), first <= reached.last,
            (1...mostDates).contains(reached.conversions)
        else { return ([], past.goals.isEmpty) }
        let dates = Array(repeating: reached.last, count: reached.conversions)
        return (["converted: \(list(dates))"], past.goals.count == 1)
    }

    private static func list(_ dates: [Timestamp]) -> String {
        "[\(dates.map { "\($0)" }.joined(separator: ", "))]"
    }

    /// Returns the actions of the user, each with its last date and its count.
    private static func acts(
        _ past: History.Popup, declared: [String]
    ) -> (keys: [String], count: Int) {
        func dates(_ action: History.Action) -> String {
            list(Array(repeating: action.last, count: action.count))
        }
        var keys: [String] = []
        var count = 0
        if let closed = past.actions[TemplateRule.Action.close] {
            keys.append("closed: \(dates(closed))")
            count += closed.count
        }
        let acts = past.actions.filter { declared.contains($0.key) }.sorted { $0.key < $1.key }
        count += acts.reduce(0) { $0 + $1.value.count }
        guard count <= mostDates else { return ([], count) }
        if !acts.isEmpty {
            let map = acts.map { (YAMLText.name($0.key), dates($0.value)) }
            keys.append("actions: \(YAMLText.map(map))")
        }
        return (keys, count)
    }

    private mutating func add(_ past: History.SentEvent, of event: EventRule) {
        let name = YAMLText.name(event.name)
        guard past.count == past.dates.count, past.count <= Self.mostDates else {
            let last = past.last.map { ["last: \($0)"] } ?? []
            entries.append("\(name): \(YAMLText.braced(["sent: \(past.count)"] + last))")
            return remarks.append(
                "The history of \(event.name) contains more than a test can express.")
        }
        let times = past.dates.enumerated().map { index, date in
            time(date, number: index, past, of: event)
        }
        entries.append("\(name): { sent: [\(times.joined(separator: ", "))] }")
    }

    /// One time at which an event was sent, with the numbers that are kept of it.
    private func time(
        _ date: Timestamp, number: Int, _ past: History.SentEvent, of event: EventRule
    ) -> String {
        let fields = event.fields.compactMap { field -> (String, String)? in
            guard let amounts = past.amounts[field.name], amounts.dates.count == past.dates.count
            else { return nil }
            return (YAMLText.name(field.name), amounts.values[number].yaml)
        }
        if fields.isEmpty { return "\(date)" }
        return "{ at: \(date), payload: \(YAMLText.map(fields)) }"
    }

    /// Adds the sessions before the one in which the test begins.
    private mutating func add(_ sessions: History.Sessions, isMidway: Bool) {
        let count = sessions.count - (isMidway ? 1 : 0)
        guard count > 0 else { return }
        let ended = isMidway ? sessions.previousEnd : sessions.left ?? sessions.began
        var keys = ["begun: \(count)"]
        if let ended { keys.append("ended: \(ended)") }
        if let first = sessions.first { keys.append("first: \(first)") }
        entries.append("session: \(YAMLText.braced(keys))")
    }
}
