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

/// The part of a line that is shown: all of it, or the surroundings of the marked places if it is
/// wider than the page.
struct LineWindow {
    private let file: [UInt8]
    private let line: Range<Int>
    private var shownBytes: Range<Int>

    /// Chooses the part. `marks` are the ranges that it should contain, `width` is the number of
    /// columns. Linear in the width.
    init(_ file: [UInt8], line: Range<Int>, marks: [Range<Int>], width: Int) {
        self.file = file
        self.line = line
        shownBytes = line
        if end(from: line.lowerBound, width: width) == line.upperBound { return }
        let first = marks.map(\.lowerBound).min() ?? line.lowerBound
        let last = marks.map(\.upperBound).max() ?? line.lowerBound
        var lower = line.lowerBound
        // One column is for the ellipsis at the end, another for the ellipsis at the start.
        if end(from: lower, width: width - 1) < min(last, line.upperBound) {
            lower = start(before: first, width: width / 3)
        }
        let room = lower > line.lowerBound ? width - 2 : width - 1
        shownBytes = lower..<max(lower, end(from: lower, width: room))
    }

    var shown: String {
        (isCutBefore ? "…" : "") + text(shownBytes).text
            + (shownBytes.upperBound < line.upperBound ? "…" : "")
    }

    /// Returns the number of columns before a range of bytes, and the number that the range takes.
    func columns(of range: Range<Int>) -> (before: Int, length: Int) {
        let lower = max(range.lowerBound, shownBytes.lowerBound)
        let before = text(shownBytes.lowerBound..<lower).width + (isCutBefore ? 1 : 0)
        return (before, text(lower..<max(lower, range.upperBound)).width)
    }

    private var isCutBefore: Bool { shownBytes.lowerBound > line.lowerBound }

    private func text(_ range: Range<Int>) -> TerminalText {
        TerminalText(String(decoding: file[range.clamped(to: shownBytes)], as: UTF8.self))
    }

    /// Returns the end of the characters that fit into a number of columns.
    private func end(from lower: Int, width: Int) -> Int {
        var (upper, left) = (lower, width)
        while upper < line.upperBound {
            var next = upper + 1
            while next < line.upperBound, isInside(next) { next += 1 }
            left -= self.width(of: upper..<next)
            if left < 0 { break }
            upper = next
        }
        return upper
    }

    /// Returns the start of the characters that fit into a number of columns before a place.
    private func start(before upper: Int, width: Int) -> Int {
        var (lower, left) = (min(upper, line.upperBound), width)
        while lower > line.lowerBound {
            var previous = lower - 1
            while previous > line.lowerBound, isInside(previous) { previous -= 1 }
            left -= self.width(of: previous..<lower)
            if left < 0 { break }
            lower = previous
        }
        return lower
    }

    /// Returns at least 1, so that a page ends however many characters of zero width there are.
    private func width(of character: Range<Int>) -> Int {
        max(1, TerminalText(String(decoding: file[character], as: UTF8.self)).width)
    }

    /// Returns true if a byte isn't the first of its character.
    private func isInside(_ offset: Int) -> Bool { file[offset] & 0xC0 == 0x80 }
}

/// A report for people: diagnostics with the lines that they are about, then the closing line.
struct TextReport: ReportRenderer {
    let style: TextStyle

    func render(_ report: Report) -> String {
        var renderer = TextRenderer(sources: report.sources, style: style)
        let findings = renderer.render(Diagnostics(report.findings))
        return findings + (report.closingLine.map { $0 + "\n" } ?? "")
    }
}

/// Diagnostics as sentences: nothing depends on columns, colors or drawings, so that screen readers
/// can read them.
struct PlainRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        var text = ""
        for (position, finding) in report.findings.enumerated() {
            let title =
                "Finding \(position + 1) of \(report.findings.count): "
                + "\(finding.level.name) \(finding.check.id), \(finding.check.name)."
            let lines = [title] + sentences(finding, in: report)
            text += lines.map { escapedForTerminal($0) + "\n" }.joined() + "\n"
        }
        return text + (report.closingLine.map { $0 + "\n" } ?? "")
    }

    private func sentences(_ finding: Diagnostic, in report: Report) -> [String] {
        let subject = finding.subject.map { ", \($0)" } ?? ""
        var lines = [
            "Message: \(finding.message).", "Place: \(place(finding.range, in: report))\(subject).",
            "The line reads: \(report.line(of: finding.range))",
        ]
        let culprit = report.sources[finding.range.file].text(in: finding.range)
        if !finding.label.isEmpty {
            let what = culprit.isEmpty || culprit.contains("\n") ? "there" : "`\(culprit)`"
            lines.append("Marked: \(what), \(finding.label).")
        }
        lines += finding.secondary.map { "See also: \(place($0.range, in: report)), \($0.text)." }
        lines += finding.notes.flatMap { parts("Note", text: $0) }
        lines += finding.help.flatMap { parts("Help", text: $0) }
        return lines + ["More: poprules explain-check \(finding.check.id)"]
    }

    private func place(_ range: SourceRange, in report: Report) -> String {
        let start = report.start(of: range)
        return "file \(report.path(of: range)), line \(start.line), column \(start.column)"
    }

    private func parts(_ kind: String, text: String) -> [String] {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Further rows must not look like lines of the report.
        return ["\(kind): \(rows.first ?? "")"] + rows.dropFirst().map { "  \($0)" }
    }
}

/// One line per diagnostic, in the usual form of compilers: `file:line:col: level: message
/// [check]`.
struct ShortRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let lines = report.findings.map { finding in
            let place = report.start(of: finding.range)
            return "\(report.path(of: finding.range)):\(place.line):\(place.column): "
                + "\(finding.level.name): \(finding.message) [\(finding.check.id)]"
        }
        return (lines.map(escapedForTerminal) + [report.closingLine].compactMap { $0 })
            .map { $0 + "\n" }.joined()
    }
}
