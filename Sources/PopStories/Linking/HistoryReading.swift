package import PopCEL
internal import PopRuleFiles
package import PopScheduler
package import PopSource
internal import PopYAML

/// Reads the history of a user:
/// `{ welcome: { shown: 2, last: -3d }, checkout.completed: { sent: 1 } }`.
package struct HistoryReading {
    let rules: RuleSet
    /// The time that durations such as `-3d` count from.
    let start: Timestamp

    package init(rules: RuleSet, start: Timestamp) {
        self.rules = rules
        self.start = start
    }

    /// The history of each popup and event, and of sessions.
    static let schema = Schema.either([
        .table(Table.popup.schema), .table(Table.event.schema), .table(Table.sessions.schema),
    ])

    /// Reads a history from a file of its own.
    package func parse(_ source: SourceFile) -> Checked<History> {
        YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            guard document.root.kind == .mapping else {
                decoder.report(.noHistory(document.root.range))
                return Checked(nil, diagnostics: decoder.diagnostics)
            }
            let history = read(document.root, with: &decoder)
            return Checked(history, diagnostics: decoder.diagnostics)
        }
    }

    func read(_ node: YAMLNode, with decoder: inout Decoder) -> History {
        var history = History()
        var sessions: PastSessions?
        var said: [Located<Timestamp>] = []
        if let popup = rules.popups.first?.id, isPastOfPopup(node) {
            decoder.report(.pastWithoutName(node, such: popup, with: decoder))
            return history
        }
        for entry in node.entries {
            guard let name = decoder.read(.text, at: entry.key) else { continue }
            if rules.popups.contains(where: { $0.id == name.value }) {
                var past = PastOfPopup()
                decoder.inside(key: entry.key) { decoder in
                    guard case .int(let times)? = entry.value.coreValue, times >= 0 else {
                        return decoder.read(.popup, at: entry.value, into: &past)
                    }
                    let reading = Reading("{ shown: \(times) }", isExact: false)
                    let _: PastOfPopup? = decoder.mismatch(
                        .table(Table.popup.schema), at: entry.value, readings: [reading])
                }
                check(name, at: entry.value, times: past.shown, last: past.last, with: &decoder)
                checkReason(past, with: &decoder)
                checkVariant(&past, of: name.value, with: &decoder)
                let acts = acts(of: name.value, past, with: &decoder)
                said += dates(past.shown, last: past.last) + dates(past.closed, last: nil)
                add(past, of: name.value, acts: acts, to: &history)
                addValues(past, of: name.value, acts: acts, to: &history, with: &decoder)
                addConversions(past, of: name.value, to: &history, with: &decoder)
            } else if let event = rules.events.first(where: { $0.name == name.value }) {
                var past = PastOfEvent()
                decoder.inside(key: entry.key) { $0.read(.event, at: entry.value, into: &past) }
                check(name, at: entry.value, times: past.times, last: past.last, with: &decoder)
                said += dates(past.times, last: past.last)
                add(past, of: event, to: &history, with: &decoder)
            } else if name.value == PastSessions.key {
                sessions = addSessions(entry.value, name: name, to: &history, with: &decoder)
            } else {
                let names = rules.popups.map(\.id) + rules.events.map(\.name)
                decoder.report(
                    .unknown(
                        "popup or event", name: name, among: decoder.offered(names),
                        check: .testUnknownPopup))
            }
        }
        checkInSessions(said, of: sessions, with: &decoder)
        return history
    }

    /// Returns true if a history has the keys of a popup's history in place of the names of popups.
    private func isPastOfPopup(_ node: YAMLNode) -> Bool {
        let keys = Table<PastOfPopup>.popup.schema.keys.map(\.name)
        return !node.entries.isEmpty
            && node.entries.allSatisfy { entry in
                guard let name = entry.key.scalar?.text, keys.contains(name) else { return false }
                return !rules.popups.contains { $0.id == name }
                    && !rules.events.contains { $0.name == name }
            }
    }

    /// Returns the dates that are written.
    private func dates(
        _ times: Located<PastTimes>?, last: Located<PastTime>?
    ) -> [Located<Timestamp>] {
        var dates = last.map { [Located(date($0.value), at: $0.range)] } ?? []
        if let times, case .each(let each) = times.value {
            dates += each.map { Located(date($0), at: times.range) }
        }
        return dates
    }

    /// Reports history without effect or in the future.
    private func check(
        _ name: Located<String>, at node: YAMLNode, times: Located<PastTimes>?,
        last: Located<PastTime>?, with decoder: inout Decoder
    ) {
        if node.kind == .mapping, node.entries.isEmpty {
            decoder.report(.noPast(name, such: "{ last: -3d }"))
        }
        switch (times?.value, last) {
        case (.count(0)?, let last?), (.each?, let last?):
            decoder.report(.lost("last", at: last.range))
        case (nil, _), (.count, _), (_, nil): break
        }
        var dates: [(Timestamp, SourceRange)] = []
        if let last { dates.append((date(last.value), last.range)) }
        if case .each(let each)? = times?.value, let range = times?.range {
            dates += each.map { (date($0), range) }
        }
        if let ahead = dates.first(where: { $0.0 > start }) {
            decoder.report(.notPast(ahead.0, start: start, at: ahead.1))
        }
    }

    private func checkReason(_ past: PastOfPopup, with decoder: inout Decoder) {
        guard let reason = past.reason else { return }
        if !reason.value.endsWhatShows { decoder.report(.noDismissal(reason)) }
        if case .count(0)? = past.shown?.value { decoder.report(.lost("reason", at: reason.range)) }
        if past.shown == nil, past.last == nil { decoder.report(.reasonAlone(at: reason.range)) }
    }

    /// Reports a variant that isn't an arm of the experiment: the user can't have seen it.
    private func checkVariant(
        _ past: inout PastOfPopup, of popup: String, with decoder: inout Decoder
    ) {
        guard let variant = past.variant else { return }
        let experiment = rules.popups.first { $0.id == popup }?.experiment
        let arms = (experiment?.assignment.arms.map(\.name) ?? []) + [Assignment.control]
        if experiment != nil, arms.contains(variant.value) { return }
        decoder.report(
            .unknown(
                "variant", name: variant, among: arms, check: .testUnknownKey,
                label: "not a variant in an experiment of `\(popup)`"))
        past.variant = nil
    }

    /// Returns the dates at which a popup was shown, as far as they are written. User actions
    /// happened at such a date.
    private func datesShown(_ past: PastOfPopup, acts: [PastAct]) -> [Timestamp] {
        guard past.shown != nil || past.last != nil else {
            guard acts.isEmpty, let converted = past.converted else { return acts.map(\.date) }
            return dates(converted.value, last: nil)
        }
        if case .count(let count)? = past.shown?.value, past.last == nil, let first = acts.first {
            let known = acts.map(\.date).suffix(count)
            return Array(repeating: first.date, count: count - known.count) + known
        }
        return dates(past.shown?.value, last: past.last?.value)
    }

    /// Adds the history of a popup. Each time is a task; for a task in the control arm only the
    /// exposure is known. Actions and conversions happened when the popup was shown, unless another
    /// time is written.
    private func add(
        _ past: PastOfPopup, of popup: String, acts: [PastAct], to history: inout History
    ) {
        let variant = past.variant?.value
        var dates = datesShown(past, acts: acts)
        if dates.isEmpty, variant != nil { dates = [start] }
        for date in dates {
            if let variant {
                let place = variant == Assignment.control ? nil : date
                history.apply(
                    .exposure(popup: popup, variant: variant, date: date, reserved: place))
                if place == nil { continue }
            }
            history.apply(
                .impression(
                    popup: popup, date: date, reserved: variant.map { _ in date },
                    isExposed: variant != nil))
            history.apply(
                .dismissal(popup: popup, reason: past.reason?.value ?? .userClosed, date: date))
        }
        history.apply(acts, of: popup, tellsReason: past.reason == nil)
    }

    func dates(_ times: PastTimes?, last: PastTime?) -> [Timestamp] {
        switch times {
        case .each(let times): times.map(date).sorted()
        case .count(let count): Array(repeating: last.map(date) ?? start, count: count)
        case nil: last.map { [date($0)] } ?? []
        }
    }

    func date(_ time: PastTime) -> Timestamp {
        switch time {
        case .ago(let duration):
            Moment(instant: .zero, date: start).advanced(by: .zero - duration).date
        case .date(let date): date
        }
    }
}

