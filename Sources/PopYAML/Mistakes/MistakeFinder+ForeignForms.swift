internal import PopSource

// Values in the form of JSON, of other languages, or of several languages mixed.
extension MistakeFinder {
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
            label: "each entry must be on its own line")
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
        return Diagnostic(
            .yamlUnquotedExpression, message: "a map cannot be joined with `\(sign.output.1)`",
            at: range(value), label: "YAML reads a map that ends at the `}`",
            help: [
                "put several conditions in a list, such as `\(key): [{ user.age: { gt: 18 } }, user.new]`",
                "or write one string with `user.age > 18` instead of the map",
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
            label: "YAML reads the `[` in it as the start of a list")
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
            .yamlSyntax, message: "several entries on one line", at: range(value),
            label: "YAML reads the `:` in it as the end of a key")
        finding.offer("write each entry on a line of its own", at: range(value), lines)
        finding.help.append("if it is one string, put all of it in quotes")
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
