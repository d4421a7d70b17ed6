internal import PopCEL

/// A search for a string that passes tests, fails others, differs from excluded strings, and has a
/// size in a range.
///
/// All automata read one string at the same time, together with an automaton for UTF-8. The search
/// looks for the shortest string first. If that takes many steps, it tries strings that are
/// composed from the patterns of the tests. Only if none of them fits does it visit all states.
struct TextSearch {
    struct Wanted {
        var automaton: TextAutomaton
        let test: TextAutomaton.Test
        let passes: Bool
    }

    enum Result: Sendable {
        case found(String)
        case none
        /// The search took too many steps.
        case notKnown
    }

    private(set) var tests: [Wanted]
    private let excluded: [[UInt8]]
    private let sizes: ClosedRange<Int>
    /// One byte of each class that no automaton distinguishes.
    private var bytes: [UInt8] = []
    /// The remaining steps.
    private(set) var steps: Int
    /// The number of steps after which composed strings are tried.
    private let shortSteps: Int

    /// The state of each automaton, for one search state after the other.
    private var places: [Int32] = []
    private var marks: [Mark] = []
    /// The number of a state, or -1, by hash: open addressing, at most half full.
    private var buckets: [Int32] = Array(repeating: -1, count: 64)
    /// The next state that is extended by bytes.
    private var position = 0

    /// The rest of a search state, besides the states of the automata, and the way that leads to
    /// it.
    private struct Mark {
        var previous: Int32 = -1
        var byte: UInt8 = 0
        /// The bytes of a character that are still missing, and the least and greatest next byte.
        var rest: UInt8 = 0
        var least: UInt8 = 0x80
        var greatest: UInt8 = 0xBF
        /// The number of characters so far, capped at the largest number that matters.
        var size: Int32 = 0
        /// The index of the first excluded string with this beginning; -1 if no excluded string has
        /// it.
        var excluded: Int32 = -1
        var depth: Int32 = 0

        func isEqual(to other: Mark) -> Bool {
            rest == other.rest && least == other.least && greatest == other.greatest
                && size == other.size && excluded == other.excluded && depth == other.depth
        }

        func hash(into hash: inout UInt64) {
            TextSearch.mix(UInt64(rest) << 16 | UInt64(least) << 8 | UInt64(greatest), into: &hash)
            TextSearch.mix(UInt64(truncatingIfNeeded: size), into: &hash)
            let excluded = UInt64(truncatingIfNeeded: self.excluded)
            TextSearch.mix(excluded << 32 ^ UInt64(truncatingIfNeeded: depth), into: &hash)
        }
    }

    /// Creates a search. The excluded strings must be sorted by their bytes.
    init(
        _ tests: [Wanted], excluded: [[UInt8]], sizes: ClosedRange<Int>, steps: Int,
        shortSteps: Int
    ) {
        self.tests = tests
        self.excluded = excluded
        self.sizes = sizes
        self.steps = steps
        self.shortSteps = shortSteps
        bytes = representatives()
        self.steps -= Self.candidates.count * (tests.count + 1)
    }

    /// Bytes in the order in which they are tried; readable ones come first.
    private static let candidates: [UInt8] =
        Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + (UInt8(ascii: "0")...UInt8(ascii: "9"))
        + (UInt8(ascii: "A")...UInt8(ascii: "Z")) + (0x20...0x7E) + (0x00...0xFF)

    private func representatives() -> [UInt8] {
        var kinds: Set<[UInt8]> = []
        var found: [UInt8] = []
        let used = Set(excluded.joined())
        for byte in Self.candidates {
            var kind = tests.map { $0.automaton.classes[Int(byte)] }
            kind.append(Self.kind(byte))
            kind.append(used.contains(byte) ? byte : 0)
            if kinds.insert(kind).inserted { found.append(byte) }
        }
        return found
    }

    /// Returns the class of a byte, within which UTF-8 doesn't distinguish.
    private static func kind(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x00...0x7F: 0
        case 0x80...0x8F: 1
        case 0x90...0x9F: 2
        case 0xA0...0xBF: 3
        case 0xC2...0xDF: 4
        case 0xE0: 5
        case 0xED: 6
        case 0xE1...0xEC, 0xEE...0xEF: 7
        case 0xF0: 8
        case 0xF1...0xF3: 9
        case 0xF4: 10
        default: 11
        }
    }

    mutating func find() -> Result {
        let short = explore(downTo: max(steps - shortSteps, 0))
        guard case .notKnown = short else { return short }
        if let text = composed() { return .found(text) }
        return explore(downTo: 0)
    }
}

// MARK: All states

