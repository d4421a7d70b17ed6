internal import PopCEL
internal import PopExplanations
internal import PopReplay
internal import PopReports
package import PopScheduler
package import PopSource

extension Story.TimelineEvent {
    /// The kind of the line as a sign, for users who see no colors.
    package var mark: String {
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

    /// The full description: a sentence, and details to put under it.
    package var words: [String] {
        switch content {
        case .input(let text):
            [shortName(text, columns: DrawingLimits.inputColumns)]
        case .shows(let popup, let isBack):
            ["\(shortName(popup)) \(isBack ? "is back" : "shows")"]
        case .goes(let popup, let reason, let time, let total):
            [
                "\(shortName(popup)) is dismissed after \(timeText(time))"
                    + (total > time ? ", \(timeText(total)) in total" : "") + ": \(reason.words)"
            ]
        case .givesWay(let popup, let time):
            ["\(shortName(popup)) gives way after \(timeText(time)) and waits to come back"]
        case .waits(let popups, let reason, let until):
            [
                "waiting: \(listed(popups)) – \(reason?.words ?? "shows next, when its `grace` is over")"
                    + (until.map {
                        ", \(reason?.role != nil ? "checked again at" : "until")"
                            + " \(clockText($0, zone: zone))"
                    } ?? "")
            ]
        case .later(let time, let date):
            ["\(timeText(time)) later: \(clockText(date, zone: zone))"]
        case .stays(let popup, let reason):
            [
                "\(shortName(popup)) stays until its `min_show` is over, then is dismissed:"
                    + " \(reason.words)"
            ]
        case .misses(let popup, let reason, let message):
            [
                "\(shortName(popup)) does not show: \(reason.words)"
                    + (message.map { ": \(bounded($0))" } ?? "")
            ]
        case .absent(let popup, let reason):
            ["\(shortName(popup)) is not queued: \(reason.words)"]
        case .putOff(let popup, let time):
            ["\(shortName(popup)) is postponed by \(timeText(time)): \(ReasonCode.postponed.words)"]
        case .joins(let popup, let state):
            ["\(shortName(popup)) is requested again\(state.words)"]
        case .trouble(let text), .remark(let text): [text]
        case .held(let count): [count == 1 ? "as expected" : "as expected (\(count))"]
        case .failed(let failure):
            ["\(failure.label): \(failure.message)"] + failure.notes
        }
    }
}

extension ReasonCode {
    /// The meaning, with the code as tests and `explain` write it.
    package var words: String { "\(meaning) (\(rawValue))" }
}

/// Returns names up to a readable number, and the number of further names.
package func listed(_ names: [String], most: Int = DrawingLimits.names) -> String {
    let shown = names.prefix(names.count == most + 1 ? most + 1 : most).map { shortName($0) }
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}

/// Returns a date in the time zone, such as `2026-11-20T10:00:00+01:00`; in UTC for nil.
private func clockText(_ date: Timestamp, zone: String?) -> String {
    guard let zone, let calendar = LocalCalendar(zone: zone, zones: .system) else {
        return "\(date)"
    }
    let civil = calendar.civil(at: date)
    let seconds =
        Int64(civil.dayNumber) * 86_400 + Int64(civil.minuteOfDay * 60 + civil.second)
    let offset = seconds - date.seconds
    if offset == 0 { return "\(date)" }
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (abs(offset) / 3_600, abs(offset) / 60 % 60)
    let local = Timestamp(seconds: seconds, nanoseconds: date.nanoseconds)
    return "\("\(local)".dropLast())\(offset < 0 ? "-" : "+")\(digits(hours)):\(digits(minutes))"
}

extension Story {
    /// The start date in the time zone of the device.
    package var startText: String {
        clockText(start, zone: zone) + (zone.map { " (\($0))" } ?? "")
    }

    /// The result in a few words.
    package var verdict: String {
        switch (failed, held) {
        case (0, 0): "no expectations"
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

extension PopupExplanation {
    /// The reason why the popup doesn't show, or its next transition, in a few words.
    package var words: String { state.words }
}

extension PopupExplanation.State {
    /// The reason why a popup doesn't show, or its next transition, in a few words.
    package var words: String {
        switch self {
        case .absent(let reason), .waiting(let reason): reason.words
        case .chosen: "shows next, when its `grace` is over"
        case .presenting: "being presented"
        case .showing: "shows"
        case .dismissing(let reason): "being dismissed: \(reason.words)"
        }
    }
}

extension HostEvent {
    /// The event in words; nil for an event that only prepares another one.
    package var words: String? {
        let name = shortName(popup ?? "")
        switch self {
        case .willShow, .willDismiss: return nil
        case .queued: return "\(name) is requested"
        case .coalesced: return "\(name) is requested again while it waits or shows"
        case .remembered: return "\(name) is requested again\(Story.RequestedAgain.leaving.words)"
        case .exposed(_, let variant, _): return "\(name) exposes the user to `\(variant)`"
        case .shown: return "\(name) shows"
        case .acted(_, let action): return "the user used `\(action)` of \(name)"
        case .converted(_, let goal, let variant):
            let arm = variant.map { ", counted for `\($0)`" } ?? ""
            return "\(name) reaches its goal `\(goal)`\(arm)"
        case .requeued: return "\(name) gives way and waits to come back"
        case .postponed(_, let duration):
            return "\(name) is postponed by \(timeText(duration)): \(ReasonCode.postponed.words)"
        case .dismissed(_, let reason): return "\(name) is dismissed: \(reason.words)"
        case .notMade, .discarded, .cancelled, .failed:
            let message = message.map { ": \(bounded($0))" } ?? ""
            return "\(name) does not show" + (reason.map { ": \($0.words)" } ?? "") + message
        case .animationTimeout(_, let animation):
            return "\(name) takes too long to \(animation == .present ? "appear" : "disappear")"
        case .conditionError, .emptyPlaceholder: return "\(name): \(bounded(message ?? ""))"
        case .zoneUnknown: return bounded(message ?? "")
        case .rejected: return "refused: \(bounded(message ?? ""))"
        }
    }
}

extension Simulation.Entry {
    /// One line of the event log: time, scheduler and event.
    package var line: String {
        switch content {
        case .input(let text): "\(timeText(time))\t> \(escapedForTerminal(text))"
        case .event(let event): "\(timeText(time))\t\(escapedForTerminal(event.line))"
        }
    }

    /// Returns one object per transition, with the time in seconds.
    package func json(test: String) -> JSON {
        let seconds = Double(time.components.seconds)
        let fraction = Double(time.components.attoseconds) / 1e18
        switch content {
        case .input(let text):
            return .object([
                "test": .string(test), "time": .double(seconds + fraction),
                "input": .string(text),
            ])
        case .event(let event):
            return .object(
                [
                    JSON.Member(key: "test", value: .string(test)),
                    JSON.Member(key: "time", value: .double(seconds + fraction)),
                ] + event.members)
        }
    }
}

extension HostEvent {
    var line: String {
        var line = task.map { "\($0.scheduler)\t" } ?? "\t"
        line += name
        if let popup { line += " \(popup)" }
        if let reason { line += " \(reason.rawValue)" }
        if let message { line += ": \(message)" }
        return line
    }
}
