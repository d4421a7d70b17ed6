internal import Foundation
internal import GRDB
internal import PopCEL
internal import PopScheduler

// Reads and writes the data of experiments.

extension History {
    mutating func readExposures(_ user: String, in database: Database) throws {
        // A read-only database isn't migrated, so it can lack the table.
        guard try database.tableExists(HistorySchema.experiments) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT popup, exposed, controls, variant, places FROM experiment WHERE user = ?",
            arguments: [user.column])
        while let row = try rows.next() {
            var exposures = Exposures()
            exposures.count = try row.count(1)
            exposures.controlCount = try row.count(2)
            exposures.variant = try row.optional(3)
            exposures.placeCount = try row.count(4)
            popups[try row.value(0), default: Popup()].exposures = exposures
        }
        try readDates(user, from: "exposure", in: database) { $0.exposures.dates.append($1) }
        try readDates(user, from: "exposed_place", in: database) { $0.exposures.places.append($1) }
    }

    private mutating func readDates(
        _ user: String, from table: String, in database: Database,
        add: (inout Popup, Timestamp) -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT popup, date FROM \(table) WHERE user = ? ORDER BY popup, date",
            arguments: [user.column])
        while let row = try rows.next() {
            add(&popups[try row.value(0), default: Popup()], Timestamp(column: try row.value(1)))
        }
    }
}

// Each does in the tables what `Exposures` does in memory.
extension HistoryRecord {
    static func exposure(
        of popup: String, to variant: String, at date: Timestamp, reserved: Timestamp?,
        user: String, in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO experiment (user, popup, exposed, controls, variant, places)
                VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET exposed = exposed + 1,
                controls = controls + excluded.controls, variant = excluded.variant,
                places = places + excluded.places
                """,
            arguments: [
                user.column, popup.column, variant == Assignment.control ? 1 : 0, variant.column,
                reserved == nil ? 0 : 1,
            ])
        try insert(date, of: popup, into: "exposure", user: user, in: database)
        if let reserved {
            try insert(reserved, of: popup, into: "exposed_place", user: user, in: database)
        }
    }

    static func movePlace(
        of popup: String, from reservation: Timestamp?, to impression: Timestamp, user: String,
        in database: Database
    ) throws {
        if let reservation { try removePlace(of: popup, at: reservation, user: user, in: database) }
        try insert(impression, of: popup, into: "exposed_place", user: user, in: database)
    }

    static func takeBackPlace(
        of popup: String, at date: Timestamp, user: String, in database: Database
    ) throws {
        try removePlace(of: popup, at: date, user: user, in: database)
        try database.execute(
            sql: """
                UPDATE experiment SET places = max(places - 1, 0) WHERE user = ? AND popup = ?
                """, arguments: [user.column, popup.column])
    }

    private static func removePlace(
        of popup: String, at date: Timestamp, user: String, in database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM exposed_place WHERE id = (SELECT id FROM exposed_place
                    WHERE user = ? AND popup = ? AND date = ? LIMIT 1)
                """, arguments: [user.column, popup.column, date.column])
    }

    private static func insert(
        _ date: Timestamp, of popup: String, into table: String, user: String,
        in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO \(table) (user, popup, date) VALUES (?, ?, ?)",
            arguments: [user.column, popup.column, date.column])
    }
}

// Access to the table with the counts for each value of a context key.

extension History {
    mutating func readValues(_ user: String, in database: Database) throws {
        // A read-only database isn't migrated, so it can lack the table.
        guard try database.tableExists(HistorySchema.values) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT popup, key, value, shown, of_own_caps, closed, last FROM value_count
                WHERE user = ?
                """, arguments: [user.column])
        var counts: [String: [String: [ValueCounts.Count]]] = [:]
        while let row = try rows.next() {
            let value: String = try row.value(2)
            var count = ValueCounts.Count(
                text: value.isEmpty ? nil : String(value.dropFirst()),
                last: Timestamp(column: try row.value(6)))
            count.shown = try row.count(3)
            count.ofOwnCaps = try row.count(4)
            count.closed = try row.count(5)
            counts[try row.value(0), default: [:]][try row.value(1), default: []].append(count)
        }
        values = ValueCounts(sorting: counts)
    }
}

// Each does in the table what `ValueCounts` does in memory.
extension HistoryRecord {
    static func count(
        _ change: ValueChange, of popup: String, for value: KeyedValue, at date: Int64,
        user: String, in database: Database
    ) throws {
        let columns: StatementArguments = [
            "user": user.column, "popup": popup.column, "key": value.key.column,
            "value": (value.text.map { "=" + $0 } ?? "").column,
        ]
        if change == .shown || change == .closed {
            let isShown = change == .shown ? 1 : 0
            try database.execute(
                sql: """
                    INSERT INTO value_count (user, popup, key, value, shown, of_own_caps, closed, last)
                    VALUES (:user, :popup, :key, :value, :shown, :shown, 1 - :shown, :date)
                    ON CONFLICT DO UPDATE SET shown = shown + excluded.shown,
                    of_own_caps = of_own_caps + excluded.of_own_caps,
                    closed = closed + excluded.closed, last = max(last, excluded.last)
                    """, arguments: columns + ["shown": isShown, "date": date])
        } else {
            try database.execute(
                sql: """
                    UPDATE value_count SET shown = max(shown - 1, 0),
                    of_own_caps = max(of_own_caps - :own, 0), last = max(last, :date)
                    WHERE user = :user AND popup = :popup AND key = :key AND value = :value
                    """,
                arguments: columns + ["own": change == .takenBack ? 1 : 0, "date": date])
        }
        try forgetValues(of: popup, key: value.key, user: user, in: database)
    }

    /// Deletes the values whose counts are all zero, and the oldest if there are too many.
    private static func forgetValues(
        of popup: String, key: String, user: String, in database: Database
    ) throws {
        let columns: StatementArguments = [user.column, popup.column, key.column]
        let ofKey = "user = ? AND popup = ? AND key = ?"
        try database.execute(
            sql: """
                DELETE FROM value_count WHERE \(ofKey)
                AND shown = 0 AND of_own_caps = 0 AND closed = 0
                """, arguments: columns)
        try database.execute(
            sql: """
                DELETE FROM value_count WHERE \(ofKey) AND value IN (
                    SELECT value FROM value_count WHERE \(ofKey)
                    ORDER BY last DESC, value DESC LIMIT -1 OFFSET \(ValueCounts.most))
                """, arguments: columns + columns)
    }
}

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
