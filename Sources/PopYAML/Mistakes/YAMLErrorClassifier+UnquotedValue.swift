internal import PopSource

extension YAMLErrorClassifier {
    /// Returns the mistake of a value that must be put in quotes; nil if there is no value around
    /// the offset.
    func unquotedValue(at offset: Int) -> YAMLMistake? {
        value(around: offset).map { unquotedValue($0) }
    }

    /// Returns the mistake of a value that begins with a name in `{{ }}`, wherever YAML stops in
    /// it.
    func placeholderInValue() -> YAMLMistake? {
        let lines = [error.offset, error.contextOffset].map { SourceLine(bytes, at: $0) }
        guard let line = lines.first(where: { bytes[$0.value].starts(with: Array("{{".utf8)) })
        else { return nil }
        let value = line.value
        guard line.key != nil, value.count > 4, value.count < 1 << 16,
            byte(value.lowerBound + 2) != UInt8(ascii: "\""),
            !bytes[value].contains(UInt8(ascii: ":"))
        else { return nil }
        let plain = withoutBraces(text(value))
        guard let key = line.key, conditionKeys.contains(text(key)), let plain else {
            return unquotedValue(value)
        }
        let edit = Diagnostic.Edit(range(value), replacement: QuoteEdits.quoted(plain))
        return YAMLMistake(
            diagnostic: .placeholder(key: shown(key), at: range(value), edit: edit),
            repair: .value(value))
    }

    /// Returns a condition without the `{{ }}` around its names; nil if other braces are left.
    private func withoutBraces(_ text: String) -> String? {
        let plain = text.replacing(
            #/\{\{ *(?:[A-Za-z_][\w.]*\.?\$\{)?([A-Za-z_][\w.]*)(?:\}\}\}| *\}\})/#
        ) { "\($0.output.1)" }
        return plain.contains("{") || plain.contains("}") ? nil : plain
    }

    /// Returns the mistake of a value that must be put in quotes because YAML reads a part of it as
    /// syntax.
    func unquotedValue(_ value: Range<Int>) -> YAMLMistake {
        let line = SourceLine(bytes, at: value.lowerBound)
        let own = line.key.flatMap { $0.upperBound <= value.lowerBound ? shown($0) : nil }
        let key = line.value == value ? own : nil
        if let mistake = lineBelowWholeValue(line) ?? continuation(value, line: line) {
            return mistake
        }
        if let mistake = methodOfList(value, key: key) ?? foreignForm(value, key: key)
            ?? quotedPart(value, key: key)
            ?? leadingSign(value, key: key) ?? comparison(value)
            ?? quotedNames(value, key: key) ?? quoteInQuotes(value) ?? bracketTooMany(value)
        {
            return mistake
        }
        let edit = QuoteEdits.edit(value, of: bytes, file: file)
        if byte(value.lowerBound) == UInt8(ascii: "!") {
            var tagEnd = value.lowerBound
            while tagEnd < value.upperBound, !isBlank(bytes[tagEnd]) { tagEnd += 1 }
            let tag = value.lowerBound..<tagEnd
            return YAMLMistake(
                diagnostic: .unexpectedTag(shown(tag), at: range(tag), edit: edit),
                repair: .value(value))
        }
        if let name = nameWithColon(value, line: line) { return name }
        if let key, keysOfTexts.contains(key) {
            return YAMLMistake(
                diagnostic: .unquotedExpression(
                    key: key, at: range(value), reason: reason(value), edit: edit, extraHelp: nil,
                    isSafe: true),
                repair: .value(value))
        }
        if let owner = key ?? flowKey(of: value), let map = mapInBraces(value, behind: owner),
            key != nil || map.isCertain
        {
            return YAMLMistake(
                diagnostic: .keyInValue(
                    map, key: owner, quoted: edit, at: range(value), reason: reason(value)),
                repair: .value(value))
        }
        return YAMLMistake(
            diagnostic: .unquotedExpression(
                key: key, at: range(value), reason: reason(value),
                edit: edit, extraHelp: blockTextHelp(value), isSafe: looksLikeExpression(value)),
            repair: .value(value))
    }

