/// How many members of a circle are marked besides the first.
let circleLabels = 9

/// A circle of names, closed by the first; of a long one its beginning and its end.
func circleText(_ names: [String], joinedBy word: String) -> String {
    let quoted = (names + names.prefix(1)).map { "`\($0)`" }
    guard quoted.count > circleLabels + 2 else { return quoted.joined(separator: " \(word) ") }
    let left = quoted.count - circleLabels
    let shown = quoted.prefix(circleLabels - 2) + ["… (\(left) more)"] + quoted.suffix(2)
    return shown.joined(separator: " \(word) ")
}
