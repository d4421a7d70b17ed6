internal import Foundation
internal import GRDB

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
