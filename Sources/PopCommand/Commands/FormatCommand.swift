import ArgumentParser
import Foundation
import PopRuleFiles
import PopSource
import PopYAML

struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Bring rule and test files into the one layout.",
        discussion: """
            Changes blanks and empty lines only: comments, order, quotes and text stay.
            Prints the text of one file, and for several what would change. Exits with 1
            when --check or a diff shows a difference, or when a file is not YAML.

            Example:
              poprules fmt --check rules
              poprules fmt --write rules
            """)

    enum Mode: String, EnumerableFlag {
        case check, diff, write

        static func help(for mode: Mode) -> ArgumentHelp? {
            switch mode {
            case .check: "Name the files that are laid out otherwise."
            case .diff: "Show what would change."
            case .write: "Change the files."
            }
        }
    }

    @Argument(help: "Files, folders, or - for standard input.", completion: .yamlFiles)
    var paths = ["rules"]

    @Flag(exclusivity: .exclusive) var mode: Mode?

    @Option(help: "Colour.")
    var color = ColourChoice.auto

    func validate() throws {
        if paths.contains("-"), paths.count > 1 || mode == .write {
            throw ValidationError("- is the only file, and cannot be written")
        }
    }

    func run() throws {
        let formatted = try FormattedFiles(paths, style: color.style)
        let changed = formatted.files.filter { $0.old != $0.new }
        switch mode {
        case .check:
            for file in changed { Terminal.say(escapedForTerminal(file.path)) }
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
            return Terminal.put(String(decoding: file.new, as: UTF8.self))
        }
        if !changed.isEmpty { throw ExitCode(ExitStatus.findings) }
    }

    private func show(_ files: [FormattedFiles.File]) {
        for file in files {
            let diff = UnifiedDiff(path: file.path, old: file.old, new: file.new)
            Terminal.put(diff.text(style: color.style))
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
    /// Whether one file was named, and no folder.
    let isOneFile: Bool

    /// Reads what is named; findings in any of it are printed and end the command before anything is written.
    init(_ paths: [String], style: TextStyle) throws {
        let found = try paths.map { path in
            let files = Self.files(at: path)
            guard files.isEmpty else { return files }
            throw EnvironmentFailure(message: "there is no YAML file in `\(path)`")
        }
        isOneFile = paths.count == 1 && found.first == paths
        var sources = SourceSet()
        var diagnostics = Diagnostics()
        for path in found.joined() {
            let source = sources.add(
                path: path == "-" ? "<stdin>" : path, bytes: try Self.bytes(of: path))
            let checked = YAMLDocument.formatted(source)
            diagnostics.report(contentsOf: checked.diagnostics)
            if let text = checked.value {
                files.append(File(path: source.path, old: source.bytes, new: text))
            } else if !checked.diagnostics.hasErrors {
                throw EnvironmentFailure(
                    message:
                        "`\(source.path)` cannot be laid out anew without changing what it says")
            }
        }
        guard diagnostics.hasErrors else { return }
        var renderer = TextRenderer(sources: sources, style: style)
        Terminal.put(renderer.render(diagnostics))
        throw ExitCode(ExitStatus.findings)
    }

    /// The path itself, or the YAML files of a folder in name order.
    private static func files(at path: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return [path]
        }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard path != "-" else { return try InputFile.standardInput(named: "<stdin>") }
        do {
            return try RuleFiles.bytes(of: path)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }
}
