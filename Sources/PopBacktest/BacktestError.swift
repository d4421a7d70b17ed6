/// Why logs cannot be played.
public enum BacktestError: Error, Sendable, Hashable {
    /// The system does not give or take a file, for a reason that has a number.
    case system(String, code: Int32)
    /// There is no such file, or it is a folder.
    case noLog(String)
    /// A line is longer than `BacktestLimits.lineBytes`.
    case lineTooLong(String)
    /// The file is no text, or is packed in another way than its name says.
    case unreadable(String, String)
    /// What is packed is damaged or cut off.
    case damaged(String)
    /// A column that the mapping names is not in the file.
    case noColumn(String, column: String)
    /// The folder has what another run has left.
    case otherRun(String)
    /// One user has more events than `FleetLimits.eventsPerUser`.
    case tooManyEvents(user: String, limit: Int)
    /// More pairs of names than `BacktestLimits.identities`.
    case tooManyIdentities(Int)
    /// Not one row of any file could be read.
    case nothingRead(String)
    /// What is asked for cannot be done with standard input.
    case notOfStandardInput
}

extension BacktestError: CustomStringConvertible {
    /// What a person is told.
    public var description: String {
        switch self {
        case .system(let path, let code): "`\(path)`: \(SystemPaths.message(of: code))"
        case .noLog(let path):
            SystemPaths.isFolder(path)
                ? "`\(path)` is a folder; name the files in it" : "there is no file `\(path)`"
        case .lineTooLong(let path):
            "`\(path)` has a line of more than \(BacktestLimits.standard.lineBytes >> 20) MiB"
        case .unreadable(let path, let reason): "`\(path)` \(reason)"
        case .damaged(let path): "`\(path)` is damaged or cut off"
        case .noColumn(let path, let column):
            "`\(path)` has no column `\(column)`, which the mapping names"
        case .otherRun(let path):
            "`\(path)` has what another run has left: other rules, logs, options or a changed"
                + " mapping; name another folder, or remove this one"
        case .tooManyEvents(let user, let limit):
            "the user `\(user)` has more than \(limit) events"
        case .tooManyIdentities(let limit):
            "the logs have more than \(limit) users with a second name"
        case .nothingRead(let reason): "no row could be read: \(reason)"
        case .notOfStandardInput:
            "identities are merged in a second reading, which standard input does not have"
        }
    }
}

/// Where the limits of a backtest stand.
public struct BacktestLimits: Sendable, Hashable {
    /// Of one line of a log.
    public var lineBytes = 16 << 20
    /// What is read at once.
    public var blockBytes = 4 << 20
    /// The most parts that users are divided into.
    public var parts = 512
    /// The least and the usual memory that events are held in, and what it may be told.
    public var memory = 512 << 20
    /// The least that it may be told.
    public var leastMemory = 64 << 20
    /// Pairs of identities that are kept in memory.
    public var identities = 20_000_000

    /// 16 MiB a line, 512 MiB for events.
    public static let standard = BacktestLimits()
}
