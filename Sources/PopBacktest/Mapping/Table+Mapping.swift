internal import PopRuleFiles
internal import PopSource
internal import PopYAML

extension Table<WrittenMapping> {
    static let mapping = Table(
        "a mapping",
        keys: [
            Key(
                mappingFileKey, format: .version(MappingFile.version),
                store: { $0.version = $1 }, summary: "the version of the format, 1"
            ).required,
            Key(
                "preset",
                format: .word(
                    LogPreset.self,
                    help: [
                        "for Google Analytics, write `ga4`"
                    ]),
                store: { $0.preset = $1 },
                alsoCalled: ["vendor", "source"],
                summary: "the vendor that exported the log; other keys override the preset"),
            Key(
                "rows", format: .word(RowFormat.self), store: { $0.rows = $1 },
                alsoCalled: ["format", "type"],
                summary: "the format of the rows, by default from the names of the files"),
            Key(
                "names", format: .list(of: .text, minimum: 1), store: { $0.names = $1 },
                alsoCalled: ["header"],
                summary: "the names of the columns, for files without a header row"),
            Key(
                "columns", format: .table(.columns, startingWith: WrittenColumns()),
                store: { $0.columns = $1.value }, alsoCalled: ["fields"],
                holds: [
                    "user", "user_id", "event", "event_name", "timestamp", "order", "insert_id",
                    "payload", "properties",
                ],
                summary: "the places of the user, the time, the event and its fields in a row"
            ).such(as: "{ user: user_id, time: timestamp }"),
            Key(
                "time", format: .table(.time, startingWith: WrittenTimeMapping()),
                store: { $0.time = $1.value },
                alsoCalled: ["time_format", "timestamp_format", "date_format", "time_unit"],
                summary: "how times are written"
            ).such(as: "{ form: seconds, zone: Europe/Berlin }"),
            Key(
                "events",
                format: .map(
                    of: Format<LogMapping.SentEvent>.sentEvent.schema, keys: .references("event")),
                store: { $0.events = $1 },
                summary:
                    "for each event of the rules, the names of the event and its fields in the log"
            ).such(as: "{ checkout.completed: Order Completed }"),
            Key(
                "context",
                format: .map(
                    of: Format<LogMapping.ContextSource>.contextSource.schema,
                    keys: .references("context key")),
                store: { $0.context = $1 },
                summary: "for each context key, the source of its value"
            ).such(as: "{ user.plan: { field: plan, events: [Plan Changed] } }"),
            Key(
                "given", format: .map(of: .any, keys: .references("context key")),
                store: { $0.given = $1 },
                summary: "for each context key, the initial value for all users"
            ).such(as: "{ user.locale: en }"),
            Key(
                "session", format: .table(.logSession, startingWith: WrittenSession()),
                store: { $0.session = $1.value }, summary: "when a session starts and ends"
            ).such(as: "{ timeout: 30m }"),
            Key(
                "zone", format: .fixedZone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of devices and of the days in the report, by default UTC"),
            Key(
                "merge_identities", format: .bool, store: { $0.merges = $1 },
                alsoCalled: ["identities"],
                summary: "whether two ids belong to the same user if any row contains both"),
            Key(
                "replies",
                format: .map(
                    of: .table(Table<WrittenReply>.reply.schema),
                    keys: .references("popup or template")),
                store: { $0.replies = $1 }, alsoCalled: ["behaviour", "behavior"],
                summary: "for each template or popup, how users react; `others` for the rest"
            ).such(as: "{ sheet: { close: 60, act: { accept: 20 }, after: [2s, 10s] } }"),
            Key(
                "seed", format: .integer(0...Int.max), store: { $0.seed = $1 },
                summary: "the seed for random replies and times"),
        ],
        helpOnOthers: [
            "if `$` is a context key, write where its value comes from in `context`, such as"
                + " `context: { $: { column: NAME } }`"
        ])
}

extension Table<WrittenColumns> {
    fileprivate static let columns = Table(
        "the `columns` of a mapping",
        keys: [
            Key(
                "user", format: .texts, store: { $0.user = $1 },
                alsoCalled: ["user_id", "distinct_id", "uid"],
                summary: "the user; if there are several places, the first one with a value"),
            Key(
                "time", format: .texts, store: { $0.time = $1 },
                alsoCalled: ["timestamp", "ts", "date", "datetime", "event_time"],
                summary: "the time of the event"),
            Key(
                "event", format: .texts, store: { $0.event = $1 },
                alsoCalled: ["name", "event_name", "event_type"],
                summary: "the name of the event in the log"),
            Key(
                "order", format: .texts, store: { $0.order = $1 },
                summary: "an integer by which events that have the same time are sorted"),
            Key(
                "insert_id", format: .texts, store: { $0.insertID = $1 },
                alsoCalled: ["message_id", "event_id", "uuid"],
                summary: "an id that copies of the same event share"),
            Key(
                "payload", format: .text, store: { $0.payload = $1 },
                alsoCalled: ["properties", "props", "params", "event_params"],
                summary: "the place of the event's fields; `.` for the row itself"),
        ])
}

extension Table<WrittenTimeMapping> {
    fileprivate static let time = Table(
        "the `time` of a mapping",
        keys: [
            Key(
                "form",
                format: .word(
                    LogMapping.TimeFormat.self, meaning: meaningOfForms,
                    help: [
                        "for times such as `2026-03-01T09:30:00Z`, write `text`",
                        "for numbers such as `1772445600`, write `seconds`",
                        "for numbers such as `1772445600000`, write `milliseconds`",
                    ]),
                store: { $0.form = $1 },
                alsoCalled: ["as", "format", "unit"],
                summary: "`text` such as 2026-03-01T09:30:00Z, or a number since 1970"),
            Key(
                "zone", format: .fixedZone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of times without a zone, by default UTC"),
        ])
}

/// Other words for the forms of times.
private let meaningOfForms = [
    "unix": "seconds", "unix_time": "seconds", "unix_seconds": "seconds",
    "unix_timestamp": "seconds", "epoch_seconds": "seconds", "s": "seconds", "sec": "seconds",
    "unix_ms": "milliseconds", "epoch_ms": "milliseconds", "ms": "milliseconds",
    "millis": "milliseconds", "micros": "microseconds", "us": "microseconds",
]

extension Table<WrittenSession> {
    fileprivate static let logSession = Table(
        "the `session` of a mapping",
        keys: [
            Key(
                "timeout", format: .duration(atLeast: 1), store: { $0.timeout = $1 },
                summary: "how long after the user's last event the session ends, by default the"
                    + " `session.timeout` of the rules, or `30m`"),
            Key(
                "start", format: .texts, store: { $0.starts = $1 },
                summary: "the events with which the app starts, by their names in the log"),
        ])
}

/// An event of the rules in the log.
struct WrittenEvent: Sendable {
    var names: Located<[String]>?
    var fields: Located<YAMLNode>?
}

extension Table<WrittenEvent> {
    fileprivate static let sentEvent = Table(
        "an event of a mapping",
        keys: [
            Key(
                "names", format: .texts, store: { $0.names = $1 }, alsoCalled: ["name"],
                summary: "the name of the event in the log"),
            Key(
                "fields", format: .map(of: .text, keys: .references("event field")),
                store: { $0.fields = $1 },
                summary: "for each field of the rules, its place in the payload"),
        ])
}

/// Where the value of a context key comes from.
struct WrittenSource: Sendable {
    var field: Located<String>?
    var column: Located<String>?
    var events: Located<[String]>?
}

extension Table<WrittenSource> {
    fileprivate static let source = Table(
        "an entry of `context` in a mapping",
        keys: [
            Key(
                "field", format: .text, store: { $0.field = $1 },
                summary: "a place in the payload of the events"),
            Key(
                "column", format: .text, store: { $0.column = $1 },
                summary: "a place in the row of every event"),
            Key(
                "events", format: .texts, store: { $0.events = $1 },
                summary:
                    "the names of the events in the log; without `field` they set the key to true"),
        ])
}

/// The reactions of users to a popup.
struct WrittenReply: Sendable {
    var close: Located<Double>?
    var act: Located<YAMLNode>?
    var ignore: Located<Double>?
    var after: Located<ClosedRange<Duration>>?
}

extension Table<WrittenReply> {
    static let reply = Table(
        "a reply of a mapping",
        keys: [
            Key(
                "close", format: .number(0...100), store: { $0.close = $1 },
                summary: "the percentage of impressions that users close; by default the rest"),
            Key(
                "act", format: .map(of: .number(0...100), keys: .references("action")),
                store: { $0.act = $1 },
                summary: "for each action, the percentage of impressions that end with it"),
            Key(
                "ignore", format: .number(0...100), store: { $0.ignore = $1 },
                summary: "the percentage of impressions without a reaction"),
            Key(
                "after", format: .span, store: { $0.after = $1 },
                summary:
                    "the time until users react, by default `5s`, or bounds for a random time"),
        ],
        helpOnOthers: [
            "if `$` is an action, write the percentage of impressions that end with it in `act`,"
                + " such as `act: { $: 30 }`"
        ])
}

extension Format<[String]> {
    /// A string, or a list of strings.
    static var texts: Self {
        let schema = Schema.either([.text, .list(.text, count: 1...Int.max)])
        return Format(schema) { node, decoder in
            guard node.kind == .sequence else {
                return decoder.read(.text, at: node).map { [$0.value] }
            }
            return decoder.read(.list(of: .text, minimum: 1), at: node)?.value.map { $0.value }
        }
    }
}

extension Format<LogMapping.SentEvent> {
    /// The name in the log, or the name and the fields.
    static var sentEvent: Self {
        let schema = Schema.either([
            .text, .list(.text, count: 1...Int.max), .table(Table<WrittenEvent>.sentEvent.schema),
        ])
        return Format(schema) { node, decoder in
            var event = LogMapping.SentEvent()
            guard node.kind == .mapping else {
                guard let names = decoder.read(.texts, at: node) else { return nil }
                event.names = names.value
                return event
            }
            let format = Format<WrittenEvent>.table(.sentEvent, startingWith: WrittenEvent())
            guard let written = decoder.read(format, at: node)?.value else { return nil }
            event.names = written.names?.value ?? []
            decoder.entries(of: written.fields) { name, path, decoder in
                guard let place = decoder.read(.text, at: path) else { return }
                decoder.checkPlace(place)
                event.fields[name.value] = LogPath(place.value)
            }
            return event
        }
    }
}

extension Format<LogMapping.ContextSource> {
    /// `user`, or a map with the place of the value.
    static var contextSource: Self {
        let schema = Schema.either([.word(["user"]), .table(Table<WrittenSource>.source.schema)])
        return Format(schema) { node, decoder in
            if node.scalar?.text == "user" { return .user }
            guard node.kind == .mapping else { return decoder.mismatch(schema, at: node) }
            let format = Format<WrittenSource>.table(.source, startingWith: WrittenSource())
            guard let written = decoder.read(format, at: node)?.value else { return nil }
            for place in [written.field, written.column] {
                if let place { decoder.checkPlace(place) }
            }
            switch (written.field, written.column, written.events) {
            case (let field?, nil, let events):
                return .field(LogPath(field.value), events: events?.value)
            case (nil, let column?, nil): return .column(LogPath(column.value))
            case (nil, nil, let events?): return .happened(events: events.value)
            // If there are keys, each has been reported.
            case (nil, nil, nil) where !node.entries.isEmpty: return nil
            case (nil, nil, nil), (_, _?, _?), (_?, _?, _):
                decoder.report(.noSource(of: decoder.subjectOfValue, at: node.range))
                return nil
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func noSource(of subject: String, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "\(subject) needs exactly one source", at: range,
            label: "no source, or several",
            help: [
                "write `{ field: NAME, events: [EVENT] }`, `{ column: NAME }` or"
                    + " `{ events: [EVENT] }`"
            ])
    }
}
