internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// The sessions that a user had before a test, which make the user a returning one.
struct PastSessions: Sendable {
    /// The key of a history that contains the sessions, unless a popup or an event has this name.
    static let key = "session"

    var begun: Located<Int>?
    /// The time at which the last session ended.
    var ended: Located<PastTime>?
    /// The time at which the first session began.
    var first: Located<PastTime>?
}

extension Table<PastSessions> {
    static let sessions = Table(
        "the history of sessions",
        keys: [
            Key(
                "begun", format: .integer(1...mostSessions), store: { $0.begun = $1 },
                alsoCalled: ["count", "sessions", "number", "had"],
                summary: "how many sessions the user had before the test"),
            Key(
                "ended", format: .pastTime, store: { $0.ended = $1 },
                alsoCalled: ["previous_end", "last", "end", "last_end"],
                summary: "when the last session ended, such as `-3d`; by default just now"),
            Key(
                "first", format: .pastTime, store: { $0.first = $1 },
                alsoCalled: ["first_seen", "began", "since"],
                summary: "when the first session started; by default when the last session ended"),
        ])

    /// The maximum number of sessions that a user may have had.
    private static var mostSessions: Int { 1_000_000 }
}

extension HistoryReading {
    /// Adds the sessions that an entry lists.
    func addSessions(
        _ node: YAMLNode, name: Located<String>, to history: inout History,
        with decoder: inout Decoder
    ) -> PastSessions {
        var past = PastSessions()
        decoder.inside(keyNamed: name.value) { decoder in
            guard case .int(let times)? = node.coreValue, times > 0 else {
                return decoder.read(.sessions, at: node, into: &past)
            }
            let _: PastSessions? = decoder.mismatch(
                .table(Table.sessions.schema), at: node,
                readings: [Reading("{ begun: \(times) }", isExact: false)])
        }
        if node.kind == .mapping, node.entries.isEmpty {
            decoder.report(.noPast(name, such: "{ begun: 3 }"))
        }
        let count = past.begun?.value ?? (past.ended == nil && past.first == nil ? 0 : 1)
        guard count > 0 else { return past }
        let ended = past.ended.map { date($0.value) } ?? start
        let first = past.first.map { date($0.value) } ?? ended
        if ended > start, let place = past.ended {
            decoder.report(.notPast(ended, start: start, at: place.range))
        } else if first > ended, let place = past.first {
            decoder.report(.notBefore(ended, at: place.range))
        }
        history.sessions.count = count
        history.sessions.first = first
        history.sessions.began = count == 1 ? first : ended
        history.sessions.left = ended
        return past
    }
}

