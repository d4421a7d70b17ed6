internal import PopCEL
internal import PopScheduler
internal import PopSource

/// Converts the content of a bundle back into rules: every text is parsed and every reference
/// checked.
package struct BundleReader {
    /// The number of entries of each kind in the bundle, for references to them.
    struct Counts {
        var schedulers = 0
        var keys = 0
        var events = 0
        var groups = 0
        var popups = 0
    }

    package let limits: BundleLimits
    private(set) var counts = Counts()
    private var names = BundledNames()
    private var slots = SlotTable()

    package init(limits: BundleLimits) { self.limits = limits }

    mutating func read(_ json: JSON) throws(BundleError) -> RuleSet {
        let lists = try Lists(json, limits: limits)
        counts = lists.counts
        let keys = try entries(lists.keys, form: .contextKey)
        let events = try entries(lists.events, form: .event)
        names = BundledNames(
            keys: keys, events: events, conditions: try texts("name", of: lists.conditions),
            popups: try texts("id", of: lists.popups),
            hasExperiments: lists.popups.contains { $0["experiment"] != nil },
            hasGoals: lists.popups.contains { $0["goals"] != nil })
        var rules = RuleSet(keys: keys, events: events)
        rules.schedulers = try entries(lists.schedulers, form: .scheduler)
        guard !rules.schedulers.isEmpty else { throw .damaged("it has no scheduler") }
        rules.conditions = try entries(lists.conditions, form: .namedCondition)
        rules.groups = try entries(lists.groups, form: .group)
        rules.popups = try entries(lists.popups, form: .popup)
        rules.limits = try entries(lists.limits, form: .limit)
        guard rules.isWithinBoundsOfCaps else {
            throw .tooLarge("more caps than the limit")
        }
        rules.templates = try entries(lists.templates, form: .template)
        if let holdout = json["holdout"] {
            rules.holdout = try WireForm.holdout.read(holdout, &self)
        }
        if let locales = json["locales"] {
            rules.locales = try WireForm.locales.read(locales, &self)
        }
        if let quiet = json["quiet"] { rules.quiet = try WireForm.quiet.read(quiet, &self) }
        if let timeout = json["sessionTimeout"] {
            rules.sessionTimeout = try WireForm.positiveLength.read(timeout, &self)
        }
        rules.slots = slots.entries.map(names.meaning)
        try checkChains(rules)
        return rules
    }

    private mutating func entries<Entry>(
        _ list: [JSON], form: WireForm<Entry>
    ) throws(BundleError) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(list.count)
        for json in list { entries.append(try form.read(json, &self)) }
        return entries
    }

    private mutating func texts(
        _ member: String, of list: [JSON]
    ) throws(BundleError) -> [String] {
        var texts: [String] = []
        for entry in list {
            guard case .string(let text) = entry[member] else {
                throw .damaged("`\(member)` is missing")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the condition of a text, which may read the fields of an event.
    mutating func condition(
        _ text: String, inside event: EventIndex?
    ) throws(BundleError) -> Condition {
        let environment = names.environment(inside: event)
        let program = Expression.parse(text).then {
            environment.compile($0, expecting: .bool, slots: &slots)
        }
        do {
            return Condition(try program.get(), at: .none)
        } catch {
            throw .damaged("the condition `\(text)` is not valid: \(error)")
        }
    }

    /// Throws for conditions that use each other in a cycle, since they would never end.
    private func checkChains(_ rules: RuleSet) throws(BundleError) {
        let uses = TypedArray<ConditionIndex, [ConditionIndex]>(
            rules.conditions.map { rule in
                rule.condition.program.slots.compactMap { slot in
                    if case .condition(let used) = rules.slots[slot] { used } else { nil }
                }
            })
        var isResolved = TypedArray<ConditionIndex, Bool>(repeating: false, count: uses.count)
        for _ in 0..<limits.conditionChain {
            let resolved = uses.indices.filter { condition in
                uses[condition].allSatisfy { isResolved[$0] }
            }
            for condition in resolved { isResolved[condition] = true }
            if resolved.count == uses.count { return }
        }
        if !uses.isEmpty { throw .damaged("its conditions use each other in a cycle") }
    }
}

/// The unread entries of a bundle, by kind.
private struct Lists {
    let schedulers: [JSON]
    let keys: [JSON]
    let events: [JSON]
    let conditions: [JSON]
    let groups: [JSON]
    let popups: [JSON]
    /// Always empty in version 1.
    let limits: [JSON]
    let templates: [JSON]

    init(_ json: JSON, limits: BundleLimits) throws(BundleError) {
        func list(_ name: String) throws(BundleError) -> [JSON] {
            guard case .array(let items) = json[name] else {
                throw .damaged("it has no list `\(name)`")
            }
            guard items.count <= limits.entries else {
                throw .tooLarge("more than \(limits.entries) entries of a kind")
            }
            return items
        }
        schedulers = try list("schedulers")
        keys = try list("keys")
        events = try list("events")
        conditions = try list("conditions")
        groups = try list("groups")
        popups = try list("popups")
        self.limits = json["limits"] == nil ? [] : try list("limits")
        templates = json["templates"] == nil ? [] : try list("templates")
    }

    var counts: BundleReader.Counts {
        BundleReader.Counts(
            schedulers: schedulers.count, keys: keys.count, events: events.count,
            groups: groups.count, popups: popups.count)
    }
}

extension SourceRange {
    /// The place of everything in a bundle, which has no source files to look at.
    static let none = SourceRange(file: FileID(index: 0), 0..<0)
}

/// The names that the conditions of a bundle may use, and the meanings of their slots.
///
/// The names are those of rule files; authors were warned of mistakes when the bundle was created.
struct BundledNames {
    private let events: [EventRule]
    private var meanings: [String: SlotMeaning] = [:]
    private var everywhere = Environment.ofRules()

    init(
        keys: [ContextKey] = [], events: [EventRule] = [], conditions: [String] = [],
        popups: [String] = [], hasExperiments: Bool = false, hasGoals: Bool = false
    ) {
        self.events = events
        everywhere.checking = .language
        for key in keys.places {
            declare(keys[key].name, type: keys[key].type, meaning: .key(key))
        }
        for (position, name) in conditions.enumerated() {
            declare(name, type: .bool, meaning: .condition(ConditionIndex(position)))
        }
        declare("now", type: .timestamp, meaning: .now)
        if SlotMeaning.namesOfSchedule.allSatisfy({ meanings[$0] == nil }) {
            declare(SlotMeaning.scheduleOpenName, type: .bool, meaning: .scheduleOpen)
        }
        for fact in SessionFact.allCases where meanings[fact.rawValue] == nil {
            declare(fact.rawValue, type: fact.type, meaning: .session(fact))
        }
        for (position, id) in popups.enumerated() {
            declare(PopupIndex(position), id: id)
            if hasExperiments { declare(exposuresOf: PopupIndex(position), id: id) }
            if hasGoals {
                let goals = SlotMeaning.converted(popup: PopupIndex(position))
                declare("popups.\(id).converted", type: .bool, meaning: goals)
            }
        }
        declareFunctions()
        for event in events.places {
            for field in events[event].fields.indices {
                meanings[Self.identity(event, field: field)] = .payloadField(
                    event: event, field: field)
            }
        }
    }

    private mutating func declareFunctions() {
        everywhere.declareSlotFunction("event_count", parameters: [.string], result: .int)
        everywhere.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int)
        everywhere.declareSlotFunction("last_event", parameters: [.string], result: .timestamp)
        everywhere.declareSlotFunction("since", parameters: [.string], result: .duration)
        everywhere.declare(
            [], functions: [.eventSum { [events] in events.type(of: $0, in: $1) }])
        everywhere.declareSlotFunction("acted", parameters: [.string, .string], result: .int)
        everywhere.declareSlotFunction(
            "last_acted", parameters: [.string, .string], result: .timestamp)
    }

    /// Declares the names for a popup's history.
    private mutating func declare(_ popup: PopupIndex, id: String) {
        declare("popups.\(id).shown_count", type: .int, meaning: .shownCount(popup: popup))
        declare("popups.\(id).last_shown", type: .timestamp, meaning: .lastShown(popup: popup))
        declare("popups.\(id).last_reason", type: .string, meaning: .lastReason(popup: popup))
        declare("popups.\(id).last_action", type: .string, meaning: .lastAction(popup: popup))
        declare("popups.\(id).closed_count", type: .int, meaning: .closedCount(popup: popup))
    }

    private mutating func declare(exposuresOf popup: PopupIndex, id: String) {
        declare("popups.\(id).variant", type: .string, meaning: .variant(popup: popup))
        declare("popups.\(id).exposed_count", type: .int, meaning: .exposedCount(popup: popup))
    }

    /// Returns the names at a place: inside the `where` of a trigger on an event, or anywhere else.
    func environment(inside event: EventIndex?) -> Environment {
        guard let event else { return everywhere }
        var fields: [Variable] = []
        for (position, field) in events[event].fields.enumerated() {
            let identity = Self.identity(event, field: position)
            fields.append(Variable("event.\(field.name)", identity: identity, type: field.type))
        }
        return everywhere.adding(fields)
    }

    func meaning(of entry: SlotTable.Entry) -> SlotMeaning {
        switch entry {
        case .variable(let identity): meanings[identity] ?? .payload
        case .call(let function, let arguments):
            SlotMeaning(
                function: function, arguments: arguments,
                popup: { meanings["popups.\($0).shown_count"]?.popup },
                field: { events.type(of: $0, in: $1) }) ?? .payload
        }
    }

    private mutating func declare(_ name: String, type: CELType, meaning: SlotMeaning) {
        everywhere.declare(Variable(name, type: type))
        meanings[name] = meaning
    }

    /// Returns an identity that differs from every key: the parts of a name don't begin with
    /// digits.
    private static func identity(_ event: EventIndex, field: Int) -> String {
        "event.\(event).\(field)"
    }
}

extension SlotMeaning {
    /// The first version of bundles whose conditions can use it.
    var firstVersion: Int {
        switch self {
        case .session(let fact): fact == .started ? 1 : 2
        case .variant, .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
            .sinceEvent, .eventSum, .scheduleOpen:
            2
        case .key, .condition, .now, .shownCount, .lastShown, .lastReason, .eventCount, .lastEvent,
            .payload, .payloadField:
            1
        }
    }
}
