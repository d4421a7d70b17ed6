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
        var parser = RegexParser(pattern, limits: limits)
        let node = try parser.parseAlternation(depth: 0)
        if parser.peek == ")" {
            throw parser.error("this `)` does not close a group", from: parser.position)
        }
        return node
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
