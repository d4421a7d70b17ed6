public import PopCEL
public import PopScheduler
internal import PopSource

/// A context key that is named in an app's code, with the Swift type of its values: a `TypedKey` of
/// any type.
public protocol TypedContextKey: Sendable {
    /// A dotted name, as the rule files declare it.
    var name: String { get }
    /// The type of the rules that its values have; nil when there is no one type.
    static var valueType: CELType? { get }
}

extension TypedKey: TypedContextKey {
    public static var valueType: CELType? { Wrapped.valueType }
}

extension RuleSet {
    /// What does not fit the rules of the keys that an app names in its code, in their order: keys
    /// that are not declared, and keys of another type. A test of the app holds that there is
    /// nothing.
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
