internal import PopSource

extension YAMLErrorClassifier {
    /// Returns the mistake of a `: ` where no key is allowed: inside a value, or in a line that is
    /// indented too far.
    func colonInValue() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        guard let key = line.key, line.colon == error.offset else {
            return keyBesideKey(line) ?? unquotedValue(at: error.offset) ?? unexplained()
        }
        if let owner = owner(of: line) {
            if let mistake = keyBesideKey(owner) { return mistake }
            return YAMLMistake(
                diagnostic: .keyTooDeep(
                    shown(key), at: range(key), owner: owner.key.map { shown($0) },
                    value: range(owner.value), edits: indentEdits(line, like: owner)),
                repair: .blank(
                    line.range
                        .lowerBound..<max(
                            line.range.upperBound, block(of: owner).upperBound)))
        }
        if let above = line.previousContent, above.key == nil {
            return keyWithoutColon(above)
        }
        return unexplained()
    }

    /// Returns the mistake of text where YAML expects the next key or item: after a finished value,
    /// or at the wrong indentation.
    func textBehindValue() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        guard error.offset <= line.start else {
            return unquotedValue(at: error.offset) ?? unexplained()
        }
        if owner(of: line) != nil, line.key == nil, !line.hasDash,
            let mistake = unquotedValue(at: error.offset)
        {
            return mistake
        }
        return wrongIndentation(line)
    }

    private func wrongIndentation(_ line: SourceLine) -> YAMLMistake {
        let first = SourceLine(bytes, at: error.contextOffset)
        let isList = error.problem == .noDash
        let place = line.key ?? line.start..<max(line.start, line.value.upperBound)
        let repair = YAMLMistake.Repair.blank(blockWithSiblings(of: line))
        if line.hasDash, let above = itemAbove(line) {
            return YAMLMistake(
                diagnostic: .itemTooLittle(
                    line.indent, at: range(line.start..<line.start + 1), other: above.indent,
                    above: range(above.start..<above.start + 1)), repair: repair)
        }
        if !isList, line.hasDash {
            return YAMLMistake(
                diagnostic: .itemAmongKeys(
                    at: range(line.start..<line.start + 1), map: range(first.key ?? first.value)),
                repair: repair)
        }
        guard !place.isEmpty else { return unexplained() }
        if line.key == nil, !line.hasDash, isList == false { return keyWithoutColon(line) }
        if isList, !line.hasDash, line.indent == column(error.contextOffset) {
            return YAMLMistake(
                diagnostic: .keyAmongItems(
                    shown(place), at: range(place),
                    list: range(error.contextOffset..<error.contextOffset + 1)),
                repair: repair)
        }
        let above =
            [line.previousContent].compactMap(\.self).filter { $0.range != first.range } + [first]
        let labels = above.map { other in
            Diagnostic.Label(
                "indented by \(spaces(other.indent))",
                at: range(other.key ?? other.start..<max(other.start, other.value.upperBound)))
        }
        return YAMLMistake(
            diagnostic: .wrongIndentation(
                shown(place), indent: line.indent, at: range(place), above: labels),
            repair: repair)
    }

    /// Returns the nearest of the items directly above that are a little deeper, which the line was
    /// probably meant to join.
    private func itemAbove(_ line: SourceLine) -> SourceLine? {
        var found: SourceLine?
        var above = line.previousContent
        while let current = above, current.indent > line.indent {
            if current.hasDash, found.map({ current.indent < $0.indent }) ?? true {
                found = current
            }
            above = current.previousContent
        }
        return found
    }

    /// Returns the distance of an offset from the start of its line, in bytes.
    private func column(_ offset: Int) -> Int {
        offset - SourceLine(bytes, at: offset).range.lowerBound
    }

    /// Returns the mistake in `popups: welcome:` with the entries of `welcome` below: the second
    /// key needs a line of its own.
    private func keyBesideKey(_ line: SourceLine) -> YAMLMistake? {
        guard let key = line.key, let below = line.nextContent, below.indent > line.indent,
            below.key != nil, !looksLikeExpression(line.value)
        else { return nil }
        var colon = line.value.lowerBound
        while colon < line.value.upperBound, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        let inner = line.value.lowerBound..<colon
        guard !inner.isEmpty, colon < line.value.upperBound, bytes[inner].allSatisfy(isNameByte),
            isBlank(byte(colon + 1)) || colon + 1 == line.range.upperBound
        else { return nil }
        return YAMLMistake(
            diagnostic: .keyBesideKey(shown(inner), outer: shown(key), at: range(inner)),
            repair: .blank(inner.lowerBound..<block(of: line).upperBound))
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        isAnchorCharacter(byte) || byte == UInt8(ascii: ".") || byte >= 0x80
    }

    /// Indents a line like the content of another one, together with the lines below it.
    private func indentEdits(_ line: SourceLine, like other: SourceLine) -> [Diagnostic.Edit] {
        let target = other.afterDashes - other.range.lowerBound
        var edits: [Diagnostic.Edit] = []
        var current: SourceLine? = line
        while let moved = current, moved.isBlank || moved.indent >= line.indent,
            edits.count < 10_000
        {
            if !moved.isBlank {
                let indent = target + moved.indent - line.indent
                edits.append(
                    Diagnostic.Edit(
                        range(moved.range.lowerBound..<moved.start),
                        replacement: String(repeating: " ", count: indent)))
            }
            current = moved.next
        }
        return edits
    }
}