extension TextSearch {
    /// Finds the shortest string, in bytes, while more than `least` steps are left.
    private mutating func explore(downTo least: Int) -> Result {
        if marks.isEmpty, !start() { return .none }
        while position < marks.count {
            if isAccepted(position) { return .found(text(to: position)) }
            guard steps > least else { return .notKnown }
            for byte in bytes { visit(byte, after: position) }
            position += 1
        }
        return .none
    }

    /// Adds the state before the first byte. Returns false if no string can lead on from it.
    private mutating func start() -> Bool {
        for number in tests.indices {
            let place = tests[number].automaton.start()
            if isHopeless(place, number) { return false }
            places.append(Int32(place))
        }
        var mark = Mark()
        mark.excluded = excluded.isEmpty ? -1 : 0
        keep(mark, hash: hash(mark, from: 0))
        return true
    }

    private func text(to position: Int) -> String {
        var bytes: [UInt8] = []
        var position = position
        while position > 0 {
            bytes.append(marks[position].byte)
            position = Int(marks[position].previous)
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    private func isHopeless(_ place: Int, _ number: Int) -> Bool {
        place == (tests[number].passes ? TextAutomaton.dead : TextAutomaton.match)
    }

    private mutating func isAccepted(_ position: Int) -> Bool {
        let mark = marks[position]
        guard mark.rest == 0, Int(mark.size) >= sizes.lowerBound else { return false }
        if mark.excluded >= 0, excluded[Int(mark.excluded)].count == Int(mark.depth) {
            return false
        }
        for number in tests.indices {
            steps -= 1
            let place = Int(places[position * tests.count + number])
            guard tests[number].automaton.acceptsAtEnd(place) == tests[number].passes else {
                return false
            }
        }
        return true
    }

    /// Adds the state after a byte, unless it is known or no string can lead on from it.
    private mutating func visit(_ byte: UInt8, after position: Int) {
        steps -= 1
        guard var mark = Self.readUTF8(byte, after: marks[position]) else { return }
        if byte & 0xC0 != 0x80 {
            // Above the least size, it only matters whether the size exceeds the greatest one.
            let most = sizes.upperBound == .max ? sizes.lowerBound : sizes.upperBound + 1
            mark.size = Int32(min(Int(mark.size) + 1, most))
            if Int(mark.size) > sizes.upperBound { return }
        }
        let start = places.count
        for number in tests.indices {
            let place = tests[number].automaton.step(
                Int(places[position * tests.count + number]), byte: byte)
            steps -= 1 + tests[number].automaton.takeWork() >> 1
            if isHopeless(place, number) {
                places.removeLast(places.count - start)
                return
            }
            places.append(Int32(place))
        }
        if mark.excluded >= 0 { readExcluded(byte, &mark) }
        mark.previous = Int32(position)
        mark.byte = byte
        keep(mark, hash: hash(mark, from: start))
    }

    fileprivate static func mix(_ word: UInt64, into hash: inout UInt64) {
        // An odd multiplier without a pattern; the shift brings the upper bits down again.
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
    }

    private func hash(_ mark: Mark, from start: Int) -> UInt64 {
        var hash: UInt64 = 0
        mark.hash(into: &hash)
        for place in start..<start + tests.count {
            Self.mix(UInt64(truncatingIfNeeded: places[place]), into: &hash)
        }
        return hash
    }

    /// Keeps the state that was added to `places` last, or removes it if it is known.
    private mutating func keep(_ mark: Mark, hash: UInt64) {
        steps -= 1
        let count = tests.count
        let start = places.count - count
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let known = Int(buckets[bucket])
            if marks[known].isEqual(to: mark), areEqual(known * count, start, count) {
                places.removeLast(count)
                return
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        buckets[bucket] = Int32(marks.count)
        marks.append(mark)
        if marks.count * 2 > buckets.count { grow() }
    }

    private func areEqual(_ one: Int, _ other: Int, _ count: Int) -> Bool {
        for offset in 0..<count where places[one + offset] != places[other + offset] {
            return false
        }
        return true
    }

    private mutating func grow() {
        buckets = Array(repeating: -1, count: buckets.count * 2)
        for number in marks.indices {
            let hash = hash(marks[number], from: number * tests.count)
            var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = Int32(number)
        }
    }

    /// Updates the excluded strings. They are sorted, so that those with the same beginning are
    /// neighbors.
    private mutating func readExcluded(_ byte: UInt8, _ mark: inout Mark) {
        let depth = Int(mark.depth)
        let first = Int(mark.excluded)
        var start = Array(excluded[first].prefix(depth))
        start.append(byte)
        var (lower, upper) = (first, excluded.count)
        while lower < upper {
            steps -= 1
            let middle = lower + (upper - lower) / 2
            if excluded[middle].lexicographicallyPrecedes(start) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        if lower < excluded.count, excluded[lower].starts(with: start) {
            mark.excluded = Int32(lower)
            mark.depth += 1
        } else {
            mark.excluded = -1
            mark.depth = 0
        }
    }

    /// Returns the UTF-8 state after a byte; nil if the byte can't continue a character.
    private static func readUTF8(_ byte: UInt8, after mark: Mark) -> Mark? {
        var next = mark
        if mark.rest > 0 {
            guard mark.least <= byte, byte <= mark.greatest else { return nil }
            next.rest -= 1
            (next.least, next.greatest) = (0x80, 0xBF)
            return next
        }
        switch byte {
        case 0x00...0x7F: return next
        case 0xC2...0xDF: next.rest = 1
        case 0xE0: (next.rest, next.least) = (2, 0xA0)
        case 0xED: (next.rest, next.greatest) = (2, 0x9F)
        case 0xE1...0xEF: next.rest = 2
        case 0xF0: (next.rest, next.least) = (3, 0x90)
        case 0xF1...0xF3: next.rest = 3
        case 0xF4: (next.rest, next.greatest) = (3, 0x8F)
        default: return nil
        }
        return next
    }
}

// MARK: Composed strings

extension TextSearch {
    /// Returns a string composed of the beginnings, parts, and ends that the tests require; nil if
    /// none of the strings that are tried passes all tests.
    private mutating func composed() -> String? {
        var (start, end) = ("", "")
        var parts: [String] = []
        var wholes: [String] = []
        for number in tests.indices where tests[number].passes {
            switch tests[number].test {
            case .startsWith(let text): start = Self.longer(start, text)
            case .endsWith(let text): end = Self.longer(end, text)
            case .contains(let text): parts.append(text)
            case .equals(let text): wholes.append(text)
            case .isBelow: continue
            case .matches(let pattern):
                guard let text = shortest(tests[number]) else { continue }
                switch (pattern.utf8.first == UInt8(ascii: "^"), pattern.utf8.last == 0x24) {
                case (true, true): wholes.append(text)
                case (true, false): start = Self.longer(start, text)
                case (false, true): end = Self.longer(end, text)
                case (false, false): parts.append(text)
                }
            }
        }
        let filler = filler
        for whole in wholes where fits(whole) { return whole }
        for separator in ["", filler] {
            for middle in [parts, parts.reversed()] {
                let text = ([start] + middle).joined(separator: separator) + separator
                let size = text.unicodeScalars.count + end.unicodeScalars.count
                guard sizes.lowerBound - size <= Self.mostFilled, steps > 0 else { continue }
                let filling = String(repeating: filler, count: max(sizes.lowerBound - size, 0))
                let whole = text + filling + end
                if fits(whole) { return whole }
            }
        }
        return nil
    }

    /// The maximum number of characters that are inserted to make a string long enough.
    private static let mostFilled = 10_000

    private static func longer(_ one: String, _ other: String) -> String {
        one.utf8.count < other.utf8.count ? other : one
    }

    /// Returns the shortest string that passes one test.
    private mutating func shortest(_ test: Wanted) -> String? {
        let steps = min(self.steps, Self.stepsOfPart)
        var search = TextSearch(
            [test], excluded: [], sizes: 0...Int.max, steps: steps, shortSteps: steps)
        let result = search.explore(downTo: 0)
        self.steps -= steps - search.steps
        guard case .found(let text) = result else { return nil }
        return text
    }

    /// The maximum number of steps to find the shortest string that matches a pattern.
    private static let stepsOfPart = 20_000

    /// A character that the tests don't contain.
    private var filler: String {
        var used: Set<UInt8> = []
        for wanted in tests { used.formUnion(wanted.test.text.utf8) }
        let free = Self.fillers.utf8.first { !used.contains($0) }
        return free.map { String(decoding: [$0], as: UTF8.self) } ?? "0"
    }

    private static let fillers = "0 -_.abcdefghijklmnopqrstuvwxyz~#"

    /// Returns true if a string passes all tests, has an allowed size, and isn't excluded.
    private mutating func fits(_ text: String) -> Bool {
        guard sizes.contains(text.unicodeScalars.count),
            !excluded.contains(where: { $0.elementsEqual(text.utf8) })
        else { return false }
        return TextSearch.passes(text, &tests, &steps)
    }

    /// Returns true if a string passes tests and fails others, as required.
    static func passes(_ text: String, _ tests: inout [Wanted], _ steps: inout Int) -> Bool {
        for number in tests.indices {
            let isPassed = tests[number].automaton.accepts(text)
            steps -= text.utf8.count + 1 + tests[number].automaton.takeWork() >> 1
            guard isPassed == tests[number].passes else { return false }
        }
        return true
    }
}

extension TextAutomaton.Test {
    /// The string that the test contains.
    fileprivate var text: String {
        switch self {
        case .contains(let text), .startsWith(let text), .endsWith(let text), .equals(let text),
            .isBelow(let text), .matches(let text):
            text
        }
    }
}
