internal import PopSource

/// A test of strings as an automaton that reads their UTF-8 byte by byte, to decide whether several
/// tests can hold for one string.
///
/// Its states are created as they are reached, and numbered. Two numbers aren't states: after
/// `dead` no string is accepted, after `match` every string.
package struct TextAutomaton: Sendable {
    /// A test of a string.
    package enum Test: Sendable {
        case contains(String)
        case startsWith(String)
        case endsWith(String)
        case equals(String)
        /// The string comes before another one in the order of Unicode scalars.
        case isBelow(String)
        /// A pattern matches the string or a part of it.
        case matches(String)
    }

    /// The conversion of a string before it is tested.
    package enum Folding: Hashable, Sendable {
        case none
        case lowerASCII
        case upperASCII
    }

    package static let dead = StateStepper.dead
    package static let match = StateStepper.match

    /// The class of each byte: from any state, bytes of one class lead to the same state.
    package let classes: [UInt8]
    private let folding: Folding
    private let byteClasses: ByteClasses
    private var stepper: StateStepper
    /// The instructions visited until the last call of `takeWork`.
    private var workTaken = 0
    /// The number of states that were reached so far.
    package var stateCount: Int { stepper.count }
    /// The number of instructions that it consists of.
    package var size: Int { stepper.size }
    private var known: [Int32] = []
    private static let unknown: Int32 = -3

    /// Returns nil if the test is a pattern that is invalid or too large.
    package init?(_ test: Test, folding: Folding = .none, limits: CELLimits = .standard) {
        guard let node = Self.node(test, limits: limits),
            let program = RegexProgram(node, mostStates: limits.regexStates)
        else { return nil }
        byteClasses = ByteClasses(program)
        stepper = StateStepper(program)
        self.folding = folding
        let plain = byteClasses.classes
        classes = (0...255).map { plain[Int(folding.folded(UInt8($0)))] }
    }

    package mutating func start() -> Int { stepper.start() }

    /// Returns the number of instructions that were visited since the last call. It changes the
    /// automaton in place; reading a property would copy it.
    package mutating func takeWork() -> Int {
        defer { workTaken = stepper.work }
        return stepper.work - workTaken
    }

    /// Returns the state after a byte.
    package mutating func step(_ state: Int, byte: UInt8) -> Int {
        if state < 0 { return state }
        let entry = state * byteClasses.count + Int(classes[Int(byte)])
        if entry >= known.count {
            known += repeatElement(Self.unknown, count: entry + 1 - known.count)
        }
        if known[entry] != Self.unknown { return Int(known[entry]) }
        let next = stepper.step(state, byte: folding.folded(byte))
        known[entry] = Int32(next)
        return next
    }

    /// Returns true if a string is accepted that ends here.
    package mutating func acceptsAtEnd(_ state: Int) -> Bool {
        state >= 0 ? stepper.matchesAtEnd(state) : state == Self.match
    }

    /// Returns true if a string passes the test.
    package mutating func accepts(_ text: String) -> Bool {
        var state = start()
        for byte in text.utf8 where state >= 0 { state = step(state, byte: byte) }
        return acceptsAtEnd(state)
    }
}

extension TextAutomaton.Folding {
    /// Returns the converted byte.
    func folded(_ byte: UInt8) -> UInt8 {
        switch self {
        case .none: byte
        case .lowerASCII: (65...90).contains(byte) ? byte + 32 : byte
        case .upperASCII: (97...122).contains(byte) ? byte - 32 : byte
        }
    }
}

extension TextAutomaton {
    private static func node(_ test: Test, limits: CELLimits) -> RegexNode? {
        switch test {
        case .contains(let part): return .concatenation(scalars(of: part))
        case .startsWith(let part):
            return .concatenation([.assertion(.textStart)] + scalars(of: part))
        case .endsWith(let part):
            return .concatenation(scalars(of: part) + [.assertion(.textEnd)])
        case .equals(let text):
            return .concatenation(
                [.assertion(.textStart)] + scalars(of: text) + [.assertion(.textEnd)])
        case .isBelow(let text): return below(text)
        case .matches(let pattern): return try? RegexParser.parse(pattern, limits: limits)
        }
    }

    private static func scalars(of text: String) -> [RegexNode] {
        text.unicodeScalars.map { .scalars(ScalarSet($0)) }
    }

    /// Returns an expression for strings that share a prefix with `text`, and then end or continue
    /// with a lesser scalar.
    private static func below(_ text: String) -> RegexNode {
        let scalars = Array(text.unicodeScalars)
        var node = RegexNode.scalars(ScalarSet())
        for scalar in scalars.reversed() {
            let next = RegexNode.concatenation([.scalars(ScalarSet(scalar)), node])
            let less =
                scalar.value == 0
                ? RegexNode.scalars(ScalarSet()) : .scalars(ScalarSet(0...scalar.value - 1))
            node = .alternation([.assertion(.textEnd), less, next])
        }
        return .concatenation([.assertion(.textStart), node])
    }
}

extension TextAutomaton.Test: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(exact.kind)
        hasher.combine(exact.text)
    }

    private var exact: (kind: Int, text: ExactText) {
        switch self {
        case .contains(let text): (0, ExactText(text))
        case .startsWith(let text): (1, ExactText(text))
        case .endsWith(let text): (2, ExactText(text))
        case .equals(let text): (3, ExactText(text))
        case .isBelow(let text): (4, ExactText(text))
        case .matches(let text): (5, ExactText(text))
        }
    }
}
