/// The number of members of a circle that are marked in addition to the first.
let circleLabels = 9

/// A circle of names, closed by the first; of a long one its beginning and its end.
func circleText(_ names: [String], joinedBy word: String) -> String {
    circleText(names.map { (name: $0, word: word) })
}

/// The same with a word of its own after each name.
func circleText(_ steps: [(name: String, word: String)]) -> String {
    let closed = steps + steps.prefix(1)
    let parts = closed.indices.map { index in
        (index == 0 ? "" : " \(closed[index - 1].word) ") + "`\(closed[index].name)`"
    }
    guard closed.count > circleLabels + 2 else { return parts.joined() }
    let left = closed.count - circleLabels
    let word = closed[circleLabels - 3].word
    return parts.prefix(circleLabels - 2).joined() + " \(word) … (\(left) more)"
        + parts.suffix(2).joined()
}
