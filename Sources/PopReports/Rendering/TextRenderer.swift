public import PopSource

/// Prints diagnostics for people: message, place, the lines of the file with the problem
/// underlined, facts and help.
public struct TextRenderer {
    private let sources: SourceSet
    private let style: TextStyle
    private var indexes: [FileID: LineIndex] = [:]

    /// Creates a renderer of excerpts of these files.
    public init(sources: SourceSet, style: TextStyle = .plain) {
        self.sources = sources
        self.style = style
    }

    /// Returns the diagnostics with an empty line after each: errors and warnings by their places,
    /// and then infos, so that infos never push a mistake off the screen.
    public mutating func render(_ diagnostics: Diagnostics) -> String {
        let sorted = diagnostics.sorted
        let ordered = sorted.filter { $0.level > .info } + sorted.filter { $0.level <= .info }
        return ordered.map { render($0) + "\n" }.joined()
    }

    /// Returns one diagnostic; ends with a line break.
    public mutating func render(_ diagnostic: Diagnostic) -> String {
        let snippets = snippets(of: diagnostic)
        let lastLine = snippets.flatMap { $0.lines.map(\.number) }.max() ?? 1
        let gutter = String(repeating: " ", count: String(lastLine).count)
        let bar = style.dim("|")
        var lines = [header(of: diagnostic)]
        for (position, snippet) in snippets.enumerated() {
            let arrow = style.dim(position == 0 ? "-->" : ":::")
            lines.append(
                "\(gutter)\(arrow) \(place(of: snippet, in: diagnostic, isFirst: position == 0))")
            if position == 0 { lines.append("\(gutter) \(bar)") }
            lines += snippet.lines.flatMap {
                drawn($0, gutter: gutter.count, level: diagnostic.level)
            }
            lines.append("\(gutter) \(bar)")
        }
        let remarks =
            diagnostic.notes.map { ("note", $0) } + diagnostic.help.map { ("help", $0) }
            + [("docs", "poprules explain-check \(diagnostic.check.id)")]
        for (kind, text) in remarks {
            let indent = "\n" + gutter + "         "
            let rows = rows(of: text, width: pageWidth - indent.count + 1)
            lines.append(
                "\(gutter) \(style.dim("=")) \(style.bold(kind + ":")) \(rows.joined(separator: indent))"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func header(of diagnostic: Diagnostic) -> String {
        let title = style.paint(
            "\(diagnostic.level.name)[\(diagnostic.check.id)]", as: diagnostic.level)
        let indent = "\(diagnostic.level.name)[\(diagnostic.check.id)]: ".count
        let rows = rows(of: diagnostic.message, width: pageWidth - indent)
        let margin = "\n" + String(repeating: " ", count: indent)
        let first = style.bold(": " + (rows.first ?? ""))
        return title + ([first] + rows.dropFirst().map(style.bold)).joined(separator: margin)
    }

    /// Returns the lines of a text of the program, wrapped further to fit the page.
    private func rows(of text: String, width: Int) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).flatMap {
            wrapped(escapedForTerminal(String(Substring($0))), to: width, keepsCode: true)
        }
    }

    private mutating func place(
        of snippet: Snippet, in diagnostic: Diagnostic, isFirst: Bool
    ) -> String {
        let place = index(snippet.file).place(at: snippet.anchor)
        let path = escapedForTerminal(sources[snippet.file].path)
        let subject = isFirst ? diagnostic.subject.map { " (\(escapedForTerminal($0)))" } : nil
        return "\(path):\(place.line):\(place.column)\(subject ?? "")"
    }

    private func drawn(_ line: SnippetLine, gutter: Int, level: Level) -> [String] {
        let bar = style.dim("|")
        let number = String(line.number)
        let margin = String(repeating: " ", count: gutter - number.count)
        var rows = [line.skipsBefore ? style.dim("...") : nil].compactMap { $0 }
        // The number, a bar and two blanks come before it.
        let window = LineWindow(
            sources[line.file].bytes, line: line.bytes, marks: line.marks.map(\.bytes),
            width: pageWidth - gutter - 3)
        let code = window.shown
        rows.append("\(margin)\(style.dim(number)) \(bar)\(code.isEmpty ? "" : " " + code)")
        for mark in line.marks {
            let (indent, length) = window.columns(of: mark.bytes)
            let underline = String(repeating: mark.isPrimary ? "^" : "-", count: max(length, 1))
            let text = mark.text.isEmpty ? "" : " " + escapedForTerminal(mark.text)
            let painted =
                mark.isPrimary
                ? style.paint(underline + text, as: level) : style.secondary(underline + text)
            let blank = String(repeating: " ", count: gutter)
            rows.append("\(blank) \(bar) \(String(repeating: " ", count: indent))\(painted)")
        }
        return rows
    }

    mutating func index(_ file: FileID) -> LineIndex {
        if let index = indexes[file] { return index }
        let index = LineIndex(sources[file])
        indexes[file] = index
        return index
    }
}

// MARK: snippets

/// The lines of one file that a diagnostic shows.
private struct Snippet {
    var file: FileID
    var anchor: Int
    var lines: [SnippetLine]
}

private struct SnippetLine {
    var number: Int
    var file: FileID
    var bytes: Range<Int>
    var marks: [Mark]
    var skipsBefore: Bool
}

private struct Mark {
    var bytes: Range<Int>
    var text: String
    var isPrimary: Bool
}

extension TextRenderer {
    /// Returns the snippet of the diagnostic's file first, then the others in the order in which
    /// the labels name them.
    private mutating func snippets(of diagnostic: Diagnostic) -> [Snippet] {
        let primary = Diagnostic.Label(diagnostic.label, at: diagnostic.range)
        var files = [diagnostic.range.file]
        for label in diagnostic.secondary where !files.contains(label.range.file) {
            files.append(label.range.file)
        }
        return files.map { file in
            let labels = ([primary] + diagnostic.secondary).filter { $0.range.file == file }
            return snippet(file, labels: labels, primary: primary)
        }
    }

