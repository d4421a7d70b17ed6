internal import PopSource

extension YAMLErrorClassifier {
    /// Returns the mistake of a bracket that isn't closed before the keys of the lines below.
    func bracketLeftOpen() -> YAMLMistake? {
        guard let bracket = error.openBracket, error.context != .quotedScalar
        else { return nil }
        let ending = flowEnd(bracket)
        return ending.isClosed ? nil : unclosedBracket(bracket, ending: ending)
    }

    /// Returns the mistake of invalid text between brackets, or of brackets that aren't closed.
    func flowCollection() -> YAMLMistake {
        if error.problem == .colonInFlow { return missingFlowSpace() }
        let bracket = error.contextOffset
        let ending = flowEnd(bracket)
        if !ending.isClosed { return unclosedBracket(bracket, ending: ending) }
        guard error.offset <= ending.end, let value = flowValue(in: bracket, at: error.offset)
        else { return unquotedValue(at: error.offset) ?? unexplained() }
        if let mistake = missingComma(value, in: bracket) { return mistake }
        return unquotedValue(value)
    }

    /// Returns the mistake in `{a:[1]}`: YAML reads `a:` as a word.
    private func missingFlowSpace() -> YAMLMistake {
        let place = error.contextOffset..<max(error.offset + 1, error.contextOffset + 1)
        let key = shown(error.contextOffset..<error.offset)
        let gap = range(place.upperBound..<place.upperBound)
        let value = value(around: error.contextOffset) ?? place
        return YAMLMistake(
            diagnostic: .missingSpace(key, at: range(place), edit: .init(gap, replacement: " ")),
            repair: .value(min(value.lowerBound, place.lowerBound)..<value.upperBound))
    }

    private func unclosedBracket(_ bracket: Int, ending: FlowEnding) -> YAMLMistake {
        let end = ending.end
        let open = shown(bracket..<bracket + 1)
        let close = open == "[" ? "]" : "}"
        var lineEnd = end
        while lineEnd > bracket + 1,
            isBlank(bytes[lineEnd - 1]) || bytes[lineEnd - 1] == UInt8(ascii: "\n")
                || bytes[lineEnd - 1] == UInt8(ascii: "\r")
        {
            lineEnd -= 1
        }
        let line = SourceLine(bytes, at: bracket)
        let start = line.value.contains(bracket) ? line.value.lowerBound : bracket
        let closesOther = byte(end) == UInt8(ascii: "]") || byte(end) == UInt8(ascii: "}")
        let sooner =
            open == "[" && byte(end) == UInt8(ascii: "}") ? keyInList(bracket, to: end) : nil
        let valueEnd = closesOther ? max(lineEnd, line.value.upperBound) : lineEnd
        return YAMLMistake(
            diagnostic: .unclosedBracket(
                open, close: close, at: range(bracket..<bracket + 1), end: range(lineEnd..<lineEnd),
                comment: ending.comment.map { range($0..<$0 + 1) },
                edit: .init(range(lineEnd..<lineEnd), replacement: close),
                sooner: sooner.map { place in
                    (shown(place.key), .init(range(place.end..<place.end), replacement: close))
                }),
            repair: .value(start..<max(valueEnd, start + 1)))
    }

    /// Returns the end of a list in which a later item starts with a key, which belongs to the
    /// enclosing map.
    private func keyInList(_ bracket: Int, to end: Int) -> (end: Int, key: Range<Int>)? {
        var scan = FlowScan(bytes: bytes, offset: bracket + 1, end: end)
        var start = bracket + 1
        var comma: Int?
        while true {
            let byte = scan.next()
            if byte == UInt8(ascii: ":"), isBlank(self.byte(scan.offset)) {
                guard let comma else { return nil }
                let key = bytes[start..<scan.offset - 1].drop { isBlank($0) }.indices
                return key.isEmpty ? nil : (comma, key.lowerBound..<key.upperBound)
            }
            switch byte {
            case nil: return nil
            case UInt8(ascii: ","):
                comma = scan.offset - 1
                start = scan.offset
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): scan.skipNested()
            default: break
            }
        }
    }

    /// Returns the mistake of a missing value.
    func missingContent() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        if byte(error.offset) == UInt8(ascii: ","), line.value.lowerBound != error.offset {
            let place = error.offset..<error.offset + 1
            return YAMLMistake(
                diagnostic: .missingItem(
                    at: range(place), edit: .init(range(place), replacement: "")),
                repair: .blank(place))
        }
        return unquotedValue(at: error.offset) ?? unexplained()
    }
}

