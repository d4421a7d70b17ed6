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
