internal import PopScheduler
internal import PopSource

/// The results of the users of some parts.
struct PlayedUsers: Sendable {
    var tally = Tally()
    /// By the old rules.
    var old: Tally?
    var comparison = ReplayComparison()
    /// The number of steps of the replays, as `FleetLimits.judged` counts them.
    var judged = 0

    mutating func add(_ other: PlayedUsers) {
        tally.add(other.tally)
        if let theirs = other.old {
            var sum = old ?? Tally()
            sum.add(theirs)
            old = sum
        }
        comparison.add(other.comparison)
        judged += other.judged
    }
}

/// Plays the users of one part after the other, with several threads.
struct PartitionReplay {
    private let backtest: Backtest
    private let checkpoint: Checkpoint
    private let reading: ReadingResult
    private let spill: Spill
    private let rules: ReplayRules
    private let old: ReplayRules?
    private let readings: Int
    /// The budget of the whole command.
    private let budget: WorkBudget
    /// Held while a part is in memory that is larger than each thread may have.
    private let largePart = LargePart()

    private final class LargePart: Sendable {
        let lock = LockedValue(())
    }

    init(
        _ backtest: Backtest, plan: LogPlan, checkpoint: Checkpoint, reading: ReadingResult,
        spill: Spill
    ) {
        self.backtest = backtest
        self.checkpoint = checkpoint
        self.reading = reading
        self.spill = spill
        rules = ReplayRules(backtest.rules, plan: plan)
        readings = plan.readings.count
        let popups = [backtest.rules] + (backtest.old.map { [$0] } ?? [])
        budget = backtest.replayLimits.budget(
            events: reading.events, popups: popups.map { $0.popups.count })
        old = backtest.old.map { ReplayRules($0, plan: plan) }
    }

