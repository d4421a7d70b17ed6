internal import PopSource

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