/// The history of one popup.
struct PastOfPopup: Sendable {
    var shown: Located<PastTimes>?
    var last: Located<PastTime>?
    var reason: Located<ReasonCode>?
    var variant: Located<String>?
    var closed: Located<PastTimes>?
    /// The times of each action.
    var actions: Located<YAMLNode>?
    /// The conversions of its first goal.
    var converted: Located<PastTimes>?
    /// Context keys and the values that they had.
    var context: Located<YAMLNode>?
}

extension Table<PastOfPopup> {
    fileprivate static let popup = Table(
        "a popup's history",
        keys: [
            Key(
                "shown", format: .pastTimes, store: { $0.shown = $1 },
                summary: "how often the popup was shown, or a list of the times"),
            Key(
                "last", format: .pastTime, store: { $0.last = $1 },
                summary: "when the popup was last shown, such as `-3d`; by default just now"),
            Key(
                "reason", format: .reasonCode, store: { $0.reason = $1 },
                summary: "why the popup was dismissed the last time"),
            Key(
                "variant", format: .text, store: { $0.variant = $1 },
                summary: "the variant (or `control`) of the user at the times in `shown`"),
            Key(
                "closed", format: .pastTimes, store: { $0.closed = $1 },
                alsoCalled: ["closes", "closed_count", "dismissed"],
                summary: "how often the user closed the popup, or a list of the times"),
            Key(
                "actions", format: .map(of: Format<PastTimes>.pastTimes.schema),
                store: { $0.actions = $1 }, alsoCalled: ["acted", "action", "acts"],
                summary: "for each action, how often it ended the popup, or a list of the times"
            ).such(as: "{ accept: [-3d] }"),
            Key(
                "converted", format: .pastTimes, store: { $0.converted = $1 },
                alsoCalled: ["conversions", "conversion", "goals", "goal"],
                summary:
                    "how often the user reached the first goal of the popup, or a list of the times"
            ).such(as: "[-1d]"),
            Key(
                "context", format: .map(of: .any), store: { $0.context = $1 },
                alsoCalled: ["values", "for", "when", "at"],
                summary: "the values of context keys when the popup was shown or closed, for caps"
                    + " that count each value separately; by default the values at the start of"
                    + " the test"
            ).such(as: "{ app.version: \"3.0\" }"),
        ])
}

