import ArgumentParser
internal import PopReports
import PopSource

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options that say how a report is printed, and where to.
struct ReportOptions: ParsableArguments {
    @Option(
        name: [.customShort("f"), .long],
        help: "The format of the findings. For several formats, repeat -f and -o.")
    var format: [FormatChoice] = []

    @Option(
        name: [.customShort("o"), .long],
        help: "The file for the output of the --format before it, or - for standard output.",
        completion: .file())
    var output: [String] = []

    @OptionGroup var replacing: ReplacingOption

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func validate() throws {
        let formats = max(format.count, 1)
        if !output.isEmpty, output.count != formats {
            throw ValidationError(
                "--format is given \(Self.times(format.count)), but --output"
                    + " \(Self.times(output.count)); give one --output after each --format"
                    + " (`-o -` is standard output)")
        }
        let files = output.filter { !OutputFile.isStandardOutput($0) }
        let isRepeated = files.indices.contains { place in
            files[..<place].contains { OutputFile.isSame($0, as: files[place]) }
        }
        if isRepeated {
            throw ValidationError("two formats cannot be written to the same file")
        }
        if output.count - files.count > 1 || output.isEmpty && formats > 1 {
            throw ValidationError(
                "only one format can go to standard output; add an --output for the others")
        }
    }

    private static func times(_ count: Int) -> String {
        count < 3 ? ["not at all", "once", "twice"][count] : "\(count) times"
    }

    /// Indicates whether the report on standard output is readable text.
    var isForPeople: Bool {
        destinations.contains { $0.path == nil && [.text, .short, .plain].contains($0.format) }
    }

    /// Prints the report in every requested format.
    func write(_ report: Report) throws {
        for case let path? in destinations.map(\.path) {
            try OutputFile.checkIsNone(of: report.sources, path)
            if !replacing.force { try OutputFile.checkMayReplace(path, by: .result) }
        }
        for (format, path) in destinations {
            guard let path else {
                show(report, as: format)
                continue
            }
            try OutputFile.write(
                renderer(of: format).render(report), to: path, kind: .result, force: replacing.force
            )
        }
        try writeStepSummary(report)
    }

    /// Returns the renderer of a format; GitLab requires paths relative to the project.
    private func renderer(
        of format: ReportFormat, style: TextStyle = .plain
    ) -> any ReportRenderer {
        guard format == .gitlab else { return format.renderer(style: style) }
        let folder = FileManager.default.currentDirectoryPath
        let root = ProcessInfo.processInfo.environment["CI_PROJECT_DIR"] ?? ""
        return GitLabRenderer(root: root.isEmpty ? folder : root, folder: folder)
    }

    private func show(_ report: Report, as format: ReportFormat) {
        let text = renderer(of: format, style: color.style).render(report)
        switch format {
        case .text, .short, .plain: Terminal.show(.styled(text))
        case .github, .gitlab, .json, .jsonl, .sarif, .junit, .checkstyle, .rdjson:
            Terminal.putData(format.withoutCommands(text))
        }
    }

    /// Each format with its file; nil is standard output.
    private var destinations: [(format: ReportFormat, path: String?)] {
        let formats = format.isEmpty ? [.auto] : format
        return formats.enumerated().map { position, choice in
            let path = position < output.count ? output[position] : "-"
            return (choice.format, OutputFile.isStandardOutput(path) ? nil : path)
        }
    }

    private func writeStepSummary(_ report: Report) throws {
        guard destinations.contains(where: { $0.format == .github }),
            let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty
        else { return }
        try OutputFile.append(GitHubStepSummary().render(report), to: path)
    }
}

/// A format, or the format that suits the environment of the command.
enum FormatChoice: ExpressibleByArgument {
    case auto
    case named(ReportFormat)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let format = ReportFormat(rawValue: argument) {
            self = .named(format)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ["auto"] + ReportFormat.allCases.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var format: ReportFormat {
        switch self {
        case .named(let format): format
        case .auto:
            ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" ? .github : .text
        }
    }
}
