internal import PopSource

extension YAMLErrorClassifier {
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
        if let mistake = blockTextNotIndented(line) { return mistake }
        return YAMLMistake(
            diagnostic: separatorMistake(content)
                ?? .noColon(shown(content), at: range(content)),
            repair: .blank(block(of: line)))
    }

    /// Returns the mistake of the lines after `body: |` that are indented no further than `body`.
    private func blockTextNotIndented(_ line: SourceLine) -> YAMLMistake? {
        guard let above = line.previousContent, let key = above.key, line.key == nil,
            let sign = bytes[above.value].first, "|>".utf8.contains(sign),
            bytes[above.value].dropFirst().allSatisfy({ "+-123456789".utf8.contains($0) }),
            line.indent <= key.lowerBound - above.range.lowerBound
        else { return nil }
        var last = line
        while let below = last.nextContent, below.key == nil, !below.hasDash,
            below.indent >= line.indent
        {
            last = below
        }
        return YAMLMistake(
            diagnostic: .textNotIndented(
                of: shown(key), sign: shown(above.value),
                at: range(line.start..<max(line.start, line.value.upperBound)), key: range(key)),
            repair: .blank(line.range.lowerBound..<last.range.upperBound))
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

extension YAMLErrorClassifier {
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
            help: key.map { ["write \(line), indented as far as `\($0)`"] }
                ?? [
                    "write \(line)",
                    "if this line continues the value above, indent the line further than the"
                        + " key of that value",
                ])
    }

    fileprivate static func textNotIndented(
        of key: String, sign: String, at range: SourceRange, key place: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the text after `\(key): \(sign)` is not indented", at: range,
            label: "indented too little to belong to `\(key)`",
            secondary: [Label("the text of `\(key)` is expected below this line", at: place)],
            help: [
                "indent each line of the text further than `\(key)`",
                "if the marked line is a key with its value, write a `:` after the key",
            ])
    }

    static func timeAsKey(_ text: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(text)` is not a key", at: range,
            label: "`key: value` is expected here",
            help: [
                "if the `,` belongs to a string, such as a title, put the whole string in quotes,"
                    + " because in braces, a `,` ends the value",
                "if you mean several parts of the day, list a schedule for each, such as"
                    + " `schedule: [{ hours: 09:00-12:00, zone: local },"
                    + " { hours: 14:00-18:00, zone: local }]`",
            ])
    }

    static func missingSpace(_ key: String, at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "a space is missing after `\(key):`", at: range,
            label: "YAML reads the key and its value as one word",
            help: ["write a space after the `:`"],
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

extension YAMLErrorClassifier {
    /// Returns the key before a value between brackets.
    func flowKey(of value: Range<Int>) -> String? {
        var end = value.lowerBound
        while end > 0, isBlank(bytes[end - 1]) { end -= 1 }
        guard end > 0, bytes[end - 1] == UInt8(ascii: ":") else { return nil }
        end -= 1
        let quote = end > 0 ? bytes[end - 1] : 0
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { end -= 1 }
        var start = end
        while start > 0,
            isAnchorCharacter(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: ".")
        {
            start -= 1
        }
        return start < end ? shown(start..<end) : nil
    }

    /// Returns the mistake in `user.launches: > 3`: an operator at the place where YAML starts a
    /// text block or a tag.
    func comparison(_ value: Range<Int>) -> YAMLMistake? {
        guard let key = flowKey(of: value), !keysOfMaps.contains(key), value.count <= 64,
            let matcher = matcherText(text(value)), matcher.hasPrefix("{")
        else { return nil }
        let edit = QuoteEdits.edit(value, of: bytes, file: file)
        let isSign =
            byte(value.lowerBound) == UInt8(ascii: "!")
            && byte(value.lowerBound + 1) != UInt8(ascii: "=")
        guard !isSign || key.contains(".") else { return nil }
        return YAMLMistake(
            diagnostic: .comparison(
                text(value), key: key, matcher: matcher,
                quoted: key.contains(".") && !isSign ? nil : edit?.replacement,
                at: range(value)),
            repair: .value(value))
    }
}

extension Diagnostic {
    fileprivate static func comparison(
        _ text: String, key: String, matcher: String, quoted: String?, at range: SourceRange
    ) -> Self {
        var help = ["write `\(key): \(matcher)`"]
        if let quoted { help.append("if you mean a string: `\(key): \(quoted)`") }
        return Diagnostic(
            .yamlUnquotedExpression,
            message: "a comparison must be written with a word: `\(matcher)`",
            at: range,
            label: "at the start of a value, `\(text.prefix(1))` has a special meaning in YAML",
            help: help,
            fixes: [
                Fix(
                    "write `\(matcher)`", edits: [.init(range, replacement: matcher)],
                    isSafe: quoted == nil)
            ])
    }
}

/// Returns a comparison without its key, such as `> 3`, in the form that follows the key:
/// `{ gt: 3 }`.
///
/// Returns nil for any other text. Equality needs no operator.
package func matcherText(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    if let span = text.wholeMatch(of: #/(-?[0-9.]+) *(?:\.\.+|–|-| to | and ) *(-?[0-9.]+)/#) {
        return matcherText(from: span.output.1, to: span.output.2)
    }
    if let span = text.wholeMatch(of: #/between +(-?[0-9.]+) +and +(-?[0-9.]+)/#) {
        return matcherText(from: span.output.1, to: span.output.2)
    }
    if let least = text.wholeMatch(of: #/(-?[0-9.]+) ?(?:\+|or more|and more|and up)/#) {
        return Double(least.output.1).map { _ in "{ gte: \(least.output.1) }" }
    }
    let parts = text.split(separator: #/ *(?:&&| and ) */#)
    let tests = parts.map { test(String($0)) }
    guard !tests.isEmpty, tests.count <= 2, !tests.contains(where: { $0 == nil }) else {
        return nil
    }
    let matchers = tests.compactMap(\.self)
    if matchers.count == 1, matchers[0].matcher == "eq" { return matchers[0].operand }
    guard matchers.count == 1 || matchers[0].matcher != matchers[1].matcher else { return nil }
    return "{ \(matchers.map { "\($0.matcher): \($0.operand)" }.joined(separator: ", ")) }"
}

private func matcherText(from lower: Substring, to upper: Substring) -> String? {
    guard let first = Double(lower), let last = Double(upper), first < last else { return nil }
    return "{ gte: \(lower), lte: \(upper) }"
}

/// Returns an operator and its operand, which needs no quotes in braces.
private func test(_ text: String) -> (matcher: String, operand: String)? {
    for (signs, matcher) in operators {
        for sign in signs.split(separator: "|") where text.hasPrefix(sign) {
            let operand = text.dropFirst(sign.count).drop { $0 == " " }
            let isWord = sign.last?.isLetter == true && text.dropFirst(sign.count).first != " "
            guard !isWord, isOperand(operand) else { return nil }
            return (matcher, String(operand))
        }
    }
    return nil
}

/// The operators, ordered so that no sign comes before a longer sign that starts with it.
private let operators: [(signs: String, matcher: String)] = [
    (">=|=>|≥|at least|not less than|not below|min", "gte"),
    ("<=|=<|≤|at most|not more than|not above|up to|max", "lte"),
    ("!==|!=|<>|≠|is not|not|!", "ne"), (">|more than|greater than|over|above", "gt"),
    ("<|less than|under|below", "lt"), ("===|==|=|is|equals", "eq"),
]

/// Returns true for a number, a word, or a quoted string.
private func isOperand(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/-?[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|"[^"\\]*"|'[^']*'/#) != nil
}
