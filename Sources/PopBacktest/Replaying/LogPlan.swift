internal import PopCEL
public import PopScheduler

/// The plan of what is read from the events of a log: the fields of each, for all rules that are
/// played.
///
/// It is computed once from the mapping and the rules; events are looked up by their names in the
/// log.
public struct LogPlan: Sendable {
    /// The data that is read from an event.
    public struct Reading: Sendable {
        /// The name in the log; empty for every other event.
        public var name: String
        /// The places of the fields in a row, in the order in which they are encoded.
        public var fields: [LogPath]
        /// Indicates whether the app restarts with it.
        public var isStart: Bool
    }

    /// The mapping that interprets the rows.
    public let mapping: LogMapping
    /// By number; the first is of all events that no rule names.
    public let readings: [Reading]
    /// The items that the rules request by name.
    package let demands: [LogDemand]
    private let numbers: [String: Int]

    /// Creates the plan of what some rules read from a log.
    public init(_ mapping: LogMapping, rules: [RuleSet]) {
        self.mapping = mapping
        demands = LogDemand.all(of: mapping, rules: rules)
        let uses = rules.map { EventUses(mapping, rules: $0) }
        let named = Set(uses.flatMap { $0.byName.keys } + mapping.starts)
        let names = named.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        readings = ([""] + names).map { name in
            let paths = uses.flatMap { $0.paths(of: name) }
            return Reading(
                name: name, fields: Set(paths).sorted { $0.description < $1.description },
                isStart: mapping.starts.contains(name))
        }
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 + 1) })
    }

    /// The number of the reading of an event that the log calls so.
    public func reading(of name: String) -> Int { numbers[name] ?? 0 }

    /// The fields that are read of an event and are there, by their places in a row.
    package func fields(of event: LogEvent) -> [String: LogScalar] {
        var reader = FieldReader(event.fields)
        let paths = readings[event.reading].fields
        let fields = paths.map { ($0.description, reader.next()) }.filter { $0.1 != .missing }
        return Dictionary(fields) { first, _ in first }
    }

    /// Writes the same, as far as this plan reads them.
    package func encode(_ fields: [String: LogScalar], of reading: Int) -> [UInt8] {
        Self.encode(readings[reading].fields.map { fields[$0.description] ?? .missing })
    }

    /// Writes fields of an event, in the order of its reading.
    public static func encode(_ scalars: some Sequence<LogScalar>) -> [UInt8] {
        var writer = FieldWriter()
        for scalar in scalars { writer.add(scalar) }
        return writer.bytes
    }
}

/// The uses of the events of a log by one rule set.
struct EventUses {
    /// A field, its place and its required type.
    struct Field {
        var name: String
        var type: CELType
        var path: LogPath
    }

    /// The effects of an event.
    struct Use {
        /// The events of the rules that it is, each with its fields.
        var sent: [(event: String, fields: [Field])] = []
        /// The context keys that it sets.
        var updates: [Field] = []
        /// The context keys that it sets to true.
        var happened: [String] = []

        var paths: [LogPath] { (sent.flatMap { $0.fields } + updates).map { $0.path } }
    }

    private(set) var byName: [String: Use] = [:]
    /// The effects of every event.
    private(set) var everywhere = Use()
    /// The fields of `everywhere` that come from columns of the row.
    private(set) var columns: [Field] = []
    /// The keys that hold the user's id.
    private(set) var userKeys: [String] = []

    init(_ mapping: LogMapping, rules: RuleSet) {
        let declared = Set(rules.events.map { $0.name })
        for event in rules.events { add(event.name, fields: event.fields, of: mapping) }
        let counted = Set(rules.slots.compactMap { $0.event }).subtracting(declared)
        for name in counted { add(name, fields: [], of: mapping) }
        for key in rules.keys {
            if let source = mapping.context[key.name] {
                add(key, from: source, payload: mapping.columns.payload)
            }
        }
    }

    /// Returns the effects of an event of a name, without those of every event.
    func use(of name: String) -> Use { byName[name] ?? Use() }

    func paths(of name: String) -> [LogPath] { use(of: name).paths + everywhere.paths }

    private mutating func add(
        _ event: String, fields: [EventRule.Field], of mapping: LogMapping
    ) {
        let source = mapping.events[event] ?? LogMapping.SentEvent()
        let placed = fields.map { field in
            let path = source.fields[field.name] ?? LogPath(field.name)
            return Field(
                name: field.name, type: field.type, path: mapping.columns.payload.appending(path))
        }
        for name in source.names.isEmpty ? [event] : source.names {
            byName[name, default: Use()].sent.append((event, placed))
        }
    }

