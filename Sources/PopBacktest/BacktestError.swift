internal import PopSource

/// The reason why logs cannot be played.
public enum BacktestError: Error, Sendable, Hashable {
    /// The system does not give or take a file, for a reason that has a number.
    case system(String, code: Int32)
    /// A link of the project leads out of the project.
    case leadsOut(String)
    /// The file doesn't exist, or it is a folder.
    case noLog(String)
    /// The file isn't text, or is compressed in another way than its name shows.
    case unreadable(String, String)
    /// The compressed data is damaged or cut off.
    case damaged(String)
    /// A compressed file refers back to more data than fits into memory.
    case windowTooLarge(String, Int)
    /// A compressed file unpacks to more than `BacktestLimits.unpackedPerByte` times its size.
    case tooCompressed(String, ratio: Int)
    /// A column that the mapping names is not in the file.
    case noColumn(String, column: String, columns: [String])
    /// A folder is required, but the path names a file.
    case noFolder(String)
    /// The folder for a checkpoint contains files that no run has written.
    case otherFiles(String)
    /// The folder contains the checkpoint of another run, which differed in these parts.
    case otherRun(String, differences: [String])
    /// Another run is writing its checkpoint to the folder.
    case busyFolder(String)
    /// A file of a checkpoint is not what a run has written.
    case damagedCheckpoint(String, folder: String)
    /// A log that isn't a regular file cannot be read again, nor distinguished from another one.
    case notRegular(String)
    /// A log has changed since the run began.
    case changedLog(String)
    /// The rows of one user have more bytes than memory has room for.
    case userTooLarge(user: String, memory: Int)
    /// One user has more events than `FleetLimits.eventsPerUser`.
    case tooManyEvents(user: String, limit: Int)
    /// More pairs of names than `BacktestLimits.identities`.
    case tooManyIdentities(Int)
    /// The names of those pairs have more bytes than fit into memory.
    case identitiesTooLarge(Int)
    /// The row that names the columns has more than `BacktestLimits.headerBytes`.
    case headerTooLong(String, Int)
    /// The rules need too much work for a log with this number of events; a session that was not
    /// played to its end, if one is known.
    case undecided(UndecidedSession?, events: Int)
    /// Not one row of any file could be read.
    case nothingRead(String)
    /// The requested result needs a second reading, which standard input and pipes do not allow.
    case readOnceOnly(String)
}

extension BacktestError: CustomStringConvertible {
    /// The message for users.
    public var description: String {
        switch self {
        case .system(let path, let code): "`\(path)`: \(SystemPaths.message(of: code))"
        case .leadsOut(let path):
            "`\(path)` is a symbolic link that leads out of the project; to use what is there, give"
                + " its own path"
        case .noLog(let path):
            SystemPaths.isFolder(path)
                ? "`\(path)` is a folder; give the files in it" : "there is no file `\(path)`"
        case .unreadable(let path, let reason): "`\(path)` \(reason)"
        case .damaged(let path): "`\(path)` is damaged or truncated"
        case .windowTooLarge(let path, let bytes):
            "decompressing `\(path)` takes more than \(bytes >> 20) MiB; use a larger"
                + " `--memory`, or decompress it first: `zstd -dc --long=31 FILE | …`"
        case .tooCompressed(let path, let ratio):
            "`\(path)` unpacks to more than \(ratio) times its size, so it is probably not a log;"
                + " if it is a log, decompress it first: `zstd -dc FILE | …`"
        case .noColumn(let path, let column, let columns):
            Self.words(subject: "`\(path)`", hasNot: column, columns: columns)
        case .noFolder(let path): "`\(path)` is a file; give a folder"
        case .otherFiles(let path):
            "`\(path)` contains other files; give a folder that is empty or does not exist, or the"
                + " checkpoint folder of an earlier run"
        case .otherRun(let path, let differences):
            "`\(path)` contains the checkpoint of a different run"
                + (differences.isEmpty ? "" : ", with \(differences.joined(separator: ", "))")
                + "; give another folder, or remove this one"
        case .busyFolder(let path):
            "another run uses `\(path)`; wait until it ends, or give another folder"
        case .damagedCheckpoint(let path, let folder):
            "`\(path)` is damaged; remove `\(folder)` and run again"
        case .notRegular(let path):
            "`\(path)` is not a regular file, so a run cannot resume from it; save its rows in a file,"
                + " or remove `--checkpoint`"
        case .changedLog(let path): "`\(path)` changed while it was read; run again"
        case .userTooLarge(let user, let memory):
            "the events of the user `\(RowHints.short(user))` take more than \(memory >> 20) MiB;"
                + " use a larger `--memory`"
        case .tooManyEvents(let user, let limit):
            "the user `\(RowHints.short(user))` has more than \(limit) events"
        case .tooManyIdentities(let limit):
            "the logs have more than \(limit) users with a second id"
        case .identitiesTooLarge(let bytes):
            "the ids of users with a second id take more than \(bytes >> 20) MiB; use a larger"
                + " `--memory`"
        case .headerTooLong(let path, let bytes):
            "the first row of `\(path)` has more than \(bytes >> 10) KiB; write the names of the"
                + " columns in the first line, or under `names` in a mapping"
        case .undecided(let session, let events):
            "the backtest was stopped: the replay of \(countText(events, "event")) triggers, shows"
                + " or checks popups too often" + (session.map { Self.words(for: $0) } ?? "")
                + "; if conditions use parts of `now`, such as `now.getSeconds()`, compare `now`"
                + " with a time instead: `now > shop.opens_at`; if one user has many thousands of"
                + " sessions, remove that user from the log"
        case .nothingRead(let reason): "no row could be read: \(reason)"
        case .readOnceOnly(let path):
            "`merge_identities` needs to read the logs twice, but"
                + " \(path == "-" ? "standard input" : "`\(path)`, which is not a file,") can be"
                + " read only once; save the rows in a file first"
        }
    }