extension SourceLine {
    /// The previous line that contains more than a comment.
    var previousContent: SourceLine? {
        var above = previous
        while let current = above, current.isBlank { above = current.previous }
        return above
    }

    /// The next line that contains more than a comment.
    var nextContent: SourceLine? {
        var below = next
        while let current = below, current.isBlank { below = current.next }
        return below
    }
}

private let wordsOfGherkin: Set<String> = [
    "Feature", "Scenario", "Background", "Scenario Outline", "Rule", "Given", "When", "Then",
]

private func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }

extension Diagnostic {
    fileprivate static func keyTooDeep(
        _ key: String, at range: SourceRange, owner: String?, value: SourceRange, edits: [Edit]
    ) -> Self {
        let other = owner.map { "`\($0)`" } ?? "the item above"
        let isGherkin = wordsOfGherkin.contains(key) && wordsOfGherkin.contains(owner ?? "")
        return Diagnostic(
            .yamlSyntax, message: "`\(key)` is indented as if it belonged to \(other)", at: range,
            label: "indented too far",
            secondary: [Label("\(other) already has this value", at: value)],
            help: isGherkin
                ? [
                    "write tests as maps, not as Gherkin: a `Scenario` is an entry of `tests`, and"
                        + " its lines are keys such as `context`, `send` and `expect`"
                ]
                : [
                    "move `\(key)` to the left, to the same column as \(other)",
                    "if the marked line is part of the string above, put the whole string in"
                        + " quotes",
                ],
            fixes: isGherkin ? [] : [Fix("indent it less", edits: edits, isSafe: false)])
    }

    fileprivate static func itemAmongKeys(at range: SourceRange, map: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax, message: "a list item appears among the keys of a map", at: range,
            label: "a key is expected here",
            secondary: [Label("the map starts here", at: map)],
            help: ["remove the `-`, or move the item under the key of its list, indented"])
    }

    fileprivate static func itemTooLittle(
        _ indent: Int, at range: SourceRange, other: Int, above: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "a list item is indented less than the items above it",
            at: range, label: "indented by \(spaces(indent))",
            secondary: [Label("indented by \(spaces(other))", at: above)],
            help: ["indent all items of this list by \(spaces(other))"])
    }

    fileprivate static func keyAmongItems(
        _ text: String, at range: SourceRange, list: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(text)` appears among the items of a list", at: range,
            label: "a `- ` is expected here",
            secondary: [Label("the list starts here", at: list)],
            help: ["start the line with `- `, or move the line to the left if the list has ended"])
    }

    fileprivate static func wrongIndentation(
        _ text: String, indent: Int, at range: SourceRange, above: [Label]
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the indentation of `\(text)` does not match any line above",
            at: range,
            label: "indented by \(spaces(indent))", secondary: above,
            help: ["indent all keys of a map by the same number of spaces"])
    }

    fileprivate static func keyBesideKey(
        _ inner: String, outer: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(inner)` must be on its own line, below `\(outer)`",
            at: range,
            label: "a second key on the same line",
            help: ["start a new line with `\(inner)`, indented further than `\(outer)`"])
    }
}

