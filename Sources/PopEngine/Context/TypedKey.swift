public import PopCEL
public import PopScheduler
internal import PopSource

/// A context key with the Swift type of its values, so that the compiler checks what the app sets.
///
/// ```swift
/// extension TypedKey<String> { static let screen = TypedKey("app.screen") }
/// engine.context[.screen] = "map"
/// ```
///
/// If the rules declare another type for the key, the outcome of each change reports it, and an
/// event reports it once.
public struct TypedKey<Wrapped: ValueConvertible>: Sendable, Hashable {
    /// A dotted name, as the rule files declare it.
    public let name: String

    /// Creates a key from its dotted name. If the rules don't declare it as this type, the engine's
    /// remarks report it.
    public init(_ name: String) { self.name = name }
}

/// A use of a key with a Swift type whose values have this type in the rules; nil if that type
/// isn't known.
struct TypedUse: Sendable, Hashable {
    let name: String
    let type: CELType?

    init<Wrapped>(_ key: TypedKey<Wrapped>) {
        name = key.name
        type = Wrapped.valueType
    }
}

extension CELType {
    /// Returns true if every value of a key that is declared with this type can be read as the
    /// other type, and vice versa.
    func isTaken(as type: CELType) -> Bool {
        switch (self, type) {
        case (.dyn, _), (_, .dyn): true
        // Apps write versions as strings; a string that isn't a version is refused when it is
        // written.
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

/// A context key that is named in an app's code, with the Swift type of its values: a `TypedKey` of
/// any type.
public protocol TypedContextKey: Sendable {
    /// A dotted name, as the rule files declare it.
    var name: String { get }
    /// The type that its values have in the rules; nil if they don't share a type.
    static var valueType: CELType? { get }
}

extension TypedKey: TypedContextKey {
    public static var valueType: CELType? { Wrapped.valueType }
}

extension RuleSet {
    /// Returns remarks about the keys that an app names in its code, in their order, if they don't
    /// fit the rules: undeclared keys and keys of another type. Assert in a test of the app that
    /// the result is empty.
    public func check(keys: [any TypedContextKey]) -> [CallRemark] {
        let declared = Dictionary(self.keys.map { ($0.name, $0.type) }) { first, _ in first }
        return keys.compactMap { key in
            guard let type = declared[key.name] else {
                return .unknownKey(
                    key.name, similar: similarNames(to: key.name, among: declared.keys))
            }
            guard let typed = Swift.type(of: key).valueType, !type.isTaken(as: typed) else {
                return nil
            }
            return .typedKey(key.name, declared: type.description, typed: typed.description)
        }
    }
}
