import ArgumentParser
import PopSource

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ManCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page.",
        discussion: """
            Example:
              poprules man | man -l -
            """)

    func run() throws {
        Terminal.putData(try ManualPage(of: PopRulesCommand.self).text)
    }
}

/// The help of all subcommands as one page for `man`, in the language of man(7).
struct ManualPage {
    private let command: CommandDescription

    /// Reads what the parser of the command line knows of itself.
    init(of command: any ParsableCommand.Type) throws {
        let description = Data(command._dumpHelp().utf8)
        self.command = try environment {
            try JSONDecoder().decode(ToolDescription.self, from: description).command
        }
    }

    var text: String {
        let name = command.commandName
        let parts = [
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(Product.version)\" \"\"",
            ".SH NAME", Self.filled("\(name) - \(command.abstract ?? "")"),
            ".SH SYNOPSIS", ".B \(name)", "\\fIcommand\\fP [\\fIoptions\\fP] [\\fIarguments\\fP]",
            ".SH DESCRIPTION", prose(command.discussion),
            ".SH COMMANDS",
            command.commands.map { section(of: $0, behind: name) }.joined(separator: "\n"),
            ".SH ENVIRONMENT", Self.variables,
            ".SH FILES", Self.files,
            ".SH EXIT STATUS", Self.status,
        ]
        return parts.joined(separator: "\n") + "\n"
    }

    private func section(of command: CommandDescription, behind name: String) -> String {
        let arguments = command.visible
        let positional = arguments.filter { $0.kind == .positional }
        let usage = positional.map { argument in
            let name = "\\fI\(Self.escaped(argument.valueName ?? ""))\\fP"
            return "[\(name)\(argument.isRepeating ? " ..." : "")]"
        }
        let title = ([name, command.commandName] + ["[\\fIoptions\\fP]"] + usage)
            .joined(separator: " ")
        let parts = [
            ".SS \(title)", Self.filled(command.abstract ?? "") + "\n.PP",
            prose(command.discussion),
        ]
        return (parts.filter { !$0.isEmpty } + arguments.map(entry)).joined(separator: "\n")
    }

    private func entry(of argument: ArgumentDescription) -> String {
        let value = argument.valueName.map { "\\fI\(Self.escaped($0))\\fP" } ?? ""
        let names = argument.sortedNames.map { "\\fB\(Self.escaped($0))\\fP" }
        let label =
            switch argument.kind {
            case .positional: value
            case .option: names.joined(separator: ", ") + " " + value
            case .flag: names.joined(separator: ", ")
            }
        return ".TP\n\(label)\n" + Self.filled(argument.meaning)
    }

    /// Returns paragraphs; indented text stays unchanged.
    private func prose(_ text: String?) -> String {
        var lines: [String] = []
        for paragraph in (text ?? "").components(separatedBy: "\n\n") where !paragraph.isEmpty {
            if !lines.isEmpty { lines.append(".PP") }
            let rows = paragraph.components(separatedBy: "\n")
            let words = rows.prefix { !$0.hasPrefix(" ") }
            let examples = rows.dropFirst(words.count).map { Self.escaped($0) }
            lines.append(Self.filled(words.joined(separator: " ")))
            if !examples.isEmpty { lines += [".nf"] + examples + [".fi"] }
        }
        return lines.joined(separator: "\n")
    }

    /// In lines of at most 72 characters, which `man` joins.
    private static func filled(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + word.count < 72 {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.map(escaped).joined(separator: "\n")
    }

    /// A backslash and a dash have meanings, as has a dot or an apostrophe at the beginning of a
    /// line.
    private static func escaped(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }

    private static let variables = """
        .TP
        \\fBNO_COLOR\\fP
        Print without colors if this is set.
        .TP
        \\fBFORCE_COLOR\\fP
        Print colors if this is set, even if the output is not a terminal.
        """

    private static let files = """
        .TP
        \\fIpoprules.yaml\\fP
        The configuration of a project; searched in this folder and the folders above.
        .TP
        \\fIrules/\\fP
        The rules and tests to use if no paths are given.
        """

    private static let status = """
        .TP
        \(ExitStatus.clean)
        Success, without errors.
        .TP
        \(ExitStatus.findings)
        Findings, failed tests, or a difference.
        .TP
        \(ExitStatus.usage)
        Wrong arguments.
        .TP
        \(ExitStatus.environment)
        A file could not be read or written.
        .TP
        \(ExitStatus.inconclusive)
        A result could not be determined, for example because a limit was reached.
        """
}

// MARK: what the parser of the command line prints of itself

private struct ToolDescription: Decodable {
    var command: CommandDescription
}

private struct CommandDescription: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [CommandDescription]?
    var arguments: [ArgumentDescription]?

    /// All but the one that prints help.
    var commands: [CommandDescription] { (subcommands ?? []).filter { $0.commandName != "help" } }

    /// All that is shown, but what every command has.
    var visible: [ArgumentDescription] {
        (arguments ?? []).filter { argument in
            argument.shouldDisplay
                && !["--help", "--version"].contains { argument.sortedNames.contains($0) }
        }
    }
}

private struct ArgumentDescription: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
        var kind: String
        var name: String
    }

    var kind: Kind
    var shouldDisplay: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?

    /// Short names first.
    var sortedNames: [String] {
        let short = (names ?? []).filter { $0.kind == "short" }.map { "-\($0.name)" }
        return short + (names ?? []).filter { $0.kind == "long" }.map { "--\($0.name)" }
    }

    /// The meaning of the argument, its possible words, and its default.
    var meaning: String {
        let words = allValues.map { "One of \($0.joined(separator: ", "))." }
        let usual = defaultValue.map { "By default \($0)." }
        return [abstract, kind == .flag ? nil : words, kind == .flag ? nil : usual]
            .compactMap { $0 }.joined(separator: " ")
    }
}
