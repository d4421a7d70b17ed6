import ArgumentParser
import PopPages
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Write an HTML page to view, play and share rules.",
        usage: "poprules page [<paths> ...] -o <file> [<options>]",
        discussion: """
            Writes one HTML file that needs no server and no network. The page shows the
            popups as users see them, the tests, conflicts and coverage. It contains the
            engine, so that readers can try out the rules in the page.

            Example:
              poprules page rules -o rules.html
              poprules page rules -o rules.html --against main
              poprules page rules -o rules.html --watch
            """)

    @Argument(
        help: ArgumentHelp("Rule files, test files, and folders.", valueName: "paths"),
        completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var paths: [String] { option.paths(given) }

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Also show the changes since these rules: a folder, file, bundle or git revision.",
            valueName: "rules"))
    var against: String?

    @Option(
        help: ArgumentHelp(
            "A folder with HTML and CSS files that show each template as in your app.",
            valueName: "folder"))
    var look: String?

    @Option(help: ArgumentHelp("The title of the page.", valueName: "text"))
    var title: String?

    @Flag(help: "Rewrite the page whenever a file changes; an open page reloads.")
    var watch = false

    @OptionGroup var replacing: ReplacingOption

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func validate() throws {
        if watch, OutputFile.isStandardOutput(output) {
            throw ValidationError("--watch needs a file to write to")
        }
    }

    func run() throws {
        guard watch else { return try write(page()) }
        let key = WatchKey()
        try FileWatch(paths + [against, look].compactMap { $0 }).repeating(page) { page in
            try write(page, watchKey: key)
        }
    }

    private func page() throws -> Page {
        let workspace = try Workspace(readable: paths)
        try workspace.requireValid(workspace.diagnostics, style: color.style, for: .other)
        let rules = try workspace.validRules(style: color.style, for: .other)
        try OutputFile.checkIsNone(of: workspace.sources, output)
        try OutputFile.checkIsNone(of: [against].compactMap { $0 }, output)
        let looks: [TemplateLook]
        do {
            looks = try look.map(TemplateLook.all(inFolder:)) ?? []
        } catch {
            throw EnvironmentFailure(message: "\(error)")
        }
        let before = try against.map { (try earlier($0), $0) }
        do throws(PageError) {
            return try Page(
                of: workspace, rules: rules, title: title ?? "Popups of \(listed(paths))",
                earlier: before, looks: looks)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }

    private func write(_ page: Page, watchKey: WatchKey? = nil) throws {
        try OutputFile.write(
            page.file(watchKey: watchKey), to: output, kind: .result, force: replacing.force)
        for words in page.leftOut { Terminal.complain("the page leaves out \(words)") }
        OutputFile.sayWritten(output)
    }

    /// Returns the earlier rules. If a path and a revision have the same name, the command ends: a
    /// pull request could add a folder `main` to hide its changes.
    private func earlier(_ name: String) throws -> RuleSet {
        if FileManager.default.fileExists(atPath: name) {
            if let revision = GitFiles.unambiguousName(of: name, at: paths) {
                throw EnvironmentFailure(
                    message: "`\(name)` is both a path and a git revision; if you mean the path:"
                        + " `--against ./\(name)`; if you mean the revision:"
                        + " `--against \(revision)`")
            }
            return try RuleSet.read(name, style: color.style)
        }
        return try GitFiles(revision: name).ruleSet(
            at: paths, style: color.style, for: .other)
    }
}

extension PageCommand: RunsUntilStopped {
    var runsUntilStopped: Bool { watch }
}
