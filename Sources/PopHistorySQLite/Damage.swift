internal import Foundation
internal import GRDB

extension DatabaseError {
    /// Whether the file is no database, or one that can no longer be read: also where it lacks
    /// tables and columns that it was given when it was opened.
    var meansDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(resultCode)
    }

    /// Whether nothing could be made where the file lies.
    var meansReadOnlyDisk: Bool {
        resultCode == .SQLITE_CANTOPEN || resultCode == .SQLITE_READONLY
    }
}

/// What was kept is lost to the engine, and keeping goes on.
struct DamagedFile: Error, CustomStringConvertible {
    let path: String
    let cause: DatabaseError
    var description: String {
        "the history file \(path) was damaged (\(cause)); it was put aside as \(path).damaged, and "
            + "a new one begins without what it knew"
    }
}

/// Somebody has removed the file while it was in use; the next call begins another.
struct RemovedFile: Error, CustomStringConvertible {
    let path: String
    var description: String { "the history file \(path) was removed while it was in use" }
}

extension SQLiteHistoryStore {
    /// Renames the file and those that SQLite keeps beside it, in place of any put aside before.
    func putAside() throws {
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            let target = path + ".damaged" + suffix
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target)
        }
    }
}
