internal import PopCEL

/// Expressions without findings by their strings, so that a string that appears in several places
/// of a large set of files is parsed once.
final class KnownExpressions {
    /// In smaller sets, looking up every condition takes longer than parsing the repeated ones
    /// again.
    private static let bytesWorthLookingUp = 65_536

    private var expressions: [HashedText: Expression] = [:]

    /// Nil where it would not pay.
    init?(forBytes count: Int) {
        if count < Self.bytesWorthLookingUp { return nil }
    }

    subscript(text: HashedText) -> Expression? { expressions[text] }

    /// Adds an expression, or returns the earlier one.
    func note(_ expression: Expression, for text: HashedText) -> Expression? {
        Self.fill(&expressions[text], with: expression)
    }

    /// By reference, so that the text is looked up once.
    private static func fill(
        _ place: inout Expression?, with expression: Expression
    ) -> Expression? {
        if let first = place { return first }
        place = expression
        return nil
    }
}

/// A string that is hashed once, however often it is looked up: the strings of conditions are long.
struct HashedText: Hashable, Sendable {
    private let hash: Int
    private let text: String

    init(_ text: String) {
        hash = text.hashValue
        self.text = text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
