internal import Foundation
internal import GRDB
public import PopEngine
public import PopScheduler
internal import PopSource

/// A history in a SQLite file, by user: it survives the app and its crashes.
///
/// Several processes, such as an app and its extension, may use one file: the store checks for
/// changes of other processes before each popup, so that caps hold across all of them.
///
/// The file is opened when it is first needed, and again after every failure. A damaged file is
/// moved to a name with `.damaged`, reported, and replaced by a new one; files that were moved
/// earlier stay. A database of another program is refused and stays unchanged. Dates are kept to
/// the nanosecond, from 1677 to 2262. User IDs are compared by their bytes: an "é" of one code
/// point and one of two are two users.
public final class SQLiteHistoryStore: HistoryStore {
    let path: String
    private let busyTimeout: Duration
    private let pageLimit: Int?
    private let database = LockedValue<OpenHistory?>(nil)
    /// SQLite's version of the file's data at the last read; nil on a connection that has read
    /// nothing.
    private let seen = LockedValue<Int64?>(nil)
    /// The user whose history was read last.
    private let reader = LockedValue<String?>(nil)

    /// The folder of the file must exist. When another process holds the file, a call fails after
    /// the time given.
    public convenience init(path: String, busyTimeout: Duration = .seconds(2)) {
        self.init(path: path, busyTimeout: busyTimeout, pageLimit: nil)
    }

    /// Limits the file to a number of pages, as though the disk were full beyond it.
    package init(path: String, busyTimeout: Duration, pageLimit: Int?) {
        self.path = path
        self.busyTimeout = busyTimeout
        self.pageLimit = pageLimit
    }

    public func history(of user: String) async throws -> History {
        do {
            return try await perform { database in
                let (history, version) = try await database.read {
                    (try History.read(user, from: $0), try HistorySchema.version($0))
                }
                seen.withLock { $0 = version }
                reader.withLock { $0 = user }
                return history
            }
        } catch let error as DatabaseError {
            // One that cannot be written, because the disk is full or the file read-only, may still
            // be read.
            guard let history = try? await readWithoutWriting(user) else { throw error }
            return history
        }
    }

    private func readWithoutWriting(_ user: String) async throws -> History {
        do {
            return try await read(user, from: path)
        } catch let error as DatabaseError where error.meansReadOnlyDisk {
            return try await readFromCopy(user)
        }
    }

