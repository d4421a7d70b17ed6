internal import PopSource

extension MistakeFinder {
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
            help.append("if it is all one string, put the whole value in the other kind of quotes")
        }
        let name = names[0]
        return Diagnostic(
            .yamlUnquotedExpression,
            message: "`\(name)` is in quotes, which make it a string, not a name",
            at: edit.range, label: "YAML ends the value at the second quote", help: help,
            fixes: [Fix("write names without quotes", edits: [edit], isSafe: isCertain)])
    }
}
