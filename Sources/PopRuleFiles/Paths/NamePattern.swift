/// A pattern for one name of a path: `*`, `?`, `[a-z]` and `[!a-z]`, and letters.
///
/// `Letter` is `UInt8` for names in ASCII, which nearly all are, and `Character` for others.
struct NamePattern<Letter: Comparable & Sendable>: Sendable {
    private enum Part: Sendable {
        case anyLetters
        case anyLetter
        case letter(Letter)
        /// Pairs of a first and a last letter; a pair in the wrong order has no letters.
        case set([(low: Letter, high: Letter)], isNegated: Bool)
    }

    private let parts: [Part]

    /// Reads a pattern. `letter` gives the letter of each character.
    init(_ pattern: [Character], letter: (Character) -> Letter) {
        var parts: [Part] = []
        var position = 0
        while position < pattern.count {
            let character = pattern[position]
            let end = character == "[" ? pattern.dropFirst(position + 2).firstIndex(of: "]") : nil
            if let end {
                let isNegated = ["!", "^"].contains(pattern[position + 1])
                let inside = pattern[(position + (isNegated ? 2 : 1))..<end].map(letter)
                let dash = letter("-")
                parts.append(.set(Self.pairs(inside, dash: dash), isNegated: isNegated))
                position = end
            } else if character == "*" {
                parts.append(.anyLetters)
            } else {
                parts.append(character == "?" ? .anyLetter : .letter(letter(character)))
            }
            position += 1
        }
        self.parts = parts
    }

    private static func pairs(_ letters: [Letter], dash: Letter) -> [(low: Letter, high: Letter)] {
        var pairs: [(low: Letter, high: Letter)] = []
        var letters = letters[...]
        while let low = letters.popFirst() {
            if letters.count >= 2, letters.first == dash {
                letters.removeFirst()
                pairs.append((low, letters.removeFirst()))
            } else {
                pairs.append((low, low))
            }
        }
        return pairs
    }

    /// Returns whether a name matches. Goes back to the last `*` only, so that time is bounded by
    /// the product of the lengths.
    func matches(_ name: [Letter]) -> Bool {
        var (place, position) = (0, 0)
        var retry: (place: Int, position: Int)?
        while true {
            if position < parts.count, case .anyLetters = parts[position] {
                position += 1
                if position == parts.count { return true }
                retry = (place, position)
            } else if place < name.count, position < parts.count,
                Self.matches(name[place], parts[position])
            {
                (place, position) = (place + 1, position + 1)
            } else if place == name.count, position == parts.count {
                return true
            } else if let last = retry, last.place < name.count {
                retry = (last.place + 1, last.position)
                (place, position) = (last.place + 1, last.position)
            } else {
                return false
            }
        }
    }

    private static func matches(_ letter: Letter, _ part: Part) -> Bool {
        switch part {
        case .anyLetters, .anyLetter: true
        case .letter(let wanted): letter == wanted
        case .set(let pairs, let isNegated):
            pairs.contains { $0.low <= letter && letter <= $0.high } != isNegated
        }
    }
}
