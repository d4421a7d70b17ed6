internal import PopSource

extension MistakeFinder {
    /// Returns the mistake of a missing `,` between two entries or items, as in hand-edited JSON.
    func missingComma(_ value: Range<Int>, in bracket: Int) -> YAMLMistake? {
        guard let first = firstItem(of: value) else { return nil }
        var next = first.upperBound
        while next < value.upperBound, isGap(bytes[next]) { next += 1 }
        guard next < value.upperBound else { return nil }
        if byte(next) == UInt8(ascii: "=") { return equalsSign(next, behind: first, value: value) }
        if byte(next) == UInt8(ascii: ";") { return semicolon(next, behind: first, value: value) }
        let isMap = byte(bracket) == UInt8(ascii: "{")
        guard let entry = isMap ? entryKey(at: next, value) : item(at: next, behind: first, value)
        else { return nil }
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
    private func semicolon(_ offset: Int, behind first: Range<Int>, value: Range<Int>)
        -> YAMLMistake?
    {
        guard !isPlain(first) else { return nil }
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
        if !isCertain { help.append("if it is all one string, put the whole string in quotes") }
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
