internal import PopSource

extension MistakeFinder {
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
                "indented by \(other.indent)",
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
                    "indent `\(key)` as far as \(other)",
                    "if it is part of the string above, put the whole string in quotes",
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
            .yamlSyntax, message: "this item is indented less than the items of the list above it",
            at: range, label: "indented by \(indent)",
            secondary: [Label("indented by \(other)", at: above)],
            help: ["indent all items of a list equally, here by \(other)"])
    }

    fileprivate static func keyAmongItems(
        _ text: String, at range: SourceRange, list: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(text)` appears among the items of a list", at: range,
            label: "`- ` is expected here",
            secondary: [Label("the list starts here", at: list)],
            help: ["start the line with `- `, or indent it less if the list has ended"])
    }

    fileprivate static func wrongIndentation(
        _ text: String, indent: Int, at range: SourceRange, above: [Label]
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the indentation of `\(text)` does not match any line above",
            at: range,
            label: "indented by \(indent)", secondary: above,
            help: ["indent lines that belong together equally"])
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
