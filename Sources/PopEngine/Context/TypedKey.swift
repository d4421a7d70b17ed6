/// A context key with the Swift type of its values, so that the compiler checks what the app sets.
///
/// ```swift
/// extension TypedKey<String> { static let screen = TypedKey("app.screen") }
/// engine.context[.screen] = "map"
/// ```
public struct TypedKey<Wrapped: ValueConvertible>: Sendable, Hashable {
    /// A dotted name, as the rule files declare it.
    public let name: String

    public init(_ name: String) { self.name = name }
}
