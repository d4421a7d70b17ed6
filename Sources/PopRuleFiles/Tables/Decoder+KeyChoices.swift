internal import PopSource
internal import PopYAML

extension KeyRule {
    /// True if it holds for every reader of a table; other rules are checked where the table is
    /// read.
    var isChoice: Bool {
        switch self {
        case .oneOf, .atMostOneOf, .with: true
        case .anyOf, .apart, .apartFrom, .typed: false
        }
    }
}

extension Decoder {
    /// Reports keys that exclude each other, and that one of several is missing, unless an unknown
    /// key may have been meant for it.
    mutating func check(
        _ choices: [KeyRule], of title: String, in node: YAMLNode, mayLack: Bool
    ) {
        let keys = node.entries.map(\.key)
        func key(_ name: String) -> YAMLNode? { keys.first { $0.scalar?.hasText(name) == true } }
        for choice in choices {
            switch choice {
            case .oneOf(let names), .atMostOneOf(let names):
                let present = names.compactMap { name in key(name).map { (name, $0.range) } }
                if let first = present.first {
                    for other in present.dropFirst() { report(.together(first, other)) }
                } else if case .oneOf = choice, !mayLack {
                    report(.lacking(oneOf: names, title: title, at: rangeToBlame(for: node)))
                }
            case .with(let name, let other):
                if let range = key(name)?.range, key(other) == nil {
                    report(.useless(name, without: other, at: range))
                }
            case .anyOf, .apart, .apartFrom, .typed: break
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func together(
        _ first: (name: String, range: SourceRange), _ other: (name: String, range: SourceRange)
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(first.name)` and `\(other.name)` cannot be used together",
            at: other.range, label: "only one of them is allowed",
            secondary: [Label("the other key", at: first.range)],
            help: ["remove `\(first.name)` or `\(other.name)`"])
    }

    fileprivate static func lacking(
        oneOf names: [String], title: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "\(title) needs one of the keys \(alternatives(names))",
            at: range, label: "has none of these keys")
    }

    fileprivate static func useless(
        _ name: String, without other: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys, message: "`\(name)` has no effect without `\(other)`",
            at: range, label: "has no effect here", help: ["remove `\(name)`"])
    }
}
