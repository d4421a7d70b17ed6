internal import PopCEL
internal import PopReports
package import PopScheduler
package import PopSource

extension Simulation.Entry {
    /// One line of the event log: time, scheduler, what happened.
    package var line: String {
        switch content {
        case .input(let text): "\(timeText(time))\t> \(escapedForTerminal(text))"
        case .event(let event): "\(timeText(time))\t\(escapedForTerminal(event.line))"
        }
    }

    /// One object a transition, the time in seconds.
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
            return .object([
                "test": .string(test), "time": .double(seconds + fraction),
                "event": .string(event.name),
                "popup": event.popup.map { .string($0) },
                "scheduler": event.task.map { .string($0.scheduler) },
                "task": event.task.map { .int($0.number) },
                "reason": event.reason.map { .string($0.rawValue) },
                "message": event.message.map { .string($0) },
            ])
        }
    }
}

extension HostEvent {
    /// The name of the event as SEMANTICS and the JSON output use it.
    package var name: String {
        switch self {
        case .queued: "queued"
        case .coalesced: "coalesced"
        case .notMade: "notMade"
        case .willShow: "willShow"
        case .postponed: "postponed"
        case .shown: "shown"
        case .willDismiss: "willDismiss"
        case .requeued: "requeued"
        case .dismissed: "dismissed"
        case .discarded: "discarded"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .conditionError: "conditionError"
        case .animationTimeout: "animationTimeout"
        case .rejected: "rejected"
        }
    }

    package var reason: ReasonCode? {
        switch self {
        case .notMade(_, let reason), .willDismiss(_, let reason): reason
        default: ending
        }
    }

    package var message: String? {
        switch self {
        case .failed(_, let message): message
        case .conditionError(_, let role, let error): "\(role.rawValue): \(error.message)"
        case .postponed(_, let duration): "by \(timeText(duration))"
        case .rejected(let rejection): rejection.text
        default: nil
        }
    }

    var line: String {
        var line = task.map { "\($0.scheduler)\t" } ?? "\t"
        line += name
        if let popup { line += " \(popup)" }
        if let reason { line += " \(reason.rawValue)" }
        if let message { line += ": \(message)" }
        return line
    }
}

extension Rejection {
    fileprivate var text: String {
        switch self {
        case .unknownPopup(let id): "there is no popup `\(id)`"
        case .unknownScheduler(let name): "there is no scheduler `\(name)`"
        case .unknownKey(let name): "the context key `\(name)` is not declared"
        case .unknownEvent(let name): "the event `\(name)` is not declared"
        case .badValue(let key, let message): "`\(key)`: \(message)"
        case .badPayload(let event, let field, let message): "`\(event)`, `\(field)`: \(message)"
        case .idTaken(let id): "the id `\(id)` is taken by a popup in the rules"
        case .tooManyForeignPopups: "too many hand-made popups are waiting"
        }
    }
}
