package import PopCEL

/// An act in a scenario.
package enum ScenarioAct: Sendable, Hashable {
    /// Time passes.
    case wait(Duration)
    /// Context keys change together.
    case set([String: Value])
    /// The app sends an event.
    case send(String, [String: Value])
    /// The app enqueues a popup.
    case enqueue(String)
    /// The user closes a popup.
    case close(String)
    /// The user uses an action of a popup.
    case act(String, action: String)
    /// A session begins.
    case beginSession
    /// The app suspends the scheduler, or resumes it.
    case suspend
    case resume
    /// The app goes to the background, or comes back.
    case background
    case foreground
}

extension ScenarioAct {
    /// The act as a step of a test file.
    package var yaml: String {
        switch self {
        case .wait(let time): "after: \(YAMLText.duration(time))"
        case .set(let values): "set: \(YAMLText.map(values))"
        case .send(let event, let payload) where payload.isEmpty: "send: \(YAMLText.name(event))"
        case .send(let event, let payload):
            "send: { \(YAMLText.name(event)): \(YAMLText.map(payload)) }"
        case .enqueue(let popup): "enqueue: \(YAMLText.name(popup))"
        case .close(let popup): "close: \(YAMLText.name(popup))"
        case .act(let popup, let action):
            "act: { \(YAMLText.name(popup)): \(YAMLText.name(action)) }"
        case .beginSession: "begin_session: true"
        case .suspend: "suspend: true"
        case .resume: "resume: true"
        case .background: "background: true"
        case .foreground: "foreground: true"
        }
    }

    /// Returns the act of using an action of a popup, or of closing it for the action `close`.
    package static func using(_ action: String, of popup: String) -> Self {
        action == "close" ? .close(popup) : .act(popup, action: action)
    }
}
