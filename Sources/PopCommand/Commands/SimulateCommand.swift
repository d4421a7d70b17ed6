import ArgumentParser
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

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Play a test file and draw what users would see.",
        usage: "poprules simulate [<options>] <file>",
        discussion: """
            Plays the tests of a file. Shows which popups are on the screen, which popups
            wait, and why they wait. Marks each expectation that fails.

            Example:
              poprules simulate rules/new-user.test.yaml
              poprules simulate rules/new-user.test.yaml --format log
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// The screens over time, one column per scheduler.
        case timeline
        /// Every event, one a line.
        case log
        /// Every event as a JSON object, one a line.
        case jsonl
        /// The screens over time, as an image.
        case svg
    }

    @Argument(help: "A test file.", completion: .yamlFiles)
    var file: String

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("Run only tests whose name matches this regex.", valueName: "regex"))
    var wanted: String?

    @Option(
        name: .shortAndLong,
        help: "The format: timeline and svg draw what users see; log and jsonl list every event.")
    var format = Format.timeline

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        guard TestFile.isTestFile(file) else {
            if RuleFiles.isFolder(file) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: file)) ?? []
                let first = names.filter { TestFile.isTestFile($0) }.min().map {
                    normalised("\(file)/\($0)")
                }
                let form = first.map { ", such as `poprules simulate \($0.quotedForShell)`" }
                throw UsageFailure(
                    message: "`\(file)` is a folder, but `simulate` needs a test file"
                        + (form ?? " (`NAME.test.yaml`)"))
            }
            // A missing file isn't a problem of the file's name.
            do {
                _ = try RuleFiles.bytes(of: file)
            } catch {
                throw EnvironmentFailure(message: error.description)
            }
            throw UsageFailure(
                message: "`\(file)` is not a test file: its name must end with .test.yaml")
        }
        let style = color.style
        let workspace = try Workspace(readable: [file])
        try workspace.requireValid(
            workspace.diagnostics, style: style, for: ResultForm(format.rawValue))
        var options = TestOptions()
        options.pattern = try wanted.map(TestOptions.pattern)
        try requireMatch(workspace, wanted: wanted, options: options)
        let stories = try stories(of: workspace, options)
        if format == .svg, stories.count > 1 {
            throw UsageFailure(
                message:
                    "an SVG shows one test, not \(stories.count); use `--run` to choose one of"
                    + " \(listed(stories.map { "`\($0.story.title)`" }))")
        }
        var told: Set<String> = []
        for story in stories { show(story, style: style, after: &told) }
    }

    private func stories(of workspace: Workspace, _ options: TestOptions) throws -> [PlayedStory] {
        let stories = workspace.played(options)
        if !options.budget.isAllDecided {
            Terminal.complain(
                "note: some tests were not played to the end, because that takes too much work")
        }
        guard !stories.isEmpty else {
            throw EnvironmentFailure(
                message: "nothing to draw: the file has only eligibility tables (`eligible`); run"
                    + " them with `poprules test`")
        }
        return stories
    }

    private func show(_ played: PlayedStory, style: TextStyle, after told: inout Set<String>) {
        let story = played.story
        switch format {
        case .timeline: Terminal.say(.styled(Timeline.draw(story, style: style, after: &told)))
        case .log:
            Terminal.say(.styled(style.bold(escapedForTerminal(story.title))))
            Terminal.say(.lines(played.log.map(\.line).joined(separator: "\n") + "\n"))
        case .jsonl:
            for entry in played.log {
                Terminal.putData(entry.json(test: story.title), isCompact: true)
            }
        case .svg: Terminal.putData(TimelinePicture.draw(story))
        }
    }
}
