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
                throw error("this class is not closed: a `]` is missing", from: start)
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
            throw error("this class is not closed: a `]` is missing", from: start)
        }
        return scalar == "\\" ? try parseCharacterEscape(from: itemStart) : scalar
    }
}
