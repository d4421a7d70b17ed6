/// Parses RE2's syntax. Rules: RE2, "Syntax"; syntax that this page marks as not supported is
/// rejected.
struct RegexParser {
    /// A larger count is rejected, and so are nested counts whose product is larger.
    static let mostRepetitions = 1000

    private let scalars: [Unicode.Scalar]
    /// The offset of each scalar in UTF-8, and of the end.
    private let offsets: [Int]
    var position = 0
    var flags = RegexFlags()
    private var groupNames: Set<String> = []
    private let limits: CELLimits
    /// The number of ranges of the sets created so far: a short name may have hundreds.
    private var rangeCount = 0

    /// Parses a whole pattern.
    static func parse(
        _ pattern: String, limits: CELLimits
    ) throws(RegularExpressionError) -> RegexNode {
        try parseCounting(pattern, limits: limits).node
    }

    /// Returns the pattern, and the number of ranges that its classes have together.
    static func parseCounting(
        _ pattern: String, limits: CELLimits
    ) throws(RegularExpressionError) -> (node: RegexNode, ranges: Int) {
        var parser = RegexParser(pattern, limits: limits)
        let node = try parser.parseAlternation(depth: 0)
        if parser.peek == ")" {
            throw parser.error("this `)` does not close a group", from: parser.position)
        }
        return (node, parser.rangeCount)
    }

    private init(_ pattern: String, limits: CELLimits) {
        scalars = Array(pattern.unicodeScalars)
        var offset = 0
        offsets =
            scalars.map { scalar in
                defer { offset += UTF8.width(scalar) }
                return offset
            } + [pattern.utf8.count]
        self.limits = limits
    }
}

// MARK: Characters

extension RegexParser {
    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        position += 1
        return scalar
    }

    /// Skips a string if it comes next, and returns true if it did.
    mutating func skip(_ text: String) -> Bool {
        let wanted = text.unicodeScalars
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Returns the text from the position to the first occurrence of `end`, and skips that; nil if
    /// `end` doesn't occur.
    mutating func read(to end: Unicode.Scalar) -> String? {
        guard let close = scalars[position...].firstIndex(of: end) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[position..<close])
        position = close + 1
        return String(text)
    }

    /// Returns the pattern from `start` to the position.
    func text(from start: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<position])
        return String(text)
    }

    /// Returns an error about the pattern from `start` to the position, or about one character if
    /// that is empty.
    func error(_ message: String, from start: Int) -> RegularExpressionError {
        let end = min(max(position, start + 1), scalars.count)
        return RegularExpressionError(message, at: offsets[start]..<offsets[max(start, end)])
    }
}

// MARK: Structure

extension RegexParser {
    private mutating func parseAlternation(depth: Int) throws(RegularExpressionError) -> RegexNode {
        var branches = [try parseConcatenation(depth: depth)]
        while skip("|") { branches.append(try parseConcatenation(depth: depth)) }
        return branches.count == 1 ? branches[0] : .alternation(branches)
    }

    private mutating func parseConcatenation(
        depth: Int
    ) throws(RegularExpressionError) -> RegexNode {
        var parts: [RegexNode] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            let start = position
            if skip("\\Q") {
                parts += literal(read(toEndOfQuote: ()))
            } else if let node = try parseAtom(depth: depth) {
                parts.append(node)
            } else {
                continue
            }
            guard let last = parts.last else { continue }
            let repeated = try parseRepetition(of: last, from: start)
            parts[parts.count - 1] = repeated
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .concatenation(parts)
    }

    /// Parses one character, class, assertion or group; nil for flags, which match nothing
    /// themselves.
    private mutating func parseAtom(depth: Int) throws(RegularExpressionError) -> RegexNode? {
        let start = position
        guard let scalar = next() else { return nil }
        switch scalar {
        case "(":
            guard depth < limits.regexNesting else {
                throw error(
                    "the groups are nested more than \(limits.regexNesting) levels deep",
                    from: start)
            }
            return try parseGroup(from: start, depth: depth)
        case "[": return .scalars(try parseClass(from: start))
        case ".":
            let newline = ScalarSet(0x0A...0x0A)
            return .scalars(flags.dotMatchesNewline ? .all : newline.inverted)
        case "^": return .assertion(flags.isMultiLine ? .lineStart : .textStart)
        case "$": return .assertion(flags.isMultiLine ? .lineEnd : .textEnd)
        case "\\": return try parseEscape(from: start)
        case "*", "+", "?": throw error("nothing to repeat before `\(scalar)`", from: start)
        case "{":
            position = start
            if try parseCount() != nil {
                throw error("nothing to repeat before `\(text(from: start))`", from: start)
            }
            position = start + 1
            return character(scalar)
        default: return character(scalar)
        }
    }

