internal import PopSource

/// The result of reading the logs.
struct ReadingResult: Sendable {
    var events = 0
    var summary = ReadingSummary()
    /// The rows that were written to each part.
    var parts: [SpilledPart] = []
}

/// A total that threads add to while they read.
private struct ReadingTotal: Sendable {
    var notes: ReadingNotes
    /// By block, how many lines it has.
    var lines: [RowPlace: Int] = [:]
}

/// Reads logs with several threads, and divides their rows by user.
struct LogReading {
    private let backtest: Backtest
    private let plan: LogPlan
    /// Into how many the users are to be divided.
    let parts: Int
    private let totalBytes: Int?

    init(_ backtest: Backtest, plan: LogPlan) {
        self.backtest = backtest
        self.plan = plan
        let sizes = backtest.logs.map { SystemPaths.identity(of: $0)?.size ?? 0 }
        let isKnown = !backtest.logs.contains("-")
        let limits = backtest.limits
        totalBytes = isKnown ? Self.sum(of: sizes, limits: limits) : nil
        parts = Self.parts(
            of: totalBytes ?? 4 << 30, memory: backtest.memory, jobs: backtest.jobs,
            limits: limits)
    }

    /// Returns the total size of logs, as far as limits take it into account: a file may claim to
    /// be larger than any disk.
    static func sum(of sizes: [Int], limits: BacktestLimits = .standard) -> Int {
        sizes.reduce(0) { sum, size in
            min(sum + min(max(size, 0), limits.logBytes), limits.logBytes)
        }
    }

    /// Returns the number of parts into which the users of logs of this size are divided.
    static func parts(
        of bytes: Int, memory: Int, jobs: Int, limits: BacktestLimits = .standard
    ) -> Int {
        // A compressed log is larger than its file.
        let guess = min(bytes, limits.logBytes) * 4
        let wanted = guess / max(memory / (max(jobs, 1) * 2), 1)
        return min(max(wanted, 16), limits.parts)
    }

