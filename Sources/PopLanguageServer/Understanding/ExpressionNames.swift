internal import PopCEL
internal import PopRuleFiles
internal import PopSource

/// What the conditions of a rule set may name.
struct ExpressionNames: Sendable {
    private let model: RuleModel
    private let environment: Environment

    init(_ model: RuleModel) {
        self.model = model
        environment = model.environment()
    }

    /// With the payload of an event where there is one to read, and with what is known of the popup
    /// that a name is about.
    func environment(forEvent event: String?, naming name: String = "") -> Environment {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        let popup = words.count > 1 && words[0] == "popups" ? String(words[1]) : nil
        if event == nil, popup == nil { return environment }
        return model.environment(forEvent: event, historyOf: popup)
    }

    /// The names of the popups whose history conditions may read.
    var popups: [String] { model.popups.names }

    /// What a dotted name mentions: the longest of its beginnings that is declared.
    func meaning(of words: [String]) -> (kind: String, name: String, words: Range<Int>)? {
        if words.count > 1, words[0] == "popups", model.popups[words[1]] != nil {
            return ("popup", words[1], 1..<2)
        }
        for count in stride(from: words.count, to: 0, by: -1) {
            let name = words.prefix(count).joined(separator: ".")
            if model.context[name] != nil { return ("context key", name, 0..<count) }
            if model.conditions[name] != nil { return ("named condition", name, 0..<count) }
        }
        return nil
    }

    /// What the history of a test is about: a popup or an event; nil for neither.
    func kindInHistory(_ name: String) -> String? {
        if model.popups[name] != nil { return "popup" }
        return model.events[name] != nil ? "event" : nil
    }

    /// The names that rules declare of a kind.
    func declared(_ kind: String) -> [String] {
        kind == "event" ? model.events.names : model.popups.names
    }

    /// What names the words that conditions on the state of a test begin with.
    static let kindOfState = ["showing": "scheduler", "waiting": "scheduler", "shown": "popup"]

    /// What a text in a call mentions.
    static func kind(ofArgument position: Int, of function: String) -> String? {
        switch (function, position) {
        case ("event_count", 0), ("last_event", 0), ("since", 0), ("event_sum", 0): "event"
        case ("acted", 0), ("last_acted", 0): "popup"
        default: nil
        }
    }
}