extension HistoryReading {
    /// Reports popups that were shown and events that were sent while the user was in no session,
    /// as far as the entry gives times of sessions.
    func checkInSessions(
        _ dates: [Located<Timestamp>], of past: PastSessions?, with decoder: inout Decoder
    ) {
        guard let past else { return }
        let first = past.first.map { date($0.value) }
        let ended = past.ended.map { date($0.value) }
        for date in dates where date.value < start {
            if let first, date.value < first {
                decoder.report(.outsideSessions(date, first: first))
            } else if let ended, date.value > ended {
                decoder.report(.outsideSessions(date, ended: ended))
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func outsideSessions(
        _ date: Located<Timestamp>, first: Timestamp
    ) -> Self {
        Diagnostic(
            .testImpossible, message: "the user's first session started after \(date.value)",
            at: date.range, label: "the first session started at \(first)",
            help: ["write a later date, or an earlier `first` under `session`"])
    }

    fileprivate static func outsideSessions(
        _ date: Located<Timestamp>, ended: Timestamp
    ) -> Self {
        Diagnostic(
            .testImpossible, message: "the user's last session ended before \(date.value)",
            at: date.range, label: "the last session ended at \(ended)",
            help: ["write an earlier date, or a later `ended` under `session`"])
    }

    fileprivate static func notBefore(_ end: Timestamp, at range: SourceRange) -> Self {
        Diagnostic(
            .testImpossible, message: "the first session starts after the last one ended",
            at: range, label: "the last one ended at \(end)",
            help: ["write an earlier `first`, or a later `ended`"])
    }
}

/// The number of times, or the dates, at which the app sent an event before.
struct PastOfEvent: Sendable {
    var sent: Located<PastSendings>?
    var last: Located<PastTime>?

    /// The number or the times of the events, without their payloads.
    var times: Located<PastTimes>? { sent.map { Located($0.value.times, at: $0.range) } }
}

extension Table<PastOfEvent> {
    static let event = Table(
        "an event's history",
        keys: [
            Key(
                "sent", format: .pastSendings, store: { $0.sent = $1 },
                summary: "how often the event was sent, or a list of the times, also with payloads"
            ).such(as: "[{ at: -1h, payload: { total: 8.0 } }]"),
            Key(
                "last", format: .pastTime, store: { $0.last = $1 },
                summary: "when the event was last sent, such as `-3d`; by default just now"),
        ])
}

extension HistoryReading {
    /// Keeps each time at which an event was sent, and the payload values that conditions sum.
    func add(
        _ past: PastOfEvent, of event: EventRule, to history: inout History,
        with decoder: inout Decoder
    ) {
        guard case .each(let sendings)? = past.sent?.value else {
            for date in dates(past.times?.value, last: past.last?.value) {
                history.apply(.event(name: event.name, date: date))
            }
            return
        }
        for sending in sendings {
            guard let time = sending.at else { continue }
            let amounts = amounts(sending.payload?.value, of: event, with: &decoder)
            history.apply(
                .event(name: event.name, date: date(time.value), amounts: amounts))
        }
    }

    private func amounts(
        _ payload: YAMLNode?, of event: EventRule, with decoder: inout Decoder
    ) -> [String: Value] {
        guard let payload else { return [:] }
        let values = decoder.payload(payload, of: event)
        let summed = rules.summedFields[event.name] ?? []
        for entry in payload.entries {
            guard let field = entry.key.scalar?.text, values[field] != nil,
                !summed.contains(field)
            else { continue }
            decoder.report(
                .notAddedUp(Located(field, at: entry.key.range), of: event.name, among: summed))
        }
        return values.amounts(of: summed)
    }
}

extension Diagnostic {
    fileprivate static func notAddedUp(
        _ field: Located<String>, of event: String, among summed: Set<String>
    ) -> Self {
        let names = summed.sorted().map { "`\($0)`" }.joined(separator: ", ")
        return Diagnostic(
            .testNoEffect,
            message: "no condition sums `\(field.value)` of `\(event)`", at: field.range,
            label: "without effect",
            help: [
                "remove it: past payloads keep only the fields that `event_sum` sums"
                    + (summed.isEmpty ? "" : ": \(names)")
            ])
    }
}

extension HistoryReading {
    /// Adds the values that context keys had when a popup was shown and closed. For a key without
    /// such values, the history is counted for its value at the start of the test.
    func addValues(
        _ past: PastOfPopup, of popup: String, acts: [PastAct], to history: inout History,
        with decoder: inout Decoder
    ) {
        guard let context = past.context, let known = history.popups[popup] else { return }
        let keys = Dictionary(rules.keys.map { ($0.name, $0) }) { first, _ in first }
        let values = decoder.contextValues(context.value, keys: keys, check: .testUnknownKey)
        let counted = Scheduler(
            rules: rules, seed: 0, at: Moment(instant: .zero, date: start)
        ).countedKeys(of: popup)
        for entry in context.value.entries {
            guard let name = entry.key.scalar?.text, let value = values[name] else { continue }
            guard counted.contains(name) else {
                decoder.report(.notCounted(name, of: popup, at: entry.key.range))
                continue
            }
            history.count(known, of: popup, for: KeyedValue(key: name, value: value))
        }
    }
}

extension History {
    /// Counts the whole history of a popup for one value of a key.
    fileprivate mutating func count(_ past: Popup, of popup: String, for value: KeyedValue) {
        func add(_ change: ValueChange, at date: Timestamp) {
            apply(.counted(popup: popup, value: value, change: change, date: date))
        }
        for date in past.impressions { add(.shown, at: date) }
        for date in past.exposures.dates.suffix(past.exposures.controlCount) {
            add(.shown, at: date)
            add(.takenBackExposed, at: date)
        }
        let last = past.lastDismissed ?? past.lastShown
        for _ in 0..<past.closedCount { if let last { add(.closed, at: last) } }
    }
}

extension Diagnostic {
    fileprivate static func notCounted(
        _ key: String, of popup: String, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .testNoEffect, message: "no cap counts `\(popup)` for each value of `\(key)`",
            at: range, label: "without effect",
            help: [
                "remove it, or add a cap to the popup, its group, its scheduler or `limits`, such"
                    + " as `{ max: 1, per: \(key) }`"
            ])
        // The history is described as it was, even if today's caps don't count it.
        diagnostic.level = .warning
        return diagnostic
    }
}
