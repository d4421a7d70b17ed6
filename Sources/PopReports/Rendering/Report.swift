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

/// The formats of reports, by their names on the command line.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// For people: the lines of the file with the problem underlined.
    case text
    /// For people and editors: one line per diagnostic.
    case short
    /// For screen readers: sentences, no drawings.
    case plain
    /// One JSON object, by `validate.schema.json`.
    case json
    /// One JSON object per diagnostic, one per line.
    case jsonl
    /// SARIF 2.1.0 (OASIS), for code scanning.
    case sarif
    /// Workflow commands of GitHub Actions.
    case github
    /// JUnit's XML, for test reports of build servers.
    case junit
    /// Checkstyle's XML.
    case checkstyle
    /// Reviewdog's diagnostic format.
    case rdjson
    /// GitLab's code quality report.
    case gitlab

    /// Returns a report in this format for a log, without commands to a build server that doesn't
    /// read the format.
    package func withoutCommands(_ report: String) -> String {
        switch self {
        case .text, .short, .plain: report
        case .json, .jsonl, .sarif, .rdjson, .gitlab: withoutCommandMarks(report, escape: .json)
        case .junit, .checkstyle: withoutCommandMarks(report, escape: .xml)
        case .github: withoutCommandMarks(report)
        }
    }

    /// Returns the renderer of the format; only `text` has colors.
    public func renderer(style: TextStyle = .plain) -> any ReportRenderer {
        switch self {
        case .text: TextReport(style: style)
        case .short: ShortRenderer()
        case .plain: PlainRenderer()
        case .json: JSONRenderer()
        case .jsonl: JSONLinesRenderer()
        case .sarif: SARIFRenderer()
        case .github: GitHubRenderer()
        case .junit: JUnitRenderer()
        case .checkstyle: CheckstyleRenderer()
        case .rdjson: ReviewdogRenderer()
        case .gitlab: GitLabRenderer()
        }
    }
}

/// The counts of checked popups and files, and of diagnostics: the closing line.
public struct Summary: Sendable, Hashable {
    /// The number of popups in the rules.
    public var popups: Int
    /// The number of files read.
    public var files: Int
    /// Diagnostics of level `error`.
    public var errors: Int
    /// Diagnostics of level `warning`.
    public var warnings: Int
    /// Diagnostics of level `info`.
    public var infos: Int
    /// The extent of the search for advice.
    public var advice: Advice
    /// The number of errors that hide advice about other things than themselves.
    public var hidingErrors: Int
    /// True if some conditions weren't analyzed, because that takes too much work.
    public var isCutShort = false

    /// The extent of the search for advice: errors hide advice that depends on them.
    public enum Advice: String, Sendable {
        case complete
        case partial
        case none
    }

    /// Counts diagnostics by level, each once. Takes as long as sorting them.
    public init(
        popups: Int, files: Int, diagnostics: Diagnostics, advice: Advice = .complete,
        hidingErrors: Int = 0
    ) {
        self.popups = popups
        self.files = files
        self.advice = advice
        self.hidingErrors = hidingErrors
        let list = diagnostics.sorted
        errors = list.count { $0.level == .error }
        warnings = list.count { $0.level == .warning }
        infos = list.count { $0.level == .info }
    }

    /// A sentence such as `14 popups in 3 files: 0 errors, 2 warnings`.
    public var text: String {
        let found = [count(errors, noun: "error"), count(warnings, noun: "warning")]
        let more = infos > 0 ? [count(infos, noun: "info")] : []
        return "\(count(popups, noun: "popup")) in \(count(files, noun: "file")): "
            + (found + more).joined(separator: ", ")
    }

    /// A notice about checks that weren't made; nil if all were made.
    public var notice: String? {
        let cutShort =
            isCutShort
            ? "some conditions or popups were not analyzed, because this takes too much work" : nil
        let parts = [hiddenAdvice, cutShort].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }

    private var hiddenAdvice: String? {
        if hidingErrors == 0 { return nil }
        let errors =
            hidingErrors == 1
            ? "the error in the rules is" : "the \(hidingErrors) errors in the rules are"
        return switch advice {
        case .complete: nil
        case .partial: "some warnings and suggestions are skipped until \(errors) fixed"
        case .none: "warnings and suggestions are skipped until \(errors) fixed"
        }
    }

    private func count(_ number: Int, noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// The identity of a diagnostic when lines above it are added or removed: the check, the file and
/// the text of its line.
///
/// Diagnostics that agree in all three are numbered in the order of printing.
public struct Fingerprint: Sendable, Hashable {
    /// 16 hexadecimal digits.
    public let hash: String
    /// From 1.
    public let occurrence: Int

    /// Both parts with a colon, as in baselines and code quality reports.
    public var text: String { "\(hash):\(occurrence)" }
}

extension Report {
    /// The fingerprints of the diagnostics, in their order. Linear in the diagnostics.
    public var fingerprints: [Fingerprint] {
        var seen: [String: Int] = [:]
        return findings.map { finding in
            let parts = [finding.check.id, path(of: finding.range), line(of: finding.range)]
            let hash = paddedHexadecimal(fnv1a(parts.joined(separator: "\0")))
            seen[hash, default: 0] += 1
            return Fingerprint(hash: hash, occurrence: seen[hash, default: 1])
        }
    }
}

/// Returns Fowler, Noll and Vo's hash 1a with 64 bits, which is the same in every run and on every
/// machine.
private func fnv1a(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

private func paddedHexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
