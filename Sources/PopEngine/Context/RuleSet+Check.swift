public import PopCEL
public import PopScheduler
internal import PopSource

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