extension YAMLErrorClassifier {
    /// Returns the mistake of a character that can't start a value: a tab before one, or `%`, `@`
    /// and the backtick.
    func forbiddenStart() -> YAMLMistake {
        if byte(error.offset) == UInt8(ascii: "\t") { return tabIndentation() }
        if let mistake = unquotedValue(at: error.offset) { return mistake }
        return unquotedKey(at: error.offset) ?? unexplained()
    }

    /// Returns the mistake of a key that begins with a character that can't start a key.
    func unquotedKey(at offset: Int) -> YAMLMistake? {
        let line = SourceLine(bytes, at: offset)
        guard let key = line.key, key.lowerBound == offset else { return nil }
        return YAMLMistake(
            diagnostic: .unquotedKey(
                shown(key), at: range(key),
                edit: .init(range(key), replacement: QuoteEdits.quoted(text(key)))),
            repair: .blank(block(of: line)))
    }

    /// Returns the mistake of leading tabs: all of them are one mistake.
    func tabIndentation() -> YAMLMistake {
        let tabs = indentingTabs()
        guard let first = tabs.first(where: { $0.range.upperBound > error.offset }) ?? tabs.first
        else {
            let run = blanks(around: error.offset)
            return YAMLMistake(
                diagnostic: .tabIndent(
                    at: range(run), lines: 1, width: 1,
                    edits: [.init(range(run), replacement: " ")], isSafe: true),
                repair: .tabs([run]))
        }
        if tabs.count == 1, let mistake = tabBetweenEqualLines(first.range) { return mistake }
        let (width, isCertain) = TabWidth.best(in: bytes)
        let edits = tabs.count <= 10_000 ? tabs.map { spacesInstead($0, width: width) } : []
        return YAMLMistake(
            diagnostic: .tabIndent(
                at: range(first.range), lines: tabs.count, width: first.startsLine ? width : 1,
                edits: edits,
                isSafe: isCertain && tabs.allSatisfy(\.startsLine)),
            repair: .tabs(tabs.map(\.range)))
    }

    /// Returns the mistake of a tab in the only line that has one, if the lines above and below it
    /// have equal indentation and the one above already has its value: the line belongs next to
    /// them.
    private func tabBetweenEqualLines(_ tabs: Range<Int>) -> YAMLMistake? {
        let line = SourceLine(bytes, at: tabs.lowerBound)
        guard line.key != nil, !line.hasDash, let above = line.previousContent,
            let below = line.nextContent, above.indent == below.indent, above.indent > 0,
            above.key != nil, !above.hasDash, !above.value.isEmpty, below.key != nil,
            !below.hasDash, !opensBlock(above)
        else { return nil }
        let indentation = line.range.lowerBound..<line.start
        return YAMLMistake(
            diagnostic: .tabAmongSpaces(
                at: range(tabs), indent: above.indent,
                above: range(above.key ?? above.value),
                edit: .init(
                    range(indentation), replacement: String(repeating: " ", count: above.indent))),
            repair: .tabs([tabs]))
    }

    /// Returns true if the value of a line continues below it.
    private func opensBlock(_ line: SourceLine) -> Bool {
        guard let first = bytes[line.value].first else { return true }
        return "|>&!".utf8.contains(first)
    }

    /// The leading tabs of one line, from the first to the last.
    private struct IndentingTabs {
        var range: Range<Int>
        var startsLine: Bool
    }

    /// Returns the leading tabs of every line, also those after the dashes of list items.
    private func indentingTabs() -> [IndentingTabs] {
        var found: [IndentingTabs] = []
        var offset = 0
        while offset < bytes.count {
            let start = offset
            var tabs: Range<Int>?
            while offset < bytes.count, isIndentation(at: offset) {
                if bytes[offset] == UInt8(ascii: "\t") {
                    tabs = (tabs?.lowerBound ?? offset)..<offset + 1
                }
                offset += 1
            }
            if let tabs, offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 {
                found.append(IndentingTabs(range: tabs, startsLine: tabs.lowerBound == start))
            }
            while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
            offset += max(1, lineBreakLength(bytes, at: offset))
        }
        return found
    }

    private func isIndentation(at offset: Int) -> Bool {
        isBlank(bytes[offset])
            || bytes[offset] == UInt8(ascii: "-") && offset + 1 < bytes.count
                && isBlank(bytes[offset + 1])
    }

