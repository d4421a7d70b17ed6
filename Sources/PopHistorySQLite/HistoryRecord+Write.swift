internal import GRDB
internal import PopCEL
internal import PopScheduler

// Each does in the tables what `History.apply` does in memory.
extension HistoryRecord {
    func write(_ user: String, to database: Database) throws {
        switch self {
        case .impression(let popup, let date, let reserved):
            if let reserved { try Self.release(popup, at: reserved.column, of: user, in: database) }
            try Self.impression(popup, at: date.column, of: user, in: database)
        case .reservation(let popup, let date):
            try database.execute(
                sql: "INSERT INTO reservation (user, popup, date) VALUES (?, ?, ?)",
                arguments: [user.column, popup.column, date.column])
        case .reservationTakenBack(let popup, let date):
            try Self.release(popup, at: date.column, of: user, in: database)
        case .impressionTakenBack(let popup, let date):
            try Self.takeBack(popup, at: date.column, of: user, in: database)
        case .dismissal(let popup, let reason, let date):
            try database.execute(
                sql: """
                    INSERT INTO popup (user, popup, dismissals, last_reason, last_dismissed)
                    VALUES (?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET dismissals = dismissals + 1,
                    last_reason = excluded.last_reason, last_dismissed = excluded.last_dismissed
                    """, arguments: [user.column, popup.column, reason.rawValue, date.column])
        case .event(let name, let date):
            try Self.event(name, at: date.column, of: user, in: database)
        case .occurrence(let trigger, let count):
            try database.execute(
                sql: """
                    INSERT INTO occurrence (user, trigger, count) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = excluded.count
                    """, arguments: [user.column, trigger.column, count])
        }
    }

    private static func release(
        _ popup: String, at date: Int64, of user: String, in database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM reservation WHERE id = (
                    SELECT id FROM reservation WHERE user = ? AND popup = ? AND date = ? LIMIT 1)
                """, arguments: [user.column, popup.column, date])
    }

    private static func impression(
        _ popup: String, at date: Int64, of user: String, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO impression (user, popup, date) VALUES (?, ?, ?)",
            arguments: [user.column, popup.column, date])
        try database.execute(
            sql: """
                INSERT INTO popup (user, popup, shown, last_shown) VALUES (?, ?, 1, ?)
                ON CONFLICT DO UPDATE SET shown = shown + 1,
                last_shown = max(coalesce(last_shown, excluded.last_shown), excluded.last_shown)
                """, arguments: [user.column, popup.column, date])
    }

    private static func takeBack(
        _ popup: String, at date: Int64, of user: String, in database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM impression WHERE id = (
                    SELECT id FROM impression WHERE user = ? AND popup = ? AND date = ? LIMIT 1)
                """, arguments: [user.column, popup.column, date])
        guard database.changesCount > 0 else { return }
        let latest = try Int64.fetchOne(
            database, sql: "SELECT max(date) FROM impression WHERE user = ? AND popup = ?",
            arguments: [user.column, popup.column])
        // An older impression whose date is pruned leaves `last_shown` as it is.
        try database.execute(
            sql: """
                UPDATE popup SET shown = shown - 1, last_shown = CASE
                    WHEN last_shown = :date AND (:latest IS NOT NULL OR shown = 1) THEN :latest
                    ELSE last_shown END
                WHERE user = :user AND popup = :popup
                """,
            arguments: [
                "date": date, "latest": latest, "user": user.column, "popup": popup.column,
            ])
    }

    private static func event(
        _ name: String, at date: Int64, of user: String, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO event_date (user, event, date) VALUES (?, ?, ?)",
            arguments: [user.column, name.column, date])
        try database.execute(
            sql: """
                INSERT INTO event (user, event, sent, last_sent) VALUES (?, ?, 1, ?)
                ON CONFLICT DO UPDATE SET sent = sent + 1,
                last_sent = max(coalesce(last_sent, excluded.last_sent), excluded.last_sent)
                """, arguments: [user.column, name.column, date])
    }
}
