internal import PopExplanations

/// Returns the step from one text to another, with a dash for nil. Long texts are reduced to the
/// parts that differ.
func step(from before: String?, to after: String?) -> String {
    var (one, other) = (before, after)
    if let before, let after, max(before.count, after.count) > wholeLength {
        (one, other) = differingParts(from: before, to: after)
    }
    return "\(one.map { bounded($0) } ?? "–") → \(other.map { bounded($0) } ?? "–")"
}

/// The maximum length of a text that is printed in full.
private let wholeLength = 70

/// Returns the parts in which two lists differ, with dots for the common parts.
private func differingParts(from before: String, to after: String) -> (String, String) {
    let (one, other) = (before.split(separator: ", "), after.split(separator: ", "))
    let start = zip(one, other).prefix { $0 == $1 }.count
    let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
    func text(_ parts: [Substring]) -> String {
        let middle = parts.dropFirst(start).dropLast(end).joined(separator: ", ")
        let shown = [start > 0 ? "…" : "", middle, end > 0 ? "…" : ""].filter { !$0.isEmpty }
        return middle.isEmpty ? "…" : shown.joined(separator: " ")
    }
    return (text(one), text(other))
}
