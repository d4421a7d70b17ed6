internal import PopSource

/// Why logs cannot be played.
public enum BacktestError: Error, Sendable, Hashable {
    /// The system does not give or take a file, for a reason that has a number.
    case system(String, code: Int32)
    /// There is no such file, or it is a folder.
    case noLog(String)
    /// The file is no text, or is packed in another way than its name says.
    case unreadable(String, String)
    /// What is packed is damaged or cut off.
    case damaged(String)
    /// A column that the mapping names is not in the file.
    case noColumn(String, column: String, columns: [String])
    /// A folder is named that is a file.
    case noFolder(String)
    /// The folder for a checkpoint has files of which no run is known.
    case otherFiles(String)
    /// The folder has what another run has left, which had other such parts.
    case otherRun(String, differences: [String])
    /// One user has more events than `FleetLimits.eventsPerUser`.
    case tooManyEvents(user: String, limit: Int)
    /// More pairs of names than `BacktestLimits.identities`.
    case tooManyIdentities(Int)
    /// Not one row of any file could be read.
    case nothingRead(String)
    /// What is asked for needs a second reading, which standard input and pipes do not have.
    case readOnceOnly(String)
}

extension BacktestError: CustomStringConvertible {
    /// What a person is told.
    public var description: String {
        switch self {
        case .system(let path, let code): "`\(path)`: \(SystemPaths.message(of: code))"
        case .noLog(let path):
            SystemPaths.isFolder(path)
                ? "`\(path)` is a folder; name the files in it" : "there is no file `\(path)`"
        case .unreadable(let path, let reason): "`\(path)` \(reason)"
        case .damaged(let path): "`\(path)` is damaged or cut off"
        case .noColumn(let path, let column, let columns):
            Self.words(subject: "`\(path)`", hasNot: column, columns: columns)
        case .noFolder(let path): "`\(path)` is a file; name a folder"
        case .otherFiles(let path):
            "`\(path)` holds other files; name a folder that is empty or is not there, or one that"
                + " a run of this command has left"
        case .otherRun(let path, let differences):
            "`\(path)` has what another run has left"
                + (differences.isEmpty ? "" : ", with \(differences.joined(separator: ", "))")
                + "; name another folder, or remove this one"
        case .tooManyEvents(let user, let limit):
            "the user `\(user)` has more than \(limit) events"
        case .tooManyIdentities(let limit):
            "the logs have more than \(limit) users with a second name"
        case .nothingRead(let reason): "no row could be read: \(reason)"
        case .readOnceOnly(let path):
            "identities are merged in a second reading, which"
                + " \(path == "-" ? "standard input" : "`\(path)`, which is no file,") does not have"
        }
    }

    /// That something has no column of a name.
    static func words(subject: String, hasNot column: String, columns: [String]) -> String {
        let similar = similarNames(to: column, among: columns)
        let known = columns.prefix(12).map { "`\($0)`" }.joined(separator: ", ")
        return "\(subject) has no column `\(column)`; "
            + (similar.isEmpty
                ? "its columns are \(known)\(columns.count > 12 ? ", …" : "")"
                : "a column with a similar name exists: \(alternatives(similar))")
            + "; a mapping names them under `columns`"
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
    /// The names of events that rules do not know, of which the commonest are told.
    public var unknownNames = 1_000
    /// Pairs of identities that are kept in memory.
    public var identities = 20_000_000

    /// 16 MiB a line, 512 MiB for events.
    public static let standard = BacktestLimits()
}
