internal import PopScheduler
internal import PopSource

extension Story.Happening {
    /// What kind of line it is, for those who see no colours.
    var mark: String {
        switch content {
        case .input: ">"
        case .held: "✓"
        case .failed: "✗"
        case .misses: "×"
        case .trouble: "!"
        case .later: "≈"
        case .shows, .goes, .givesWay, .waits, .stays, .absent, .putOff, .joins, .remark: " "
        }
    }

    /// Everything that is said about it: a sentence, and what belongs under it.
    var words: [String] {
        switch content {
        case .input(let text):
            [shortName(text, columns: DrawingLimits.inputColumns)]
        case .shows(let popup, let isBack):
            ["\(shortName(popup)) \(isBack ? "is back" : "shows")"]
        case .goes(let popup, let reason, let time, let total):
            [
                "\(shortName(popup)) goes after \(timeText(time))"
                    + (total > time ? ", \(timeText(total)) in all" : "") + ": \(reason.words)"
            ]
        case .givesWay(let popup, let time):
            ["\(shortName(popup)) gives way after \(timeText(time)) and waits to come back"]
        case .waits(let popups, let reason, let until):
            [
                "waiting: \(listed(popups)) – \(reason?.words ?? "next, its `grace` is not over")"
                    + (until.map { ", until \($0)" } ?? "")
            ]
        case .later(let time, let date): ["\(timeText(time)) later: \(date)"]
        case .stays(let popup, let reason):
            [
                "\(shortName(popup)) is to go and stays until its `min_show` is over:"
                    + " \(reason.words)"
            ]
        case .misses(let popup, let reason, let message):
            [
                "\(shortName(popup)) does not show: \(reason.words)"
                    + (message.map { ": \(bounded($0))" } ?? "")
            ]
        case .absent(let popup, let reason):
            ["\(shortName(popup)) is not there: \(reason.words)"]
        case .putOff(let popup, let time):
            ["\(shortName(popup)) is put off by \(timeText(time)): \(ReasonCode.postponed.words)"]
        case .joins(let popup): ["\(shortName(popup)) is asked for again and is there already"]
        case .trouble(let text), .remark(let text): [text]
        case .held(let count): [count == 1 ? "as expected" : "as expected (\(count))"]
        case .failed(let failure):
            ["\(failure.label): \(failure.message)"] + failure.notes
        }
    }
}

extension ReasonCode {
    /// What it means, with the code as tests and `explain` write it.
    var words: String { "\(meaning) (\(rawValue))" }
}

/// As many names as people read, and how many more there are.
package func listed(_ names: [String], most: Int = DrawingLimits.names) -> String {
    let shown = names.prefix(names.count == most + 1 ? most + 1 : most).map { shortName($0) }
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}

extension Story {
    /// What came of it, in a few words.
    package var verdict: String {
        switch (failed, held) {
        case (0, 0): "nothing is expected"
        case (0, _): "all as expected"
        case (1, _): "1 expectation is not met"
        default: "\(failed) expectations are not met"
        }
    }

    var leftOutText: String? {
        leftOut == 0
            ? nil : "… and \(leftOut) more lines; `--format log` has every event"
    }
}