extension Diagnostic {
    fileprivate static func pastWithoutName(
        _ node: YAMLNode, such popup: String, with decoder: Decoder
    ) -> Self {
        let texts = node.entries.map { decoder.onOneLine($0) }
        let past = texts.contains(nil) ? "…" : texts.compactMap(\.self).joined(separator: ", ")
        return Diagnostic(
            .testUnknownPopup, message: "the history does not name the popup that it is about",
            at: node.entries.first?.key.range ?? node.range, label: "a key of a popup's history",
            help: ["put the name of the popup first, such as `{ \(popup): { \(past) } }`"])
    }

    fileprivate static func noHistory(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "a history must be a map of popups to their past", at: range,
            label: "not a map",
            help: [
                "write one popup per line, such as `welcome: { shown: 2, last: -3d }`"
            ]
        )
    }

    static func noPast(_ name: Located<String>, such example: String) -> Self {
        Diagnostic(
            .testNoEffect, message: "the history of `\(name.value)` is empty", at: name.range,
            label: "empty",
            help: [
                "write, for example, `\(name.value): \(example)`, or remove `\(name.value)`"
            ])
    }

    fileprivate static func lost(_ key: String, at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect,
            message: "`\(key)` has no effect with the given `shown` or `sent`",
            at: range,
            label: "without effect",
            help: [
                "write a count and the last time, `{ shown: 2, last: -3d }`, or each time,"
                    + " `{ shown: [-10d, -3d] }`"
            ])
    }

    static func notPast(
        _ date: Timestamp, start: Timestamp, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "\(date) is not before the start of the test", at: range,
            label: "the test starts at \(start)",
            help: ["write an earlier date, or a time ago such as `-3d`"])
    }

    fileprivate static func noDismissal(_ reason: Located<ReasonCode>) -> Self {
        Diagnostic(
            .testImpossible,
            message: "`\(reason.value.rawValue)` is not a reason why a visible popup is dismissed",
            at: reason.range, label: "never ends a popup on the screen",
            help: ["use a reason such as `USER_CLOSED`, `TIMED_OUT` or `DISMISSED`"])
    }

    fileprivate static func reasonAlone(at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect, message: "`reason` has no effect without `shown` or `last`", at: range,
            label: "without effect",
            help: [
                "add the time of the last impression: `{ last: -3d, reason: USER_CLOSED }`"
            ]
        )
    }
}

/// A user action on a popup before a test.
struct PastAct: Sendable {
    var action: String
    var date: Timestamp
    /// True if it closed or refused the popup.
    var isClosing: Bool
}

