internal import PopCEL
internal import PopSource
internal import PopYAML

// Keys in braces without a `:` after them: `{ percent, by: user.id }`.
extension YAMLEntry {
    /// Returns true if neither a `:` nor a value follows the key.
    func isKeyAlone(in source: SourceFile) -> Bool {
        guard value.isNull, value.range.isEmpty, value.range.lower >= key.range.upper else {
            return false
        }
        return !source.bytes[key.range.upper..<value.range.lower].contains(UInt8(ascii: ":"))
    }
}

extension TableSchema {
    /// Returns the entry that is meant by a key with its value in one string: `lifetime = 1` and
    /// `lifetime 1`.
    func entryWithoutColon(_ key: YAMLNode) -> String? {
        guard let text = key.scalar?.text,
            let end = text.firstIndex(where: { " =:\u{FF1A}".contains($0) })
        else { return nil }
        let value = text[end...].drop { " =:\u{FF1A}".contains($0) }
        guard keys.contains(where: { $0.name == text[..<end] }), !value.isEmpty else { return nil }
        return "\(text[..<end]): \(value)"
    }
}

extension Diagnostic {
    /// A key in a map of values that is probably the rest of the text before it.
    static func keyAlone(_ entry: YAMLEntry, behind text: YAMLNode?) -> Self {
        var help = ["write a value after the key and a `:`"]
        if let text, text.isPlain, case .string? = text.coreValue {
            help.append("put a string with a comma in quotes")
        }
        return Diagnostic(
            .schemaType, message: "`\(entry.key.nameForMessages)` has no value",
            at: entry.key.range,
            label: "nothing follows", help: help)
    }

    static func withoutColon(_ entry: String, key: YAMLNode, title: String) -> Self {
        var diagnostic = unknownKey(key, title: title)
        diagnostic.help = ["write `\(entry)`"]
        diagnostic.fixes = [.rename(key.range, to: entry)]
        return diagnostic
    }

    /// A key of a condition without a value to compare with.
    static func nothingToCompare(
        _ match: ConditionModel.KeyMatch, test: ConditionModel.Test, type: CELType
    ) -> Self {
        let isPlain = test.operand.range == test.matcher.range
        let place = isPlain ? match.key.range : test.matcher.range
        let name = isPlain ? match.key.value : test.matcher.value.rawValue
        var diagnostic = Diagnostic(
            .schemaType, message: "`\(name)` has no value", at: place, label: "nothing follows",
            help: ["write the value to compare with `\(match.key.value)`, after a `:`"])
        if type == .bool, isPlain || test.matcher.value == .exists {
            diagnostic.help = ["write `\(name): true`"]
            diagnostic.fixes = [
                Fix(
                    "write `\(name): true`",
                    edits: [
                        .init(place.union(test.operand.range), replacement: "\(name): true")
                    ], isSafe: false)
            ]
        }
        return diagnostic
    }

    /// One value of several that a key may have, the others of which have become keys.
    static func valuesWithoutBrackets(
        _ match: ConditionModel.KeyMatch, items: SourceRange, in source: SourceFile
    ) -> Self {
        let place = match.key.range.union(items)
        let text = "\(match.key.value): { in: [\(source.text(in: items))] }"
        return Diagnostic(
            .schemaType,
            message: "`\(match.key.value)` needs brackets to compare it with several values",
            at: place, label: "in braces, a `,` ends the value",
            help: ["to check for one of several values, write `\(text)`"],
            fixes: [
                Fix(
                    "write `\(text)`", edits: [.init(place, replacement: text)], isSafe: false)
            ])
    }
}
