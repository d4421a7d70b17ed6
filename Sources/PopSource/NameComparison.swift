/// Returns the names that the author of `name` may have meant, nearest first, at most `limit`.
///
/// Distance counts insertions, deletions, replacements and swaps of neighbours (optimal string
/// alignment); a name is similar within a third of the length. Case and the separators `-`, `_` and
/// `.` count for nothing. A name is not similar to its opposite, such as `offline` to `online`.
/// Linear in the candidates, of which the rest is passed over after
/// `PrintLimits.similarNameSteps`.
public func similarNames(
    to name: String, among candidates: some Sequence<String>, limit: Int = 5
) -> [String] {
    var comparison = NameComparison(name)
    // A name far beyond any that people give is not worth comparing.
    guard comparison.isWorthwhile else { return [] }
    var scored: [(distance: Int, name: String)] = []
    var best = Int.max
    for candidate in candidates where candidate != name {
        guard comparison.steps < PrintLimits.similarNameSteps else { break }
        let most = best < .max ? best + 1 : .max
        guard let distance = comparison.distance(to: candidate, atMost: most) else { continue }
        if distance < best {
            if areOpposites(name, candidate) { continue }
            best = distance
        }
        scored.append((distance, candidate))
    }
    scored = scored.ordered { ($0.distance, $0.name) < ($1.distance, $1.name) }
    var names: [String] = []
    for candidate in scored where candidate.distance <= best + 1 && names.count < limit {
        if names.last != candidate.name, !areOpposites(name, candidate.name) {
            names.append(candidate.name)
        }
    }
    return names
}

/// One name, compared with others.
private struct NameComparison {
    /// The work so far: the number of names, and of letters in names that were compared letter by
    /// letter.
    private(set) var steps = 0
    private let wanted: [UInt8]
    private let letters: UInt64
    private var other: [UInt8] = []
    // The last rows of the table of distances.
    private var beforePrevious: [Int] = []
    private var previous: [Int] = []
    private var current: [Int] = []

    init(_ name: String) {
        var wanted: [UInt8] = []
        fold(name, into: &wanted)
        self.wanted = wanted
        letters = letterSet(wanted)
    }

    var isWorthwhile: Bool { (1...128).contains(wanted.count) }

    /// The distance of a name that is similar, at most `most`; nil for all others.
    mutating func distance(to candidate: String, atMost most: Int) -> Int? {
        steps += 1
        let bytes = candidate.utf8.count
        // Folding makes no name longer, and few have more separators than letters.
        guard wanted.count - bytes <= max(1, wanted.count / 3), bytes <= 3 * wanted.count + 8
        else { return nil }
        fold(candidate, into: &other)
        let longest = max(wanted.count, other.count)
        let allowed = min(max(1, longest / 3), longest - 1, most)
        // A replacement takes one letter away and brings another.
        guard abs(other.count - wanted.count) <= allowed,
            (letterSet(other) ^ letters).nonzeroBitCount <= 2 * allowed
        else { return nil }
        return editDistance(atMost: allowed)
    }

    private static func fill(_ row: inout [Int], with distance: Int, count: Int) {
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: repeatElement(distance, count: count))
    }

    /// Fills only the cells of the table of distances that are at most `most` off its diagonal: all
    /// others are larger than that (Ukkonen 1985).
    private mutating func editDistance(atMost most: Int) -> Int? {
        let tooFar = most + 1
        Self.fill(&beforePrevious, with: tooFar, count: other.count + 1)
        Self.fill(&previous, with: tooFar, count: other.count + 1)
        Self.fill(&current, with: tooFar, count: other.count + 1)
        for column in 0...min(most, other.count) { previous[column] = column }
        for i in 1...wanted.count {
            let first = max(1, i - most)
            let last = min(other.count, i + most)
            guard first <= last else { return nil }
            steps += last - first + 1
            current[first - 1] = first == 1 ? min(i, tooFar) : tooFar
            var least = current[first - 1]
            for j in first...last {
                var best = min(
                    current[j - 1] + 1, previous[j] + 1,
                    previous[j - 1] + (wanted[i - 1] == other[j - 1] ? 0 : 1), tooFar)
                if i > 1, j > 1, wanted[i - 1] == other[j - 2], wanted[i - 2] == other[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                current[j] = best
                least = min(least, best)
            }
            if last < other.count { current[last + 1] = tooFar }
            if least > most { return nil }
            swap(&beforePrevious, &previous)
            swap(&previous, &current)
        }
        return previous[other.count] <= most ? previous[other.count] : nil
    }
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

/// The letters of a name in lower case, without separators.
private func fold(_ name: String, into letters: inout [UInt8]) {
    letters.removeAll(keepingCapacity: true)
    for byte in name.utf8.allSatisfy({ $0 < 0x80 }) ? name.utf8 : name.lowercased().utf8 {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): continue
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
        default: letters.append(byte)
        }
    }
}

/// Which letters occur; several may share a bit.
private func letterSet(_ letters: [UInt8]) -> UInt64 {
    letters.reduce(0) { $0 | 1 << UInt64($1 & 63) }
}

/// The names as a list in a sentence: `` `a` ``, `` `a` or `b` ``, `` `a`, `b` or `c` ``.
public func alternatives(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}
