internal import PopSource

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
