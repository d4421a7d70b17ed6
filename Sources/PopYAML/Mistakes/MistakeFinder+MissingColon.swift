internal import PopSource

extension MistakeFinder {
    /// Returns the mistake of a line that should be `key: value` and isn't.
    func missingColon() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.contextOffset)
        if isQuote(error.contextOffset), line.value.lowerBound == error.contextOffset {
            return unclosedQuote(error.contextOffset)
        }
        return keyWithoutColon(line)
    }

    func keyWithoutColon(_ line: SourceLine) -> YAMLMistake {
        let content = line.afterDashes..<max(line.afterDashes, line.value.upperBound)
        guard !content.isEmpty else { return unexplained() }
        return YAMLMistake(
            diagnostic: separatorMistake(content)
                ?? .noColon(shown(content), at: range(content)),
            repair: .blank(block(of: line)))
    }

    /// Returns true if there are numbers on both sides of the `:`: `14:00` isn't a key.
    private func isTime(_ colon: Int, content: Range<Int>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes[content.lowerBound..<colon].allSatisfy(digits.contains)
            && bytes[colon + 1..<content.upperBound].first.map(digits.contains) == true
    }

    private func isQuote(_ offset: Int) -> Bool {
        byte(offset) == UInt8(ascii: "\"") || byte(offset) == UInt8(ascii: "'")
    }

    /// Returns a diagnostic for another character that was meant to separate a key from its value.
    private func separatorMistake(_ content: Range<Int>) -> Diagnostic? {
        var offset = content.lowerBound
        while offset < content.upperBound,
            isAnchorCharacter(bytes[offset]) || bytes[offset] == UInt8(ascii: ".")
        {
            offset += 1
        }
        guard offset > content.lowerBound else { return nil }
        let key = shown(content.lowerBound..<offset)
        var behind = offset
        while behind < content.upperBound, isBlank(bytes[behind]) { behind += 1 }
        let sign = character(at: behind)
        switch shown(sign) {
        case ":" where behind == offset:
            return isTime(offset, content: content)
                ? .timeAsKey(shown(content), at: range(content))
                : missingSpace(behind: sign, key: key, content: content)
        case "=":
            return .wrongSeparator(
                "=", key: key, at: range(sign),
                edit: .init(range(offset..<sign.upperBound), replacement: ":"))
        case "\u{FF1A}":
            return .wrongSeparator(
                "\u{FF1A}", key: key, at: range(sign),
                edit: .init(range(sign), replacement: ": "))
        default: return nil
        }
    }

    /// Returns a diagnostic for a colon without a blank after it, or with a blank that YAML doesn't
    /// accept.
    private func missingSpace(
        behind colon: Range<Int>, key: String, content: Range<Int>
    ) -> Diagnostic {
        let next = character(at: colon.upperBound)
        if ["\u{A0}", "\u{3000}", "\u{202F}"].contains(shown(next)) {
            return .noSpace(key, at: range(next), edit: .init(range(next), replacement: " "))
        }
        let gap = range(colon.upperBound..<colon.upperBound)
        return .missingSpace(key, at: range(content), edit: .init(gap, replacement: " "))
    }
}

extension MistakeFinder {
    /// Returns the mistake of a word without a colon below a complete map or list in brackets, as
    /// if the word continued it.
    func lineBelowWholeValue(_ line: SourceLine) -> YAMLMistake? {
        let open = byte(line.value.lowerBound)
        let close = open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard let key = line.key, open == UInt8(ascii: "{") || open == UInt8(ascii: "["),
            bytes[line.value].last == close, !bytes[line.value.dropLast()].contains(close),
            let below = line.next, !below.isBlank, below.key == nil, !below.hasDash,
            below.indent > line.indent, below.range.contains(error.offset)
        else { return nil }
        return YAMLMistake(
            diagnostic: .noColon(
                shown(below.value), at: range(below.value), wholeValueOf: shown(key)),
            repair: .blank(block(of: below)))
    }
}

extension Diagnostic {
    /// If a key above already has its whole value, the line isn't part of that value.
    fileprivate static func noColon(
        _ text: String, at range: SourceRange, wholeValueOf key: String? = nil
    ) -> Self {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let isKey =
            words.count == 2
            && words[0].utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- UInt8(ascii: "a") < 26 }
        let line = isKey ? "`\(words[0]): \(words[1])`" : "`\(text): ` and a value after it"
        return Diagnostic(
            .yamlSyntax, message: "`:` is missing after `\(text)`", at: range,
            label: "`key: value` is expected here",
            help: [
                "write \(line)",
                key.map { "indent it as far as `\($0)`, whose value ends above" }
                    ?? "if the line continues the value above, indent it further than the key",
            ])
    }

    static func timeAsKey(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(text)` is not a key", at: range,
            label: "`key: value` is expected here",
            help: [
                "put a value with a `,` in quotes: in braces, a `,` ends the value",
                "write several values as a list: `[…]`",
            ])
    }

    static func missingSpace(_ key: String, at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "a space is missing after `\(key):`", at: range,
            label: "YAML reads this as one word", help: ["write a space after the `:`"],
            fixes: [Fix("insert a space", edits: [edit], isSafe: true)])
    }

    fileprivate static func noSpace(_ key: String, at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the character after `\(key):` only looks like a space",
            at: range,
            label: "not a normal space", help: ["replace it with a space"],
            fixes: [Fix("replace it with a space", edits: [edit], isSafe: true)])
    }

    static func wrongSeparator(
        _ sign: String, key: String, at range: SourceRange, edit: Edit
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(key)` is followed by `\(sign)` instead of `:`", at: range,
            label: "`:` and a space are expected here", help: ["write `\(key): ` and the value"],
            fixes: [Fix("write `:`", edits: [edit], isSafe: false)])
    }
}
