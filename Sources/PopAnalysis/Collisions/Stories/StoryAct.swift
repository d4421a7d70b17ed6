package import PopCEL
internal import PopExplanations

/// Something that happens in a story.
package enum StoryAct: Sendable, Hashable {
    /// Time passes.
    case wait(Duration)
    /// Context keys change together.
    case set([String: Value])
    /// The app sends an event.
    case send(String, [String: Value])
    /// The app asks for a popup.
    case enqueue(String)
    /// A person closes a popup.
    case close(String)
    /// A person uses an action of a popup.
    case act(String, action: String)
    /// A session begins.
    case beginSession
    /// The app suspends everything, and lifts that.
    case suspend
    case resume
    /// The app goes to the background, and comes back.
    case background
    case foreground
}

extension StoryAct {
    /// As a step of a test file has it.
    package var yaml: String {
        switch self {
        case .wait(let time): "after: \(YAMLText.duration(time))"
        case .set(let values): "set: \(Self.map(values))"
        case .send(let event, let payload) where payload.isEmpty: "send: \(YAMLText.name(event))"
        case .send(let event, let payload):
            "send: { \(YAMLText.name(event)): \(Self.map(payload)) }"
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

    /// A person uses an action of a popup, or closes it, which is called `close`.
    static func using(_ action: String, of popup: String) -> Self {
        action == "close" ? .close(popup) : .act(popup, action: action)
    }

    static func map(_ values: [String: Value]) -> String {
        YAMLText.map(
            values.sorted { $0.key < $1.key }.map { (YAMLText.name($0.key), $0.value.yaml) })
    }
}

extension Value {
    /// As a rule file writes it, on one line.
    package var yamlText: String { yaml }
}
