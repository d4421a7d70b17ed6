internal import Foundation
internal import GRDB

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Which file a path leads to: another one at the same path is not the same.
struct DatabaseFileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Nil if there is no file.
    init?(path: String) {
        guard let state = DatabaseFileState(path: path) else { return nil }
        self = state.file
    }
}

/// Which file a path leads to, and how long it is.
struct DatabaseFileState: Sendable {
    let file: DatabaseFileIdentity
    let bytes: Int64

    /// Nil if there is no file.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (file, bytes) = (DatabaseFileIdentity(status), Int64(status.st_size))
    }
}

/// A connection to the file, and which file that is.
struct OpenHistory: Sendable {
    let queue: DatabaseQueue
    /// The identity of the file; nil if it was removed immediately.
    let file: DatabaseFileIdentity?
    /// The size at the last look, in bytes. Only a vacuum makes the file shorter, even if rows are
    /// deleted.
    var bytes: Int64 = 0
}

/// The header of a SQLite file.
struct FileHead: Sendable {
    private static let count = 100

    /// The number of bytes of all pages of the file.
    let bytes: Int64

    /// Nil for what is too short to be a SQLite file.
    init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path),
            let head = try? file.read(upToCount: Self.count), head.count == Self.count
        else { return nil }
        func number(at place: Int, bytes: Int) -> Int64 {
            head.dropFirst(place).prefix(bytes).reduce(0) { $0 << 8 | Int64($1) }
        }
        let pageSize = number(at: 16, bytes: 2)
        bytes = (pageSize == 1 ? 65_536 : pageSize) * number(at: 28, bytes: 4)
    }
}

/// Opens files so that what two processes do at the same time is not taken for damage.
struct HistoryOpener: Sendable {
    /// Between two attempts while another process opens the same file.
    private static let pause = 0.002

    let path: String
    let busyTimeout: Duration
    let pageLimit: Int?

    /// Opens the file, checks it and brings it to the newest version.
    ///
    /// SQLite waits for locks by itself, but not where two connections switch a new file to its
    /// log; that is tried again.
    func open() throws -> OpenHistory {
        let end = ContinuousClock.now + busyTimeout
        while true {
            do {
                return try openOnce()
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
            {
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
    }

    private func openOnce() throws -> OpenHistory {
        let before = DatabaseFileIdentity(path: path)
        let isNew = DatabaseFileState(path: path).map { $0.bytes == 0 } ?? true
        let queue = try DatabaseQueue(path: path, configuration: configuration(isNew: isNew))
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try HistorySchema.checkOwner(of: database, path: path)
                    try HistorySchema.check(database)
                    try HistorySchema.migrate(database)
                    return .commit
                }
                try database.keepLog()
            }
            let state = DatabaseFileState(path: path)
            // Another file has replaced it in the meantime.
            if let before, state?.file != before { throw RemovedFile(path: path) }
            return OpenHistory(queue: queue, file: state?.file, bytes: state?.bytes ?? 0)
        } catch {
            try? queue.close()
            throw error
        }
    }

    private func configuration(isNew: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.prepareDatabase { [pageLimit] database in
            if let pageLimit {
                try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)")
            }
            // Can only be set before there are tables.
            if isNew { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            // Records survive a power failure too.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Deleted data is overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }
}

extension Database {
    /// The number of free pages, and the share of all pages, from which a file is shrunk: pages
    /// that the next records take anyway stay.
    private static let mostFree = (pages: 128, share: 4)

    /// Gives the pages that nothing uses back to the disk, if there are many. A file of a version
    /// that kept them all is written once more for that.
    func shrink() throws {
        let free = try Int.fetchOne(self, sql: "PRAGMA freelist_count") ?? 0
        let all = try Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0
        guard free >= Self.mostFree.pages, free * Self.mostFree.share >= all else { return }
        if try Int.fetchOne(self, sql: "PRAGMA auto_vacuum") == 2 {
            try execute(sql: "PRAGMA incremental_vacuum")
        } else {
            try execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try execute(sql: "VACUUM")
        }
        // The file gets shorter once the content of the log is in it.
        try checkpoint(.passive)
    }

    /// Writes to a log next to the file from now on, so that others can read in the meantime.
    fileprivate func keepLog() throws {
        let mode = try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "WAL is not available")
        }
    }
}
