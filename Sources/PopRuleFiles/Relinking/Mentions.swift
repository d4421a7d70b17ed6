internal import PopAdvice
internal import PopCEL
internal import PopSource
internal import PopYAML

/// The names that the conditions, references and strings of a file mention.
///
/// A declaration of any other name cannot change a finding about the file, as long as that finding
/// does not compare names.
struct Mentions {
    private(set) var names: Set<DeclaredName> = []
    /// Expressions by their origin: popups share many strings.
    private var known: [ObjectIdentifier: Set<DeclaredName>] = [:]

    mutating func add(_ popup: PopupModel) {
        add(.scheduler, popup.place.scheduler)
        add(.group, popup.place.group)
        add(.template, popup.template)
        if popup.template != nil { names.insert(.locales) }
        add(.contextKey, popup.limits.rollout?.value.by)
        if let experiment = popup.limits.experiment?.value { add(experiment) }
        for entry in popup.timing.schedule?.value ?? [] {
            add(entry.value.zone)
            if let when = entry.value.when { add(when.value) }
        }
        add(popup.limits.cap?.value.windows?.value ?? [])
        add(.contextKey, popup.limits.cap?.value.closes?.value.per)
        for predecessor in popup.place.after?.value ?? [] {
            add(.popup, predecessor.popup)
            if predecessor.action != nil { names.insert(.actions) }
        }
        if popup.limits.cap?.value.afterClose?.value.actions.isEmpty == false {
            names.insert(.actions)
        }
        for goal in popup.limits.goals?.value ?? [] {
            add(.event, goal.value.event)
            if let condition = goal.value.where { add(condition.value) }
        }
        for trigger in popup.trigger?.value ?? [] { add(trigger.value) }
        if let when = popup.when { add(when.value) }
        if let condition = popup.dismissWhen { add(condition.value) }
        if let examples = popup.checks.examples?.value { add(examples) }
        for name in popup.namesInTexts { names.insert(DeclaredName(.contextKey, name)) }
    }

    mutating func add(_ caps: [Located<WindowCapModel>]) {
        for cap in caps { add(cap.value) }
    }

    /// Adds the names in a cap, which may count for each value of a context key, or in the time
    /// zone that a context key contains.
    private mutating func add(_ cap: WindowCapModel) {
        if case .value(let key)? = cap.per?.value { names.insert(DeclaredName(.contextKey, key)) }
        add(cap.zone)
    }

    mutating func add(_ limit: SharedLimitModel) {
        add(limit.window)
        add(limit.popups)
    }

    mutating func add(_ quiet: QuietModel) {
        add(quiet.zone)
        add(quiet.popups)
    }

    private mutating func add(_ popups: PopupSelectionModel) {
        for name in popups.schedulers?.value ?? [] { add(.scheduler, name) }
    }

    mutating func add(_ layer: LayerModel) { add(.contextKey, layer.by) }

    mutating func add(_ division: DivisionModel) {
        add(.contextKey, division.by)
        add(.layer, division.layer)
    }

    private mutating func add(_ experiment: ExperimentModel) {
        add(experiment.division)
        add(.experiment, experiment.of)
        for variant in experiment.variants?.value ?? [] {
            add(.template, variant.template)
            if variant.template != nil { names.insert(.locales) }
        }
    }

    /// Only the first of several counts.
    mutating func add(_ holdout: HoldoutModel) {
        names.insert(.holdout)
        add(.contextKey, holdout.by)
    }

    private mutating func add(_ zone: Located<ZoneModel>?) {
        if case .key(let name)? = zone?.value { names.insert(DeclaredName(.contextKey, name)) }
    }

    private mutating func add(_ kind: DeclaredName.Kind, _ name: Located<String>?) {
        if let name { names.insert(DeclaredName(kind, name.value)) }
    }

    private mutating func add(_ trigger: TriggerModel) {
        switch trigger {
        case .occasion, .word, .unread: break
        case .changed(let name):
            add(.contextKey, name)
            add(.event, name)
        case .acted(let popup, _):
            add(.popup, popup)
            names.insert(.actions)
        case .event(let trigger):
            add(.event, trigger.event)
            add(.contextKey, trigger.event)
            if let condition = trigger.where { add(condition.value) }
        }
    }

    private mutating func add(_ examples: ExamplesModel) {
        for example in (examples.match?.value ?? []) + (examples.noMatch?.value ?? []) {
            for entry in example.value.entries {
                if let name = entry.key.text { names.formUnion(readable(name)) }
            }
        }
    }

    /// Returns the names that the condition mentions.
    @discardableResult
    mutating func add(_ condition: ConditionModel) -> Set<DeclaredName> {
        let found: Set<DeclaredName> =
            switch condition.form {
            case .constant, .broken, .unread: []
            case .expression(let expression): mentioned(in: expression)
            case .all(let parts), .any(let parts), .none(let parts):
                Set(parts.flatMap { add($0) })
            case .keys(let matches): Set(matches.flatMap { readable($0.key.value) })
            }
        names.formUnion(found)
        return found
    }

    private mutating func mentioned(in expression: Expression) -> Set<DeclaredName> {
        if let known = known[expression.origin] { return known }
        var found = Set(expression.dottedNames.flatMap { readable($0) })
        if eventFunctions.contains(where: { expression.mentions($0) }) {
            for case .string(let event) in expression.literals {
                found.insert(DeclaredName(.event, event))
            }
        }
        if expression.mentions("acted") || expression.mentions("last_acted") {
            found.insert(.actions)
            for case .string(let popup) in expression.literals {
                found.insert(DeclaredName(.popup, popup))
            }
        }
        if expression.dottedNames.contains(where: { $0.hasSuffix(".last_action") }) {
            found.insert(.actions)
        }
        known[expression.origin] = found
        return found
    }
}

/// Functions that name an event.
private let eventFunctions = ["event_count", "last_event", "since", "event_sum"]

/// Returns the names that a name in a condition, or its beginning, may refer to.
private func readable(_ name: String) -> Set<DeclaredName> {
    var names: Set<DeclaredName> = []
    var beginning = name[...]
    while !beginning.isEmpty {
        let text = String(beginning)
        names.insert(DeclaredName(.contextKey, text))
        names.insert(DeclaredName(.condition, text))
        if text.hasPrefix("popups.") {
            names.insert(DeclaredName(.popup, String(text.dropFirst("popups.".count))))
        }
        beginning = beginning[..<(beginning.lastIndex(of: ".") ?? beginning.startIndex)]
    }
    return names
}
