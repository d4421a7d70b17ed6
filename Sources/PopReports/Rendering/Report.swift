public import PopSource

/// The result of one run, ready to be printed: the input of every renderer.
public struct Report: Sendable {
    /// The files that contain the ranges of the diagnostics.
    public let sources: SourceSet
    /// In the order of printing, each once.
    public let findings: [Diagnostic]
    /// The counts of checked popups and files, and of diagnostics.
    public let summary: Summary
    /// Diagnostics of this level and above make the command fail.
    public let failLevel: Level
    /// The last line for people; nil if they requested no output.
    public let closingLine: String?
    /// Only of files that diagnostics name.
    private let indexes: [FileID: LineIndex]

    /// Creates a report. Linear in the files that diagnostics name.
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

    /// True if a diagnostic is of a level that makes the command fail.
    public var fails: Bool { findings.contains { $0.level >= failLevel } }

    func path(of range: SourceRange) -> String { sources[range.file].path }

    func start(of range: SourceRange) -> LineColumn { index(range.file).place(at: range.lower) }

    /// Returns the place after the last character.
    func end(of range: SourceRange) -> LineColumn { index(range.file).place(at: range.upper) }

    /// The number of bytes of a line that are used on both sides of a place: lines can be as long
    /// as a file.
    private static let reach = 500

    /// Returns the line that a range begins on, without the blanks at its ends; for a long line,
    /// only the surroundings of the place.
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

    /// Returns the offset of the first byte of the line that contains a place.
    func lineStart(_ offset: Int, in file: FileID) -> Int {
        let index = index(file)
        return index.bytes(ofLine: index.line(at: offset)).lowerBound
    }

    private func index(_ file: FileID) -> LineIndex { indexes[file] ?? LineIndex(sources[file]) }
}

extension Diagnostic {
    /// Every place that the diagnostic names.
    fileprivate var allRanges: [SourceRange] {
        [range] + secondary.map(\.range) + fixes.flatMap { $0.edits.map(\.range) }
    }
}

/// A way to print a report. The same report gives the same text, byte for byte.
public protocol ReportRenderer: Sendable {
    /// Returns the whole output, including line breaks.
    func render(_ report: Report) -> String
}
