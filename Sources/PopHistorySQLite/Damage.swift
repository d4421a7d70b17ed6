internal import Foundation
internal import GRDB

extension DatabaseError {
    /// Whether the file is no database, or one that can no longer be read.
    var meansDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }
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
