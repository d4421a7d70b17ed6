public import PopSource

extension RuleChanges {
    /// For people.
    public var text: String {
        if isSame { return "same meaning\n" }
        var lines: [String] = []
        for entry in entries {
            lines.append(
                entry.kind == .changed ? entry.name : "\(entry.name) \(entry.kind.rawValue)")
            for line in entry.lines {
                lines.append("  \(line.key.padded(to: 14))\(line.text)")
                lines += line.details.map { String(repeating: " ", count: 16) + $0 }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first line of the comment of a pull request, by which it is found again.
    public static let mark = "<!-- poprules diff -->"

    /// For one comment of a pull request.
    public var markdown: String {
        var lines = [Self.mark, "### What changes for whom", ""]
        if isSame { lines.append("Same meaning: no popup shows to others, or otherwise.") }
        for entry in entries {
            let kind = entry.kind == .changed ? "" : " \(entry.kind.rawValue)"
            lines.append("**\(entry.name.escapedForMarkdown)**\(kind)")
            lines.append("")
            for line in entry.lines {
                lines.append("- \(line.key): \(line.text.escapedForMarkdown)")
                lines += line.details.map { "  - \($0.escapedForMarkdown)" }
            }
            if !entry.lines.isEmpty { lines.append("") }
        }
        if !isDecided { lines += ["Something could not be decided.", ""] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For programs.
    public var json: JSON {
        .object([
            "same": .bool(isSame), "decided": .bool(isDecided),
            "changes": .array(
                entries.map { entry in
                    .object([
                        "name": .string(entry.name), "kind": .string(entry.kind.rawValue),
                        "lines": .array(
                            entry.lines.map { line in
                                .object([
                                    "key": .string(line.key), "text": .string(line.text),
                                    "details": .array(line.details.map { .string($0) }),
                                ])
                            }),
                    ])
                }),
        ])
    }
}

extension String {
    /// With what markdown would read as something else as it is.
    fileprivate var escapedForMarkdown: String {
        var escaped = ""
        var isCode = false
        for character in self {
            if character == "`" { isCode.toggle() }
            if !isCode, "*_<>[]#|\\@".contains(character) { escaped.append("\\") }
            escaped.append(character.isNewline ? " " : character)
        }
        return escaped
    }
}
