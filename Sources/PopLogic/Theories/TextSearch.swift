internal import PopCEL

/// Looks for the shortest text that passes tests, fails others, is none of some texts and has a
/// size in a range: all automata read one text at once, and with them one that knows UTF-8.
struct TextSearch {
    struct Wanted {
        var automaton: TextAutomaton
        let passes: Bool
    }

    enum Result {
        case found(String)
        case none
        /// It took too many steps.
        case notKnown
    }

    private var tests: [Wanted]
    private let excluded: [[UInt8]]
    private let sizes: ClosedRange<Int>
    /// One byte of each kind that no automaton tells apart.
    private var bytes: [UInt8] = []
    private(set) var steps: Int

    /// Where all automata are, behind one byte more than what leads there.
    private struct State {
        let previous: Int
        let byte: UInt8
    }

    /// What a state is known by.
    private struct Key: Hashable {
        var places: [Int32]
        /// Bytes of a character that are still to come, and the least and greatest of the next.
        var rest: UInt8 = 0
        var next: ClosedRange<UInt8> = 0x80...0xBF
        /// Characters so far; more than the most that matter count as these.
        var size: Int32 = 0
        /// The excluded texts that begin so, by the first of them; -1 for none.
        var excluded: Int32 = -1
        var depth: Int32 = 0
    }

    init(
        _ tests: [Wanted], excluded: [String], sizes: ClosedRange<Int>, steps: Int
    ) {
        self.tests = tests
        self.excluded = excluded.map { Array($0.utf8) }
        self.sizes = sizes
        self.steps = steps
        bytes = representatives()
    }

    /// Bytes that people can read come first.
    private func representatives() -> [UInt8] {
        var kinds: Set<[UInt8]> = []
        var found: [UInt8] = []
        let readable =
            Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + (UInt8(ascii: "0")...UInt8(ascii: "9"))
            + (UInt8(ascii: "A")...UInt8(ascii: "Z")) + (0x20...0x7E)
        let used = Set(excluded.joined())
        for byte in readable + (0x00...0xFF) {
            var kind = tests.map { $0.automaton.classes[Int(byte)] }
            kind.append(Self.kind(byte))
            kind.append(used.contains(byte) ? byte : 0)
            if kinds.insert(kind).inserted { found.append(byte) }
        }
        return found
    }

    /// Bytes that UTF-8 itself does not tell apart.
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

    /// The shortest text, in bytes.
    mutating func find() -> Result {
        var first = Key(places: [])
        for number in tests.indices {
            first.places.append(Int32(tests[number].automaton.start()))
        }
        first.excluded = excluded.isEmpty ? -1 : 0
        guard !isHopeless(first) else { return .none }
        var keys = [first]
        var states = [State(previous: -1, byte: 0)]
        var known: Set<Key> = [first]
        var position = 0
        while position < keys.count {
            if isAccepted(keys[position]) { return .found(text(to: position, states)) }
            for byte in bytes {
                steps -= 1
                guard steps > 0 else { return .notKnown }
                guard let next = step(keys[position], byte: byte), !isHopeless(next),
                    known.insert(next).inserted
                else { continue }
                keys.append(next)
                states.append(State(previous: position, byte: byte))
            }
            position += 1
        }
        return .none
    }

    private func text(to position: Int, _ states: [State]) -> String {
        var bytes: [UInt8] = []
        var position = position
        while position > 0 {
            bytes.append(states[position].byte)
            position = states[position].previous
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    private func isHopeless(_ key: Key) -> Bool {
        if Int(key.size) > sizes.upperBound { return true }
        return zip(tests, key.places).contains { test, place in
            Int(place) == (test.passes ? TextAutomaton.dead : TextAutomaton.match)
        }
    }

    private mutating func isAccepted(_ key: Key) -> Bool {
        guard key.rest == 0, Int(key.size) >= sizes.lowerBound else { return false }
        if key.excluded >= 0, excluded[Int(key.excluded)].count == Int(key.depth) { return false }
        for number in tests.indices {
            let place = Int(key.places[number])
            guard tests[number].automaton.acceptsAtEnd(place) == tests[number].passes else {
                return false
            }
        }
        return true
    }

    private mutating func step(_ key: Key, byte: UInt8) -> Key? {
        guard var next = Self.stepUTF8(key, byte: byte) else { return nil }
        if byte & 0xC0 != 0x80 {
            // Behind the least size only more than the greatest matters.
            let most = sizes.upperBound == .max ? sizes.lowerBound : sizes.upperBound + 1
            next.size = Int32(min(Int(key.size) + 1, most))
        }
        for number in tests.indices {
            let work = tests[number].automaton.work
            next.places[number] = Int32(
                tests[number].automaton.step(Int(key.places[number]), byte: byte))
            steps -= (tests[number].automaton.work - work) >> 3
        }
        if key.excluded >= 0 { leaveExcluded(&next, byte: byte) }
        return next
    }

    /// The excluded texts are sorted, so that those which begin alike stand side by side.
    private func leaveExcluded(_ key: inout Key, byte: UInt8) {
        let depth = Int(key.depth)
        let prefix = excluded[Int(key.excluded)].prefix(depth)
        var candidate = Int(key.excluded)
        while candidate < excluded.count, excluded[candidate].starts(with: prefix) {
            let text = excluded[candidate]
            if text.count > depth, text[depth] == byte {
                key.excluded = Int32(candidate)
                key.depth += 1
                return
            }
            candidate += 1
        }
        key.excluded = -1
        key.depth = 0
    }

    /// Where UTF-8 goes on; nil where no character goes on so.
    private static func stepUTF8(_ key: Key, byte: UInt8) -> Key? {
        var next = key
        if key.rest > 0 {
            guard key.next.contains(byte) else { return nil }
            next.rest -= 1
            next.next = 0x80...0xBF
            return next
        }
        switch byte {
        case 0x00...0x7F: return next
        case 0xC2...0xDF: next.rest = 1
        case 0xE0: (next.rest, next.next) = (2, 0xA0...0xBF)
        case 0xED: (next.rest, next.next) = (2, 0x80...0x9F)
        case 0xE1...0xEF: next.rest = 2
        case 0xF0: (next.rest, next.next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: next.rest = 3
        case 0xF4: (next.rest, next.next) = (3, 0x80...0x8F)
        default: return nil
        }
        return next
    }
}
