internal import GRDB
internal import PopCEL
internal import PopEngine

extension HistoryRetention {
    /// Deletes the dates of all users that nothing can ask for any more, at the earlier of now and
    /// the newest record; the counts stay.
    func apply(to database: Database) throws {
        guard let newest = try Self.newest(in: database) else { return }
        try asOf(newest: newest).delete(from: database)
    }

    private static func newest(in database: Database) throws -> Timestamp? {
        let dates = try ["impression", "exposure", "exposed_place", "event_date"].map { table in
            try Int64.fetchOne(database, sql: "SELECT max(date) FROM \(table)")
        }
        return dates.compactMap { $0 }.max().map { Timestamp(column: $0) }
    }

    private func delete(from database: Database) throws {
        for table in ["impression", "exposure", "exposed_place"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE date < ?", arguments: [impressionsSince.column])
            try Self.keepLatest(datesPerPopup, of: "popup", in: table, database: database)
        }
        for (table, names) in [("event_date", "event"), (HistorySchema.amounts, "event, field")] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE date < ?", arguments: [eventsSince.column])
            try Self.keepLatest(datesPerEvent, of: names, in: table, database: database)
        }
        // However old: one that was left behind tells for ever that its popup may have been shown.
        try Self.keepLatest(
            datesPerPopup, of: "popup", in: HistorySchema.reservations, database: database)
    }

    private static func keepLatest(
        _ kept: Int, of names: String, in table: String, database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM \(table) WHERE id IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER (
                            PARTITION BY user, \(names) ORDER BY date DESC) AS place
                        FROM \(table))
                    WHERE place > ?)
                """, arguments: [kept])
    }
}
