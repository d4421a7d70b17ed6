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
                summary: "when the last of them ended, such as `-3d`; by default just now"),
            Key(
                "first", format: .pastTime, store: { $0.first = $1 },
                alsoCalled: ["first_seen", "began", "since"],
                summary: "when the first of them started; by default when the last one ended"),
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
