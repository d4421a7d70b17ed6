import ArgumentParser
import PopCEL
internal import PopReports
import PopScheduler
import PopSource
import PopStories

/// The option of commands that look at what the user has seen and done.
struct HistoryOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The user's history: '{ welcome: { shown: 2, last: -3d } }', or a file with it.",
            valueName: "history"),
        completion: .file())
    var history: String?

    /// The history; findings about it end the command.
    func read(_ rules: RuleSet, start: Timestamp, style: TextStyle) throws -> History {
        guard let history else { return History() }
        // C17: no file has a name that begins so, or it is written `./{`.
        let isInline = history.drop(while: \.isWhitespace).first == "{"
        let file =
            try isInline
            ? InputFile(name: "--history", text: history) : InputFile(path: history)
        return try file.read(style, parse: HistoryReading(rules: rules, start: start).parse)
            ?? History()
    }
}
