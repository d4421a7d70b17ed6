internal import PopCEL

/// Expressions without findings by their texts, so that a text that stands in several places is read once.
///
/// Shared by all that reads one large set of files, on whatever core.
typealias KnownExpressions = SharedTable<HashedText, Expression>

/// A text that is hashed once, however often it is looked up: the texts of conditions are long.
struct HashedText: Hashable, Sendable {
    private let hash: Int
    private let text: String

    init(_ text: String) {
        hash = text.hashValue
        self.text = text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