extension Diagnostic {
    fileprivate static func unclosedBracket(
        _ open: String, close: String, at range: SourceRange, end: SourceRange,
        comment: SourceRange?, edit: Edit, sooner: (key: String, edit: Edit)?
    ) -> Self {
        let kind = open == "[" ? "list" : "map"
        if let comment {
            return Diagnostic(
                .yamlSyntax, message: "the \(kind) that starts with `\(open)` is not closed",
                at: range,
                label: "opened here",
                secondary: [
                    Label("a comment starts at this `#`", at: comment)
                ],
                help: ["put a string with a `#` in quotes, or write `\(close)` before the comment"])
        }
        let soonerFix = sooner.map {
            Fix("close the \(kind) before `\($0.key)`", edits: [$0.edit], isSafe: false)
        }
        let soonerHelp = sooner.map {
            "if `\($0.key)` is a key of the outer map, add `\(close)` before `, \($0.key)`"
        }
        let condition = sooner.map { "if `\($0.key)` belongs inside the \(kind), " } ?? ""
        return Diagnostic(
            .yamlSyntax, message: "the \(kind) that starts with `\(open)` is not closed", at: range,
            label: "opened here",
            secondary: [Label("`\(close)` is missing here or earlier", at: end)],
            help: [soonerHelp, "\(condition)write `\(close)` at the end of the \(kind)"]
                .compactMap(\.self),
            fixes: [soonerFix ?? Fix("close the \(kind)", edits: [edit], isSafe: false)])
    }

    fileprivate static func missingItem(at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "there is no value before this `,`", at: range,
            label: "a value is expected before this `,`",
            help: ["remove the `,`, or write a value"],
            fixes: [Fix("remove the `,`", edits: [edit], isSafe: false)])
    }
}

extension YAMLErrorClassifier {
    /// Returns the mistake of a missing `,` between two entries or items, as in hand-edited JSON.
    func missingComma(_ value: Range<Int>, in bracket: Int) -> YAMLMistake? {
        guard let first = firstItem(of: value) else { return nil }
        var next = first.upperBound
        while next < value.upperBound, isGap(bytes[next]) { next += 1 }
        guard next < value.upperBound else { return nil }
        if byte(next) == UInt8(ascii: "=") { return equalsSign(next, behind: first, value: value) }
        if byte(next) == UInt8(ascii: ";") { return isPlain(first) ? nil : semicolon(next) }
        let isMap = byte(bracket) == UInt8(ascii: "{")
        guard let entry = isMap ? entryKey(at: next, value) : item(at: next, behind: first, value)
        else { return nil }
        // YAML reads the `;` after a plain word as a part of the word.
        if isMap, isPlain(first), first.count > 1, next > first.upperBound,
            byte(first.upperBound - 1) == UInt8(ascii: ";")
        {
            return semicolon(first.upperBound - 1)
        }
        let isCertain = byte(first.lowerBound) != UInt8(ascii: "\"") || isMap
        return YAMLMistake(
            diagnostic: .missingComma(
                behind: shown(first), at: range(first), next: range(entry),
                edit: .init(range(first.upperBound..<first.upperBound), replacement: ","),
                isCertain: isCertain && !isPlain(first)),
            repair: next > first.upperBound ? .comma(first.upperBound) : .value(value))
    }

    /// Returns the mistake of a `=` after a key, as other languages write it.
    private func equalsSign(_ offset: Int, behind key: Range<Int>, value: Range<Int>)
        -> YAMLMistake?
    {
        guard byte(offset + 1) != UInt8(ascii: "="), isQuote(byte(key.lowerBound)) else {
            return nil
        }
        let place = offset..<offset + 1
        return YAMLMistake(
            diagnostic: .wrongSeparator(
                "=", key: shown(key), at: range(place),
                edit: .init(range(key.upperBound..<place.upperBound), replacement: ":")),
            repair: .value(value))
    }

    /// Returns the mistake of a `;` between entries, as other languages write it.
    private func semicolon(_ offset: Int) -> YAMLMistake {
        let place = offset..<offset + 1
        return YAMLMistake(
            diagnostic: .semicolon(
                at: range(place), edit: .init(range(place), replacement: ",")),
            repair: .comma(offset))
    }

