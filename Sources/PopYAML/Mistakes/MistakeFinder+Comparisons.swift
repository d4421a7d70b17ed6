internal import PopSource

extension MistakeFinder {
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
            label: "YAML reads a leading `\(text.prefix(1))` as its own syntax", help: help,
            fixes: [
                Fix(
                    "write `\(matcher)`", edits: [.init(range, replacement: matcher)],
                    isSafe: quoted == nil)
            ])
    }
}
