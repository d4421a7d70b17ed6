internal import PopReports
import PopSource

/// The form of a command's result on standard output, which decides where findings go.
enum ResultForm: Equatable {
    /// Readable text, which includes diagnostics.
    case text
    /// A format in which findings can be written, too: programs that read it get a valid document.
    case report(ReportFormat)
    /// Anything else, such as SVG, a bundle or a test file: findings go to standard error.
    case other

    /// The form of a `--format`, by its name.
    init(_ format: String) {
        switch format {
        case "text", "timeline", "log": self = .text
        case "json", "jsonl", "junit":
            self = ReportFormat(rawValue: format).map { .report($0) } ?? .other
        default: self = .other
        }
    }

    /// Shows the diagnostics that prevented a result.
    func show(_ findings: Diagnostics, in sources: SourceSet, style: TextStyle) {
        switch self {
        case .text, .other:
            var renderer = TextRenderer(sources: sources, style: style)
            Terminal.show(
                .styled(renderer.render(findings)), to: self == .text ? .output : .error)
        case .report(let format):
            let files = Set(findings.list.map(\.range.file)).count
            let summary = Summary(popups: 0, files: files, diagnostics: findings)
            let report = Report(findings, sources: sources, summary: summary)
            Terminal.putData(format.withoutCommands(format.renderer().render(report)))
        }
    }
}
