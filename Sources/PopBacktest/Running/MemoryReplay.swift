package import PopScheduler
package import PopSource

/// A replay of rules against a log in memory that reports every row: the result for a table of
/// another language.
///
/// Rows are read like those of a file of JSON lines, so that they mean the same.
package struct MemoryReplay {
    private var reader: RowReader
    private let rules: ReplayRules
    private let mapping: LogMapping
    /// By block of rows, how many lines it has.
    private var lines: [RowPlace: Int] = [:]
    /// By the name that the log gives them.
    private var users: [String: [LogEvent]] = [:]
    /// By the second name, of rows that give no other.
    private var aliases: [String: [LogEvent]] = [:]
    private var identities = Identities()
    /// The state of each user: before they play, and after it if requested.
    package var states: [String: UserState] = [:]

    package init(_ rules: RuleSet, mapping: LogMapping) {
        let plan = LogPlan(mapping, rules: [rules])
        self.rules = ReplayRules(rules, plan: plan)
        reader = RowReader(plan, layout: RowLayout())
        self.mapping = mapping
    }

    /// The plan of what is read from the log.
    package var plan: LogPlan { rules.plan }

    /// The popups, by the places that rows name them by.
    package var popups: [String] { rules.popups }

    /// The names of the members of rows that anything is read of.
    package static func columns(_ rules: RuleSet, mapping: LogMapping) -> Set<String> {
        let columns = mapping.columns
        let paths =
            columns.user + columns.time + columns.event + columns.order + columns.insertID
            + LogPlan(mapping, rules: [rules]).readings.flatMap { $0.fields }
        return Set(paths.flatMap { path in [path.description] + path.names.prefix(1) })
    }

    /// Returns the reason why a table with these columns doesn't match the mapping; nil for one
    /// that may match, and for one without columns.
    package func reasonAgainst(columns names: [String]) -> String? {
        guard !names.isEmpty, let missing = mapping.columns.missing(in: names) else { return nil }
        return BacktestError.words(
            subject: "the table", hasNot: missing.description, columns: names)
    }

    /// Takes in rows, one a line.
    package mutating func read(_ block: inout [UInt8]) {
        var rows: [(user: String, alias: String?, isAlias: Bool, event: LogEvent)] = []
        let place = RowPlace(block: lines.count)
        reader.read(&block, at: place) { row, block in
            let event = LogEvent(
                time: row.time, order: row.order, reading: row.reading,
                insertion: row.insertion, fields: row.fields)
            let user = String(decoding: block[row.user], as: UTF8.self)
            let alias = row.alias.map { String(decoding: block[$0], as: UTF8.self) }
            rows.append((user, alias, row.isAlias, event))
        }
        lines[place] = reader.notes.lines
        for row in rows {
            guard mapping.mergesIdentities, row.isAlias else {
                users[row.user, default: []].append(row.event)
                if let alias = row.alias { identities.note(row.user, as: alias) }
                continue
            }
            aliases[row.user, default: []].append(row.event)
        }
    }

    /// Plays the users in the order of their names by bytes; `tell` receives every row.
    ///
    /// Sessions that are not over at `end`, in nanoseconds since 1970, continue in `states`, which
    /// has all users afterward if `isPart` is set. Rules that wake too often for the log are an
    /// error.
    package mutating func play(
        until end: Int64 = .max, isPart: Bool = false, _ tell: (String, ReplayRow) -> Void
    ) throws(BacktestError) -> Tally {
        for (alias, events) in aliases {
            users[identities.user(of: alias), default: []] += events
        }
        aliases = [:]
        for (user, state) in states where !state.open.isEmpty { users[user, default: []] += [] }
        let count =
            users.values.reduce(0) { $0 + $1.count }
            + states.values.reduce(0) { $0 + $1.open.count }
        let budget = FleetLimits.standard.budget(events: count, popups: [popups.count])
        var tally = Tally()
        for user in users.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let state = states.removeValue(forKey: user) ?? UserState()
            var replay = UserReplay(of: user, rules: rules, state: state, budget: budget)
            var sink = Told(tally: tally)
            // Moved, so that it is changed in place.
            tally = Tally()
            let events = users.removeValue(forKey: user) ?? []
            replay.play(events, until: end, into: &sink)
            if let session = replay.undecided { throw .undecided(session, events: count) }
            if isPart { states[user] = replay.state }
            for row in sink.rows { tell(user, row) }
            tally = sink.tally
            tally.add(replay, events: events.count)
        }
        return tally
    }

    /// The first user, by name, with an event from before the last session of the user's known
    /// state.
    package var userOutOfOrder: String? {
        states.filter { user, state in (users[user] ?? []).contains { state.isOver($0) } }.keys
            .min()
    }

    /// Other notes on the rows: values that do not fit, and items that no row has.
    package var noticed: [JSON.Member] {
        let summary = ReadingSummary(
            reader.notes, of: plan, logs: ["the table"], lines: lines)
        return summary.members.filter { !$0.key.hasPrefix("skipped") }
    }

    /// The number of rows that could not be read, by reason.
    package var skipped: JSON {
        let counts = SkippedRows.Reason.allCases.compactMap { reason in
            reader.notes.skipped.counts[reason].map {
                JSON.Member(key: reason.words, value: .int($0))
            }
        }
        return .object(counts)
    }

    /// Counts, and keeps the rows of one user.
    private struct Told: ReplaySink {
        var tally: Tally
        var rows: [ReplayRow] = []

        mutating func add(_ row: ReplayRow) {
            rows.append(row)
            tally.add(row)
        }

        mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {
            tally.wasThere(onDay: day, isNewDay: isNewDay, isNewWeek: isNewWeek)
        }
    }
}
