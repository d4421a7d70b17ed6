internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// What a step of a test may name.
struct Names {
    var popups: Set<String> = []
    var schedulers: Set<String> = []
    /// By popup, the schedulers that it may be on.
    var lanes: [String: Set<String>] = [:]
    /// By popup, the fields of its content.
    var fields: [String: Set<String>] = [:]
    /// The popups with a `rollout`.
    var rolledOut: Set<String> = []
    /// By popup with an `experiment`, its arms, control included.
    var arms: [String: Set<String>] = [:]
    var keys: [String: ContextKey] = [:]
    var events: [String: EventRule] = [:]

    init(_ rules: RuleSet) { add(rules) }

    mutating func add(_ rules: RuleSet) {
        popups.formUnion(rules.popups.map(\.id))
        schedulers.formUnion(rules.schedulers.map(\.name))
        rolledOut.formUnion(rules.popups.filter { $0.audience.rollout != nil }.map(\.id))
        for popup in rules.popups {
            lanes[popup.id, default: []].insert(rules.schedulers[popup.scheduler].name)
            if let experiment = popup.experiment {
                arms[popup.id, default: [Assignment.control]]
                    .formUnion(experiment.assignment.arms.map(\.name))
            }
            for case .map(let content) in [popup.content] + popup.contentsOfVariants {
                fields[popup.id, default: []].formUnion(content.keys.compactMap(\.plainText))
            }
        }
        for key in rules.keys { keys[key.name] = key }
        for event in rules.events { events[event.name] = event }
    }
}

extension TestLinker {
    mutating func check(popup id: Located<String>) -> Bool {
        if names.popups.contains(id.value) { return true }
        decoder.report(.unknown("popup", name: id, among: names.popups, check: .testUnknownPopup))
        return false
    }

    mutating func check(scheduler name: Located<String>) -> Bool {
        if names.schedulers.contains(name.value) { return true }
        decoder.report(
            .unknown("scheduler", name: name, among: names.schedulers, check: .testUnknownScheduler)
        )
        return false
    }

    mutating func check(key name: Located<String>) -> Bool {
        if names.keys[name.value] != nil { return true }
        decoder.report(
            .unknown("context key", name: name, among: names.keys.keys, check: .testUnknownKey))
        return false
    }

    mutating func check(event name: Located<String>) -> EventRule? {
        if let event = names.events[name.value] { return event }
        decoder.report(
            .unknown("event", name: name, among: names.events.keys, check: .testUnknownKey))
        return nil
    }

    /// From here on other rules are in force; what those before named may still be on a screen.
    mutating func takeOver(_ rules: RuleSet) { names.add(rules) }

    /// The text of a scalar and its place; reports anything else.
    mutating func name(_ node: YAMLNode) -> Located<String>? {
        decoder.read(.text, at: node)
    }
}
