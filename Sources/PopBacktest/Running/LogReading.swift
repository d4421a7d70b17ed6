internal import PopFleet
internal import PopMapping
internal import PopSource

/// What reading the logs came to.
struct ReadingResult: Sendable {
    var events = 0
    var skipped = SkippedRows()
    var parts = 1

    var reasonForNothing: String {
        skipped.text.isEmpty ? "the logs are empty" : skipped.text
    }
}

/// Reads logs with several threads, and divides their rows by user.
struct LogReading {
    private let backtest: Backtest
    private let plan: LogPlan
    private let folder: String
    private let parts: Int
    private let totalBytes: Int?

    init(_ backtest: Backtest, plan: LogPlan, folder: String) {
        self.backtest = backtest
        self.plan = plan
        self.folder = folder
        let sizes = backtest.logs.map { SystemPaths.identity(of: $0)?.size }
        let isKnown = !backtest.logs.contains("-")
        totalBytes = isKnown ? sizes.reduce(0) { $0 + ($1 ?? 0) } : nil
        let limits = BacktestLimits.standard
        // What is packed is larger than it looks.
        let guess = (totalBytes ?? 4 << 30) * 4
        let wanted = guess / max(backtest.memory / (max(backtest.jobs, 1) * 2), 1)
        parts = min(max(wanted, 16), limits.parts)
    }

    func run() throws(BacktestError) -> ReadingResult {
        var identities = Identities()
        if plan.mapping.mergesIdentities {
            if backtest.logs.contains("-") { throw .notOfStandardInput }
            identities = try readIdentities()
        }
        let known = identities
        let spill = try Spill(in: folder, parts: parts)
        let total = Guarded(ReadingResult())
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
        var result = total.withLock { $0 }
        result.parts = parts
        return result
    }

    private func readIdentities() throws(BacktestError) -> Identities {
        let all = Guarded(Identities())
        let jobs = Guarded(try LogJobs(backtest))
        let ignored = Guarded(ReadingResult())
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
        _ jobs: borrowing Guarded<LogJobs>, into total: borrowing Guarded<ReadingResult>,
        row take: (LogRow, [UInt8]) throws(BacktestError) -> Void
    ) throws(BacktestError) {
        var reader: RowReader?
        var file = -1
        while var job = try jobs.withLock({ jobs throws(BacktestError) in try jobs.next() }) {
            if job.file != file || reader == nil {
                reader = RowReader(plan, format: job.format, header: job.header)
                file = job.file
            }
            var failure: BacktestError?
            let before = (reader?.rows ?? 0, reader?.skipped ?? SkippedRows())
            var events = 0
            reader?.read(&job.block, from: job.start) { row, block in
                events += 1
                if failure != nil { return }
                do throws(BacktestError) {
                    try take(row, block)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            let skipped = reader?.skipped.less(before.1) ?? SkippedRows()
            let count = events
            let read = total.withLock { total in
                total.events += count
                total.skipped.add(skipped)
                return total.events
            }
            let share = totalBytes.map { $0 == 0 ? 1 : Double(job.bytesRead) / Double($0) }
            backtest.onProgress(BacktestProgress(stage: .reading, share: share, events: read))
        }
    }
}

extension SkippedRows {
    /// What came since there were fewer.
    fileprivate func less(_ earlier: SkippedRows) -> SkippedRows {
        var rest = self
        for (reason, count) in earlier.counts { rest.counts[reason, default: 0] -= count }
        rest.counts = rest.counts.filter { $0.value != 0 }
        return rest
    }
}

/// A block of rows that a thread is to read.
struct LogJob: Sendable {
    var file: Int
    var format: RowFormat
    var header: [String]
    var block: [UInt8]
    /// Where the rows begin, behind the names of the columns.
    var start = 0
    /// How much of all logs has been read by now.
    var bytesRead: Int
}

/// Gives out the blocks of all logs.
struct LogJobs {
    private let logs: [String]
    private let mapping: MappingFile
    private var file = 0
    private var source: LogSource?
    private var format = RowFormat.jsonl
    private var header: [String] = []
    private var bytesBefore = 0

    init(_ backtest: Backtest) throws(BacktestError) {
        logs = backtest.logs
        mapping = backtest.mapping
        for log in logs where log != "-" && SystemPaths.identity(of: log) == nil {
            throw .noLog(log)
        }
    }

    mutating func next() throws(BacktestError) -> LogJob? {
        while file < logs.count {
            let isNew = source == nil
            if isNew { try open(logs[file]) }
            guard let block = try source?.nextBlock() else {
                bytesBefore += source?.bytesRead ?? 0
                source = nil
                file += 1
                continue
            }
            var job = LogJob(
                file: file, format: format, header: mapping.names, block: block,
                bytesRead: bytesBefore + (source?.bytesRead ?? 0))
            if isNew { try readHeader(&job) }
            job.header = header
            return job
        }
        return nil
    }

    private mutating func open(_ path: String) throws(BacktestError) {
        format = mapping.rows ?? RowFormat(named: path)
        header = mapping.names
        source = try LogSource(path, isQuoted: format == .csv)
    }

    private mutating func readHeader(_ job: inout LogJob) throws(BacktestError) {
        if format == .jsonl { return }
        if mapping.names.isEmpty {
            header = DelimitedRow.texts(
                &job.start, end: job.block.count, format: format, in: &job.block)
        }
        let columns = mapping.meaning.columns
        for paths in [columns.user, columns.time, columns.event] {
            let names = paths.compactMap { $0.names.first }
            if !names.contains(where: header.contains), let name = names.first {
                throw .noColumn(logs[file], column: name)
            }
        }
    }
}
