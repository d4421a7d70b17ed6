internal import GRDB
internal import PopCEL
internal import PopScheduler

extension History {
    /// Everything that is kept about a user.
    static func read(_ user: String, from database: Database) throws -> History {
        var history = History()
        try history.readPopups(user, in: database)
        try history.readReservations(user, in: database)
        // What was taken back leaves no trace.
        history.popups = history.popups.filter { $0.value != Popup() }
        try history.readEvents(user, in: database)
        let occurrences = try Row.fetchCursor(
            database, sql: "SELECT trigger, count FROM occurrence WHERE user = ?",
            arguments: [user.column])
        while let row = try occurrences.next() {
            history.occurrences[try row.value(0)] = try row.count(1)
        }
        return history
    }

    private mutating func readPopups(_ user: String, in database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT popup, shown, last_shown, dismissals, last_reason, last_dismissed
                FROM popup WHERE user = ?
                """, arguments: [user.column])
        while let row = try rows.next() {
            var popup = Popup()
            popup.shownCount = try row.count(1)
            popup.lastShown = try row.optional(2).map { Timestamp(column: $0) }
            popup.dismissals = try row.count(3)
            popup.lastReason = try row.optional(4).flatMap { ReasonCode(rawValue: $0) }
            popup.lastDismissed = try row.optional(5).map { Timestamp(column: $0) }
            popups[try row.value(0)] = popup
        }
        let dates = try Row.fetchCursor(
            database, sql: "SELECT popup, date FROM impression WHERE user = ? ORDER BY popup, date",
            arguments: [user.column])
        while let row = try dates.next() {
            popups[try row.value(0)]?.impressions.append(Timestamp(column: try row.value(1)))
        }
    }

    private mutating func readReservations(_ user: String, in database: Database) throws {
        // One that may not be written to is as it was left.
        guard try database.tableExists(Schema.reservations) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT popup, date FROM reservation WHERE user = ? ORDER BY popup, date",
            arguments: [user.column])
        while let row = try rows.next() {
            popups[try row.value(0), default: Popup()].reservations
                .append(Timestamp(column: try row.value(1)))
        }
    }

    private mutating func readEvents(_ user: String, in database: Database) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT event, sent, last_sent FROM event WHERE user = ?",
            arguments: [user.column])
        while let row = try rows.next() {
            var event = SentEvent()
            event.count = try row.count(1)
            event.last = try row.optional(2).map { Timestamp(column: $0) }
            events[try row.value(0)] = event
        }
        let dates = try Row.fetchCursor(
            database, sql: "SELECT event, date FROM event_date WHERE user = ? ORDER BY event, date",
            arguments: [user.column])
        while let row = try dates.next() {
            events[try row.value(0)]?.dates.append(Timestamp(column: try row.value(1)))
        }
    }
}

// The columns of a file that may be damaged: GRDB's own subscripts end the process at a value of
// another type.
extension Row {
    fileprivate func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        let stored: DatabaseValue = self[index]
        guard let value = Value.fromDatabaseValue(stored) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a column holds what was never written to it")
        }
        return value
    }

    fileprivate func optional<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value? {
        hasNull(atIndex: index) ? nil : try value(index)
    }

    /// How often something happened: never negative, and with room to count on.
    fileprivate func count(_ index: Int) throws -> Int {
        let count: Int = try value(index)
        guard (0...(Int.max >> 8)).contains(count) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a count is out of all proportion")
        }
        return count
    }
}
