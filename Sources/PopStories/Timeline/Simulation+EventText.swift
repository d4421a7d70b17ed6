internal import PopCEL
internal import PopReplay
internal import PopReports
internal import PopScheduler
package import PopSource

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
