package import PopSource
package import PopYAML

/// The values that a key may have: their description, and the function that reads them.
package struct Format<Value: Sendable>: Sendable {
    package let schema: Schema
    /// True if an empty value has a meaning, as in a section without entries.
    private(set) var takesNothing = false
    /// The replacement of a value that cannot be read; if nil, such a key counts as not written.
    private(set) var substitute: (@Sendable (YAMLNode) -> Value)?
    /// Reports mistakes and returns nil if no value can be made of the node.
    let read: @Sendable (YAMLNode, inout Decoder) -> Value?

    package init(_ schema: Schema, read: @escaping @Sendable (YAMLNode, inout Decoder) -> Value?) {
        self.schema = schema
        self.read = read
    }

    /// The same, but an empty value is read too.
    var orNothing: Self {
        var format = self
        format.takesNothing = true
        return format
    }

    func orElse(_ substitute: @escaping @Sendable (YAMLNode) -> Value) -> Self {
        var format = self
        format.substitute = substitute
        return format
    }
}

extension Decoder {
    /// The value of a node; nil, with the reason reported, if the format does not take it.
    package mutating func read<Value>(
        _ format: Format<Value>, at node: YAMLNode
    ) -> Located<Value>? {
        let value = readable(format, at: node) ?? format.substitute?(node)
        return value.map { Located($0, at: node.range) }
    }

    private mutating func readable<Value>(_ format: Format<Value>, at node: YAMLNode) -> Value? {
        if node.isBroken { return nil }
        if node.isNull, !format.takesNothing {
            report(.noValue(of: self, takes: format.schema, at: node.range))
            return nil
        }
        return format.read(node, &self)
    }
}

extension Diagnostic {
    static func noValue(
        of decoder: Decoder, takes schema: Schema, at range: SourceRange
    ) -> Self {
        let phrase = if case .list = schema { "a list such as `[a, b]`" } else { schema.phrase }
        return Diagnostic(
            .schemaType, message: "\(decoder.subjectOfValue) has no value",
            at: range.isEmpty ? decoder.rangeOfKey ?? range : range,
            label: range.isEmpty ? "the value is missing" : "this counts as no value",
            help: [helpOnNoValue(phrase, removing: decoder.isInItem ? "item" : "key")])
    }

    /// A description that lists alternatives is a sentence of its own.
    private static func helpOnNoValue(_ phrase: String, removing place: String) -> String {
        phrase.contains(" or ")
            ? "add a value or remove the \(place); the value must be \(phrase)"
            : "add \(phrase), or remove the \(place)"
    }
}
