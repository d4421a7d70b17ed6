internal import GRDB
internal import PopCEL
internal import PopEngine

extension HistoryRetention {
    /// Deletes the dates, of all users, that nothing can ask for any more; the counts stay.
    func apply(to database: Database) throws {
        try database.execute(
            sql: "DELETE FROM impression WHERE date < ?", arguments: [impressionsSince.column])
        try database.execute(
            sql: "DELETE FROM event_date WHERE date < ?", arguments: [eventsSince.column])
        try database.execute(
            sql: """
                DELETE FROM event_date WHERE id IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER (
                            PARTITION BY user, event ORDER BY date DESC) AS place
                        FROM event_date)
                    WHERE place > ?)
                """, arguments: [datesPerEvent])
    }
}
