internal import PopSource

extension MistakeFinder {
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
            secondary: [Label("indented by \(indent) spaces", at: above)],
            help: ["indent the line by \(indent) spaces, like the lines above and below it"],
            fixes: [Fix("indent it by \(indent) spaces", edits: [edit], isSafe: true)])
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
