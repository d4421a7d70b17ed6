import ArgumentParser
internal import PopReports
import PopSource

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The output of a command: results go to standard output, everything else to standard error.
///
/// `show` prints readable text. It takes only `TerminalLines`, so that no name and no value in it
/// moves the cursor or changes the screen. `putData` prints data for programs, unchanged.
enum Terminal {
    /// Prints readable text.
    static func show(_ text: TerminalLines, to stream: Stream = .output) {
        write(
            Array(text.text.utf8), to: stream == .output ? .standardOutput : .standardError)
    }

    /// Prints readable text and a line break.
    static func say(_ text: TerminalLines) { show(text + "\n") }

    /// Prints a result that another program reads: a file or a document, byte for byte.
    static func putData(_ text: String) { putData(Array(text.utf8)) }

    static func putData(_ bytes: [UInt8]) { write(bytes, to: .standardOutput) }

    /// Prints a document of JSON and a line break.
    static func putData(_ json: JSON, isCompact: Bool = false) {
        let text = isCompact ? json.compact : json.pretty
        putData(withoutCommandMarks(text, escape: .json) + "\n")
    }

    /// The streams that a program writes to.
    enum Stream {
        case output
        case error
    }

    /// Prints progress or a complaint about the environment, and a line break.
    static func complain(_ text: TerminalLines) { show(text + "\n", to: .error) }

    /// Prints what is wrong with the command line, on the lines that it has.
    static func complain(lines text: String) {
        // A word that a pattern of the shell has found may hold anything.
        let words = CommandLine.arguments.filter { escapedForTerminal($0) != $0 }
        let safe = words.reduce(text) { $0.replacing($1, with: escapedForTerminal($1)) }
        for line in safe.split(separator: "\n", omittingEmptySubsequences: false) {
            complain("\(String(line))")
        }
    }

    /// Writes bytes. A reader that has ended, as in `poprules list | head`, isn't an error: the
    /// rest is dropped. A result that is lost for another reason, such as a full disk, ends the
    /// program.
    private static func write(_ bytes: [UInt8], to file: Descriptor) {
        do {
            try file.put(bytes)
        } catch {
            guard file.number == Descriptor.standardOutput.number, !error.isBrokenPipe
            else { return }
            complain("poprules: cannot write to standard output")
            PopRulesCommand.exit(withError: ExitCode(ExitStatus.environment))
        }
    }
}

/// When to use colour.
enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never

    /// The choice, then `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`, then whether standard output is
    /// a terminal.
    var style: TextStyle {
        let environment = ProcessInfo.processInfo.environment
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let isForced = isSet("FORCE_COLOR") && environment["FORCE_COLOR"] != "0"
        switch self {
        case .always: return .colour
        case .never: return .plain
        case .auto:
            if isSet("NO_COLOR") { return .plain }
            if isForced { return .colour }
            if environment["TERM"] == "dumb" { return .plain }
            return Descriptor.standardOutput.isTerminal ? .colour : .plain
        }
    }
}

/// The progress of a command, on standard error: only on a terminal, and only if the command takes
/// longer than a second.
final class Progress {
    private static let patience = Duration.seconds(1)

    private let started = ContinuousClock.now
    private let isShown = Descriptor.standardError.isTerminal
    private var isLineOpen = false

    func say(_ text: String) {
        guard isShown, ContinuousClock.now - started > Self.patience else { return }
        Terminal.show("\r\u{1B}[K\(text)", to: .error)
        isLineOpen = true
    }

    /// Clears the line, before results are printed.
    func end() {
        if isLineOpen { Terminal.show("\r\u{1B}[K", to: .error) }
        isLineOpen = false
    }
}

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
