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
        let uses = ParallelArray<ConditionIndex, [ConditionIndex]>(
            rules.conditions.map { rule in
                rule.condition.program.slots.compactMap { slot in
                    if case .condition(let used) = rules.slots[slot] { used } else { nil }
                }
            })
        var isResolved = ParallelArray<ConditionIndex, Bool>(repeating: false, count: uses.count)
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
