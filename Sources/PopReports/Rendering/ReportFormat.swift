internal import PopSource

/// The ways in which a report can be printed, by the names that the command line gives them.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// For people: the lines of the file with the culprit underlined.
    case text
    /// For people and editors: a line a finding.
    case short
    /// For people who listen: sentences, no drawings.
    case plain
    /// One JSON object, by `validate.schema.json`.
    case json
    /// A JSON object a finding, one a line.
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

    /// A report in this format as a log may show it, without what a build server obeys that does
    /// not read the format.
    package func withoutCommands(_ report: String) -> String {
        switch self {
        case .text, .short, .plain: report
        case .json, .jsonl, .sarif, .rdjson, .gitlab: withoutCommandMarks(report, escape: .json)
        case .junit, .checkstyle: withoutCommandMarks(report, escape: .xml)
        case .github: withoutCommandMarks(report)
        }
    }

    /// What prints that way; only `text` has colours.
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
