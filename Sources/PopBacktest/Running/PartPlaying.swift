internal import PopFleet
internal import PopMapping
internal import PopScheduler
internal import PopSource

/// What the users of some parts came to.
struct PlayedUsers: Sendable {
    var tally = Tally()
    /// By the old rules.
    var old: Tally?
    var comparison = ReplayComparison()

    mutating func add(_ other: PlayedUsers) {
        tally.add(other.tally)
        if let theirs = other.old {
            var sum = old ?? Tally()
            sum.add(theirs)
            old = sum
        }
        comparison.add(other.comparison)
    }
}

/// Plays the users of one part after the other, with several threads.
struct PartPlaying {
    private let backtest: Backtest
    private let checkpoint: Checkpoint
    private let reading: ReadingResult
    private let spill: Spill
    private let rules: ReplayRules
    private let old: ReplayRules?

    init(
        _ backtest: Backtest, plan: LogPlan, checkpoint: Checkpoint, reading: ReadingResult,
        spill: Spill
    ) {
        self.backtest = backtest
        self.checkpoint = checkpoint
        self.reading = reading
        self.spill = spill
        rules = ReplayRules(backtest.rules, plan: plan)
        old = backtest.old.map { ReplayRules($0, plan: plan) }
    }

    func run() throws(BacktestError) -> BacktestReport {
        let next = Guarded(0)
        let sum = Guarded(PlayedUsers())
        let names = (rules.popups, old?.popups)
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            while true {
                let part = next.withLock { next in
                    next += 1
                    return next - 1
                }
                if part >= reading.parts { return }
                let played: PlayedUsers
                if let done = checkpoint.played(part, popups: names.0, old: names.1) {
                    played = done
                } else {
                    played = try play(part)
                    try checkpoint.keep(played, of: part, popups: names.0, old: names.1)
                }
                let events = sum.withLock { sum in
                    sum.add(played)
                    return sum.tally.events
                }
                let share = Double(part + 1) / Double(reading.parts)
                backtest.onProgress(
                    BacktestProgress(stage: .playing, share: share, events: events))
            }
        }
        let all = sum.withLock { $0 }
        return BacktestReport(
            popups: rules.popups, tally: all.tally, oldPopups: old?.popups ?? [], old: all.old,
            comparison: old == nil ? nil : all.comparison, reading: reading.summary,
            zone: backtest.mapping.meaning.zone)
    }

    private func play(_ part: Int) throws(BacktestError) -> PlayedUsers {
        let bytes = try spill.takeBytes(of: part)
        var played = PlayedUsers()
        if old != nil { played.old = Tally() }
        let rows = SortedRows(bytes)
        var start = 0
        while start < rows.count {
            let end = rows.endOfUser(from: start)
            let user = rows.user(at: start)
            guard end - start <= FleetLimits.standard.eventsPerUser else {
                throw .tooManyEvents(user: user, limit: FleetLimits.standard.eventsPerUser)
            }
            play(user, events: rows.events(start..<end), into: &played)
            start = end
        }
        return played
    }

    private func play(_ user: String, events: [LogEvent], into played: inout PlayedUsers) {
        var sink = CountingSink(tally: played.tally)
        played.tally = Tally()
        sink.play(user, events: events, rules: rules)
        played.tally = sink.tally
        guard let old, let tally = played.old else { return }
        var before = CountingSink(tally: tally)
        played.old = Tally()
        before.play(user, events: events, rules: old)
        played.old = before.tally
        played.comparison.add(
            user: user, old: before.shown(popups: old.popups),
            new: sink.shown(popups: rules.popups))
    }
}

/// Counts, and remembers what one user saw.
private struct CountingSink: ReplaySink {
    var tally: Tally
    var shown: [Int: Int] = [:]

    mutating func add(_ row: ReplayRow) {
        if case .shown = row.kind { shown[row.popup, default: 0] += 1 }
        tally.add(row)
    }

    mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {
        tally.wasThere(onDay: day, isNewDay: isNewDay, isNewWeek: isNewWeek)
    }

    mutating func play(_ user: String, events: [LogEvent], rules: ReplayRules) {
        var replay = UserReplay(of: user, rules: rules)
        replay.play(events, into: &self)
        tally.add(replay, events: events.count)
    }

    func shown(popups: [String]) -> [String: Int] {
        Dictionary(shown.map { (popups[$0.key], $0.value) }) { $1 }
    }
}

/// The rows of a part, those of one user behind each other.
struct SortedRows {
    private struct Entry {
        var hash: UInt64
        var place: Int
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var place = 0
        while let record = SpillRecord(at: place, in: bytes) {
            entries.append(
                Entry(hash: SpillRecord.hash(of: record.user, in: bytes), place: place))
            place = record.range.upperBound
        }
        entries.sort { $0.hash < $1.hash }
        separateUsers()
    }

    /// Two users may have the same hash, though that hardly happens.
    private mutating func separateUsers() {
        var start = 0
        while start < entries.count {
            var end = start + 1
            var isOneUser = true
            while end < entries.count, entries[end].hash == entries[start].hash {
                if userBytes(entries[end]) != userBytes(entries[start]) { isOneUser = false }
                end += 1
            }
            if !isOneUser {
                let users = entries[start..<end].map { ($0, userBytes($0)) }
                    .sorted { $0.1.lexicographicallyPrecedes($1.1) }
                entries.replaceSubrange(start..<end, with: users.map { $0.0 })
            }
            start = end
        }
    }

    var count: Int { entries.count }

    private func userBytes(_ entry: Entry) -> ArraySlice<UInt8> {
        SpillRecord(at: entry.place, in: bytes).map { bytes[$0.user] } ?? []
    }

    /// Behind the last row of the user whose rows begin at a place.
    func endOfUser(from start: Int) -> Int {
        let user = userBytes(entries[start])
        var end = start + 1
        while end < entries.count, entries[end].hash == entries[start].hash,
            userBytes(entries[end]) == user
        {
            end += 1
        }
        return end
    }

    func user(at place: Int) -> String {
        String(decoding: userBytes(entries[place]), as: UTF8.self)
    }

    func events(_ range: Range<Int>) -> [LogEvent] {
        range.compactMap { SpillRecord(at: entries[$0].place, in: bytes)?.event(in: bytes) }
    }
}
