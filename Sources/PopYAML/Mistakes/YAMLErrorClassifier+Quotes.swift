internal import PopSource

extension YAMLErrorClassifier {
    /// Returns the mistake of a quote that is only closed by the quote of another string, on a line
    /// further down.
    func quoteClosedBelow() -> YAMLMistake? {
        guard let quoted = error.lastQuoted, quoted.upperBound <= error.offset else { return nil }
        let line = SourceLine(bytes, at: quoted.upperBound - 1)
        guard quoted.lowerBound < line.range.lowerBound, line.range.contains(error.offset),
            line.key != nil || line.hasDash
        else { return nil }
        return unclosedQuote(quoted.lowerBound)
    }

    /// Returns the mistake of a quoted string that isn't closed, or is closed far below by the
    /// opening quote of another.
    func unclosedQuote(_ offset: Int) -> YAMLMistake {
        var start = offset
        if let quoted = error.lastQuoted, quoted.upperBound <= offset {
            // The quote that stays open at the end of the file may be the partner of an earlier
            // quote.
            let closing = SourceLine(bytes, at: quoted.upperBound - 1)
            if quoted.lowerBound < closing.range.lowerBound, closing.key != nil || closing.hasDash {
                start = quoted.lowerBound
            }
        }
        if let value = value(around: start), value.lowerBound < start, looksLikeExpression(value),
            bytes[value].count(where: { $0 == bytes[start] }).isMultiple(of: 2)
        {
            return unquotedValue(value)
        }
        let line = SourceLine(bytes, at: start)
        var end = line.range.upperBound
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        let quote = shown(start..<start + 1)
        let place = start..<max(end, start + 1)
        let inner = start + 1..<place.upperBound
        if let mistake = otherQuote(place) { return mistake }
        let isInside = line.value.lowerBound < start && line.value.contains(start)
        return YAMLMistake(
            diagnostic: .unclosedQuote(
                quote, at: range(place), text: shown(inner),
                edit: .init(range(place.upperBound..<place.upperBound), replacement: quote)),
            repair: .value(isInside ? line.value.lowerBound..<place.upperBound : place))
    }

    /// Returns the mistake in `'high"`: a string that ends with the other kind of quote.
    private func otherQuote(_ place: Range<Int>) -> YAMLMistake? {
        let (quote, last) = (byte(place.lowerBound), place.upperBound - 1)
        let other = quote == UInt8(ascii: "'") ? UInt8(ascii: "\"") : UInt8(ascii: "'")
        guard place.count > 2, byte(last) == other,
            !bytes[place.lowerBound + 1..<last].contains(where: { $0 == quote || $0 == other })
        else { return nil }
        return YAMLMistake(
            diagnostic: .otherQuote(
                text(place.lowerBound..<last), at: range(place),
                edit: .init(range(last..<last + 1), replacement: text(place.prefix(1)))),
            repair: .value(place))
    }

    /// Returns the mistake of a backslash in double quotes that isn't a valid YAML escape.
    func wrongEscape() -> YAMLMistake {
        var backslash = min(error.offset, bytes.count - 1)
        while backslash > error.contextOffset, bytes[backslash] != UInt8(ascii: "\\") {
            backslash -= 1
        }
        var end = character(at: backslash + 1).upperBound
        if error.problem != .unknownEscape,
            let digits = escapeDigits(byte(backslash + 1))
        {
            while end < bytes.count, end < backslash + 2 + digits, hexDigit(bytes[end]) != nil {
                end += 1
            }
        }
        let place = backslash..<end
        let repair = YAMLMistake.Repair.value(quotedText(from: error.contextOffset))
        if let pair = SurrogatePair(bytes, at: backslash) {
            return YAMLMistake(
                diagnostic: .surrogatePair(pair, shown(pair.place), at: range(pair.place)),
                repair: repair)
        }
        return YAMLMistake(
            diagnostic: .wrongEscape(
                shown(place), at: range(place),
                digits: escapeDigits(byte(backslash + 1)),
                isNumber: error.problem == .badEscapeCode,
                edit: .init(range(backslash..<backslash + 1), replacement: "\\\\")),
            repair: repair)
    }

    /// Returns the range of the double-quoted string that opens at an offset; up to the end of the
    /// line if it isn't closed.
    private func quotedText(from start: Int) -> Range<Int> {
        var offset = start + 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return offset < bytes.count
            ? start..<offset + 1 : start..<SourceLine(bytes, at: start).range.upperBound
    }
}

