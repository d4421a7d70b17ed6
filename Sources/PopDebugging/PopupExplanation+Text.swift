internal import PopExplanations
public import PopScheduler

extension PopupExplanation {
    /// Why the popup shows or does not, in words: whether it shows, or the reason why not; then
    /// what is known beyond that, a line each.
    public var text: String { lines.joined(separator: "\n") }
}
