/// Returns the names that someone who wrote `name` may have meant, nearest first, at most `limit`.
///
/// Distance counts insertions, deletions, replacements and swaps of neighbors (optimal string
/// alignment); a name is similar within a third of the length. Case and the separators `-`, `_` and
/// `.` are ignored. A name isn't similar to its opposite, such as `offline` to `online`. Linear in
/// the candidates; the candidates that remain after `PrintLimits.similarNameSteps` are skipped.
public func similarNames(
    to name: String, among candidates: some Sequence<String>, limit: Int = 5
) -> [String] {
    var comparison = NameComparison(name)
    // A name much longer than usual names isn't worth comparing.
    guard comparison.isWorthwhile else { return [] }
    var scored: [(distance: Int, name: String)] = []
    for candidate in candidates where candidate != name {
        guard comparison.steps < PrintLimits.similarNameSteps else { break }
        if let distance = comparison.distance(to: candidate), !areOpposites(name, candidate) {
            scored.append((distance, candidate))
        }
    }
    scored = scored.ordered { ($0.distance, $0.name) < ($1.distance, $1.name) }
    guard let best = scored.first?.distance else { return [] }
    var names: [String] = []
    for candidate in scored where candidate.distance <= best + 1 && names.count < limit {
        if names.last != candidate.name { names.append(candidate.name) }
    }
    return names
}

/// One name, compared with others.
private struct NameComparison {
    /// The number of steps so far: names, and letters of names that were compared letter by letter.
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

    var isWorthwhile: Bool { wanted.count <= 128 }

    /// Returns the distance of a similar name; nil for all other names.
    mutating func distance(to candidate: String) -> Int? {
        steps += 1
        let bytes = candidate.utf8.count
        // Folding makes no name longer, and few have more separators than letters.
        guard wanted.count - bytes <= max(1, wanted.count / 3), bytes <= 3 * wanted.count + 8
        else { return nil }
        fold(candidate, into: &other)
        let longest = max(wanted.count, other.count)
        let allowed = max(1, longest / 3)
        // A replacement removes one letter and adds another.
        guard abs(other.count - wanted.count) <= allowed,
            (letterSet(other) ^ letters).nonzeroBitCount <= 2 * allowed
        else { return nil }
        steps += wanted.count * other.count
        let distance = editDistance()
        return distance <= allowed && distance < longest ? distance : nil
    }

    private mutating func editDistance() -> Int {
        previous.removeAll(keepingCapacity: true)
        previous += 0...other.count
        for i in 0..<wanted.count {
            current.removeAll(keepingCapacity: true)
            current.append(i + 1)
            for j in 0..<other.count {
                var best = min(
                    current[j] + 1, previous[j + 1] + 1,
                    previous[j] + (wanted[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, wanted[i] == other[j - 1], wanted[i - 1] == other[j] {
                    best = min(best, beforePrevious[j - 1] + 1)
                }
                current.append(best)
            }
            swap(&beforePrevious, &previous)
            swap(&previous, &current)
        }
        return previous[other.count]
    }
}

/// Returns the values that someone who wrote a string may have meant, like `similarNames`. A string
/// of fewer than three letters is a code, not a misspelled other code; the same is true of a
/// number.
public func similarValues(
    to text: String, among values: some Sequence<String>, limit: Int = 5
) -> [String] {
    guard text.utf8.count >= 3, Double(text) == nil else { return [] }
    return similarNames(to: text, among: values, limit: limit)
}

/// Returns true if two names are opposites: one has a part that negates, or the other half of a
/// pair of opposites.
private func areOpposites(_ left: String, _ right: String) -> Bool {
    let (one, other) = (parts(of: left), parts(of: right))
    return denies(one, other) || denies(other, one)
}

/// Returns true if a part of a name negates the other name, which lacks this part.
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

/// Appends the letters of a name in lowercase, without separators.
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

/// Returns the set of letters that occur; several letters may share a bit.
private func letterSet(_ letters: [UInt8]) -> UInt64 {
    letters.reduce(0) { $0 | 1 << UInt64($1 & 63) }
}

/// The names as a list in a sentence: `` `a` ``, `` `a` or `b` ``, `` `a`, `b` or `c` ``.
public func alternatives(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}
