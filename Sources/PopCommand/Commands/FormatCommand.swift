import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopSource
import PopStories
import PopValidation
import PopYAML

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Format rules, tests and mappings.",
        usage: "poprules fmt [<paths> ...] [--check | --diff | --write] [<options>]",
        discussion: """
            Changes only spaces and empty lines. Without an option, prints the formatted
            file, or the changes if there are several files. Exits with 1 if --check lists
            a file, if changes are printed, or if a file is not YAML.

            Example:
              poprules fmt --check rules
              poprules fmt --write rules
            """)

    enum Mode: String, EnumerableFlag {
        case check, diff, write

        static func help(for mode: Mode) -> ArgumentHelp? {
            switch mode {
            case .check: "List the files that are not formatted."
            case .diff: "Show what would change in the files."
            case .write: "Format the files in place."
            }
        }
    }

    @Argument(help: "Files, folders, or - for standard input.", completion: .yamlFiles)
    var paths = ["rules"]

    @Flag var modes: [Mode] = []

    private var mode: Mode? { modes.first }

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func validate() throws {
        let given = Mode.allCases.filter { modes.contains($0) }.map { "--\($0.rawValue)" }
        if given.count > 1 {
            throw ValidationError("\(given[0]) and \(given[1]) cannot be combined")
        }
        if paths.contains("-"), paths.count > 1 || mode == .write {
            throw ValidationError(
                "standard input (`-`) cannot be combined with other files or with --write")
        }
    }

    func run() throws {
        let formatted = try FormattedFiles(paths, style: color.style)
        let changed = formatted.files.filter { $0.old != $0.new }
        switch mode {
        case .check:
            for file in changed { Terminal.say("\(file.path)") }
        case .write:
            for file in changed {
                try OutputFile.change(file.path, from: file.old, to: file.new)
                OutputFile.sayWritten(file.path)
            }
            return
        case .diff: show(changed)
        case nil:
            guard formatted.isOneFile, let file = formatted.files.first else {
                show(changed)
                break
            }
            return Terminal.putData(file.new)
        }
        if !changed.isEmpty { throw ExitCode(ExitStatus.findings) }
    }

    private func show(_ files: [FormattedFiles.File]) {
        for file in files {
            let diff = UnifiedDiff(path: file.path, old: file.old, new: file.new)
            Terminal.show(.styled(diff.text(style: color.style)))
        }
    }
}

/// Files before and after.
struct FormattedFiles {
    struct File {
        var path: String
        var old: [UInt8]
        var new: [UInt8]
    }

    private(set) var files: [File] = []
    /// Indicates whether only one file was named, and no folder.
    let isOneFile: Bool

    /// Reads what is named; findings in any of it are printed and end the command before anything
    /// is written.
    init(_ paths: [String], style: TextStyle) throws {
        try Workspace.refuseLinkOut(paths, includingFiles: true)
        let found = try paths.map(Self.read)
        isOneFile = paths.count == 1 && found.first?.map(\.path) == paths
        var sources = SourceSet()
        var diagnostics = Diagnostics()
        for file in found.joined() {
            let path = file.path == "-" ? "<stdin>" : file.path
            let source = sources.add(path: path, bytes: file.bytes, problem: file.problem)
            if let unreadable = Diagnostic.unreadable(source) {
                diagnostics.report(unreadable)
                continue
            }
            if let bundle = YAMLDocument.parse(source).value.flatMap({ Diagnostic.bundle($0.root) })
            {
                diagnostics.report(bundle)
                continue
            }
            let checked = YAMLDocument.formatted(source)
            diagnostics.report(contentsOf: checked.diagnostics)
            if let text = checked.value {
                files.append(File(path: source.path, old: source.bytes, new: text))
            } else if !checked.diagnostics.hasErrors {
                throw EnvironmentFailure(
                    message:
                        "`\(source.path)` cannot be formatted without changing its meaning")
            }
        }
        guard diagnostics.hasErrors else { return }
        var renderer = TextRenderer(sources: sources, style: style)
        Terminal.show(.styled(renderer.render(diagnostics)))
        throw ExitCode(ExitStatus.findings)
    }

    /// The file that is named, or the YAML files of a folder in name order.
    private static func read(_ path: String) throws -> [SourceFile] {
        if path == "-" {
            let bytes = try InputFile.standardInput(named: "<stdin>")
            return [SourceFile(path: path, bytes: bytes)]
        }
        do {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                return [SourceFile(path: path, bytes: try RuleFiles.bytes(of: path))]
            }
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            let files = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
                .filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
                .filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) == nil }
            guard !files.isEmpty else {
                throw EnvironmentFailure(message: "there is no YAML file in `\(path)`")
            }
            return try RuleFiles.read(FileGroup(files, foundIn: path)).files
        } catch let error as ReadError {
            throw EnvironmentFailure(message: error.description)
        }
    }
}