    /// Returns the mistake of a line such as `&& user.launches > 10`, which continues the condition
    /// above but isn't indented.
    private func continuation(_ value: Range<Int>, line: SourceLine) -> YAMLMistake? {
        guard line.key == nil, line.value == value, !line.hasDash, value.count > 2,
            ["&&", "||"].contains(text(value.lowerBound..<value.lowerBound + 2))
        else { return nil }
        var diagnostic = Diagnostic.unquotedExpression(
            key: nil, at: range(value), reason: "YAML reads this line as a new entry", edit: nil,
            extraHelp: nil, isSafe: false)
        diagnostic.message = "this line continues a condition, but is not indented"
        diagnostic.help = [
            "indent this line further than the key of the condition, or move it to the end of the"
                + " line above"
        ]
        return YAMLMistake(diagnostic: diagnostic, repair: .blank(block(of: line)))
    }

    /// Returns the mistake of a name with a colon in it, followed by a map on the lines below:
    /// `promo: shows at start:`.
    private func nameWithColon(_ value: Range<Int>, line: SourceLine) -> YAMLMistake? {
        guard let key = line.key, line.value == value, value.count > 1, value.count < 1 << 12,
            bytes[value].last == UInt8(ascii: ":"), !bytes[value].contains(UInt8(ascii: "\"")),
            let next = bytes[value.upperBound...].firstIndex(where: {
                !isBlank($0) && $0 != 0x0A && $0 != 0x0D
            }),
            column(of: next) > column(of: key.lowerBound)
        else { return nil }
        let whole = key.lowerBound..<value.upperBound - 1
        let name = QuoteEdits.quoted(text(whole))
        var diagnostic = Diagnostic.unquotedExpression(
            key: nil, at: range(whole), reason: "YAML ends the name at the first `:`", edit: nil,
            extraHelp: nil, isSafe: false)
        diagnostic.message = "a name with a `:` must be put in quotes"
        diagnostic.help = ["put the whole name in quotes: `\(name):`"]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "put the name in quotes", edits: [.init(range(whole), replacement: name)],
                isSafe: true)
        ]
        return YAMLMistake(diagnostic: diagnostic, repair: .value(value))
    }

    private func column(of offset: Int) -> Int {
        let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return offset - start
    }

    /// Returns the mistake of `["pro", "team"].indexOf(user.plan) >= 0`. In quotes it would still
    /// be a condition of another language.
    private func methodOfList(_ value: Range<Int>, key: String?) -> YAMLMistake? {
        guard let key, conditionKeys.contains(key), byte(value.lowerBound) == UInt8(ascii: "["),
            value.count < 1 << 12,
            let match = text(value).wholeMatch(
                of: #/(\[[^\[\]\n]*\])\.(\w+)\(([A-Za-z_][\w.]*)\)(?: *([<>=!]+) *(-?\d+))?/#),
            let isInside = isMembership(
                String(match.output.2), match.output.4.map { String($0) } ?? "",
                match.output.5.map { String($0) } ?? "")
        else { return nil }
        let asked = "\(match.output.3) in \(match.output.1)"
        let written = asValue(isInside ? asked : "!(\(asked))")
        var diagnostic = Diagnostic.unquotedExpression(
            key: key, at: range(value), reason: reason(value), edit: nil, extraHelp: nil,
            isSafe: false)
        diagnostic.help = [
            "use `in` to check whether a list contains a value, and put the whole condition in"
                + " quotes: `\(key): \(written)`"
        ]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "write `\(written)`", edits: [.init(range(value), replacement: written)],
                isSafe: false)
        ]
        return YAMLMistake(diagnostic: diagnostic, repair: .value(value))
    }

    /// Returns true if a call asks whether a list contains a value, and false if it asks whether it
    /// doesn't; nil for other calls.
    private func isMembership(_ name: String, _ sign: String, _ number: String) -> Bool? {
        if ["includes", "contains", "include"].contains(name) { return sign.isEmpty ? true : nil }
        guard name == "indexOf" else { return nil }
        return switch sign + number {
        case ">=0", ">-1", "!=-1", "!==-1": true
        case "<0", "==-1", "===-1": false
        default: nil
        }
    }

    /// Returns the mistake of a condition of which only the first part is in quotes, which makes it
    /// a string: `"user.plan == 'pro'" && user.consent`.
    private func quotedPart(_ value: Range<Int>, key: String?) -> YAMLMistake? {
        let quote = byte(value.lowerBound)
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), value.count < 1 << 16,
            let end = bytes[value.lowerBound + 1..<value.upperBound].firstIndex(of: quote)
        else { return nil }
        let part = value.lowerBound + 1..<end
        let (first, rest) = (text(part), text(end + 1..<value.upperBound))
        let isJoined = ["&&", "||"].contains { rest.drop { $0 == " " }.hasPrefix($0) }
        guard isJoined, looksLikeExpression(part), !first.contains("\\"),
            !rest.utf8.contains(quote)
        else { return nil }
        let written = asValue(first + rest)
        var diagnostic = Diagnostic.unquotedExpression(
            key: key, at: range(value), reason: reason(value), edit: nil, extraHelp: nil,
            isSafe: false)
        diagnostic.message = "quotes around a part of the condition make that part a string"
        diagnostic.help = [
            "write the condition without these quotes: `\((key.map { "\($0): " } ?? "") + written)`"
        ]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "write `\(written)`", edits: [.init(range(value), replacement: written)],
                isSafe: true)
        ]
        return YAMLMistake(diagnostic: diagnostic, repair: .value(value))
    }

    /// Returns the mistake of a condition in which the name has a sign of another language:
    /// `@premium`, `%premium`, `*premium && true` or a name in backticks.
    private func leadingSign(_ value: Range<Int>, key: String?) -> YAMLMistake? {
        let sign = text(character(at: value.lowerBound))
        guard let key, conditionKeys.contains(key), value.count < 160,
            ["@", "%", "*", "`"].contains(sign), !text(value).contains("\n")
        else { return nil }
        let rest = text(value).dropFirst()
        let plain = String(sign == "`" ? rest.replacing("`", with: "") : rest)
        guard plain.first?.isLetter == true else { return nil }
        let written = asValue(plain)
        var diagnostic = Diagnostic.unquotedExpression(
            key: key, at: range(value), reason: reason(value), edit: nil, extraHelp: nil,
            isSafe: false)
        diagnostic.message =
            sign == "`"
            ? "a condition cannot start with a backtick" : "a condition cannot start with `\(sign)`"
        let signs = sign == "`" ? "backticks" : "`\(sign)`"
        diagnostic.help = ["write the name without \(signs): `\(key): \(written)`"]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "write `\(written)`", edits: [.init(range(value), replacement: written)],
                isSafe: false)
        ]
        return YAMLMistake(diagnostic: diagnostic, repair: .value(value))
    }

    /// Returns a condition in quotes if YAML needs them.
    private func asValue(_ condition: String) -> String {
        let isPlain =
            ![": ", " #", "[", "]", "{", "}", ","].contains { condition.contains($0) }
            && condition.first?.isLetter == true
        return isPlain ? condition : QuoteEdits.quoted(condition)
    }

    /// Returns the mistake of a quoted string that contains the same quotes.
    private func quoteInQuotes(_ value: Range<Int>) -> YAMLMistake? {
        let quote = byte(value.lowerBound)
        guard value.count > 2, value.count < 1 << 16, quote == byte(value.upperBound - 1),
            quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
            !looksLikeExpression(value) || isQuotedExpression(value)
        else { return nil }
        let inner = text(value.lowerBound + 1..<value.upperBound - 1)
        let edit = Diagnostic.Edit(range(value), replacement: QuoteEdits.quoted(inner))
        return YAMLMistake(
            diagnostic: .quoteInQuotes(
                text(value.lowerBound..<value.lowerBound + 1), at: range(value), edit: edit),
            repair: .value(value))
    }

    /// Returns true if the quotes at the ends of a value belong around all of it: the text before
    /// the second quote isn't a complete string.
    private func isQuotedExpression(_ value: Range<Int>) -> Bool {
        let inner = value.lowerBound + 1..<value.upperBound
        guard let second = bytes[inner].firstIndex(of: bytes[value.lowerBound]) else {
            return false
        }
        return looksLikeExpression(value.lowerBound + 1..<second)
    }

    /// Returns the mistake of a list or map in brackets with one surplus closing bracket at the
    /// end.
    private func bracketTooMany(_ value: Range<Int>) -> YAMLMistake? {
        let open = byte(value.lowerBound)
        guard open == UInt8(ascii: "{") || open == UInt8(ascii: "["), value.count < 1 << 16 else {
            return nil
        }
        let close = open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let value = bytes[value]
        guard value.last == close,
            value.count(where: { $0 == close }) == value.count(where: { $0 == open }) + 1
        else { return nil }
        let place = value.endIndex - 1..<value.endIndex
        return YAMLMistake(
            diagnostic: .bracketTooMany(
                text(place), at: range(place), edit: .init(range(place), replacement: "")),
            repair: .value(value.startIndex..<value.endIndex))
    }

    /// Returns `user.plan: pro` as the map that it was meant to be; nil if the value looks like
    /// something else.
    private func mapInBraces(_ value: Range<Int>, behind key: String) -> MapInBraces? {
        guard value.count < 160 else { return nil }
        if let entry = entryOfMap(bytes[value]) {
            let isDotted = entry.name.contains(".")
            return MapInBraces(
                text: "{ \(entry.name): \(entry.content) }",
                isCertain: isDotted || keysOfMaps.contains(key))
        }
        // In a sentence, commas and colons are more likely parts of a string.
        guard keysOfMaps.contains(key) else { return nil }
        let entries = bytes[value].split(separator: UInt8(ascii: ",")).map { part in
            entryOfMap(part.drop { isBlank($0) })
        }
        guard entries.count > 1, !entries.contains(where: { $0 == nil }) else { return nil }
        let written = entries.compactMap { $0 }.map { "\($0.name): \($0.content)" }
        return MapInBraces(text: "{ \(written.joined(separator: ", ")) }", isCertain: true)
    }

    /// Returns the name and the value of `user.plan: pro`; nil for something else.
    private func entryOfMap(_ written: ArraySlice<UInt8>) -> (name: String, content: String)? {
        let parts = written.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, let name = parts.first, name.startIndex == written.startIndex,
            let first = name.first, isAnchorCharacter(first), !isDigit(first),
            name.allSatisfy({ isAnchorCharacter($0) || $0 == UInt8(ascii: ".") }),
            isBlank(byte(name.endIndex + 1)), let inner = parts.last
        else { return nil }
        let content = inner.drop { isBlank($0) }
        guard standsInBraces(content) else { return nil }
        return (text(name.startIndex..<name.endIndex), text(content.indices))
    }

    /// Returns true for a list in brackets, a double-quoted string, or a plain string that needs no
    /// quotes in braces.
    private func standsInBraces(_ content: ArraySlice<UInt8>) -> Bool {
        guard let first = content.first, let last = content.last else { return false }
        let isWrapped =
            content.count > 1
            && (first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
                || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
                || first == UInt8(ascii: "\"") && last == UInt8(ascii: "\""))
        let inner = isWrapped ? content.dropFirst().dropLast() : content
        if looksLikeExpression(inner.indices) { return false }
        // A map has colons.
        let colon = first == UInt8(ascii: "{") ? "" : ":"
        let special = Array(
            (isWrapped ? "[]{}\"\\#&*\(colon)" : "[]{}\"'\\#:&*,!|>%@`?").utf8)
        return !inner.contains(where: special.contains)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns how YAML misreads the value.
    private func reason(_ value: Range<Int>) -> String {
        let first = text(character(at: value.lowerBound))
        switch first {
        case "'", "\"": return "YAML ends the value at the second `\(first)`"
        case "[": return "YAML reads `[` as the start of a list, which ends at the `]`"
        case "{": return "YAML reads `{` as the start of a map, which ends at the `}`"
        case "*": return "YAML reads `*` at the start as a repetition of another value"
        case "&": return "YAML reads `&` at the start as a name for the value"
        case "`": return "a YAML value cannot start with a backtick"
        case "%", "@": return "a YAML value cannot start with `\(first)`"
        case "|", ">": return "YAML reads `\(first)` at the start as a multi-line string"
        case "-": return "YAML reads `- ` at the start as a list item"
        case "?": return "YAML reads `? ` at the start as a key"
        case "]", "}", ",": return "a YAML value cannot start with `\(first)`"
        default: break
        }
        switch text(character(at: error.offset)) {
        case "[": return "YAML reads the `[` in this value as the start of a list"
        case "{": return "YAML reads the `{` in this value as the start of a map"
        default: break
        }
        if !bytes[value].contains(UInt8(ascii: ":")), bytes[value].contains(UInt8(ascii: ",")) {
            return "YAML ends the value at the `,`"
        }
        return "YAML reads the `:` in this value as the end of a key"
    }

    private func blockTextHelp(_ value: Range<Int>) -> String? {
        let first = text(character(at: value.lowerBound))
        guard first == "|" || first == ">", !looksLikeExpression(value) else { return nil }
        return "start a multi-line string on the line below the `\(first)`, indented"
    }

    /// Returns true if a value has operators or calls, so that it can only be meant as an
    /// expression.
    func looksLikeExpression(_ value: Range<Int>) -> Bool {
        let text = text(value.prefix(1 << 12))
        return [" ? ", "==", "!=", "&&", "||", "(", " in ", " > ", " < ", ">=", "<=", "["].contains
        { mark in contains(text, mark: mark) }
    }

    private func contains(_ text: String, mark: String) -> Bool {
        let bytes = Array(text.utf8)
        let wanted = Array(mark.utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains {
            bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}

/// Keys whose value is always a map and never a string.
let keysOfMaps: Set = [
    "when", "where", "dismiss_when", "trigger", "schedule", "cap", "rollout", "examples", "expect",
    "content",
]

/// Keys whose value is always a string and never a map.
private let keysOfTexts: Set = ["description", "owner", "title", "body", "message", "subtitle"]

/// A map as it is written on one line.
private struct MapInBraces {
    var text: String
    /// True if it can't be meant as a string.
    var isCertain: Bool
}

extension Diagnostic {
    fileprivate static func placeholder(
        key: String, at range: SourceRange, edit: Edit
    ) -> Self {
        Diagnostic(
            .yamlUnquotedExpression, message: "`{{ }}` is not allowed in a condition", at: range,
            label: "YAML reads `{` as the start of a map, which ends at the `}`",
            help: ["write names without braces: `\(key): \(edit.replacement)`"],
            fixes: [Fix("write names without braces", edits: [edit], isSafe: false)])
    }

    fileprivate static func keyInValue(
        _ map: MapInBraces, key: String, quoted: Edit?, at range: SourceRange, reason: String
    ) -> Self {
        var found = Diagnostic(
            .yamlUnquotedExpression, message: "the value of `\(key)` is neither a map nor a string",
            at: range,
            label: reason,
            help: ["if you mean a map: `\(key): \(map.text)`"])
        let edit = Edit(range, replacement: map.text)
        found.fixes = [Fix("write a map", edits: [edit], isSafe: map.isCertain)]
        if let quoted, !map.isCertain {
            found.help.insert("if you mean a string: `\(key): \(quoted.replacement)`", at: 0)
        }
        return found
    }

    fileprivate static func bracketTooMany(_ bracket: String, at range: SourceRange, edit: Edit)
        -> Self
    {
        Diagnostic(
            .yamlSyntax, message: "there is one `\(bracket)` too many", at: range,
            label: "this `\(bracket)` does not close anything", help: ["remove one `\(bracket)`"],
            fixes: [Fix("remove it", edits: [edit], isSafe: false)])
    }

    fileprivate static func quoteInQuotes(_ quote: String, at range: SourceRange, edit: Edit)
        -> Self
    {
        Diagnostic(
            .yamlUnquotedExpression,
            message: "the string in `\(quote)` quotes contains a `\(quote)`",
            at: range,
            label: "YAML ends the string at the second `\(quote)`",
            help: ["use other quotes around the string: `\(edit.replacement)`"],
            fixes: [Fix("use other quotes", edits: [edit], isSafe: false)])
    }

    fileprivate static func unquotedExpression(
        key: String?, at range: SourceRange, reason: String, edit: Edit?, extraHelp: String?,
        isSafe: Bool
    ) -> Self {
        let subject = key.map { "the value of `\($0)`" } ?? "this value"
        var found = Diagnostic(
            .yamlUnquotedExpression, message: "\(subject) must be put in quotes", at: range,
            label: reason)
        if let edit {
            found.help.append(QuoteEdits.help(edit, key: key))
            found.fixes.append(Fix("put the value in quotes", edits: [edit], isSafe: isSafe))
        }
        if let extraHelp { found.help.append(extraHelp) }
        return found
    }
}
