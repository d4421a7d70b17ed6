internal import PopSource

/// The difference between two texts in the unified format, as `diff -u` and `git diff` print it.
public struct UnifiedDiff: Sendable {
    /// Lines around a change that are shown.
    private static let context = 3

    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)

        var isChange: Bool {
            if case .same = self { return false }
            return true
        }
    }

    private let path: String
    private let lines: [Line]

    /// Computes the difference, in n log n steps. It is the shortest difference of short texts, and
    /// between lines that each text has once.
    public init(path: String, old: [UInt8], new: [UInt8]) {
        self.path = path
        let old = Self.lines(old)
        let new = Self.lines(new)
        let (removed, added) = Self.changes(from: old, to: new)
        var lines: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if oldIndex < old.count, removed.contains(oldIndex) {
                lines.append(.removed(old[oldIndex]))
                oldIndex += 1
            } else if newIndex < new.count, added.contains(newIndex) {
                lines.append(.added(new[newIndex]))
                newIndex += 1
            } else {
                lines.append(.same(old[oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        self.lines = lines
    }

    /// Returns the positions of the lines that only one of the texts has.
    private static func changes(
        from old: [Substring], to new: [Substring]
    ) -> (removed: Set<Int>, added: Set<Int>) {
        var changes = LineChanges(old: old, new: new)
        changes.compare(old.indices, with: new.indices)
        return (changes.removed, changes.added)
    }

    /// Returns the diff; empty if the texts are equal.
    public func text(style: TextStyle = .plain) -> String {
        let hunks = hunks
        if hunks.isEmpty { return "" }
        let name = escapedForTerminal(path)
        var text = style.bold("--- a/\(name)\n+++ b/\(name)\n")
        var before = (old: 0, new: 0)
        var end = 0
        for hunk in hunks {
            let between = counts(lines[end..<hunk.lowerBound])
            let own = counts(lines[hunk])
            before = (before.old + between.old, before.new + between.new)
            text += self.text(of: hunk, behind: before, own, style: style)
            before = (before.old + own.old, before.new + own.new)
            end = hunk.upperBound
        }
        return text
    }

    /// The lines of each change with its context; changes near each other form one hunk.
    private var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for (index, line) in lines.enumerated() where line.isChange {
            let lower = max(0, index - Self.context)
            let upper = min(lines.count, index + Self.context + 1)
            if let last = hunks.last, last.upperBound >= lower {
                hunks[hunks.count - 1] = last.lowerBound..<upper
            } else {
                hunks.append(lower..<upper)
            }
        }
        return hunks
    }

    /// Returns a hunk. `start` and `own` count the lines before the hunk and in it.
    private func text(
        of hunk: Range<Int>, behind start: (old: Int, new: Int), _ own: (old: Int, new: Int),
        style: TextStyle
    ) -> String {
        var body = ""
        for line in lines[hunk] {
            switch line {
            case .same(let text): body += row(" ", text: text)
            case .removed(let text): body += style.bad(row("-", text: text))
            case .added(let text): body += style.good(row("+", text: text))
            }
        }
        let place =
            "@@ -\(own.old == 0 ? start.old : start.old + 1),\(own.old)"
            + " +\(own.new == 0 ? start.new : start.new + 1),\(own.new) @@"
        return style.dim(place) + "\n" + body
    }

    private func row(_ mark: String, text: Substring) -> String {
        var content = text.unicodeScalars
        let isWhole = content.last == "\n"
        if isWhole { content.removeLast() }
        // Part of the line break: not shown, but required by a tool that applies the change.
        let isWindows = isWhole && content.last == "\r"
        if isWindows { content.removeLast() }
        let end = isWhole ? "\n" : "\n\\ No newline at end of file\n"
        return mark + escapedForTerminal(String(content)) + (isWindows ? "\r" : "") + end
    }

    private func counts(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
        lines.reduce(into: (0, 0)) { counts, line in
            switch line {
            case .same:
                counts.0 += 1
                counts.1 += 1
            case .removed: counts.0 += 1
            case .added: counts.1 += 1
            }
        }
    }

    /// Returns the lines with their line breaks.
    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        let text = Substring(decoding: bytes, as: UTF8.self)
        var lines: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n"))
            let next = end.map { text.utf8.index(after: $0) } ?? text.endIndex
            lines.append(text[start..<next])
            start = next
        }
        return lines
    }
}