    private mutating func snippet(
        _ file: FileID, labels: [Diagnostic.Label], primary: Diagnostic.Label
    ) -> Snippet {
        let index = index(file)
        var marks: [Int: [Mark]] = [:]
        for label in labels {
            let line = index.line(at: label.range.lower)
            let visible = label.range.bytes.clamped(to: lineAndEnd(line, in: index))
            marks[line, default: []].append(
                Mark(bytes: visible, text: label.text, isPrimary: label == primary))
        }
        var numbers = Set(marks.keys)
        // One line before the problem shows the key that its value belongs to.
        let first = index.line(at: primary.range.lower)
        if primary.range.file == file, first > 1, !isBlank(index.bytes(ofLine: first - 1), in: file)
        {
            numbers.insert(first - 1)
        }
        var previous: Int?
        let lines = numbers.sorted().map { number in
            defer { previous = number }
            let marks = (marks[number] ?? []).sorted { $0.bytes.lowerBound > $1.bytes.lowerBound }
            return SnippetLine(
                number: number, file: file, bytes: index.bytes(ofLine: number), marks: marks,
                skipsBefore: previous.map { $0 + 1 < number } ?? false)
        }
        let anchor = labels.first?.range.lower ?? 0
        return Snippet(file: file, anchor: anchor, lines: lines)
    }

    /// Returns the bytes of a line and the place after its last character, where something may be
    /// missing.
    private func lineAndEnd(_ line: Int, in index: LineIndex) -> Range<Int> {
        let bytes = index.bytes(ofLine: line)
        return bytes.lowerBound..<bytes.upperBound + 1
    }

    private func isBlank(_ line: Range<Int>, in file: FileID) -> Bool {
        sources[file].bytes[line].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
