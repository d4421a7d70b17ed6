internal import PopCEL
package import PopScheduler

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
