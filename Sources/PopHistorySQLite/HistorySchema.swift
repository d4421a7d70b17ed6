internal import GRDB

/// The tables of the file. Dates are nanoseconds since 1970.
enum HistorySchema {
    /// The mark of a file as a history of popups: `pops` in ASCII, in the head of the file.
    private static let applicationID = 0x706f_7073

    /// The names of the versions and what each adds, oldest first.
    static let versions: [(name: String, sql: String)] = [
        ("1", version1), ("2", version2), ("3", version3), ("4", version4), ("5", version5),
        ("6", version6), ("7", version7), ("8", version8),
    ]

    /// Migrates the tables to a version, the newest if none is named. Call it inside of a write
    /// transaction, so that no other process migrates at the same time.
    static func migrate(_ database: Database, upTo last: String? = nil) throws {
        let hasTable = try database.tableExists(applied)
        if !hasTable {
            try database.execute(
                sql: "CREATE TABLE \(applied) (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        let known = Set(try String.fetchAll(database, sql: "SELECT identifier FROM \(applied)"))
        for version in versions {
            if !known.contains(version.name) {
                try database.execute(sql: version.sql)
                try database.execute(
                    sql: "INSERT INTO \(applied) (identifier) VALUES (?)",
                    arguments: [version.name])
            }
            if version.name == last { break }
        }
    }

    /// Throws if the database is another program's; marks one that is new, or that was made before
    /// histories were marked. Call it inside of a transaction that writes.
    static func checkOwner(of database: Database, path: String) throws {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if id == applicationID { return }
        let tables = Set(
            try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"))
        let isFormer =
            try id == 0 && tables.isSuperset(of: ofFirstVersion)
            && database.columns(in: "popup").contains { $0.name == "last_dismissed" }
        guard id == 0 && tables.isEmpty || isFormer else { throw ForeignFile(path: path) }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// The versions that a file has.
    private static let applied = "grdb_migrations"

    private static let ofFirstVersion: Set<String> = [
        applied, "popup", "impression", "event", "event_date", "occurrence",
    ]

    /// Version 1. Counts are in one row per popup and event; dates are in separate tables, so that
    /// they are added and pruned one by one.
    private static let version1 = """
        CREATE TABLE popup (
            user TEXT NOT NULL, popup TEXT NOT NULL, shown INTEGER NOT NULL DEFAULT 0,
            last_shown INTEGER, dismissals INTEGER NOT NULL DEFAULT 0, last_reason TEXT,
            last_dismissed INTEGER, PRIMARY KEY (user, popup)
        ) WITHOUT ROWID;
        CREATE TABLE impression (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, popup TEXT NOT NULL, date INTEGER NOT NULL
        );
        CREATE INDEX impression_of_popup ON impression (user, popup, date);
        CREATE INDEX impression_by_date ON impression (date);
        CREATE TABLE event (
            user TEXT NOT NULL, event TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
            last_sent INTEGER, PRIMARY KEY (user, event)
        ) WITHOUT ROWID;
        CREATE TABLE event_date (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, event TEXT NOT NULL, date INTEGER NOT NULL
        );
        CREATE INDEX event_date_of_event ON event_date (user, event, date);
        CREATE INDEX event_date_by_date ON event_date (date);
        CREATE TABLE occurrence (
            user TEXT NOT NULL, trigger TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (user, trigger)
        ) WITHOUT ROWID;
        """

    /// Throws a damage error unless the tables are reliable: SQLite itself notices damage only in
    /// the parts that it reads, and some damage never. Linear in the file.
    static func check(_ database: Database) throws {
        let answer = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard answer == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: answer)
        }
    }

    /// A number that changes when another connection writes.
    static func version(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "PRAGMA data_version")
    }

    /// Places that are kept under caps for popups that are about to be visible.
    private static let version2 = """
        CREATE TABLE \(reservations) (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, popup TEXT NOT NULL, date INTEGER NOT NULL
        );
        CREATE INDEX reservation_of_popup ON \(reservations) (user, popup, date);
        """

    /// Version 3: exposures of users to experiments, and the places of tasks that were exposed.
    private static let version3 = """
        CREATE TABLE \(experiments) (
            user TEXT NOT NULL, popup TEXT NOT NULL, exposed INTEGER NOT NULL DEFAULT 0,
            controls INTEGER NOT NULL DEFAULT 0, variant TEXT, places INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (user, popup)
        ) WITHOUT ROWID;
        CREATE TABLE exposure (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, popup TEXT NOT NULL, date INTEGER NOT NULL
        );
        CREATE INDEX exposure_of_popup ON exposure (user, popup, date);
        CREATE INDEX exposure_by_date ON exposure (date);
        CREATE TABLE exposed_place (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, popup TEXT NOT NULL, date INTEGER NOT NULL
        );
        CREATE INDEX exposed_place_of_popup ON exposed_place (user, popup, date);
        CREATE INDEX exposed_place_by_date ON exposed_place (date);
        """

    /// The first of the tables that files of version 2 do not have.
    static let experiments = "experiment"
    /// The sessions with a user.
    private static let version4 = """
        CREATE TABLE \(sessions) (
            user TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL DEFAULT 0, first INTEGER,
            began INTEGER, left_at INTEGER, previous_end INTEGER
        ) WITHOUT ROWID;
        """

    /// Version 5: actions of users on popups. A last dismissal that is known as closed by the user
    /// counts as a close.
    private static let version5 = """
        CREATE TABLE \(actions) (
            user TEXT NOT NULL, popup TEXT NOT NULL, action TEXT NOT NULL, count INTEGER NOT NULL,
            last INTEGER NOT NULL, last_end INTEGER, PRIMARY KEY (user, popup, action)
        ) WITHOUT ROWID;
        ALTER TABLE popup ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE popup ADD COLUMN last_action TEXT;
        INSERT INTO \(actions) SELECT user, popup, 'close', 1, last_dismissed, NULL FROM popup
            WHERE last_reason = 'USER_CLOSED' AND last_dismissed IS NOT NULL;
        UPDATE popup SET closed = 1
            WHERE last_reason = 'USER_CLOSED' AND last_dismissed IS NOT NULL;
        """

    /// Version 6: the number of times that users reached the goals of popups.
    private static let version6 = """
        CREATE TABLE \(goals) (
            user TEXT NOT NULL, popup TEXT NOT NULL, goal TEXT NOT NULL,
            conversions INTEGER NOT NULL, last INTEGER NOT NULL, converted INTEGER,
            PRIMARY KEY (user, popup, goal)
        ) WITHOUT ROWID;
        """

    /// The numbers that events were sent with, each as what it is: an INTEGER is an int, a REAL a
    /// double, and TEXT the digits of a uint.
    private static let version7 = """
        CREATE TABLE \(amounts) (
            id INTEGER PRIMARY KEY, user TEXT NOT NULL, event TEXT NOT NULL, field TEXT NOT NULL,
            date INTEGER NOT NULL, value NOT NULL
        );
        CREATE INDEX event_amount_of_field ON \(amounts) (user, event, field, date);
        CREATE INDEX event_amount_by_date ON \(amounts) (date);
        """

    /// The table that files before version 7 do not have.
    static let amounts = "event_amount"

    /// Version 8: the counts of caps for each value of a context key. A value is stored as its text
    /// after `=`; a missing value as the empty string.
    private static let version8 = """
        CREATE TABLE \(values) (
            user TEXT NOT NULL, popup TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
            shown INTEGER NOT NULL, of_own_caps INTEGER NOT NULL, closed INTEGER NOT NULL,
            last INTEGER NOT NULL, PRIMARY KEY (user, popup, key, value)
        ) WITHOUT ROWID;
        """

    /// The table that files before version 8 do not have.
    static let values = "value_count"

    /// The table that files before version 6 do not have.
    static let goals = "goal"

    /// The table that files before version 5 do not have, and neither two columns of `popup`.
    static let actions = "action"

    /// The table that files of version 1 do not have.
    static let reservations = "reservation"
    /// The table that files of versions 1 to 3 do not have.
    static let sessions = "session"

    /// The tables that say something of popups.
    private static let ofPopups = [
        "popup", "impression", reservations, actions, goals, experiments, "exposure",
        "exposed_place", values,
    ]

    /// The tables that say something of users: all of them.
    private static let ofUsers =
        ofPopups + ["event", "event_date", amounts, "occurrence", sessions]

    static func delete(_ popup: String, of user: String, from database: Database) throws {
        for table in ofPopups {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE user = ? AND popup = ?",
                arguments: [user.column, popup.column])
        }
    }