    /// Returns a quoted string, a list or map in brackets, or a word, at the start of a value.
    private func firstItem(of value: Range<Int>) -> Range<Int>? {
        var scan = FlowScan(bytes: bytes, offset: value.lowerBound, end: value.upperBound)
        guard let first = scan.next() else { return nil }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): break
        case UInt8(ascii: "{"), UInt8(ascii: "["): scan.skipNested()
        default:
            guard isAnchorCharacter(first) else { return nil }
            while scan.offset < value.upperBound, !isGap(bytes[scan.offset]) { scan.offset += 1 }
        }
        return scan.offset > value.lowerBound + 1 || isAnchorCharacter(first)
            ? value.lowerBound..<scan.offset : nil
    }

    /// Returns the key that begins at an offset, if a `:` follows it.
    private func entryKey(at offset: Int, _ value: Range<Int>) -> Range<Int>? {
        var end = offset
        if isQuote(byte(offset)) {
            var scan = FlowScan(bytes: bytes, offset: offset, end: value.upperBound)
            _ = scan.next()
            end = scan.offset
        } else {
            while end < value.upperBound,
                isAnchorCharacter(bytes[end]) || bytes[end] == UInt8(ascii: ".")
            {
                end += 1
            }
        }
        var colon = end
        while colon < value.upperBound, isBlank(bytes[colon]) { colon += 1 }
        return end > offset && byte(colon) == UInt8(ascii: ":") ? offset..<end : nil
    }

    /// Returns an item in quotes or brackets that follows another such item.
    private func item(
        at offset: Int, behind first: Range<Int>, _ value: Range<Int>
    ) -> Range<Int>? {
        let isBracket = byte(offset) == UInt8(ascii: "{") || byte(offset) == UInt8(ascii: "[")
        guard !isPlain(first), isQuote(byte(offset)) || isBracket else { return nil }
        return firstItem(of: offset..<value.upperBound)
    }

    private func isPlain(_ item: Range<Int>) -> Bool { isAnchorCharacter(byte(item.lowerBound)) }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func isGap(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension Diagnostic {
    fileprivate static func missingComma(
        behind first: String, at range: SourceRange, next: SourceRange, edit: Edit, isCertain: Bool
    ) -> Self {
        var help = ["write a `,` after `\(first)`"]
        if !isCertain {
            help.append("if the marked parts are one string, put the whole string in quotes")
        }
        return Diagnostic(
            .yamlSyntax, message: "a comma is missing after `\(first)`", at: range,
            label: "a `,` is missing after this",
            secondary: [Label("the next entry starts here", at: next)], help: help,
            fixes: [Fix("insert a `,`", edits: [edit], isSafe: isCertain)])
    }

    fileprivate static func semicolon(at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "entries must be separated by `,`, not `;`", at: range,
            label: "`,` is expected here", help: ["write `,` instead of `;`"],
            fixes: [Fix("write `,`", edits: [edit], isSafe: false)])
    }
}

// Values in the form of JSON, of other languages, or of several languages mixed.
extension YAMLErrorClassifier {
    /// Returns the mistake of a value that quotes around all of it wouldn't fix.
    func foreignForm(_ value: Range<Int>, key: String?) -> YAMLMistake? {
        guard value.count > 1, value.count < 1 << 12 else { return nil }
        let text = text(value)
        guard
            let found = trailingComma(value) ?? quotedParts(value, text) ?? joinedMap(value, text)
                ?? listType(value, text) ?? missingColon(value, text)
                ?? twoEntries(value, text, key: key)
        else { return nil }
        return YAMLMistake(diagnostic: found, repair: .value(value))
    }

    /// Returns a diagnostic for `"high",`: the comma of JSON after an entry on a line of its own.
    private func trailingComma(_ value: Range<Int>) -> Diagnostic? {
        let comma = value.upperBound - 1
        guard byte(comma) == UInt8(ascii: ","), closedEnd(of: value) == comma else { return nil }
        let place = comma..<comma + 1
        var finding = Diagnostic(
            .yamlSyntax, message: "unexpected `,` outside brackets or braces", at: range(place),
            label: "outside brackets and braces, a line must not end with `,`")
        finding.offer("remove the `,`", at: range(place), "")
        return finding
    }