    func run() throws(BacktestError) -> BacktestReport {
        let next = LockedValue(0)
        let sum = LockedValue(PlayedUsers())
        let names = (rules.popups, old?.popups)
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            while true {
                let part = next.withLock { next in
                    next += 1
                    return next - 1
                }
                if part >= reading.parts.count { return }
                let played: PlayedUsers
                if let done = try checkpoint.played(part, popups: names.0, old: names.1) {
                    // As though it had been played by this run.
                    guard budget.charge(.judgedPopups, done.judged) else {
                        throw .undecided(nil, events: reading.events)
                    }
                    played = done
                } else {
                    played = try play(part)
                    try checkpoint.keep(played, of: part, popups: names.0, old: names.1)
                }
                let events = sum.withLock { sum in
                    sum.add(played)
                    return sum.tally.events
                }
                let share = Double(part + 1) / Double(reading.parts.count)
                backtest.onProgress(
                    BacktestProgress(stage: .playing, share: share, events: events))
            }
        }
        let all = sum.withLock { $0 }
        return BacktestReport(
            popups: rules.popups, tally: all.tally, oldPopups: old?.popups ?? [], old: all.old,
            comparison: old == nil ? nil : all.comparison, reading: reading.summary,
            zone: backtest.mapping.meaning.zone, hasTimeZone: backtest.mapping.hasTimeZone,
            repliesOfFractions: backtest.mapping.repliesOfFractions)
    }

    private func play(_ part: Int) throws(BacktestError) -> PlayedUsers {
        do throws(BacktestError) {
            let rows = try spill.takeRows(of: part)
            var played = PlayedUsers()
            if old != nil { played.old = Tally() }
            try play(rows, divisor: UInt64(spill.parts), into: &played)
            guard played.hasPlayed(reading.parts[part].events) else { throw .damaged(rows.path) }
            return played
        } catch {
            throw checkpoint.error(error)
        }
    }

    /// Plays rows of whole users, whose hashes have the same remainders by `divisor`. Rows that
    /// don't fit into the memory are divided first.
    private func play(
        _ rows: SpilledRows, divisor: UInt64, into played: inout PlayedUsers
    ) throws(BacktestError) {
        let limits = backtest.limits
        let share = limits.share(of: backtest.memory, jobs: backtest.jobs)
        if rows.range.count <= share { return try playAtOnce(rows, into: &played) }
        let (next, isTooLarge) = divisor.multipliedReportingOverflow(
            by: UInt64(limits.divisions))
        if rows.isOneUser || isTooLarge { return try playLarge(rows, into: &played) }
        let division = Division(readings: readings, limits: limits)
        for piece in try division.divide(rows, divisor: divisor) {
            try play(piece, divisor: next, into: &played)
        }
    }

    /// Plays one user with very many events, while no other thread does that.
    private func playLarge(
        _ rows: SpilledRows, into played: inout PlayedUsers
    ) throws(BacktestError) {
        if rows.range.count > backtest.memory {
            throw .userTooLarge(user: try firstUser(of: rows), memory: backtest.memory)
        }
        let found = try largePart.lock.withLock { _ throws(BacktestError) in
            var found = PlayedUsers()
            if old != nil { found.old = Tally() }
            try playAtOnce(rows, into: &found)
            return found
        }
        played.add(found)
    }

    private func firstUser(of rows: SpilledRows) throws(BacktestError) -> String {
        var bytes: [UInt8] = []
        let count = min(rows.range.count, backtest.limits.recordBytes)
        try rows.file.read(count, at: rows.range.lowerBound, path: rows.path, behind: &bytes)
        let found = SpillRecord.find(
            at: 0, in: bytes, readings: readings, longest: backtest.limits.recordBytes)
        guard case .record(let record) = found else { throw .damaged(rows.path) }
        return String(decoding: bytes[record.user], as: UTF8.self)
    }

    private func playAtOnce(
        _ part: SpilledRows, into played: inout PlayedUsers
    ) throws(BacktestError) {
        let bytes = try part.bytes()
        guard let rows = SortedRows(bytes, readings: readings, limits: backtest.limits) else {
            throw .damaged(part.path)
        }
        var start = 0
        while start < rows.count {
            let end = rows.endOfUser(from: start)
            let user = rows.user(at: start)
            guard end - start <= FleetLimits.standard.eventsPerUser else {
                throw .tooManyEvents(user: user, limit: FleetLimits.standard.eventsPerUser)
            }
            try play(user, events: rows.events(start..<end), into: &played)
            start = end
        }
    }

    private func play(
        _ user: String, events: [LogEvent], into played: inout PlayedUsers
    ) throws(BacktestError) {
        let new = try play(user, events: events, by: rules, into: &played.tally, &played.judged)
        guard let old, var tally = played.old else { return }
        played.old = nil
        let before = try play(user, events: events, by: old, into: &tally, &played.judged)
        played.old = tally
        played.comparison.add(user: user, old: before, new: new)
    }

    /// Returns how often each popup showed.
    private func play(
        _ user: String, events: [LogEvent], by rules: ReplayRules, into tally: inout Tally,
        _ judged: inout Int
    ) throws(BacktestError) -> [String: Int] {
        var sink = CountingSink(tally: tally)
        // Moved, so that it is changed in place.
        tally = Tally()
        var replay = UserReplay(of: user, rules: rules, budget: budget)
        replay.play(events, into: &sink)
        if let session = replay.undecided { throw .undecided(session, events: reading.events) }
        tally = sink.tally
        tally.add(replay, events: events.count)
        judged += replay.judged
        return sink.shown(popups: rules.popups)
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

    func shown(popups: [String]) -> [String: Int] {
        Dictionary(shown.map { (popups[$0.key], $0.value) }) { $1 }
    }
}

/// The rows of a part, grouped by user.
struct SortedRows {
    private struct Entry {
        var hash: UInt64
        var place: Int
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []

    /// Nil where not all of the bytes are rows.
    init?(_ bytes: [UInt8], readings: Int, limits: BacktestLimits) {
        self.bytes = bytes
        var place = 0
        while place < bytes.count {
            guard
                case .record(let record) = SpillRecord.find(
                    at: place, in: bytes, readings: readings, longest: limits.recordBytes)
            else { return nil }
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
        record(entry).map { bytes[$0.user] } ?? []
    }

    /// The row, which was looked at before.
    private func record(_ entry: Entry) -> SpillRecord? {
        let found = SpillRecord.find(
            at: entry.place, in: bytes, readings: .max, longest: .max)
        if case .record(let record) = found { return record }
        return nil
    }

    /// Returns the place after the last row of the user whose rows begin at a place.
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
        entries[range].compactMap { record($0)?.event(in: bytes) }
    }
}