    /// Returns a set unchanged; throws if the sets of the pattern have too many ranges together.
    mutating func counted(_ set: ScalarSet) throws(RegularExpressionError) -> ScalarSet {
        rangeCount += set.ranges.count
        guard rangeCount <= limits.regexRanges else {
            position = scalars.count
            throw error("the character classes in the pattern are too large", from: 0)
        }
        return set
    }

    func character(_ scalar: Unicode.Scalar) -> RegexNode {
        let set = ScalarSet(scalar)
        return .scalars(flags.ignoresCase ? set.ignoringCase : set)
    }

    private func literal(_ text: [Unicode.Scalar]) -> [RegexNode] { text.map(character) }

    /// Returns the characters after `\Q` up to `\E` or the end.
    private mutating func read(toEndOfQuote: Void) -> [Unicode.Scalar] {
        let start = position
        while position < scalars.count {
            let end = position
            if skip("\\E") { return Array(scalars[start..<end]) }
            position += 1
        }
        return Array(scalars[start...])
    }
}

// MARK: Groups

extension RegexParser {
    private mutating func parseGroup(
        from start: Int, depth: Int
    ) throws(RegularExpressionError) -> RegexNode? {
        let outer = flags
        if skip("?"), try parseGroupKind(from: start) == .flags { return nil }
        let node = try parseAlternation(depth: depth + 1)
        guard skip(")") else {
            position = start + 1
            throw error("this group is not closed: a `)` is missing", from: start)
        }
        flags = outer
        return node
    }

    private enum GroupKind { case group, flags }

    /// Parses the part after `(?`.
    private mutating func parseGroupKind(
        from start: Int
    ) throws(RegularExpressionError) -> GroupKind {
        for lookaround in ["=", "!", "<=", "<!"] where skip(lookaround) {
            throw error(
                "`\(text(from: start))` looks ahead or back, which is not supported", from: start)
        }
        if skip("P<") || skip("<") {
            try parseGroupName(from: start)
            return .group
        }
        return try parseFlags(from: start)
    }

    private mutating func parseGroupName(from start: Int) throws(RegularExpressionError) {
        guard let name = read(to: ">"), !name.isEmpty,
            name.unicodeScalars.allSatisfy({
                $0 == "_" || $0.properties.isAlphabetic || isNumber($0)
            })
        else {
            throw error("a group name must be letters, digits and `_`, then `>`", from: start)
        }
        guard groupNames.insert(name).inserted else {
            throw error("two groups have the name `\(name)`", from: start)
        }
    }

    private func isNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType != nil
    }

    private mutating func parseFlags(from start: Int) throws(RegularExpressionError) -> GroupKind {
        var changed = flags
        var isOn = true
        var count = 0
        while let scalar = next() {
            switch scalar {
            case "i": changed.ignoresCase = isOn
            case "m": changed.isMultiLine = isOn
            case "s": changed.dotMatchesNewline = isOn
            case "U": break  // decides between matches of different lengths only
            case "-" where isOn:
                isOn = false
                count = -1
            case ":" where isOn || count > 0, ")" where isOn || count > 0:
                flags = changed
                return scalar == ":" ? .group : .flags
            default:
                throw error(
                    "`\(text(from: start))` is not a valid group: use `(?:`, `(?P<name>` or "
                        + "the flags i, m, s and U", from: start)
            }
            count += 1
        }
        throw error("this group is not closed: a `)` is missing", from: start)
    }
}

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

/// A parsed regular expression.
///
/// Only the existence of a match is needed, so groups aren't kept and greedy repetitions equal lazy
/// ones.
indirect enum RegexNode: Sendable, Hashable {
    /// The empty string.
    case empty
    /// One of a set of characters; an empty set matches nothing.
    case scalars(ScalarSet)
    /// The empty string, only at some positions.
    case assertion(RegexAssertion)
    case concatenation([RegexNode])
    case alternation([RegexNode])
    /// `most` is nil for any number.
    case repetition(RegexNode, least: Int, most: Int?)
}

/// A condition on the neighbors of a position.
enum RegexAssertion: Sendable, Hashable {
    case textStart
    case textEnd
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary
}

/// The flags that `(?imsU)` sets.
struct RegexFlags: Sendable, Hashable {
    var ignoresCase = false
    /// True if `^` and `$` also match at the starts and ends of lines.
    var isMultiLine = false
    /// True if `.` also matches a line feed.
    var dotMatchesNewline = false
}
