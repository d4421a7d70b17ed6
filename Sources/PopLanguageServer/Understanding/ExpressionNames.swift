internal import PopCEL
internal import PopRuleFiles
internal import PopSource
internal import PopStories

/// The names that the conditions of a rule set may use.
struct ExpressionNames: Sendable {
    private let model: RuleModel
    private let environment: Environment

    init(_ model: RuleModel) {
        self.model = model
        environment = model.environment()
    }

    /// Returns the environment, with the payload of an event if there is one to read, and with the
    /// history of the popup that a name is about.
    func environment(forEvent event: String?, naming name: String = "") -> Environment {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        let popup = words.count > 1 && words[0] == "popups" ? String(words[1]) : nil
        if event == nil, popup == nil { return environment }
        return model.environment(forEvent: event, historyOf: popup)
    }

    /// The environment of the conditions of a test, which are about its state.
    var environmentOfState: Environment { StateSlots.environment(of: model) }

    /// Returns the variables in the strings of a popup: context keys, and the fields of the events
    /// that trigger it; the fields of all events if the popup is not known.
    func variablesInTexts(of popup: String?) -> [Variable] {
        let events = popup.flatMap { eventsTriggering($0) } ?? model.events.names
        let keys = Set(model.context.names)
        var found = environment.variables.filter { keys.contains($0.name) }
        for event in Set(events).sorted() {
            let own = self.environment(forEvent: event).variables
            found += own.filter { $0.name.hasPrefix("event.") }
        }
        return found
    }

    /// Returns the events that trigger a popup; nil if the popup is not known.
    func eventsTriggering(_ popup: String) -> [String]? {
        model.popups[popup].map { popup in
            (popup.trigger?.value ?? []).compactMap { trigger in
                if case .event(let event) = trigger.value { event.event.value } else { nil }
            }
        }
    }

    /// Returns a popup whose strings show a field that several of its trigger events have, one of
    /// which is the given event.
    func popupWithText(of field: String, ofEvent event: String) -> String? {
        model.popups.entries.first { popup in
            let carrying = (eventsTriggering(popup.name.value) ?? []).filter { name in
                fields(ofEvent: name).contains { $0.name.value == field }
            }
            return Set(carrying).count > 1 && carrying.contains(event)
                && model.placeholders(in: popup).contains { $0.name == "event.\(field)" }
        }?.name.value
    }

    /// Returns the owner of a popup's variants: its own experiment, or a shared one.
    func experiment(ofPopup popup: String) -> String {
        let shared = model.popups[popup]?.limits.experiment?.value.of?.value
        return shared.map { "experiment \($0)" } ?? "popup \(popup)"
    }

    /// The variants of an experiment by what they belong to.
    func variants(of owner: String) -> [String] {
        let named = model.experiments.entries.filter { "experiment \($0.name.value)" == owner }
        let weighed = named.flatMap { $0.variants?.value.map(\.name.value) ?? [] }
        let popups = model.popups.entries.filter {
            $0.limits.experiment != nil && experiment(ofPopup: $0.name.value) == owner
        }
        return weighed
            + popups.flatMap { popup in
                (popup.limits.experiment?.value.variants?.value ?? []).map(\.name.value)
            }
    }

    /// The fields that an event carries.
    func fields(ofEvent name: String) -> [FieldModel] { model.events[name]?.fields ?? [] }

    /// The names of the popups whose history conditions may read.
    var popups: [String] { model.popups.names }

    /// Returns the declared name that a dotted name refers to: its longest prefix that is declared.
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

    /// Returns the kind of an entry in the history of a test: a popup or an event; nil for neither.
    func kindInHistory(_ name: String) -> String? {
        if model.popups[name] != nil { return "popup" }
        return model.events[name] != nil ? "event" : nil
    }

    /// Returns the kind of an entry in the replies of a mapping: a popup or a template; nil for
    /// neither.
    func kindOfReply(_ name: String) -> String? {
        if model.popups[name] != nil { return "popup" }
        return model.templates[name] != nil ? "template" : nil
    }

    /// The names that rules declare of a kind.
    func declared(_ kind: String) -> [String] {
        kind == "event" ? model.events.names : model.popups.names
    }

    /// The kinds of names that follow the first words of conditions on the state of a test.
    static let kindOfState = ["showing": "scheduler", "waiting": "scheduler", "shown": "popup"]

    /// Returns the kind of name that a string argument of a call refers to.
    static func kind(ofArgument position: Int, of function: String) -> String? {
        switch (function, position) {
        case ("event_count", 0), ("last_event", 0), ("since", 0), ("event_sum", 0): "event"
        case ("acted", 0), ("last_acted", 0): "popup"
        default: nil
        }
    }
}