    func run(into spill: Spill) throws(BacktestError) -> ReadingResult {
        var identities = Identities()
        if plan.mapping.mergesIdentities {
            if let log = backtest.logs.first(where: { !SystemPaths.isRegular($0) }) {
                throw LogJobs.isMissing(log) ? .noLog(log) : .readOnceOnly(log)
            }
            identities = try readIdentities()
        }
        let known = identities
        let total = LockedValue(ReadingTotal(notes: ReadingNotes(plan)))
        let jobs = LockedValue(try LogJobs(backtest))
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            var writer = SpillWriter(
                spill, memory: backtest.memory, jobs: backtest.jobs, limits: backtest.limits)
            try readAll(jobs, into: total) { row, block throws(BacktestError) in
                guard row.isAlias, !known.isEmpty else {
                    return try writer.add(row, user: row.user, of: block)
                }
                let alias = String(decoding: block[row.user], as: UTF8.self)
                let user = Array(known.user(of: alias).utf8)
                try writer.add(row, user: user.indices, of: user)
            }
            try writer.end()
        }
        let read = total.withLock { $0 }
        let summary = ReadingSummary(
            read.notes, of: plan, logs: backtest.logs, lines: read.lines)
        return ReadingResult(
            events: read.notes.events, summary: summary, parts: try spill.finish())
    }

    private func readIdentities() throws(BacktestError) -> Identities {
        let all = LockedValue(Identities())
        let jobs = LockedValue(try LogJobs(backtest))
        let ignored = LockedValue(ReadingTotal(notes: ReadingNotes(plan)))
        let limits = backtest.limits
        let mostBytes = backtest.memory * limits.identityShare
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            // The pairs of one block. They are added to `all` after each block, so that one limit
            // bounds the pairs of all threads.
            var pairs = Identities()
            try readAll(jobs, into: ignored) { row, block throws(BacktestError) in
                guard let alias = row.alias, !row.isAlias else { return }
                let user = String(decoding: block[row.user], as: UTF8.self)
                pairs.note(user, as: String(decoding: block[alias], as: UTF8.self))
            } behindBlock: { () throws(BacktestError) in
                let (count, bytes) = all.withLock { all in
                    all.add(pairs)
                    return (all.count, all.bytes)
                }
                pairs = Identities()
                if count > limits.identities { throw .tooManyIdentities(limits.identities) }
                if bytes > mostBytes { throw .identitiesTooLarge(mostBytes) }
            }
        }
        return all.withLock { $0 }
    }

    private func readAll(
        _ jobs: borrowing LockedValue<LogJobs>, into total: borrowing LockedValue<ReadingTotal>,
        row take: (LogRow, [UInt8]) throws(BacktestError) -> Void,
        behindBlock: () throws(BacktestError) -> Void = {}
    ) throws(BacktestError) {
        do throws(BacktestError) {
            try readBlocks(of: jobs, into: total, row: take, behindBlock: behindBlock)
        } catch {
            // Nothing comes of what other threads would still read.
            jobs.withLock { $0.end() }
            throw error
        }
    }

    private func readBlocks(
        of jobs: borrowing LockedValue<LogJobs>, into total: borrowing LockedValue<ReadingTotal>,
        row take: (LogRow, [UInt8]) throws(BacktestError) -> Void,
        behindBlock: () throws(BacktestError) -> Void
    ) throws(BacktestError) {
        var reader: RowReader?
        var file = -1
        while var job = try jobs.withLock({ jobs throws(BacktestError) in try jobs.next() }) {
            if job.place.file != file || reader == nil {
                reader = RowReader(plan, layout: job.layout)
                file = job.place.file
            }
            let notes = try read(&job, by: &reader, row: take)
            try behindBlock()
            let place = RowPlace(file: job.place.file, block: job.place.block)
            let read = total.withLock { total in
                total.notes.add(notes)
                total.lines[place] = notes.lines
                return total.notes.events
            }
            let share = totalBytes.map { $0 == 0 ? 1 : Double(job.bytesRead) / Double($0) }
            backtest.onProgress(BacktestProgress(stage: .reading, share: share, events: read))
        }
    }

    private func read(
        _ job: inout LogJob, by reader: inout RowReader?,
        row take: (LogRow, [UInt8]) throws(BacktestError) -> Void
    ) throws(BacktestError) -> ReadingNotes {
        var failure: BacktestError?
        reader?.read(&job.rows.bytes, brokenUntil: job.rows.brokenUntil, at: job.place) {
            row, block in
            if failure != nil { return }
            do throws(BacktestError) {
                try take(row, block)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        var notes = reader?.takeNotes() ?? ReadingNotes(plan)
        let long = job.rows.longLines
        if long.count > 0 {
            let line = job.place.line - long.count
            let place = RowPlace(file: job.place.file, block: job.place.block, line: line)
            notes.skipped.add(.tooLong, times: long.count, at: place) {
                RowExample(text: RowHints.short(long.first))
            }
        }
        return notes
    }
}

/// A block of rows that a thread is to read.
struct LogJob: Sendable {
    var layout: RowLayout
    var rows: LogBlock
    /// The place of the first row.
    var place: RowPlace
    /// The number of bytes of all logs that have been read so far.
    var bytesRead: Int
}

/// Gives out the blocks of all logs.
struct LogJobs {
    private let logs: [String]
    private let mapping: MappingFile
    private let limits: BacktestLimits
    private let memory: Int
    private var file = 0
    private var block = 0
    private var source: LogSource?
    private var layout = RowLayout()
    /// The number of lines before the rows of a file: the names of the columns, and empty ones.
    private var linesBefore = 0
    private var bytesBefore = 0

    init(_ backtest: Backtest) throws(BacktestError) {
        logs = backtest.logs
        mapping = backtest.mapping
        limits = backtest.limits
        memory = backtest.memory
        for log in logs where Self.isMissing(log) { throw .noLog(log) }
    }

    static func isMissing(_ log: String) -> Bool {
        log != "-" && SystemPaths.identity(of: log) == nil
    }

    /// Returns the next block, or nil at the end. An error is the end too: the place where a failed
    /// log continues is unknown, and other threads would read on from anywhere.
    mutating func next() throws(BacktestError) -> LogJob? {
        do throws(BacktestError) {
            return try findNext()
        } catch {
            end()
            throw error
        }
    }

    /// Gives out no further block.
    mutating func end() { (file, source) = (logs.count, nil) }

    private mutating func findNext() throws(BacktestError) -> LogJob? {
        while file < logs.count {
            if source == nil { try open(logs[file]) }
            guard let rows = try source?.nextBlock() else {
                bytesBefore += source?.bytesRead ?? 0
                source = nil
                file += 1
                continue
            }
            let line = linesBefore + rows.longLines.count
            defer { (block, linesBefore) = (block + 1, 0) }
            return LogJob(
                layout: layout, rows: rows, place: RowPlace(file: file, block: block, line: line),
                bytesRead: bytesBefore + (source?.bytesRead ?? 0))
        }
        return nil
    }

    private mutating func open(_ path: String) throws(BacktestError) {
        let format = mapping.rows ?? RowFormat(named: path)
        layout = RowLayout(format: format, header: mapping.names)
        layout.separator = RowLayout.separators(of: format).first ?? layout.separator
        (block, linesBefore) = (0, 0)
        var source = try LogSource(path, limits: limits, memory: memory)
        if format != .jsonl {
            try readHeader(&source)
            source.columns = layout.columns
        }
        self.source = source
    }

    /// Reads the names of the columns, and detects the separator between them.
    private mutating func readHeader(_ source: inout LogSource) throws(BacktestError) {
        while try skipEmptyLines(&source) {}
        if try source.head(1).isEmpty { return }
        let columns = mapping.meaning.columns
        let candidates = try headers(&source)
        guard mapping.names.isEmpty else {
            let count = mapping.names.count
            let found = candidates.first { $0.layout.header.count == count }
            layout.separator = (found ?? candidates[0]).layout.separator
            if let missing = columns.missing(in: mapping.names) {
                throw .noColumn(logs[file], column: missing.description, columns: mapping.names)
            }
            return
        }
        guard let found = candidates.first(where: { columns.missing(in: $0.layout.header) == nil })
        else {
            let likely = candidates.map { $0.layout.header }.max { $0.count < $1.count } ?? []
            let missing = columns.missing(in: likely)?.description ?? ""
            throw .noColumn(logs[file], column: missing, columns: likely)
        }
        layout = found.layout
        source.leave(found.end)
        linesBefore += 1
    }

    /// Passes over empty lines at the start that have been read; returns false if it finds no line.
    private mutating func skipEmptyLines(_ source: inout LogSource) throws(BacktestError) -> Bool {
        let head = try source.head(2)
        var end = 0
        while end < head.count, isLineEnd(head[end]) {
            // The rest of the line break may not have been read yet.
            if end > 0, end + 1 == head.count, !source.isHeadAll { break }
            end = behindLineEnd(end, in: head)
            linesBefore += 1
        }
        source.leave(end)
        return end > 0
    }

    /// Returns the first row for each possible separator, and its end.
    private func headers(
        _ source: inout LogSource
    ) throws(BacktestError) -> [(layout: RowLayout, end: Int)] {
        var candidates: [(layout: RowLayout, end: Int)] = []
        for separator in RowLayout.separators(of: layout.format) {
            var candidate = RowLayout(format: layout.format, separator: separator)
            let end = try headerEnd(&source, layout: candidate)
            // If the mapping names the columns, the first row only serves to detect the separator.
            if end == nil, mapping.names.isEmpty {
                throw .headerTooLong(logs[file], limits.headerBytes)
            }
            let row = try source.head(end ?? 0)
            candidate.header = DelimitedRow.texts(0..<(end ?? 0), layout: candidate, in: row)
                .map { $0.trimmed }
            candidates.append((candidate, end ?? 0))
        }
        return candidates
    }

    /// Where the first row ends; nil for one that is too long.
    private func headerEnd(
        _ source: inout LogSource, layout: RowLayout
    ) throws(BacktestError) -> Int? {
        var wanted = 1
        while true {
            let head = try source.head(wanted)
            var columns = layout.columns
            switch columns.rowEnd(
                from: 0, isAtEnd: source.isHeadAll, longest: limits.headerBytes, in: head)
            {
            case .behind(let end): return end
            case .unknown: wanted = head.count + 1
            case .tooManyLines, .lineTooLong: return nil
            }
        }
    }
}

extension String {
    /// Without blanks around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
