import GRDB

/// Another user of a database file, who does not let it go.
final class FileHolder {
    private let queue: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    }

    func letGo() throws { try queue.inDatabase { try $0.execute(sql: "COMMIT") } }
}
