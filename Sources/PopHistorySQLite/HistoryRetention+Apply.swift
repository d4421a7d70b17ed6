internal import GRDB
internal import PopCEL
internal import PopEngine

extension HistoryRetention {
    private static let tables = ["impression", "exposure", "exposed_place", "event_date"]
    private static let nanosecondsOfDay: Int64 = 86_400_000_000_000
    /// The number of spare days: so many more days than a duration contains must be named by
    /// records to prove that it has passed. They name a part of a day at either end, and if a clock
    /// was set forward, two days for one.
    private static let spareDays = 3

    /// Deletes the dates of all users that no rule can ask for any more; the counts stay.
    ///
    /// A clock may be years ahead, at several starts, and be corrected then. So the clock doesn't
    /// prove how old a date is: records of as many later days must prove it.
    func apply(to database: Database) throws {
        guard let newest = try Self.newest(in: database) else { return }
        var bounds = asOf(newest: newest)
        if let date {
            let impressions = try Self.proven(date.duration(since: impressionsSince), in: database)
            let events = try Self.proven(date.duration(since: eventsSince), in: database)
            bounds.impressionsSince = min(bounds.impressionsSince, impressions)
            bounds.eventsSince = min(bounds.eventsSince, events)
        }
        try bounds.delete(from: database)
    }

    private static func newest(in database: Database) throws -> Timestamp? {
        let dates = try tables.map { table in
            try Int64.fetchOne(database, sql: "SELECT max(date) FROM \(table)")
        }
        return dates.compactMap { $0 }.max().map { Timestamp(column: $0) }
    }

    /// Returns a date such that all earlier dates are older than a duration: enough later days have
    /// records.
    private static func proven(_ length: Duration, in database: Database) throws -> Timestamp {
        let days = length.components.seconds / 86_400 + Int64(spareDays)
        let dates = tables.map { "SELECT date FROM \($0)" }.joined(separator: " UNION ALL ")
        let day = try Int64.fetchOne(
            database,
            sql: """
                SELECT DISTINCT date / ? AS day FROM (\(dates))
                ORDER BY day DESC LIMIT 1 OFFSET ?
                """, arguments: [nanosecondsOfDay, days])
        return day.map { Timestamp(column: $0 * nanosecondsOfDay) } ?? .min
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
        // However old it is: a reservation that was left over shows forever that its popup may have
        // been shown.
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
