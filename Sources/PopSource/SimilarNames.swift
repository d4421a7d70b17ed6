/// The names that someone who wrote `name` may have meant, nearest first, at most `limit`.
///
/// Distance counts insertions, deletions, replacements and swaps of neighbours (optimal string
/// alignment); a name is similar within a third of the length. Case and the separators `-`, `_` and
/// `.` count for nothing. A name is not similar to its opposite, such as `offline` to `online`.
/// Linear in the candidates.
public func similarNames(
    to name: String, among candidates: some Sequence<String>, limit: Int = 5
) -> [String] {
    let wanted = folded(name)
    // A name far beyond any that people give is not worth comparing.
    guard wanted.count <= 128 else { return [] }
    var scored: [(distance: Int, name: String)] = []
    for candidate in Set(candidates) where candidate != name {
        let other = folded(candidate)
        let allowed = max(1, max(wanted.count, other.count) / 3)
        guard abs(other.count - wanted.count) <= allowed else { continue }
        let distance = editDistance(wanted, other)
        if distance <= allowed, distance < max(wanted.count, other.count),
            !areOpposites(name, candidate)
        {
            scored.append((distance, candidate))
        }
    }
    scored = scored.ordered { ($0.distance, $0.name) < ($1.distance, $1.name) }
    guard let best = scored.first?.distance else { return [] }
    return scored.filter { $0.distance <= best + 1 }.prefix(limit).map { $0.name }
}

/// The values that someone who wrote a text may have meant, as `similarNames` says: a text of fewer
/// than three letters is a code, and no other code misspelt, and neither is a number.
public func similarValues(
    to text: String, among values: some Sequence<String>, limit: Int = 5
) -> [String] {
    guard text.utf8.count >= 3, Double(text) == nil else { return [] }
    return similarNames(to: text, among: values, limit: limit)
}

/// Whether one name says the opposite of the other: it has a part that negates, or one end of a
/// pair where the other has the other.
private func areOpposites(_ left: String, _ right: String) -> Bool {
    let (one, other) = (parts(of: left), parts(of: right))
    return denies(one, other) || denies(other, one)
}

/// Whether a part of a name denies one of another name that lacks it.
private func denies(_ name: Set<Substring>, _ other: Set<Substring>) -> Bool {
    name.subtracting(other).contains { part in
        if ["not", "no", "non", "never", "without"].contains(part) { return true }
        return oppositeBeginnings.contains { beginning, opposite in
            part.hasPrefix(beginning) && part.count > beginning.count
                && other.contains(Substring(opposite + part.dropFirst(beginning.count)))
        } || oppositeWords[String(part)].map { other.contains(Substring($0)) } ?? false
    }
}

private let oppositeBeginnings = [
    ("not", ""), ("no", ""), ("non", ""), ("un", ""), ("dis", ""), ("in", ""), ("off", "on"),
]

private let oppositeWords = ["min": "max", "before": "after", "start": "stop"]

private func parts(of name: String) -> Set<Substring> {
    Set(name.lowercased().split { "-_. ".contains($0) })
}

private func folded(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { byte in
        byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: ".")
    }
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in 0..<left.count {
        var current = [i + 1]
        for j in 0..<right.count {
            var best = min(
                current[j] + 1, previous[j + 1] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                best = min(best, beforePrevious[j - 1] + 1)
            }
            current.append(best)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[right.count]
}

/// The names as a list in a sentence: `` `a` ``, `` `a` or `b` ``, `` `a`, `b` or `c` ``.
public func alternatives(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}
