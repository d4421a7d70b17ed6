internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScheduler
internal import PopSource

/// The requirements of a popup besides its conditions, as far as conditions can express them: its
/// caps, its dates, and the requirements of its triggers on a user.
struct Reach {
    /// The keys of the popup that set these requirements.
    private(set) var keys: [String] = []
    /// The popup whose history the conditions read.
    private(set) var popup: (id: String, place: PopupIndex)?
    /// The conditions that must hold when the popup shows.
    private(set) var conditions: [Program] = []
    /// The requirement that one of its triggers lets an event pass; empty if one lets all events
    /// pass.
    private(set) var wheres = Requirement([])
    /// The names of context keys that describe a situation and not a user.
    let momentary: Set<String>

    fileprivate init(momentary: Set<String>) { self.momentary = momentary }

    /// Adds a condition. Does nothing if the text isn't a valid condition.
    fileprivate mutating func add(_ text: String, of key: String, reading variables: [Variable]) {
        var environment = Environment.ofRules()
        for variable in variables { environment.declare(variable) }
        var slots = SlotTable()
        guard let expression = Expression.parse(text).value,
            let program = environment.compile(expression, expecting: .bool, slots: &slots).value
        else { return }
        conditions.append(program)
        if !keys.contains(key) { keys.append(key) }
    }

    fileprivate mutating func add(triggers: [Condition], isLater: Bool) {
        wheres = Requirement(either: triggers, isLater: isLater)
        if !triggers.isEmpty { keys.append("trigger") }
    }

    fileprivate mutating func know(_ popup: PopupRule, at place: PopupIndex) {
        self.popup = (popup.id, place)
    }
}

extension Comparison {
    /// Returns the requirements of a popup besides its conditions, before and after.
    func reaches(of old: PopupRule, and new: PopupRule) -> (earlier: Reach, later: Reach) {
        let before = old.demand(in: earlier).conditions
        let after = new.demand(in: later).conditions
        let read = Set(
            before.flatMap { names(readBy: $0, in: earlier) }
                + after.flatMap { names(readBy: $0, in: later) })
        return (
            reach(of: old, in: earlier, isLater: false, reading: read),
            reach(of: new, in: later, isLater: true, reading: read)
        )
    }

    /// Returns the requirements of a popup. `read` are the names that the compared conditions read.
    private func reach(
        of popup: PopupRule, in rules: RuleSet, isLater: Bool, reading read: Set<String>
    ) -> Reach {
        var reach = Reach(momentary: momentaryKeys)
        if !popup.isEnabled { reach.add("false", of: "enabled", reading: []) }
        if let share = popup.audience.rollout?.share, share.largest == 0 {
            reach.add("false", of: "rollout", reading: [])
        }
        if read.contains(where: { $0.hasPrefix("popups.\(popup.id).") }) {
            if let place = earlierPlaces[popup.id] { reach.know(popup, at: place) }
            addCaps(of: popup, to: &reach)
        }
        if read.contains(Self.date) { addDates(of: popup, to: &reach) }
        let triggers = popup.triggers.map { trigger -> Condition? in
            guard case .event(let event) = trigger else { return nil }
            return event.where
        }
        let asked = triggers.compactMap { $0 }
        let isShared = asked.contains { condition in
            names(readBy: condition.program, in: rules)
                .contains { read.contains($0) && !reach.momentary.contains($0) }
        }
        if asked.count == triggers.count, isShared { reach.add(triggers: asked, isLater: isLater) }
        return reach
    }

    private func names(readBy program: Program, in rules: RuleSet) -> [String] {
        let named = rules.conditions(usedBy: program).map { rules.conditions[$0].condition.program }
        return ([program] + named).flatMap { program in
            let names = program.slotEntries.map { $0.1.conditionText }
            let asksForDate =
                names.contains("now") && program.expression.description.asksForDate
            return names + (asksForDate ? [Self.date] : [])
        }
    }

    /// A name that represents `now` where it is compared with dates.
    private static let date = "now as a date"

    /// Adds the requirements of caps on the popup's own history.
    private func addCaps(of popup: PopupRule, to reach: inout Reach) {
        let name = "popups.\(popup.id)"
        let count = Variable("\(name).shown_count", type: .int, minimum: .int(0))
        let last = Variable("\(name).last_shown", type: .timestamp, mayBeMissing: true)
        if let most = popup.caps.lifetime {
            reach.add("\(name).shown_count < \(most)", of: "cap", reading: [count])
        }
        if let most = popup.caps.closes, popup.caps.closesPer == nil {
            let closed = Variable("\(name).closed_count", type: .int, minimum: .int(0))
            reach.add("\(name).closed_count < \(most)", of: "cap", reading: [closed])
        }
        if popup.goals.first?.ends == .forGood {
            let converted = Variable("\(name).converted", type: .bool)
            reach.add("!\(name).converted", of: "goals", reading: [converted])
        }
        for window in popup.caps.windows where window.max == 1 {
            guard case .rolling(let time) = window.per else { continue }
            let since = "now - \(name).last_shown >= duration(\"\(time.components.seconds)s\")"
            reach.add(
                "!has(\(name).last_shown) || \(since)", of: "cap",
                reading: [last, Variable("now", type: .timestamp)])
        }
    }

    /// Adds the dates between which the schedule is open, as far as the rules determine them.
    private func addDates(of popup: PopupRule, to reach: inout Reach) {
        if popup.timing.schedule.isEmpty { return }
        let texts = popup.timing.schedule.map { entry -> String in
            let from = entry.fromMoment.map { "now >= timestamp(\"\($0)\")" }
            let until = entry.untilMoment.map { "now < timestamp(\"\($0)\")" }
            let bounds = [from, until].compactMap { $0 }
            return bounds.isEmpty ? "true" : "(\(bounds.joined(separator: " && ")))"
        }
        if texts.contains("true") { return }
        reach.add(
            texts.joined(separator: " || "), of: "schedule",
            reading: [Variable("now", type: .timestamp)])
    }
}

extension Logic {
    /// Returns the demand, narrowed to the users who meet the other requirements.
    mutating func narrowed(_ demand: Requirement, to reach: Reach) -> Requirement {
        var narrowed = demand
        narrowed.met += reach.conditions
        if reach.wheres.isEmpty { return narrowed }
        // The event happened at another time, so that only facts about the user must be the same.
        let (declarations, momentary) = (knownDeclarations, reach.momentary)
        let passing = people(meeting: reach.wheres)
        narrowed.among = people(passing) { entry in
            switch declarations.slotMeaning(entry) {
            case .key?: momentary.contains(entry.conditionText)
            case .variant?, nil: false
            case .condition?, .now?, .session?, .shownCount?, .lastShown?, .lastReason?,
                .exposedCount?, .lastAction?, .closedCount?, .converted?, .acted?, .lastActed?,
                .eventCount?, .lastEvent?, .sinceEvent?, .eventSum?, .scheduleOpen?, .payload?,
                .payloadField?:
                true
            }
        }
        return narrowed
    }
}

extension String {
    /// True if a condition compares `now` itself, and not the time since a date.
    fileprivate var asksForDate: Bool {
        let words = split { " ()".contains($0) }
        let comparisons: Set<Substring> = ["<", "<=", ">", ">=", "==", "!="]
        let sums: Set<Substring> = ["+", "-"]
        return words.indices.contains { place in
            guard words[place] == "now" else { return false }
            let next = place + 1 < words.count ? words[place + 1] : ""
            let last = place > 0 ? words[place - 1] : ""
            return comparisons.contains(next) && !sums.contains(last)
                || comparisons.contains(last) && !sums.contains(next)
        }
    }
}

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
