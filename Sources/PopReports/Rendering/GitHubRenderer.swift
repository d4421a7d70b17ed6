internal import PopSource

/// Workflow commands of GitHub Actions, which GitHub shows at the lines of a pull request.
struct GitHubRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let commands = report.findings.map { command($0, in: report) + "\n" }
        return commands.joined() + (report.closingLine.map { $0 + "\n" } ?? "")
    }

    private func command(_ finding: Diagnostic, in report: Report) -> String {
        let start = report.start(of: finding.range)
        let end = report.end(of: finding.range)
        var properties: [(String, String)] = []
        if report.sources[finding.range.file].isOnDisk {
            properties = [
                ("file", report.path(of: finding.range)), ("line", "\(start.line)"),
                ("endLine", "\(end.line)"),
            ]
            // Columns are taken only within one line; the last one is included.
            if start.line == end.line {
                properties.append(("col", "\(start.column)"))
                properties.append(("endColumn", "\(max(start.column, end.column - 1))"))
            }
        }
        properties.append(("title", "\(finding.check.id) \(finding.check.name)"))
        let list = properties.map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
        let message = ([finding.message] + finding.help).joined(separator: "\n")
        return "::\(name(of: finding.level)) \(list)::\(escaped(message))"
    }

    private func name(of level: Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .info, .off: "notice"
        }
    }

    private func escaped(_ text: String) -> String { escaped(text, special: "%\r\n") }

    private func escapedProperty(_ text: String) -> String { escaped(text, special: "%\r\n:,") }

    /// Percent-encodes the characters that would end the command or one of its parts.
    private func escaped(_ text: String, special: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            } else {
                result += escapedForTerminal(scalar)
            }
        }
        return result
    }
}

/// The diagnostics as a Markdown table, for the summary page of a step in GitHub Actions.
///
/// GitHub shows only the first ten annotations of a kind; the table contains all.
public struct GitHubStepSummary: ReportRenderer {
    /// A renderer without settings.
    public init() {}

    /// Returns a heading with the summary, and a table of the diagnostics if there are any.
    public func render(_ report: Report) -> String {
        var text: Markdown = "### \(Product.name): \(report.summary.text)\n\n"
        if let notice = report.summary.notice { text += "\(message: notice)\n\n" }
        if report.findings.isEmpty { return text.source }
        let rows = report.findings.map { finding -> [Markdown] in
            let start = report.start(of: finding.range)
            let path = report.path(of: finding.range)
            return [
                "\(finding.level.name)", "\("\(path):\(start.line):\(start.column)")",
                .message(finding.message), "\(finding.check.id) \(finding.check.name)",
            ]
        }
        text += .table(["level", "place", "finding", "check"], rows: rows)
        return (text + "\n\n").source
    }
}

/// GitLab's code quality report: a JSON array with a fingerprint for each diagnostic.
public struct GitLabRenderer: ReportRenderer {
    /// The absolute path of the project, and of the folder that relative paths of files start from;
    /// nil if paths are printed as given.
    private let project: (root: String, folder: String)?

    /// Creates a renderer that prints paths as given.
    public init() { project = nil }

    /// Creates a renderer that prints paths relative to the root of a project.
    public init(root: String, folder: String) { project = (root, folder) }

    public func render(_ report: Report) -> String {
        let items = zip(report.findings, report.fingerprints).map { finding, fingerprint in
            JSON.object([
                "description": .string(finding.message),
                "check_name": .string(finding.check.name),
                "fingerprint": .string(fingerprint.text),
                "severity": .string(severity(finding.level)),
                "location": .object([
                    "path": .string(path(report.path(of: finding.range))),
                    "lines": .object([
                        "begin": .int(report.start(of: finding.range).line),
                        "end": .int(report.end(of: finding.range).line),
                    ]),
                ]),
            ])
        }
        return JSON.array(items).pretty + "\n"
    }

    /// Returns the path relative to the project, as GitLab requires; unchanged for a file outside
    /// of the project.
    private func path(_ path: String) -> String {
        guard let project else { return path }
        let whole = path.hasPrefix("/") ? path : "\(project.folder)/\(path)"
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        let root = project.root.split(separator: "/")
        guard parts.starts(with: root), parts.count > root.count else { return path }
        return parts.dropFirst(root.count).joined(separator: "/")
    }

    private func severity(_ level: Level) -> String {
        switch level {
        case .error: "major"
        case .warning: "minor"
        case .info, .off: "info"
        }
    }
}
