internal import Dispatch
public import PopScheduler
internal import PopSource

/// Plays rules against logs of what users did.
public struct Backtest: Sendable {
    /// The rules.
    public var rules: RuleSet
    /// The rules that they are compared with; nil for none.
    public var old: RuleSet?
    /// The mapping that interprets the logs.
    public var mapping: MappingFile
    /// Files, or `-` for standard input.
    public var logs: [String]
    /// The number of threads.
    public var jobs = 1
    /// About how many bytes of events are held in memory.
    public var memory = BacktestLimits.standard.memory
    /// The folder from which a run that was ended continues; nil for none.
    public var checkpoint: String?
    /// The limits of the backtest.
    package var limits = BacktestLimits.standard
    /// The limits of replays.
    package var replayLimits = FleetLimits.standard
    /// Called now and then with the progress.
    public var onProgress: @Sendable (BacktestProgress) -> Void = { _ in }

    /// Rules, played against logs.
    public init(_ rules: RuleSet, mapping: MappingFile, logs: [String]) {
        self.rules = rules
        self.mapping = mapping
        self.logs = logs
    }

    /// Reads the logs, then plays user by user. Linear in the events, which are sorted for each
    /// user; data that does not fit into memory is written to temporary files.
    public func run() throws(BacktestError) -> BacktestReport {
        let checkpoint = try Checkpoint(for: self)
        let plan = LogPlan(mapping.meaning, rules: [rules] + (old.map { [$0] } ?? []))
        let (reading, spill) = try read(plan, checkpoint: checkpoint)
        guard reading.events > 0 else { throw .nothingRead(reading.summary.reasonForNothing) }
        let playing = PartitionReplay(
            self, plan: plan, checkpoint: checkpoint, reading: reading, spill: spill)
        return try playing.run()
    }

    private func read(
        _ plan: LogPlan, checkpoint: Checkpoint
    ) throws(BacktestError) -> (ReadingResult, Spill) {
        if let done = checkpoint.reading, let folder = checkpoint.folder {
            return (done, Spill(leftIn: folder, parts: done.parts))
        }
        let reading = LogReading(self, plan: plan)
        let spill = try Spill(in: checkpoint.folder, parts: reading.parts)
        let result = try reading.run(into: spill)
        try checkpoint.keep(result, of: self)
        return (result, spill)
    }
}

/// The progress of a backtest.
public struct BacktestProgress: Sendable, Hashable {
    /// A stage of a backtest.
    public enum Stage: Sendable, Hashable {
        /// Reads the logs.
        case reading
        /// Plays what was read.
        case playing
    }

    /// The current stage.
    public var stage: Stage
    /// The completed share of the stage, up to 1; nil if it is not known.
    public var share: Double?
    /// Events that are read, or played.
    public var events: Int
}

/// Runs threads, and hands on what goes wrong first.
func onThreads(
    _ count: Int, _ body: @Sendable (Int) throws(BacktestError) -> Void
) throws(BacktestError) {
    let failure = LockedValue<BacktestError?>(nil)
    @Sendable func runOne(_ number: Int) {
        do throws(BacktestError) {
            try body(number)
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }
    if hasDescriptors(8) {
        DispatchQueue.concurrentPerform(iterations: max(count, 1), execute: runOne)
    } else {
        for number in 0..<max(count, 1) { runOne(number) }
    }
    if let error = failure.withLock({ $0 }) { throw error }
}