    /// Returns the end of a quoted string, a list or a map at the start of a value; nil if none is
    /// closed there.
    private func closedEnd(of value: Range<Int>) -> Int? {
        let first = byte(value.lowerBound)
        var scan = FlowScan(bytes: bytes, offset: value.lowerBound, end: value.upperBound)
        _ = scan.next()
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): break
        case UInt8(ascii: "{"), UInt8(ascii: "["): scan.skipNested()
        default: return nil
        }
        return scan.offset > value.lowerBound + 1 ? scan.offset : nil
    }

    /// Returns a diagnostic for `"a > 18" && "b"`: quotes belong around the whole.
    private func quotedParts(_ value: Range<Int>, _ text: String) -> Diagnostic? {
        guard text.wholeMatch(of: #/"[^"]*"(?: *(?:&&|\|\|) *"[^"]*")+/#) != nil,
            text.contains(#/[<>=(&|]/#)
        else { return nil }
        let parts = text.matches(of: #/"([^"]*)"/#).map { String($0.output.1) }
        guard parts.contains(where: { $0.contains(#/[<>=]| in |\(/#) }) else { return nil }
        let whole = text.replacing(#/"([^"]*)"/#) { match in
            match.output.1.contains("||") || match.output.1.contains(" ? ")
                ? "(\(match.output.1))" : String(match.output.1)
        }
        var finding = Diagnostic(
            .yamlUnquotedExpression, message: "quotes must surround the whole condition",
            at: range(value), label: "YAML ends the value at the second quote")
        finding.offer(
            "write one string: `\(QuoteEdits.quoted(whole))`", at: range(value),
            QuoteEdits.quoted(whole))
        return finding
    }

    /// Returns a diagnostic for `{ gt: 18 } && online`: a map can't be part of an expression.
    private func joinedMap(_ value: Range<Int>, _ text: String) -> Diagnostic? {
        guard byte(value.lowerBound) == UInt8(ascii: "{"), let end = closedEnd(of: value),
            let sign = self.text(end..<value.upperBound).firstMatch(of: #/^ *(&&|\|\|)/#)
        else { return nil }
        let key = sign.output.1 == "&&" ? "all" : "any"
        let map = self.text(value.lowerBound..<end)
        let rest = self.text(end..<value.upperBound).firstMatch(of: #/^ *(?:&&|\|\|) *([\w.]+)$/#)
        var items = "{ user.age: { gt: 18 } }, user.new"
        if let rest, map.utf8.count <= 60, !map.contains("\n") {
            items = "\(map), \(rest.output.1)"
        }
        return Diagnostic(
            .yamlUnquotedExpression, message: "a map cannot be joined with `\(sign.output.1)`",
            at: range(value), label: "YAML reads `{` as the start of a map, which ends at the `}`",
            help: [
                "put several conditions in a list, such as `when: { \(key): [\(items)] }`",
                "to use an expression instead, replace the map with an expression such as"
                    + " `user.age > 18`, and put the whole value in quotes",
            ])
    }

    /// Returns a diagnostic for `list[string]`.
    private func listType(_ value: Range<Int>, _ text: String) -> Diagnostic? {
        guard
            let match = text.wholeMatch(
                of: #/(list|array|map|dict)\[ *(\w+)(?:, *(\w+))? *\]/#)
        else { return nil }
        let isList = match.output.1 == "list" || match.output.1 == "array"
        guard isList == (match.output.3 == nil) else { return nil }
        let ours =
            isList
            ? "list<\(match.output.2)>"
            : "\"map<\(match.output.2), \(match.output.3 ?? "")>\""
        var finding = Diagnostic(
            .yamlUnquotedExpression, message: "`\(text)` is not a valid type", at: range(value),
            label: "YAML reads the `[` in the type as the start of a list")
        finding.offer("write `\(ours)`", at: range(value), ours)
        return finding
    }

    /// Returns a diagnostic for `{ days [mon] }`.
    private func missingColon(_ value: Range<Int>, _ text: String) -> Diagnostic? {
        guard let match = text.wholeMatch(of: #/([a-z_]+) *([\[{][^\[\]{}]*[\]}])/#),
            SourceLine(bytes, at: value.lowerBound).value != value
        else { return nil }
        let entry = "\(match.output.1): \(match.output.2)"
        var finding = Diagnostic(
            .yamlSyntax, message: "`:` is missing after `\(match.output.1)`", at: range(value),
            label: "`key: value` is expected here")
        finding.offer("write `\(entry)`", at: range(value), entry)
        return finding
    }

    /// Returns a diagnostic for `hide_after: 30s, priority: high`: entries on one line without
    /// braces.
    private func twoEntries(_ value: Range<Int>, _ text: String, key: String?) -> Diagnostic? {
        guard let key, !conditionKeys.contains(key), !text.contains("\n"),
            text.wholeMatch(of: #/[^,:{}\[\]"']+(?:, *[a-z_]+: [^,:{}\[\]"']+)+/#) != nil
        else { return nil }
        let line = SourceLine(bytes, at: value.lowerBound)
        let indent = String(repeating: " ", count: line.afterDashes - line.range.lowerBound)
        let lines = text.replacing(#/, */#, with: "\n\(indent)")
        var finding = Diagnostic(
            .yamlSyntax, message: "there are several entries on one line", at: range(value),
            label: "YAML reads the `:` in this value as the end of a key")
        finding.offer("write each entry on a line of its own", at: range(value), lines)
        finding.help.append("if the marked text is one string, put the whole string in quotes")
        return finding
    }
}

extension Diagnostic {
    /// Adds a help and offers it as a fix.
    fileprivate mutating func offer(_ help: String, at range: SourceRange, _ text: String) {
        self.help.append(help)
        fixes.append(
            Fix(
                help.replacing("`", with: ""), edits: [Edit(range, replacement: text)],
                isSafe: false))
    }
}