extension HistoryReading {
    /// Returns the user actions on a popup, oldest first.
    func acts(
        of popup: String, _ past: PastOfPopup, with decoder: inout Decoder
    ) -> [PastAct] {
        var acts = dates(past.closed?.value, last: past.last?.value).map {
            PastAct(action: TemplateRule.Action.close, date: $0, isClosing: true)
        }
        if past.closed == nil { acts = [] }
        let rule = rules.popups.first { $0.id == popup }
        let declared = rule.map { rules.actions(of: $0) } ?? []
        for entry in past.actions.map({ Array($0.value.entries) }) ?? [] {
            guard let name = decoder.read(.text, at: entry.key) else { continue }
            guard let action = declared.first(where: { $0.name == name.value }) else {
                decoder.report(.unknownAction(name, of: popup, among: declared.map(\.name)))
                continue
            }
            let times = decoder.inside(key: entry.key) { $0.read(.pastTimes, at: entry.value) }
            acts += dates(times?.value, last: past.last?.value).map {
                PastAct(action: action.name, date: $0, isClosing: action.isRefusal)
            }
        }
        acts.sort { $0.date < $1.date }
        checkTimes(past, acts, with: &decoder)
        return acts
    }

    /// Reports a popup that was closed more often than it was shown, or after the test started.
    private func checkTimes(
        _ past: PastOfPopup, _ acts: [PastAct], with decoder: inout Decoder
    ) {
        guard let range = past.closed?.range ?? past.actions?.range else { return }
        if let last = acts.last, last.date > start {
            decoder.report(.notPast(last.date, start: start, at: range))
        }
        let shown = dates(past.shown?.value, last: past.last?.value).count
        if past.shown != nil, acts.count > shown {
            decoder.report(.closedUnseen(acts.count, shown: shown, at: range))
        }
    }
}

extension History {
    /// Applies actions, each of which ended its task.
    mutating func apply(_ acts: [PastAct], of popup: String, tellsReason: Bool) {
        for act in acts {
            apply(
                .acted(
                    popup: popup, action: act.action, date: act.date, isClosing: act.isClosing))
            if act.action != TemplateRule.Action.close {
                apply(.endedByAction(popup: popup, action: act.action, date: act.date))
            }
        }
        guard let past = popups[popup], let last = acts.last else { return }
        let isLatest = last.date >= past.lastShown ?? last.date
        if !isLatest || last.action == TemplateRule.Action.close { popups[popup]?.lastAction = nil }
        if tellsReason, isLatest, last.action != TemplateRule.Action.close {
            popups[popup]?.lastReason = .acted
        }
    }
}

extension Diagnostic {
    fileprivate static func closedUnseen(
        _ acts: Int, shown: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .testImpossible,
            message: "a popup that was shown \(shown)× cannot have been ended \(acts)× by the user",
            at: range, label: "more often than it was shown",
            help: ["remove `shown`: each time at which the user did something counts as shown"])
    }
}

extension HistoryReading {
    /// Adds the dates at which exposures to a popup were converted under its first goal.
    func addConversions(
        _ past: PastOfPopup, of popup: String, to history: inout History,
        with decoder: inout Decoder
    ) {
        guard let converted = past.converted else { return }
        guard let goal = rules.popups.first(where: { $0.id == popup })?.goals.first else {
            return decoder.report(.noGoals(of: popup, at: converted.range))
        }
        let known = history.popups[popup] ?? History.Popup()
        let exposures = known.exposures.dates + known.impressions
        for date in dates(converted.value, last: past.last?.value) {
            if date > start {
                return decoder.report(.notPast(date, start: start, at: converted.range))
            }
            guard let exposure = exposures.filter({ $0 <= date }).max() else {
                return decoder.report(.convertedUnseen(date, popup, at: converted.range))
            }
            history.apply(
                .goalMatched(popup: popup, goal: goal.name, date: date, exposure: exposure))
        }
    }
}

extension Diagnostic {
    fileprivate static func noGoals(of popup: String, at range: SourceRange) -> Self {
        Diagnostic(
            .testImpossible, message: "`\(popup)` has no `goals` that a user can reach",
            at: range, label: "cannot be converted",
            help: ["add `goals` to its rule, or remove this line"])
    }

    fileprivate static func convertedUnseen(
        _ date: Timestamp, _ popup: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .testImpossible, message: "`\(popup)` cannot have been converted before it was seen",
            at: range, label: "not yet shown at \(date)",
            help: ["write an earlier time for `shown`, or remove `shown` and `last`"])
    }
}