    private mutating func add(
        _ key: ContextKey, from source: LogMapping.ContextSource, payload: LogPath
    ) {
        switch source {
        case .user: userKeys.append(key.name)
        case .happened(let events):
            for name in events { byName[name, default: Use()].happened.append(key.name) }
        case .column(let path):
            let field = Field(name: key.name, type: key.type, path: path)
            everywhere.updates.append(field)
            columns.append(field)
        case .field(let path, let events):
            let field = Field(name: key.name, type: key.type, path: payload.appending(path))
            guard let events else { return everywhere.updates.append(field) }
            for name in events { byName[name, default: Use()].updates.append(field) }
        }
    }
}

/// An item that rules request from a log by name, so that missing items can be reported.
package struct LogDemand: Sendable {
    /// The kind of the item.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An event of the rules.
        case event
        /// A field of one, as `order.completed.total`.
        case field
        /// The value of a context key.
        case context
        /// An event with which the app starts.
        case start
    }

    package let kind: Kind
    /// As the rules call it.
    package let name: String
    /// The log's names of the events that have the item; empty for every event.
    package let logNames: [String]
    /// The place of its value in a row; nil for an item without a value.
    package let path: LogPath?
    private let type: CELType
    /// The further bounds of its values.
    private let bounds: ContextKey?

    /// Returns true if a value is valid for it.
    package func takes(_ scalar: LogScalar, times: LogTime) -> Bool {
        guard let value = scalar.value(as: type, times: times) else { return scalar.isNothing }
        return bounds?.refusal(of: value) == nil
    }
}

extension LogDemand {
    /// All that some rules ask, each name once.
    static func all(of mapping: LogMapping, rules: [RuleSet]) -> [LogDemand] {
        let starts = mapping.starts.map {
            LogDemand(
                kind: .start, name: $0, logNames: [$0], path: nil, type: .bool, bounds: nil)
        }
        var seen: Set<String> = []
        let demands = rules.flatMap { events(of: $0, mapping) + context(of: $0, mapping) }
        return (demands + starts).filter { seen.insert("\($0.kind) \($0.name)").inserted }
    }

    private static func events(of rules: RuleSet, _ mapping: LogMapping) -> [LogDemand] {
        rules.events.flatMap { event -> [LogDemand] in
            let source = mapping.events[event.name] ?? LogMapping.SentEvent()
            let names = source.names.isEmpty ? [event.name] : source.names
            let fields = event.fields.map { field in
                let path = source.fields[field.name] ?? LogPath(field.name)
                return LogDemand(
                    kind: .field, name: "\(event.name).\(field.name)", logNames: names,
                    path: mapping.columns.payload.appending(path), type: field.type, bounds: nil)
            }
            let itself = LogDemand(
                kind: .event, name: event.name, logNames: names, path: nil, type: .bool,
                bounds: nil)
            return [itself] + fields
        }
    }

    private static func context(of rules: RuleSet, _ mapping: LogMapping) -> [LogDemand] {
        rules.keys.compactMap { key in
            let (names, path): ([String], LogPath?)
            switch mapping.context[key.name] {
            case nil, .user?: return nil
            case .happened(let events)?: (names, path) = (events, nil)
            case .column(let place)?: (names, path) = ([], place)
            case .field(let place, let events)?:
                (names, path) = (events ?? [], mapping.columns.payload.appending(place))
            }
            return LogDemand(
                kind: .context, name: key.name, logNames: names, path: path, type: key.type,
                bounds: key.isBound ? key : nil)
        }
    }
}

extension LogPlan {
    /// Returns the demands on the fields of a reading: the place of the field among them, and the
    /// place of the demand.
    package func demands(of reading: Int) -> [(field: Int, demand: Int)] {
        let name = readings[reading].name
        let places = readings[reading].fields
        return demands.indices.compactMap { demand in
            let (names, path) = (demands[demand].logNames, demands[demand].path)
            guard names.isEmpty || names.contains(name), let path else { return nil }
            return places.firstIndex(of: path).map { (field: $0, demand: demand) }
        }
    }
}

extension ContextKey {
    /// Indicates whether the occurrence of an event can make it true.
    package var canBeTrue: Bool { type == .bool || type == .wrapper(.bool) || type == .dyn }

    /// Indicates whether values must satisfy more than its type.
    var isBound: Bool { allowedValues != nil || minimum != nil || maximum != nil }
}
