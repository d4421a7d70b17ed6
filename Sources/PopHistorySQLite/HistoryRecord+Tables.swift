internal import GRDB
internal import PopCEL
internal import PopScheduler

// Reads the tables, and changes them for each record.

extension History {
    /// Returns all data that is kept about a user.
    static func read(_ user: String, from database: Database) throws -> History {
        var history = History()
        try history.readPopups(user, in: database)
        try history.readReservations(user, in: database)
        try history.readExposures(user, in: database)
        try history.readSessions(user, in: database)
        try history.readActions(user, in: database)
        try history.readGoals(user, in: database)
        try history.readValues(user, in: database)
        // Popups without data are left out, such as those whose records were taken back.
        history.popups = history.popups.filter { $0.value != Popup() }
        try history.readEvents(user, in: database)
        try history.readAmounts(user, in: database)
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
        // A read-only database isn't migrated, so it can lack the table.
        guard try database.tableExists(HistorySchema.reservations) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT popup, date FROM reservation WHERE user = ? ORDER BY popup, date",
            arguments: [user.column])
        while let row = try rows.next() {
            popups[try row.value(0), default: Popup()].reservations
                .append(Timestamp(column: try row.value(1)))
        }
    }

    private mutating func readSessions(_ user: String, in database: Database) throws {
        guard try database.tableExists(HistorySchema.sessions) else { return }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT count, first, began, left_at, previous_end FROM session WHERE user = ?",
            arguments: [user.column])
        guard let row = try rows.next() else { return }
        sessions.count = try row.count(0)
        sessions.first = try row.optional(1).map { Timestamp(column: $0) }
        sessions.began = try row.optional(2).map { Timestamp(column: $0) }
        sessions.left = try row.optional(3).map { Timestamp(column: $0) }
        sessions.previousEnd = try row.optional(4).map { Timestamp(column: $0) }
    }

    private mutating func readActions(_ user: String, in database: Database) throws {
        // A read-only database isn't migrated, so it can lack the table.
        guard try database.tableExists(HistorySchema.actions) else { return }
        let counts = try Row.fetchCursor(
            database, sql: "SELECT popup, closed, last_action FROM popup WHERE user = ?",
            arguments: [user.column])
        while let row = try counts.next() {
            let popup: String = try row.value(0)
            popups[popup]?.closedCount = try row.count(1)
            popups[popup]?.lastAction = try row.optional(2)
        }
        let actions = try Row.fetchCursor(
            database,
            sql: "SELECT popup, action, count, last, last_end FROM action WHERE user = ?",
            arguments: [user.column])
        while let row = try actions.next() {
            var action = Action(last: Timestamp(column: try row.value(3)))
            action.count = try row.count(2)
            action.lastEnd = try row.optional(4).map { Timestamp(column: $0) }
            popups[try row.value(0)]?.actions[try row.value(1)] = action
        }
    }

    private mutating func readGoals(_ user: String, in database: Database) throws {
        guard try database.tableExists(HistorySchema.goals) else { return }
        let goals = try Row.fetchCursor(
            database,
            sql: "SELECT popup, goal, conversions, last, converted FROM goal WHERE user = ?",
            arguments: [user.column])
        while let row = try goals.next() {
            var goal = Goal(last: Timestamp(column: try row.value(3)))
            goal.conversions = try row.count(2)
            goal.converted = try row.optional(4).map { Timestamp(column: $0) }
            popups[try row.value(0), default: Popup()].goals[try row.value(1)] = goal
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

// Each does in the tables what `History.apply` does in memory.
extension HistoryRecord {
    func write(_ user: String, to database: Database) throws {
        switch self {
        case .impression(let popup, let date, let reserved, let isExposed):
            if let reserved { try Self.release(popup, at: reserved.column, of: user, in: database) }
            try Self.impression(popup, at: date.column, of: user, in: database)
            if isExposed {
                try Self.movePlace(of: popup, from: reserved, to: date, user: user, in: database)
            } else {
                try database.execute(
                    sql: "UPDATE experiment SET variant = NULL WHERE user = ? AND popup = ?",
                    arguments: [user.column, popup.column])
            }
        case .reservation(let popup, let date):
            try database.execute(
                sql: "INSERT INTO reservation (user, popup, date) VALUES (?, ?, ?)",
                arguments: [user.column, popup.column, date.column])
        case .reservationTakenBack(let popup, let date, let isExposed):
            try Self.release(popup, at: date.column, of: user, in: database)
            if isExposed { try Self.takeBackPlace(of: popup, at: date, user: user, in: database) }
        case .impressionTakenBack(let popup, let date, let isExposed):
            try Self.takeBack(popup, at: date.column, of: user, in: database)
            if isExposed { try Self.takeBackPlace(of: popup, at: date, user: user, in: database) }
        case .exposure(let popup, let variant, let date, let reserved):
            try Self.exposure(
                of: popup, to: variant, at: date, reserved: reserved, user: user, in: database)
        case .dismissal(let popup, let reason, let date):
            try database.execute(
                sql: """
                    INSERT INTO popup (user, popup, dismissals, last_reason, last_dismissed)
                    VALUES (?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET dismissals = dismissals + 1,
                    last_reason = excluded.last_reason, last_dismissed = excluded.last_dismissed
                    """, arguments: [user.column, popup.column, reason.rawValue, date.column])
        case .acted(let popup, let action, let date, let isClosing):
            try Self.acted(
                popup, action: action, at: date.column, isClosing: isClosing, of: user, in: database
            )
        case .endedByAction(let popup, let action, let date):
            try database.execute(
                sql: """
                    UPDATE action SET last_end = max(coalesce(last_end, :date), :date)
                    WHERE user = :user AND popup = :popup AND action = :action
                    """,
                arguments: [
                    "date": date.column, "user": user.column, "popup": popup.column,
                    "action": action.column,
                ])
        case .goalMatched(let popup, let goal, let date, let exposure):
            try Self.matched(
                goal, of: popup, at: date.column, exposure: exposure?.column, user: user,
                in: database)
        case .event(let name, let date, let amounts):
            try Self.event(name, at: date.column, of: user, in: database)
            for (field, value) in amounts {
                try Self.amount(
                    value, of: field, in: name, at: date, user: user, database: database)
            }
        case .session(let date):
            try database.execute(
                sql: """
                    INSERT INTO session (user, count, first, began) \
                    VALUES (:user, 1, :date, :date) ON CONFLICT DO UPDATE SET count = count + 1, \
                    previous_end = coalesce(left_at, began), \
                    first = coalesce(first, excluded.first), began = excluded.began, left_at = NULL
                    """, arguments: ["user": user.column, "date": date.column])
        case .sessionLeft(let date):
            try database.execute(
                sql: """
                    INSERT INTO session (user, left_at) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET left_at = excluded.left_at
                    """, arguments: [user.column, date.column])
        case .occurrence(let trigger, let count):
            try database.execute(
                sql: """
                    INSERT INTO occurrence (user, trigger, count) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = excluded.count
                    """, arguments: [user.column, trigger.column, count])
        case .counted(let popup, let value, let change, let date):
            try Self.count(
                change, of: popup, for: value, at: date.column, user: user, in: database)
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
                ON CONFLICT DO UPDATE SET shown = shown + 1, last_action = NULL,
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
        // An older impression whose date is pruned leaves `last_shown` unchanged.
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

    private static func acted(
        _ popup: String, action: String, at date: Int64, isClosing: Bool, of user: String,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO action (user, popup, action, count, last) VALUES (?, ?, ?, 1, ?)
                ON CONFLICT DO UPDATE SET count = count + 1, last = max(last, excluded.last)
                """, arguments: [user.column, popup.column, action.column, date])
        let last = action == TemplateRule.Action.close ? nil : action.column
        try database.execute(
            sql: """
                INSERT INTO popup (user, popup, closed, last_action) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET closed = closed + excluded.closed,
                last_action = coalesce(excluded.last_action, last_action)
                """, arguments: [user.column, popup.column, isClosing ? 1 : 0, last])
    }

    private static func matched(
        _ goal: String, of popup: String, at date: Int64, exposure: Int64?, user: String,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO goal (user, popup, goal, conversions, last, converted)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                conversions = conversions + excluded.conversions, last = max(last, excluded.last),
                converted = coalesce(max(converted, excluded.converted), converted,
                    excluded.converted)
                """,
            arguments: [
                user.column, popup.column, goal.column, exposure == nil ? 0 : 1, date, exposure,
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
