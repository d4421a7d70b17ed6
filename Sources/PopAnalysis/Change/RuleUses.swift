internal import PopCEL
internal import PopExplanations
internal import PopScheduler

/// The declarations of rules that popups, and the parts that they share, use.
struct RuleUses {
    private(set) var keys: Set<KeyIndex> = []
    /// The names of the used events.
    private(set) var events: Set<String> = []
    private(set) var groups: Set<GroupIndex> = []
    private(set) var templates: Set<String> = []

    private var namedKeys: [String: KeyIndex] = [:]

    init(_ rules: RuleSet) {
        for key in rules.keys.places { namedKeys[rules.keys[key].name] = key }
        for popup in rules.popups { take(popup, of: rules) }
        for group in groups {
            take([rules.groups[group].when].compactMap { $0 }, of: rules)
            for cap in rules.groups[group].caps { take(cap) }
        }
        for cap in rules.schedulers.compactMap(\.cap) + rules.limits.map(\.cap) { take(cap) }
        if let holdout = rules.holdout { keys.insert(holdout.key) }
        if let locales = rules.locales { keys.insert(locales.key) }
        if let quiet = rules.quiet { take(quiet.zone) }
    }

    private mutating func take(_ popup: PopupRule, of rules: RuleSet) {
        if let group = popup.group { groups.insert(group) }
        templates.formUnion(popup.templates)
        take(popup.ownConditions + popup.eventConditions.map { $0.condition }, of: rules)
        for goal in popup.goals { events.insert(rules.events[goal.event].name) }
        for trigger in popup.triggers {
            switch trigger {
            case .occasion, .acted: break
            case .event(let event): events.insert(rules.events[event.event].name)
            case .changed(let key): keys.insert(key)
            }
        }
        for entry in popup.timing.schedule { take(entry.zone) }
        for cap in popup.caps.windows { take(cap) }
        if let key = popup.caps.closesPer { keys.insert(key) }
        if let rollout = popup.audience.rollout { keys.insert(rollout.key) }
        if let experiment = popup.experiment { keys.insert(experiment.assignment.key) }
        for content in [popup.content] + popup.contentsOfVariants { take(content) }
    }

    private mutating func take(_ conditions: [Condition], of rules: RuleSet) {
        let programs = conditions.map { $0.program }
        keys.formUnion(rules.keys(readBy: programs))
        let named = programs.flatMap { rules.conditions(usedBy: $0) }
            .map { rules.conditions[$0].condition.program }
        for slot in (programs + named).flatMap({ $0.slots }) {
            if let event = rules.slots[slot].event { events.insert(event) }
        }
    }

    private mutating func take(_ cap: WindowCap) {
        if let key = cap.key { keys.insert(key) }
        if let zone = cap.zone { take(zone) }
    }

    private mutating func take(_ zone: Zone) {
        if case .key(let key) = zone { keys.insert(key) }
    }

    /// Adds the keys that placeholders name.
    private mutating func take(_ content: Value) {
        keys.formUnion(content.placeholders.compactMap { namedKeys[$0] })
    }
}

extension Value {
    /// The names of placeholders in its strings.
    fileprivate var placeholders: Set<String> {
        switch self {
        case .string(let text):
            let bytes = Array(text.utf8)
            return Set(
                Placeholder.all(in: bytes).map { String(decoding: bytes[$0.name], as: UTF8.self) })
        case .list(let items): return Set(items.flatMap { $0.placeholders })
        case .map(let map): return Set(map.flatMap { $0.value.placeholders })
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version, .type,
            .optional:
            return []
        }
    }
}
