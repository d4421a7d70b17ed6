import ArgumentParser
import PopRuleFiles
import PopScheduler
import PopSource
import PopTesting

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Play a story and draw what users would see.",
        usage: "poprules simulate [<options>] <file>",
        discussion: """
            Plays the tests of a file without comparing anything.

            Example:
              poprules simulate rules/new-user.test.yaml
              poprules simulate rules/new-user.test.yaml --format log
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// What is on the screens, one column a scheduler.
        case timeline
        /// Every event, one a line.
        case log
        /// Every event as a JSON object, one a line.
        case jsonl
        /// What is on the screens, as a picture.
        case svg
    }

    @Argument(help: "A test file.", completion: .yamlFiles)
    var file: String

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("Only tests with such a name.", valueName: "regex"))
    var wanted: String?

    @Option(
        name: .shortAndLong,
        help: "timeline and svg draw what users see; log and jsonl have every event.")
    var format = Format.timeline

    @Option(help: "Colour.")
    var color = ColourChoice.auto

    func run() throws {
        guard TestFile.isTestFile(file) else {
            // One that is not there, or a folder, is no question of its name.
            do {
                _ = try RuleFiles.bytes(of: file)
            } catch {
                throw EnvironmentFailure(message: error.description)
            }
            throw UsageFailure(
                message: "`\(file)` is no test file; its name must end with .test.yaml")
        }
        let style = color.style
        let workspace = try Workspace(readable: [file])
        try workspace.requireValid(workspace.diagnostics, style: style)
        var options = TestOptions()
        options.pattern = try wanted.map(TestOptions.pattern)
        let stories = try stories(of: workspace, &options)
        if format == .svg, stories.count != 1 {
            throw UsageFailure(
                message: "a picture shows one test, not \(stories.count); choose it with `--run`")
        }
        for story in stories { show(story, style) }
    }

    /// A test, or a case of its table, as it was played.
    private struct Story {
        var title: String
        var log: [Simulation.Entry]
        var lanes: [String]
    }

    private func stories(of workspace: Workspace, _ options: inout TestOptions) throws -> [Story] {
        var stories: [Story] = []
        for file in workspace.tests {
            guard let tests = workspace.link(file).value else { continue }
            let lanes = tests.rules.schedulers.map(\.name)
            for test in tests.tests where options.wants(test.name.value) {
                for play in TestRunner.run(test, of: tests).plays where !play.log.isEmpty {
                    let title = play.title.map { "\(test.name.value) (\($0))" }
                    stories.append(
                        Story(title: title ?? test.name.value, log: play.log, lanes: lanes))
                }
            }
        }
        return stories
    }

    private func show(_ story: Story, _ style: TextStyle) {
        let title = style.bold(escapedForTerminal(story.title))
        switch format {
        case .timeline:
            Terminal.say(title)
            Terminal.say(Timeline.draw(story.log, lanes: story.lanes))
        case .log:
            Terminal.say(title)
            Terminal.say(story.log.map(\.line).joined(separator: "\n") + "\n")
        case .jsonl: for entry in story.log { Terminal.say(entry.json(test: story.title).compact) }
        case .svg:
            Terminal.put(
                TimelinePicture.draw(story.log, lanes: story.lanes, title: story.title))
        }
    }
}

extension TestOptions {
    /// What `--run` names.
    static func pattern(_ text: String) throws -> Regex<AnyRegexOutput> {
        do {
            return try Regex(text)
        } catch {
            throw UsageFailure(message: "`--run \(text)` is no regular expression")
        }
    }
}
