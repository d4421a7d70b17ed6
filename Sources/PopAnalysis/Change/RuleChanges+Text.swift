internal import PopReports
public import PopSource

extension RuleChanges {
    /// A description for users.
    public var text: String {
        if isSame { return "No behavior changes.\n" }
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

    /// The first line of the pull request comment, which identifies it for updates.
    public static let mark = markdownMark.source

    /// The text of a pull request comment.
    public var markdown: String {
        let lines = [Self.markdownMark, "### Rule changes and affected users", ""] + markdownLines
        return (lines.joined(separator: "\n") + "\n").source
    }

    private static let markdownMark: Markdown = "<!-- poprules diff -->"

    private var markdownLines: [Markdown] {
        var lines: [Markdown] = []
        if isSame { lines.append("No behavior changes.") }
        for entry in entries {
            let name = Markdown.message(entry.name)
            lines.append(
                entry.kind == .changed ? "**\(name)**" : "**\(name)** \(entry.kind.rawValue)")
            lines.append("")
            for line in entry.lines {
                lines.append("- \(message: line.key): \(message: line.text)")
                lines += line.details.map { "  - \(message: $0)" }
            }
            if !entry.lines.isEmpty { lines.append("") }
        }
        if !isDecided { lines += ["Some effects are not known.", ""] }
        return lines
    }

    /// A description for programs.
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