    /// Reads from a copy, because SQLite creates files next to the database before it reads it,
    /// which a read-only disk prevents.
    private func readFromCopy(_ user: String) async throws -> History {
        let files = FileManager.default
        let folder = try Self.privateFolder()
        defer { try? files.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("history.db").path
        try Self.copyPrivately(path, to: copy)
        // The latest changes may still be in the log.
        if files.fileExists(atPath: path + "-wal") {
            try Self.copyPrivately(path + "-wal", to: copy + "-wal")
        }
        return try await read(user, from: copy)
    }

    /// Creates a folder that only its owner can read.
    static func privateFolder() throws -> URL {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try files.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// Makes a copy that only its owner can read.
    static func copyPrivately(_ path: String, to copy: String) throws {
        let files = FileManager.default
        try files.copyItem(atPath: path, toPath: copy)
        try files.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: copy)
    }

    private func read(_ user: String, from path: String) async throws -> History {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        let database = try DatabaseQueue(path: path, configuration: configuration)
        return try await database.read { try History.read(user, from: $0) }
    }

    public func append(_ records: [HistoryRecord], user: String) async throws {
        try await perform { database in
            try await database.write { database in
                for record in records { try record.write(user, to: database) }
            }
        }
    }

    public func prune(to retention: HistoryRetention) async throws {
        try await perform { database in
            try await database.write { try retention.apply(to: $0) }
            // While others use the file, it may not be possible to shrink it.
            try? await database.writeWithoutTransaction { try $0.shrink() }
        }
    }

    /// Forgets everything about a user: when this returns, neither the file nor SQLite's log next
    /// to it holds a byte of it. Throws while another process reads, which keeps the log. A file
    /// that was moved to a name with `.damaged` stays unchanged.
    public func remove(user: String) async throws {
        try await perform { database in
            reader.withLock { if $0 == user { $0 = nil } }
            try await database.write { try HistorySchema.delete(user, from: $0) }
            // Earlier changes are in the log until all of it is in the file.
            try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
    }

    /// Forgets everything about a popup and a user.
    public func remove(popup: String, user: String) async throws {
        try await perform {
            try await $0.write { try HistorySchema.delete(popup, of: user, from: $0) }
        }
    }

    /// SQLite counts what other connections, of this process or another, have written.
    public func hasForeignChanges() async throws -> Bool {
        try await perform { database in
            let version = try await database.read { try HistorySchema.version($0) }
            return seen.withLock { seen in
                defer { seen = version }
                return seen != nil && seen != version
            }
        }
    }

    private func perform<Result: Sendable>(
        _ work: (DatabaseQueue) async throws -> Result
    ) async throws -> Result {
        let isOpen = database.withLock { $0 != nil }
        let found = isOpen ? nil : DatabaseFileIdentity(path: path)
        do {
            return try await work(try open())
        } catch let error as DatabaseError {
            // It is opened again next time, which ends any problem of the connection.
            let closed = database.withLock { database in
                defer { database = nil }
                return database
            }
            guard error.meansDamage else { throw error }
            try? closed?.queue.close()
            // Another process may have put it aside already, and begun a new one.
            let damaged = closed?.file ?? found
            guard damaged == nil || damaged == DatabaseFileIdentity(path: path) else {
                throw RemovedFile(path: path)
            }
            let aside = try putAside([""] + Self.besides)
            throw DamagedFile(path: path, cause: error, aside: aside)
        }
    }

    private func open() throws -> DatabaseQueue {
        try database.withLock { database in
            if let open = database {
                // Otherwise it would continue to write to a file that has no path any more.
                let state = DatabaseFileState(path: path)
                guard let state, state.file == open.file else {
                    database = nil
                    // The files that SQLite kept next to it don't belong to any database now.
                    if state == nil {
                        database = try? begunAnew(after: open) { try putAside(Self.besides) }
                    }
                    try? open.queue.close()
                    throw RemovedFile(path: path)
                }
                // A file that another process has vacuumed has the size that its head gives.
                guard
                    state.bytes >= open.bytes
                        || FileHead(path: path).map({ $0.bytes <= state.bytes }) == true
                else {
                    database = nil
                    var aside = path
                    defer { try? open.queue.close() }
                    database = try begunAnew(after: open) {
                        aside = try putAside([""] + Self.besides)
                    }
                    throw DamagedFile(path: path, cause: .shortened, aside: aside)
                }
                database?.bytes = state.bytes
                return open.queue
            }
            let opened = try opener.open()
            // The versions of two connections are not comparable.
            seen.withLock { $0 = nil }
            database = opened
            return opened.queue
        }
    }

    private var opener: HistoryOpener {
        HistoryOpener(path: path, busyTimeout: busyTimeout, pageLimit: pageLimit)
    }

    /// Creates a new file in place of one that was removed or truncated while it was open. It
    /// contains the history that was last read from the old file, which the reader knows too:
    /// without it, caps would be forgotten at the next start. After a truncation, that history may
    /// no longer be readable.
    private func begunAnew(
        after lost: OpenHistory, puttingAside: () throws -> Void
    ) throws -> OpenHistory {
        let kept = reader.withLock { $0 }.flatMap { user in
            try? lost.queue.read { try HistorySchema.rows(of: user, in: $0) }
        }
        try puttingAside()
        let opened = try opener.open()
        seen.withLock { $0 = nil }
        if let kept { try opened.queue.write { try HistorySchema.write(kept, to: $0) } }
        return opened
    }
}

extension DatabaseError {
    /// Indicates whether the file isn't a database, or is one that can no longer be read. A missing
    /// table or column isn't damage: a newer version of the app may have made the file.
    var meansDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }

    /// The file was truncated while it was open, which SQLite may not notice.
    static var shortened: DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT, message: "the file was truncated while it was open")
    }

    /// Indicates whether nothing could be created in the folder of the file.
    var meansReadOnlyDisk: Bool {
        resultCode == .SQLITE_CANTOPEN || resultCode == .SQLITE_READONLY
    }
}

/// The kept history is lost to the engine; a new file is used from now on.
struct DamagedFile: Error, CustomStringConvertible {
    let path: String
    let cause: DatabaseError
    /// The path that the damaged file was moved to.
    let aside: String
    var description: String {
        "the history file \(path) was damaged (\(cause)); it was moved to \(aside), and a new, "
            + "empty file is used"
    }
}

/// The file is a database of another program, which stays unchanged.
struct ForeignFile: Error, CustomStringConvertible {
    let path: String
    var description: String {
        "\(path) is a database of another program: use a separate file for the history"
    }
}

/// The file was removed or replaced while it was in use; the next call opens it again.
struct RemovedFile: Error, CustomStringConvertible {
    let path: String
    var description: String {
        "the history file \(path) was removed or replaced while it was in use"
    }
}

extension SQLiteHistoryStore {
    /// The suffixes of the files that SQLite keeps next to a database.
    static let besides = ["-wal", "-shm"]

    /// Renames files that begin with the path, and returns where they lie. Nothing that was put
    /// aside before is replaced: the names are numbered.
    @discardableResult
    func putAside(_ suffixes: [String]) throws -> String {
        let files = FileManager.default
        var aside = path + ".damaged"
        var number = 1
        while ([""] + Self.besides).contains(where: { files.fileExists(atPath: aside + $0) }) {
            number += 1
            aside = path + ".damaged-\(number)"
        }
        for suffix in suffixes where files.fileExists(atPath: path + suffix) {
            try files.moveItem(atPath: path + suffix, toPath: aside + suffix)
        }
        return aside
    }
}