    static func delete(_ user: String, from database: Database) throws {
        for table in ofUsers {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE user = ?", arguments: [user.column])
        }
    }
}

extension HistorySchema {
    /// The rows of a file about a user, unchanged.
    struct Rows: Sendable {
        let user: String
        fileprivate var tables: [(insertion: String, rows: [[DatabaseValue]])] = []
    }

    static func rows(of user: String, in database: Database) throws -> Rows {
        var kept = Rows(user: user)
        for table in ofUsers {
            let columns = try database.columns(in: table).map(\.name).filter { $0 != "id" }
            let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(names) FROM \(table) WHERE user = ?",
                arguments: [user.column])
            kept.tables.append(
                (
                    "INSERT INTO \(table) (\(names)) VALUES (\(marks))",
                    rows.map { Array($0.databaseValues) }
                ))
        }
        return kept
    }

    /// Writes the rows of another file about a user, unless this file knows the user already:
    /// another process may have been first.
    static func write(_ kept: Rows, to database: Database) throws {
        for table in ofUsers {
            let known = try Int.fetchOne(
                database, sql: "SELECT 1 FROM \(table) WHERE user = ? LIMIT 1",
                arguments: [kept.user.column])
            if known != nil { return }
        }
        for (insertion, rows) in kept.tables {
            for row in rows {
                try database.execute(sql: insertion, arguments: StatementArguments(row))
            }
        }
    }
}