    /// Where the clock stopped too often.
    private static func words(for session: UndecidedSession) -> String {
        let waiting = session.waiting.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        let user = RowHints.short(session.user)
        return ", for example in the session of `\(user)` from \(session.start)"
            + (waiting.isEmpty ? "" : ", in which \(waiting) waited")
    }

    /// Returns the message that a column is missing.
    static func words(subject: String, hasNot column: String, columns: [String]) -> String {
        if let first = columns.first, columns.count < 3, first.lowercased().hasPrefix("sep=") {
            return "\(subject) starts with a line `sep=`, which is for spreadsheets; remove this"
                + " line, so that the names of the columns come first"
        }
        let similar = similarNames(to: column, among: columns)
        let known = columns.prefix(12).map { "`\(RowHints.short($0))`" }.joined(separator: ", ")
        return "\(subject) has no column `\(column)`; "
            + (similar.isEmpty
                ? "its columns are \(known)\(columns.count > 12 ? ", …" : "")"
                : "did you mean \(alternatives(similar))?")
            + " (to use other columns, set `columns` in a mapping)"
    }
}

/// The limits of a backtest.
public struct BacktestLimits: Sendable, Hashable {
    /// The most bytes of a row, without the end of its line.
    public var lineBytes = 16 << 20
    /// The most bytes of the fields that rules read of a row.
    public var fieldBytes = 64 << 20
    /// The most bytes of a user's id.
    public var userBytes = 65_535
    /// The bytes that are read, or unpacked, together.
    public var blockBytes = 4 << 20
    /// The bytes of a packed file that are read together.
    public var packedBytes = 128 << 10
    /// The bytes that one byte of a packed file may unpack to, beyond `unpackedBytes`.
    ///
    /// Logs are packed to a tenth or a fiftieth; a file of 70 kB can unpack to 2 GiB of line ends.
    public var unpackedPerByte = 500
    /// The bytes that any packed file may unpack to, however small it is.
    public var unpackedBytes = 256 << 20
    /// The most bytes of logs that are taken into account for the number of parts: 1 EiB, four
    /// times of which can be counted.
    public var logBytes = 1 << 60
    /// The most parts that users are divided into.
    public var parts = 512
    /// The usual memory that events are held in, in bytes.
    public var memory = 512 << 20
    /// The least memory that `--memory` takes, in bytes.
    public var leastMemory = 64 << 20
    /// The most memory that `--memory` takes, in bytes: 16 TiB.
    public var mostMemory = 16 << 40
    /// The maximum number of unknown event names that are counted, of which the most common are
    /// reported.
    public var unknownNames = 1_000
    /// The bytes that are kept of such a name.
    public var unknownNameBytes = 1_024
    /// Pairs of identities that are kept in memory.
    public var identities = 20_000_000
    /// The factor between the bytes of `--memory` and the maximum bytes of the names of such pairs.
    public var identityShare = 4
    /// The most bytes of the row that names the columns.
    public var headerBytes = 1 << 20

    /// The pieces that a part is divided into if it is larger than memory has room for.
    public var divisions = 64
    /// The bytes for each part that a thread writes together.
    public var pieceBytes = 64 << 10
    /// The most bytes of a file of a checkpoint, but for rows of users.
    public var checkpointBytes = 64 << 20
    /// The most values of such a file.
    public var checkpointValues = 4_000_000

    /// 16 MiB for a row, 512 MiB for events.
    public static let standard = BacktestLimits()

    /// The bytes of a part that a thread may hold at the same time as all others.
    func share(of memory: Int, jobs: Int) -> Int { max(memory / (max(jobs, 1) * 2), 1) }

    /// The maximum number of bytes of a row as it is written for its part.
    var recordBytes: Int { fieldBytes + 4 * userBytes }
}