extension Diagnostic {
    fileprivate static func otherQuote(
        _ text: String, at range: SourceRange, edit: Edit
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the string starts and ends with different quotes", at: range,
            label: "starts with `\(edit.replacement)`",
            help: ["write `\(edit.replacement)` at both ends: `\(text)\(edit.replacement)`"],
            fixes: [Fix("write the same quote", edits: [edit], isSafe: false)])
    }

    fileprivate static func unclosedQuote(
        _ quote: String, at range: SourceRange, text: String, edit: Edit
    ) -> Self {
        var help = ["add `\(quote)` at the end of the string: `\(quote)\(text)\(quote)`"]
        if quote == "'" {
            help.append("put a string with an apostrophe in double quotes: `\"'\(text)\"`")
        }
        return Diagnostic(
            .yamlSyntax, message: "the string that starts with `\(quote)` is not closed", at: range,
            label: "the closing `\(quote)` is missing", help: help,
            fixes: [Fix("close the string", edits: [edit], isSafe: false)])
    }

    fileprivate static func surrogatePair(
        _ pair: SurrogatePair, _ text: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(text)` is an escape of JSON, which YAML does not support",
            at: range, label: "the two halves of `\(pair.scalar)`",
            help: ["write `\(pair.escape)`, or the character itself"],
            fixes: [
                Fix(
                    "write `\(pair.escape)`", edits: [Edit(range, replacement: pair.escape)],
                    isSafe: true)
            ])
    }

    fileprivate static func wrongEscape(
        _ escape: String, at range: SourceRange, digits: Int?, isNumber: Bool, edit: Edit
    ) -> Self {
        let message =
            if isNumber {
                "`\(escape)` is not the code of a valid character"
            } else if let digits {
                "`\(escape.prefix(2))` must be followed by \(digits) hexadecimal digits (0–9, a–f)"
            } else {
                "`\(escape)` is not a valid escape in a double-quoted string"
            }
        return Diagnostic(
            .yamlSyntax, message: message, at: range,
            label: "`\\` gives the next character a special meaning",
            help: [
                "write `\\\\` for a backslash",
                "to keep all backslashes as they are, use single quotes instead of double quotes",
            ],
            fixes: [Fix("write `\\\\`", edits: [edit], isSafe: false)])
    }
}

extension YAMLErrorClassifier {
    /// Returns the mistake of an expression with quoted names, such as `"user.plan" == "pro"`: as
    /// written it compares strings.
    ///
    /// A quoted string counts as a name if it is compared with a value, is the argument of a call,
    /// or is combined by `&&` and `||`, unless the other side is a name already.
    func quotedNames(_ value: Range<Int>, key: String?) -> YAMLMistake? {
        guard value.count < 1 << 10,
            byte(value.lowerBound) == UInt8(ascii: "\"")
                || byte(value.lowerBound) == UInt8(ascii: "'")
        else { return nil }
        let text = text(value)
        let mended = withoutQuotes(text)
        guard mended.text != text else { return nil }
        let replacement = standsAlone(mended.text) ? mended.text : QuoteEdits.quoted(mended.text)
        let edit = Diagnostic.Edit(range(value), replacement: replacement)
        let isDeclared = mended.names.allSatisfy { declares($0) }
        return YAMLMistake(
            diagnostic: .quotedNames(
                mended.names, key: key, edit: edit,
                isCertain: isDeclared),
            repair: .value(value))
    }

    private func withoutQuotes(_ text: String) -> (text: String, names: [String]) {
        var names: [String] = []
        let name =
            #/(?<quote>["'])(?<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)\k<quote>(?= *(?:(?:==|!=|<=|>=|<|>) *(?:["'0-9\-]|true\b|false\b)|in *\[|\.[a-z]+[A-Za-z]*\( *["']|&&|\|\|))/#
        let mended = text.replacing(name) { match in
            // A string after an operator or in brackets is the value that a name is compared with.
            let before = text[..<match.range.lowerBound].last { $0 != " " }
            if let before, "=<>([,".contains(before) { return String(match.output.0) }
            names.append(String(match.output.name))
            return String(match.output.name)
        }
        return (mended, names)
    }

    /// Returns true if the file has a key of that name, which may be its declaration.
    private func declares(_ name: String) -> Bool {
        let name = Array(name.utf8)
        guard let first = name.first else { return false }
        return bytes.indices.contains { start in
            bytes[start] == first && bytes[start...].starts(with: name)
                && (start == 0 || " {,\"'\n".utf8.contains(bytes[start - 1]))
                && isColon(behind: start + name.count)
        }
    }

    private func isColon(behind offset: Int) -> Bool {
        var offset = offset
        if byte(offset) == UInt8(ascii: "\"") || byte(offset) == UInt8(ascii: "'") { offset += 1 }
        return byte(offset) == UInt8(ascii: ":")
    }

    /// Returns true if YAML reads an expression as written, even between brackets.
    private func standsAlone(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else {
            return false
        }
        return !text.contains(": ") && !text.contains(" #")
            && !text.contains { ",[]{}".contains($0) }
    }
}

extension Diagnostic {
    fileprivate static func quotedNames(
        _ names: [String], key: String?, edit: Edit, isCertain: Bool
    ) -> Self {
        let start = key.map { "\($0): " } ?? ""
        var help = ["write names without quotes: `\(start)\(edit.replacement)`"]
        if !isCertain {
            help.append(
                "if all of this is one string, put the whole value in the other kind of quotes")
        }
        let name = names[0]
        return Diagnostic(
            .yamlUnquotedExpression,
            message: "`\(name)` is in quotes, so it is a string, not a name",
            at: edit.range, label: "YAML ends the value at the second quote", help: help,
            fixes: [Fix("write names without quotes", edits: [edit], isSafe: isCertain)])
    }
}
