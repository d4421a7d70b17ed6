public import PopSource

/// What one run found, ready to be printed: the input of every renderer.
public struct Report: Sendable {
    /// The files that ranges of findings lie in.
    public let sources: SourceSet
    /// In the order of printing, each once.
    public let findings: [Diagnostic]
    /// How much was looked at and found.
    public let summary: Summary
    /// Findings of this level and above make the command fail.
    public let failLevel: Level
    /// The last line for people; nil when they asked for silence.
    public let closingLine: String?
    /// Only of files that findings name.
    private let indexes: [FileID: LineIndex]

    /// Linear in the files that findings name.
    public init(
        _ diagnostics: Diagnostics, sources: SourceSet, summary: Summary,
        failLevel: Level = .error, closingLine: String? = nil
    ) {
        self.sources = sources
        findings = diagnostics.sorted
        self.summary = summary
        self.failLevel = failLevel
        self.closingLine = closingLine
        let named = Set(findings.flatMap { $0.allRanges.map(\.file) })
        indexes = Dictionary(uniqueKeysWithValues: named.map { ($0, LineIndex(sources[$0])) })
    }

    /// Whether a finding is of the level that makes the command fail.
    public var fails: Bool { findings.contains { $0.level >= failLevel } }

    func path(of range: SourceRange) -> String { sources[range.file].path }

    func start(of range: SourceRange) -> LineColumn { index(range.file).place(at: range.lower) }

    /// Behind the last character.
    func end(of range: SourceRange) -> LineColumn { index(range.file).place(at: range.upper) }

    /// How much of a line is shown on both sides of a place: lines can be as long as a file.
    private static let reach = 500

    /// The line that a range begins on, without the blanks at its ends; of a long one, what is
    /// around the place.
    func line(of range: SourceRange) -> String {
        let index = index(range.file)
        let whole = index.bytes(ofLine: index.line(at: range.lower))
        let near = max(range.lower - Self.reach, 0)..<range.lower + Self.reach
        let shown = whole.count > 2 * Self.reach ? whole.clamped(to: near) : whole
        let bytes = sources[range.file].bytes[shown]
        let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return String(decoding: end.map { text[...$0] } ?? [], as: UTF8.self)
    }

    /// The offset of the first byte of the line that a place is on.
    func lineStart(_ offset: Int, in file: FileID) -> Int {
        let index = index(file)
        return index.bytes(ofLine: index.line(at: offset)).lowerBound
    }

    private func index(_ file: FileID) -> LineIndex { indexes[file] ?? LineIndex(sources[file]) }
}

extension Diagnostic {
    /// Every place that the finding names.
    fileprivate var allRanges: [SourceRange] {
        [range] + secondary.map(\.range) + fixes.flatMap { $0.edits.map(\.range) }
    }
}

/// One way to print a report. The same report gives the same text, byte for byte.
public protocol ReportRenderer: Sendable {
    /// The whole output, line breaks included.
    func render(_ report: Report) -> String
}
