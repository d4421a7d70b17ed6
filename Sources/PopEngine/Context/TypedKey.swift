internal import PopCEL

/// A context key with the Swift type of its values, so that the compiler checks what the app sets.
///
/// ```swift
/// extension TypedKey<String> { static let screen = TypedKey("app.screen") }
/// engine.context[.screen] = "map"
/// ```
///
/// When the rules declare another type for the key, the outcome of a change says so, and an event
/// does once.
public struct TypedKey<Wrapped: ValueConvertible>: Sendable, Hashable {
    /// A dotted name, as the rule files declare it.
    public let name: String

    /// A key by its dotted name; whether the rules declare it as this type is told by the engine's
    /// remarks.
    public init(_ name: String) { self.name = name }
}

/// That a key was used with a Swift type, whose values are of this type of the rules; nil when that
/// is not known.
struct TypedUse: Sendable, Hashable {
    let name: String
    let type: CELType?

    init<Wrapped>(_ key: TypedKey<Wrapped>) {
        name = key.name
        type = Wrapped.valueType
    }
}

extension CELType {
    /// Whether every value of a key that is declared so can be read as one of a type, and the other
    /// way round.
    func isTaken(as type: CELType) -> Bool {
        switch (self, type) {
        case (.dyn, _), (_, .dyn): true
        // Apps write versions as texts; one that is none is refused as it is written.
        case (.version, .string): true
        case (.wrapper(let primitive), _): primitive.isTaken(as: type)
        case (.list(let element), .list(let other)): element.isTaken(as: other)
        case (.map(let key, let value), .map(let otherKey, let otherValue)):
            key.isTaken(as: otherKey) && value.isTaken(as: otherValue)
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.optional, _),
            (.type, _), (.opaque, _), (.parameter, _):
            self == type
        }
    }
}
