// MARK: Escapes

extension RegexParser {
    /// Parses the part after a backslash outside of a class.
    mutating func parseEscape(from start: Int) throws(RegularExpressionError) -> RegexNode {
        if let set = try parseClassEscape(from: start) { return .scalars(set) }
        switch peek {
        case "A": return assertion(.textStart)
        case "z": return assertion(.textEnd)
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        default: return character(try parseCharacterEscape(from: start))
        }
    }

    private mutating func assertion(_ assertion: RegexAssertion) -> RegexNode {
        position += 1
        return .assertion(assertion)
    }

    /// Parses a set such as `\d` or `\p{Greek}`; nil if the escape is something else.
    mutating func parseClassEscape(
        from start: Int
    ) throws(RegularExpressionError) -> ScalarSet? {
        guard let letter = peek else { return nil }
        if letter == "p" || letter == "P" {
            position += 1
            return try parseUnicodeClass(isNegated: letter == "P", from: start)
        }
        guard let set = NamedClasses.perl(letter) else { return nil }
        position += 1
        return try counted(set)
    }

    private mutating func parseUnicodeClass(
        isNegated: Bool, from start: Int
    ) throws(RegularExpressionError) -> ScalarSet {
        var isNegated = isNegated
        var name = ""
        if skip("{") {
            if skip("^") { isNegated.toggle() }
            guard let text = read(to: "}") else {
                throw error("a closing `}` is missing", from: start)
            }
            name = text
        } else if let letter = next() {
            name = String(letter)
        }
        guard var set = NamedClasses.unicode(name) else {
            throw error(
                "`\(text(from: start))` is unknown: use a general category such as `\\pL` or "
                    + "`\\p{Lu}`, or a script such as `\\p{Greek}`", from: start)
        }
        if flags.ignoresCase { set = try counted(set).ignoringCase }
        return try counted(isNegated ? set.inverted : set)
    }

    /// Parses one character that is written with a backslash.
    mutating func parseCharacterEscape(
        from start: Int
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        guard let letter = next() else {
            throw error("there is nothing after the last `\\`", from: start)
        }
        switch letter {
        case "a": return "\u{07}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "x": return try parseHexadecimal(from: start)
        case "0": return try parseOctal(from: start)
        case "1"..."7" where peek?.digitValue(radix: 8) != nil:
            return try parseOctal(from: start)
        case "1"..."9":
            throw error("`\\\(letter)` refers to a group, which is not supported", from: start)
        default: break
        }
        let isPunctuation = letter.isASCII && !letter.properties.isAlphabetic
        guard isPunctuation else {
            throw error("`\\\(letter)` is not a valid escape", from: start)
        }
        return letter
    }

    /// Parses up to three octal digits, the first of which is already read.
    private mutating func parseOctal(from start: Int) throws(RegularExpressionError)
        -> Unicode.Scalar
    {
        position -= 1
        var value: UInt32 = 0
        let end = position + 3
        while position < end, let digit = peek?.digitValue(radix: 8) {
            value = value * 8 + UInt32(digit)
            position += 1
        }
        return try scalar(value, from: start)
    }

    /// Parses two hexadecimal digits, or any number of them between braces.
    private mutating func parseHexadecimal(
        from start: Int
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        let isBraced = skip("{")
        let most = isBraced ? Int.max : 2
        var value: UInt32 = 0
        var count = 0
        while count < most, let digit = peek?.digitValue(radix: 16) {
            value = min(value * 16 + UInt32(digit), 0x110000)
            count += 1
            position += 1
        }
        guard isBraced ? count > 0 && skip("}") : count == 2 else {
            throw error("a code needs two digits, `\\x7F`, or braces, `\\x{1F600}`", from: start)
        }
        return try scalar(value, from: start)
    }

    private func scalar(
        _ value: UInt32, from start: Int
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else {
            throw error("`\(text(from: start))` is not the code of a character", from: start)
        }
        return scalar
    }
}

// MARK: Classes in brackets

extension RegexParser {
    /// Parses the set of a class whose `[` is already read.
    mutating func parseClass(from start: Int) throws(RegularExpressionError) -> ScalarSet {
        let isNegated = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        // A `]` that comes first is a character.
        while isFirst || peek != "]" {
            isFirst = false
            guard peek != nil else {
                position = start + 1
                throw error("the `[` is not closed: a `]` is missing", from: start)
            }
            ranges += try parseClassItem(from: start).ranges
        }
        position += 1
        let set = try counted(ScalarSet(ranges))
        let folded = flags.ignoresCase ? set.ignoringCase : set
        return isNegated ? folded.inverted : folded
    }

    /// Parses a named set, a character or a range of characters.
    private mutating func parseClassItem(from start: Int) throws(RegularExpressionError)
        -> ScalarSet
    {
        let itemStart = position
        if skip("[:") {
            if let name = readPOSIXName() {
                return try posixClass(name, from: itemStart)
            }
            position = itemStart
        }
        if skip("\\") {
            if let set = try parseClassEscape(from: itemStart) { return set }
            position = itemStart
        }
        let lower = try parseClassCharacter(from: start)
        let dash = position
        // A dash before the closing bracket is a character.
        guard skip("-"), let following = peek, following != "]" else {
            position = dash
            return ScalarSet(lower)
        }
        let upper = try parseClassCharacter(from: start)
        guard lower <= upper else {
            throw error(
                "the range `\(text(from: itemStart))` ends before it starts", from: itemStart)
        }
        return ScalarSet(lower.value...upper.value)
    }

    /// Reads the name between `[:` and `:]`; nil if it isn't closed.
    private mutating func readPOSIXName() -> String? {
        let start = position
        while let scalar = peek, scalar != "]" {
            let end = position
            if skip(":]") {
                let text = self.text(from: start)
                return end == start ? "" : String(text.unicodeScalars.dropLast(2))
            }
            position += 1
        }
        return nil
    }

    private func posixClass(
        _ name: String, from start: Int
    ) throws(RegularExpressionError) -> ScalarSet {
        let isNegated = name.hasPrefix("^")
        guard let set = NamedClasses.posix(isNegated ? String(name.dropFirst()) : name) else {
            throw error(
                "`\(text(from: start))` is unknown: use for example `[:alpha:]`, `[:digit:]`, "
                    + "`[:space:]` or `[:punct:]`", from: start)
        }
        return isNegated ? set.inverted : set
    }

    private mutating func parseClassCharacter(
        from start: Int
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        let itemStart = position
        guard let scalar = next() else {
            position = start + 1
            throw error("the `[` is not closed: a `]` is missing", from: start)
        }
        return scalar == "\\" ? try parseCharacterEscape(from: itemStart) : scalar
    }
}
