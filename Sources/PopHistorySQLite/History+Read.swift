internal import GRDB
internal import PopCEL
internal import PopScheduler

extension History {
    /// Everything that is kept about a user.
    static func read(_ user: String, from database: Database) throws -> History {
        var history = History()
        try history.readPopups(user, database)
        try history.readEvents(user, database)
        let occurrences = try Row.fetchCursor(
            database, sql: "SELECT trigger, count FROM occurrence WHERE user = ?", arguments: [user]
        )
        while let row = try occurrences.next() { history.occurrences[row[0]] = row[1] }
        return history
    }

    private mutating func readPopups(_ user: String, _ database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT popup, shown, last_shown, dismissals, last_reason, last_dismissed
                FROM popup WHERE user = ?
                """, arguments: [user])
        while let row = try rows.next() {
            var popup = Popup()
            popup.shownCount = row[1]
            popup.lastShown = (row[2] as Int64?).map { Timestamp(column: $0) }
            popup.dismissals = row[3]
            popup.lastReason = (row[4] as String?).flatMap { ReasonCode(rawValue: $0) }
            popup.lastDismissed = (row[5] as Int64?).map { Timestamp(column: $0) }
            popups[row[0]] = popup
        }
        let dates = try Row.fetchCursor(
            database, sql: "SELECT popup, date FROM impression WHERE user = ? ORDER BY popup, date",
            arguments: [user])
        while let row = try dates.next() {
            popups[row[0]]?.impressions.append(Timestamp(column: row[1]))
        }
    }

    private mutating func readEvents(_ user: String, _ database: Database) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT event, sent, last_sent FROM event WHERE user = ?",
            arguments: [user])
        while let row = try rows.next() {
            var event = SentEvent()
            event.count = row[1]
            event.last = (row[2] as Int64?).map { Timestamp(column: $0) }
            events[row[0]] = event
        }
        let dates = try Row.fetchCursor(
            database, sql: "SELECT event, date FROM event_date WHERE user = ? ORDER BY event, date",
            arguments: [user])
        while let row = try dates.next() {
            events[row[0]]?.dates.append(Timestamp(column: row[1]))
        }
    }
}