    /// Returns the edit that replaces each tab by the given number of spaces at the start of a
    /// line, and by one space after a dash.
    private func spacesInstead(_ tabs: IndentingTabs, width: Int) -> Diagnostic.Edit {
        let spaces = String(repeating: " ", count: width)
        let text = bytes[tabs.range].map { byte in
            byte != UInt8(ascii: "\t")
                ? String(Unicode.Scalar(byte)) : tabs.startsLine ? spaces : " "
        }
        return Diagnostic.Edit(range(tabs.range), replacement: text.joined())
    }

    private func blanks(around offset: Int) -> Range<Int> {
        var upper = offset
        while upper < bytes.count, isBlank(bytes[upper]) { upper += 1 }
        return offset..<max(upper, min(offset + 1, bytes.count))
    }
}

extension Diagnostic {
    fileprivate static func tabAmongSpaces(
        at range: SourceRange, indent: Int, above: SourceRange, edit: Edit
    ) -> Self {
        Diagnostic(
            .yamlTabIndent, message: "a tab is used for indentation", at: range,
            label: "YAML allows only spaces here",
            secondary: [Label("indented by \(spaces(indent))", at: above)],
            help: ["indent the line by \(spaces(indent)), like the lines above and below it"],
            fixes: [Fix("indent it by \(spaces(indent))", edits: [edit], isSafe: true)])
    }

    fileprivate static func tabIndent(
        at range: SourceRange, lines: Int, width: Int, edits: [Edit], isSafe: Bool
    ) -> Self {
        let spaces = width == 1 ? "a space" : width == 2 ? "two spaces" : "\(width) spaces"
        var found = Diagnostic(
            .yamlTabIndent, message: "a tab is used for indentation", at: range,
            label: "YAML allows only spaces here",
            help: ["replace each tab with \(spaces)"])
        if !edits.isEmpty {
            found.fixes.append(Fix("replace the tabs with spaces", edits: edits, isSafe: isSafe))
        }
        if lines > 1 { found.notes.append("\(lines) lines of this file are indented with tabs") }
        return found
    }

    fileprivate static func unquotedKey(_ key: String, at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlUnquotedExpression, message: "the key `\(key)` must be put in quotes", at: range,
            label: "a YAML key cannot start with `\(key.prefix(1))`",
            help: ["write `\(edit.replacement):`"],
            fixes: [Fix("put the key in quotes", edits: [edit], isSafe: true)])
    }
}

// Indentation with spaces that YAML reads as characters of the key.
extension YAMLErrorClassifier {
    /// Returns the mistake of non-breaking spaces, or of other spaces beyond ASCII, in front of the
    /// key where libyaml stopped: all of them are one mistake.
    func otherSpaces() -> YAMLMistake? {
        guard error.problem == .colonInValue || error.problem == .noKey,
            let first = SourceLine(bytes, at: error.offset).otherIndentation
        else { return nil }
        var runs: [Range<Int>] = []
        var line: SourceLine? = SourceLine(bytes, at: 0)
        while let current = line, runs.count < 10_000 {
            if let run = current.otherIndentation { runs.append(run) }
            line = current.next
        }
        let edits = runs.map { run in
            let count = bytes[run].count { $0 & 0xC0 != 0x80 }
            return Diagnostic.Edit(
                range(run), replacement: String(repeating: " ", count: count))
        }
        return YAMLMistake(
            diagnostic: .otherSpaces(
                areNonBreaking: text(first).allSatisfy { $0 == " " || $0 == "\u{A0}" },
                at: range(first), lines: runs.count, edits: edits),
            repair: .indentations(runs))
    }
}

extension Diagnostic {
    fileprivate static func otherSpaces(
        areNonBreaking: Bool, at range: SourceRange, lines: Int, edits: [Edit]
    ) -> Self {
        var found = Diagnostic(
            .yamlSyntax,
            message: areNonBreaking
                ? "non-breaking spaces are used for indentation"
                : "spaces of another kind are used for indentation", at: range,
            label: areNonBreaking
                ? "these include non-breaking spaces (`U+00A0`)" : "not only normal spaces",
            help: ["replace each of these characters with a normal space"],
            fixes: [Fix("replace them with normal spaces", edits: edits, isSafe: lines == 1)])
        if lines > 1 {
            found.notes.append("\(lines) lines of this file are indented with such spaces")
        }
        return found
    }
}
