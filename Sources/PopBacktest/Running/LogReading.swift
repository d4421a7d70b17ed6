internal import PopFleet
internal import PopMapping
internal import PopSource

/// What reading the logs came to.
struct ReadingResult: Sendable {
    var events = 0
    var summary = ReadingSummary()
    var parts = 1
}

/// What threads add to while they read.
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
        let sizes = backtest.logs.map { SystemPaths.identity(of: $0)?.size }
        let isKnown = !backtest.logs.contains("-")
        totalBytes = isKnown ? sizes.reduce(0) { $0 + ($1 ?? 0) } : nil
        let limits = BacktestLimits.standard
        // What is packed is larger than it looks.
        let guess = (totalBytes ?? 4 << 30) * 4
        let wanted = guess / max(backtest.memory / (max(backtest.jobs, 1) * 2), 1)
        parts = min(max(wanted, 16), limits.parts)
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
        let total = Guarded(ReadingTotal(notes: ReadingNotes(plan)))
        let jobs = Guarded(try LogJobs(backtest))
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            var writer = SpillWriter(spill)
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
        return ReadingResult(events: read.notes.events, summary: summary, parts: parts)
    }

    private func readIdentities() throws(BacktestError) -> Identities {
        let all = Guarded(Identities())
        let jobs = Guarded(try LogJobs(backtest))
        let ignored = Guarded(ReadingTotal(notes: ReadingNotes(plan)))
        try onThreads(backtest.jobs) { _ throws(BacktestError) in
            var pairs = Identities()
            try readAll(jobs, into: ignored) { row, block throws(BacktestError) in
                guard let alias = row.alias, !row.isAlias else { return }
                let user = String(decoding: block[row.user], as: UTF8.self)
                pairs.note(user, as: String(decoding: block[alias], as: UTF8.self))
                if pairs.count > BacktestLimits.standard.identities {
                    throw .tooManyIdentities(BacktestLimits.standard.identities)
                }
            }
            let found = pairs
            all.withLock { $0.add(found) }
        }
        return all.withLock { $0 }
    }

    private func readAll(
        _ jobs: borrowing Guarded<LogJobs>, into total: borrowing Guarded<ReadingTotal>,
        row take: (LogRow, [UInt8]) throws(BacktestError) -> Void
    ) throws(BacktestError) {
        var reader: RowReader?
        var file = -1
        while var job = try jobs.withLock({ jobs throws(BacktestError) in try jobs.next() }) {
            if job.place.file != file || reader == nil {
                reader = RowReader(plan, layout: job.layout)
                file = job.place.file
            }
            let notes = try read(&job, by: &reader, row: take)
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
        reader?.read(&job.block, from: job.start, at: job.place) { row, block in
            if failure != nil { return }
            do throws(BacktestError) {
                try take(row, block)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        var notes = reader?.takeNotes() ?? ReadingNotes(plan)
        for (number, text) in job.longLines.enumerated() {
            let place = RowPlace(file: job.place.file, block: job.place.block, line: number)
            notes.skipped.add(.tooLong, at: place) { RowExample(text: RowHints.short(text)) }
        }
        return notes
    }
}

/// A block of rows that a thread is to read.
struct LogJob: Sendable {
    var layout: RowLayout
    var block: [UInt8]
    /// Where the rows begin, behind the names of the columns.
    var start = 0
    /// Where the first of them stands.
    var place: RowPlace
    /// How lines begin that stood before it and were too long.
    var longLines: [String]
    /// How much of all logs has been read by now.
    var bytesRead: Int
}

/// Gives out the blocks of all logs.
struct LogJobs {
    private let logs: [String]
    private let mapping: MappingFile
    private var file = 0
    private var block = 0
    private var source: LogSource?
    private var layout = RowLayout()
    private var bytesBefore = 0

    init(_ backtest: Backtest) throws(BacktestError) {
        logs = backtest.logs
        mapping = backtest.mapping
        for log in logs where Self.isMissing(log) { throw .noLog(log) }
    }

    static func isMissing(_ log: String) -> Bool {
        log != "-" && SystemPaths.identity(of: log) == nil
    }

    mutating func next() throws(BacktestError) -> LogJob? {
        while file < logs.count {
            if source == nil { try open(logs[file]) }
            let bytes = try source?.nextBlock()
            let long = source?.takeLongLines() ?? []
            if bytes == nil, long.isEmpty {
                bytesBefore += source?.bytesRead ?? 0
                source = nil
                file += 1
                continue
            }
            var job = LogJob(
                layout: layout, block: bytes ?? [],
                place: RowPlace(file: file, block: block, line: long.count), longLines: long,
                bytesRead: bytesBefore + (source?.bytesRead ?? 0))
            if block == 0 { try readHeader(&job) }
            block += 1
            job.layout = layout
            return job
        }
        return nil
    }

    private mutating func open(_ path: String) throws(BacktestError) {
        let format = mapping.rows ?? RowFormat(named: path)
        layout = RowLayout(format: format, header: mapping.names)
        layout.separator = RowLayout.separators(of: format).first ?? layout.separator
        block = 0
        source = try LogSource(path, isQuoted: format == .csv)
    }

    /// Reads the names of the columns, and finds out what stands between these.
    private mutating func readHeader(_ job: inout LogJob) throws(BacktestError) {
        if layout.format == .jsonl { return }
        let end = job.block.count
        while job.start < end, isLineEnd(job.block[job.start]) {
            job.start = behindLineEnd(job.start, in: job.block)
            job.place.line += 1
        }
        var candidates: [(layout: RowLayout, end: Int)] = []
        for separator in RowLayout.separators(of: layout.format) {
            var candidate = RowLayout(format: layout.format, separator: separator)
            var place = job.start
            candidate.header = DelimitedRow.texts(
                &place, end: end, layout: candidate, in: &job.block
            ).map { $0.trimmed }
            job.block.removeLast(job.block.count - end)
            candidates.append((candidate, place))
        }
        let columns = mapping.meaning.columns
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
        job.start = found.end
        job.place.line += 1
    }
}

extension String {
    /// Without blanks around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
