internal import PopExplanations
public import PopScheduler

extension PopupExplanation {
    /// The explanation in words: whether the popup shows, or the reason why not; then all other
    /// known facts, one per line.
    public var text: String { lines.joined(separator: "\n") }
}
