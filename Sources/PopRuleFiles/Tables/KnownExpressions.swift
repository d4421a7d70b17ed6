internal import PopCEL
internal import Synchronization

/// Expressions without findings by their texts, so that a text that stands in several places is read once.
///
/// Shared by all that reads one set of files, on whatever core.
final class KnownExpressions: Sendable {
    private let byText = Mutex([String: Expression]())

    subscript(text: String) -> Expression? { byText.withLock { $0[text] } }

    /// Notes what a text was read as; answers what another core noted first.
    func note(_ expression: Expression, for text: String) -> Expression? {
        byText.withLock { known in
            if let first = known[text] { return first }
            known[text] = expression
            return nil
        }
    }
}
