// MARK: Repetitions

extension RegexParser {
    /// Parses a repetition operator after a node, if there is one.
    mutating func parseRepetition(
        of node: RegexNode, from start: Int
    ) throws(RegularExpressionError) -> RegexNode {
        let operatorStart = position
        guard let count = try parseOperator() else { return node }
        _ = skip("?")  // prefers fewer: the same texts match
        let second = position
        if try parseOperator() != nil {
            throw error("two repetitions follow each other", from: operatorStart)
        }
        position = second
        let most = count.most ?? count.least
        if most > 1, mostCopies(of: node) * max(most, 1) > Self.mostRepetitions {
            throw error(
                "this repeats something more than \(Self.mostRepetitions) times", from: start)
        }
        return .repetition(node, least: count.least, most: count.most)
    }

    private mutating func parseOperator() throws(RegularExpressionError) -> Count? {
        switch peek {
        case "*":
            position += 1
            return Count(least: 0, most: nil)
        case "+":
            position += 1
            return Count(least: 1, most: nil)
        case "?":
            position += 1
            return Count(least: 0, most: 1)
        case "{": return try parseCount()
        default: return nil
        }
    }

    struct Count {
        var least: Int
        /// Nil for any number.
        var most: Int?
    }

    /// Parses `{2}`, `{2,}` or `{2,5}`; returns nil and reads nothing for other text, where the
    /// brace is a character.
    mutating func parseCount() throws(RegularExpressionError) -> Count? {
        let start = position
        guard skip("{"), let least = readNumber() else {
            position = start
            return nil
        }
        var most: Int? = least
        if skip(",") { most = readNumber() }
        guard skip("}") else {
            position = start
            return nil
        }
        guard least <= Self.mostRepetitions, (most ?? 0) <= Self.mostRepetitions else {
            throw error("a count can be at most \(Self.mostRepetitions)", from: start)
        }
        if let most, most < least {
            throw error("the smaller count must come first", from: start)
        }
        return Count(least: least, most: most)
    }

    /// Reads decimal digits; any number beyond the maximum is returned as the maximum plus 1.
    private mutating func readNumber() -> Int? {
        var number: Int?
        while let digit = peek, let value = digit.digitValue(radix: 10) {
            number = min((number ?? 0) * 10 + value, Self.mostRepetitions + 1)
            position += 1
        }
        return number
    }

    /// Returns the maximum number of copies that the counts of a node create of any part of it.
    private func mostCopies(of node: RegexNode) -> Int {
        switch node {
        case .empty, .scalars, .assertion: 1
        case .concatenation(let parts), .alternation(let parts):
            parts.map(mostCopies).max() ?? 1
        case .repetition(let part, let least, let most):
            mostCopies(of: part) * max(most ?? least, 1)
        }
    }
}

extension Unicode.Scalar {
    /// Returns the value of an ASCII digit or letter as a digit of numbers in a base up to 16.
    func digitValue(radix: Int) -> Int? {
        let digit: Int? =
            switch value {
            case 0x30...0x39: Int(value) - 0x30
            case 0x41...0x46: Int(value) - 0x41 + 10
            case 0x61...0x66: Int(value) - 0x61 + 10
            default: nil
            }
        return digit.flatMap { $0 < radix ? $0 : nil }
    }
}
