import ArgumentParser
import PopAnalysis
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two rule sets and show the affected users.",
        usage: """
            poprules diff <old> <new> [<options>]
            poprules diff --git <revision> [<rules>] [<options>]
            """,
        discussion: """
            Compares the meaning of two rule sets: popups added and removed, users gained
            and lost by each popup, and every key with a changed value. Exits with 4 if
            the effect of a change could not be determined.

            Example:
              poprules diff old.popbundle rules
              poprules diff --git main rules
              poprules diff --git main --format markdown --exit-code
              poprules diff --git main --format html > changes.html
              poprules diff --git main --story > change.test.yaml
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, markdown, json, html
    }

    @Argument(
        help: ArgumentHelp(
            "The old and the new rules. With --git, only the new rules; by default the folder"
                + " rules."),
        completion: .yamlFiles)
    var paths: [String] = []

    @Option(help: "The git revision that contains the old rules.")
    var git: String?

    @Flag(help: "Exit with code 1 if the rules differ.")
    var exitCode = false

    @Flag(help: "Print tests that pass with the new rules and fail with the old rules.")
    var story = false

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func validate() throws {
        if git == nil, paths.count != 2 {
            throw ValidationError("give the old and the new rules, or use --git <revision>")
        }
        if git != nil, paths.count > 1 {
            throw ValidationError("with --git, give only one path: the new rules")
        }
    }

    /// The maximum number of changes without a scenario that the message names with their reasons.
    private static let mostReasons = 10

    func run() throws {
        let earlier: RuleSet
        let later: RuleSet
        if let git {
            if let start = CommandIdioms.start(ofRange: git) {
                throw UsageFailure(
                    message: "`\(git)` is a range, but `--git` takes only the revision of the old"
                        + " rules, and the new rules are the files in the folder: write"
                        + " `--git \(start.quotedForShell)`")
            }
            let path = paths.first ?? "rules"
            earlier = try GitFiles(revision: git).ruleSet(
                at: [path], style: color.style, for: form)
            later = try RuleSet.read(path, style: color.style, for: form)
        } else {
            if !leadsSomewhere(paths[0]), GitFiles.looksLikeRevision(paths[0]) {
                let revision = CommandIdioms.start(ofRange: paths[0]) ?? paths[0]
                throw EnvironmentFailure(
                    message: "there is no file or folder `\(paths[0])`; if you mean a git revision:"
                        + " `poprules diff --git \(revision.quotedForShell)"
                        + " \(paths[1].quotedForShell)`")
            }
            earlier = try RuleSet.read(paths[0], style: color.style, for: form)
            later = try RuleSet.read(paths[1], style: color.style, for: form)
        }
        // Questions that are undecided when the budget is used up are reported as not known.
        let limits = AnalysisLimits.ofCommand()
        let changes = RuleChanges(from: earlier, to: later, limits: limits)
        if story {
            let stories = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
            if !limits.budget.isAllDecided {
                Terminal.complain(
                    "note: some changes may lack a test, because looking for a test for each takes"
                        + " too much work")
            }
            guard let text = stories.text else {
                var reasons = stories.untold.prefix(Self.mostReasons).map { "no test for \($0)" }
                let others = stories.untold.count - reasons.count
                if others > 0 { reasons.append("and no test for \(others) others") }
                let rest = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
                throw EnvironmentFailure(message: "no test was found that shows a change" + rest)
            }
            return Terminal.putData(text)
        }
        switch format {
        case .text: Terminal.show(.lines(changes.text))
        case .markdown: Terminal.putData(changes.markdown)
        case .html: Terminal.putData(changes.html)
        case .json:
            guard case .object(let members) = changes.json else { break }
            let version = JSON.Member(
                key: "schemaVersion", value: .int(JSONRenderer.schemaVersion))
            Terminal.putData(JSON.object([version] + members))
        }
        if !changes.isDecided { throw ExitCode(ExitStatus.inconclusive) }
        if exitCode, !changes.isSame { throw ExitCode(ExitStatus.findings) }
    }

    private var form: ResultForm { story ? .other : ResultForm(format.rawValue) }
}
