internal import PopCEL
internal import PopExplanations
internal import PopRuleFiles
package import PopScheduler
internal import PopSource
internal import PopYAML

/// The names that tests of some rules may use, shared by several files about the same rules.
package struct TestVocabulary {
    let names: Names
    let state: StateSlots

    package init(of rules: RuleSet) {
        names = Names(rules)
        state = StateSlots(rules: rules)
    }
}

/// The names that a step of a test may use.
struct Names {
    var popups: Set<String> = []
    var schedulers: Set<String> = []
    /// The schedulers that each popup may be on.
    var lanes: [String: Set<String>] = [:]
    /// The content fields of each popup.
    var fields: [String: Set<String>] = [:]
    /// The user actions that the template of each popup declares.
    var actions: [String: Set<String>] = [:]
    /// The goals of each popup.
    var goals: [String: Set<String>] = [:]
    /// The popups with a `rollout`.
    var rolledOut: Set<String> = []
    /// The arms that have users, by popup with an `experiment`.
    var arms: [String: Set<String>] = [:]
    /// The same, including arms without users.
    var declaredArms: [String: Set<String>] = [:]
    /// The name of the experiment, by popup whose experiment has a name.
    var experiments: [String: String] = [:]
    var keys: [String: ContextKey] = [:]
    var events: [String: EventRule] = [:]

    init(_ rules: RuleSet) { add(rules) }

    mutating func add(_ rules: RuleSet) {
        popups.formUnion(rules.popups.map(\.id))
        schedulers.formUnion(rules.schedulers.map(\.name))
        rolledOut.formUnion(rules.popups.filter { $0.audience.rollout != nil }.map(\.id))
        var actionsByTemplates: [[String]: Set<String>] = [:]
        for popup in rules.popups {
            lanes[popup.id, default: []].insert(rules.schedulers[popup.scheduler].name)
            if let experiment = popup.experiment {
                arms[popup.id, default: []].formUnion(experiment.armsOfUsers)
                declaredArms[popup.id, default: []].formUnion(
                    experiment.assignment.arms.map(\.name) + [Assignment.control])
                experiments[popup.id] = experiment.name
            }
            for case .map(let content) in [popup.content] + popup.contentsOfVariants {
                fields[popup.id, default: []].formUnion(content.keys.compactMap(\.plainText))
            }
            goals[popup.id, default: []].formUnion(popup.goals.map(\.name))
            let known = actionsByTemplates[popup.templates]
            let own = known ?? Set(rules.actions(of: popup).map(\.name))
            actionsByTemplates[popup.templates] = own
            actions[popup.id] = actions[popup.id]?.union(own) ?? own
        }
        for key in rules.keys { keys[key.name] = key }
        for event in rules.events { events[event.name] = event }
    }
}

extension TestLinker {
    mutating func check(popup id: Located<String>) -> Bool {
        if names.popups.contains(id.value) { return true }
        decoder.report(
            .unknown(
                "popup", name: id, among: decoder.offered(names.popups), check: .testUnknownPopup))
        return false
    }

    mutating func check(action name: Located<String>, of popup: String) -> Bool {
        let known = names.actions[popup] ?? []
        if known.contains(name.value) { return true }
        decoder.report(.unknownAction(name, of: popup, among: known.sorted()))
        return false
    }

    mutating func check(goal name: Located<String>, of popup: String) -> Bool {
        let known = names.goals[popup] ?? []
        if known.contains(name.value) { return true }
        decoder.report(
            .unknown(
                "goal", name: name, among: known.sorted(), check: .testUnknownKey,
                label: "not a goal of `\(popup)`"))
        return false
    }

    mutating func check(scheduler name: Located<String>) -> Bool {
        if names.schedulers.contains(name.value) { return true }
        decoder.report(
            .unknown(
                "scheduler", name: name, among: decoder.offered(names.schedulers),
                check: .testUnknownScheduler)
        )
        return false
    }

    mutating func check(key name: Located<String>) -> Bool {
        if names.keys[name.value] != nil { return true }
        decoder.report(
            .unknown(
                "context key", name: name, among: decoder.offered(names.keys.keys),
                check: .testUnknownKey))
        return false
    }

    mutating func check(event name: Located<String>) -> EventRule? {
        if let event = names.events[name.value] { return event }
        decoder.report(
            .unknown(
                "event", name: name, among: decoder.offered(names.events.keys),
                check: .testUnknownKey))
        return nil
    }

    /// Adds the names of rules that apply from here on; popups of the rules before may still be on
    /// a screen.
    mutating func takeOver(_ rules: RuleSet) { names.add(rules) }

    /// Returns the string of a scalar and its place; reports anything else.
    mutating func name(_ node: YAMLNode) -> Located<String>? {
        decoder.read(.text, at: node)
    }
}

extension Diagnostic {
    /// The template of a popup declares no such action, or none at all.
    static func unknownAction(
        _ name: Located<String>, of popup: String, among known: [String]
    ) -> Self {
        if name.value == TemplateRule.Action.close {
            return Diagnostic(
                .testUnknownKey, message: "`close` is not an action of `\(popup)`", at: name.range,
                label: "not an action",
                help: [
                    "use `close: \(popup)` in a step in which the user closes it, and `closed` in"
                        + " its history"
                ])
        }
        var diagnostic = Diagnostic.unknown(
            "action", name: name, among: known, check: .testUnknownKey)
        diagnostic.notes.append(
            known.isEmpty
                ? "declare `actions` in the template of `\(popup)`, which has none"
                : "use one of the actions of `\(popup)`:"
                    + " \(known.map { "`\($0)`" }.joined(separator: ", "))"
        )
        return diagnostic
    }
}
