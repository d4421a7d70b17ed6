public import PopCEL
internal import PopScheduler

/// The values of the context at one moment.
///
/// Reading a key that the app has not set gives the default that the rules declare for it, if any.
public struct ContextValues: Sendable {
    /// The values that the app has set, by dotted name.
    public private(set) var values: [String: Value]
    let declared: [String: ContextKey]
    /// The names that were written since the copy was taken.
    private var touched: Set<String> = []
    /// The typed keys that were written since.
    private(set) var typedUses: Set<TypedUse> = []

    init(values: [String: Value], declared: [String: ContextKey]) {
        self.values = values
        self.declared = declared
    }

    /// The changes since the copy was taken; nil means that the key is unset.
    var changes: [String: Value?] {
        Dictionary(uniqueKeysWithValues: touched.map { ($0, values[$0]) })
    }

    /// The value of a key; setting nil takes it back to its default, or to missing.
    public subscript(name: String) -> Value? {
        get { values[name] ?? declared[name]?.defaultValue }
        set {
            touched.insert(name)
            values[name] = newValue
        }
    }

    /// The value as a Swift type; nil also when it is of another type.
    public subscript<Wrapped: ValueConvertible>(name: String) -> Wrapped? {
        get { self[name].flatMap { (value: Value) in Wrapped(value) } }
        set { self[name] = newValue?.value }
    }

    /// The value of a typed key.
    public subscript<Wrapped: ValueConvertible>(key: TypedKey<Wrapped>) -> Wrapped? {
        get { self[key.name] }
        set {
            typedUses.insert(TypedUse(key))
            self[key.name] = newValue
        }
    }
}
