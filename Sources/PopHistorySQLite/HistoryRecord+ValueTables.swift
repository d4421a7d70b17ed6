internal import GRDB
internal import PopCEL
internal import PopScheduler

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
