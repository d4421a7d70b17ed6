internal import Foundation
internal import GRDB
internal import PopCEL
internal import PopScheduler

// Reads and writes the numbers that events were sent with.

extension History {
    mutating func readAmounts(_ user: String, in database: Database) throws {
        // A read-only database isn't migrated, so it can lack the table.
        guard try database.tableExists(HistorySchema.amounts) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT event, field, date, value FROM event_amount WHERE user = ?
                ORDER BY event, field, date, id
                """, arguments: [user.column])
        while let row = try rows.next() {
            let field: String = try row.value(1)
            let date = Timestamp(column: try row.value(2))
            events[try row.value(0)]?.amounts[field, default: Amounts()]
                .add(try Value(amount: row[3]), at: date)
        }
    }
}

extension HistoryRecord {
    /// Does in the tables what `Amounts` does in memory.
    static func amount(
        _ value: Value, of field: String, in event: String, at date: Timestamp, user: String,
        database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO event_amount (user, event, field, date, value) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [user.column, event.column, field.column, date.column, value.column])
    }
}

extension Value {
    /// Null if the value isn't a number; a double that is NaN is not kept.
    fileprivate var column: DatabaseValue {
        switch self {
        case .int(let number): number.databaseValue
        case .uint(let number): String(number).databaseValue
        case .double(let number): number.databaseValue
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            .null
        }
    }
}

extension Value {
    /// A number as it was written.
    fileprivate init(amount stored: DatabaseValue) throws {
        switch stored.storage {
        case .int64(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string, .blob, .null:
            guard let number = String.fromDatabaseValue(stored).flatMap({ UInt64($0) }) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a non-numeric amount")
            }
            self = .uint(number)
        }
    }
}
