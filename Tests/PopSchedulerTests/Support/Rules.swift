import PopCEL
import PopScheduler
import PopSource
import Testing

/// Builds a rule set in Swift, with conditions as text.
struct Rules {
    var set = RuleSet()
    private var slots = SlotTable()
    private var meanings: [String: SlotMeaning] = [:]
    /// The environment without an event, once it is needed.
    private var plainEnvironment: Environment?
    /// Conditions are compiled when everything that they may name is known.
    private var pending: [(inout Rules) -> Void] = []

    static let nowhere = SourceRange(file: FileID(index: 0), 0..<0)

    mutating func main(_ change: (inout SchedulerRule) -> Void) { change(&set.schedulers[0]) }

    mutating func scheduler(_ name: String, _ change: (inout SchedulerRule) -> Void = { _ in }) {
        var rule = SchedulerRule(name: name)
        change(&rule)
        set.schedulers.append(rule)
    }

    mutating func key(
        _ name: String, _ type: CELType, default value: Value? = nil, allowed: [Value]? = nil,
        minimum: Value? = nil, maximum: Value? = nil
    ) {
        set.keys.append(
            ContextKey(
                name: name, type: type, defaultValue: value, allowedValues: allowed,
                minimum: minimum, maximum: maximum, at: Self.nowhere))
    }

    mutating func event(_ name: String, _ fields: [(String, CELType)] = []) {
        let fields = fields.map { EventRule.Field(name: $0, type: $1) }
        set.events.append(EventRule(name: name, fields: fields, at: Self.nowhere))
    }

    mutating func condition(_ name: String, _ text: String) {
        let index = set.conditions.count
        let placeholder = Condition(Self.constant(true), at: Self.nowhere)
        set.conditions.append(NamedCondition(name: name, condition: placeholder))
        pending.append { $0.set.conditions[index].condition = $0.compile(text) }
    }

    mutating func sessionTimeout(_ timeout: Duration) { set.sessionTimeout = timeout }

    mutating func quiet(_ quiet: QuietRule) { set.quiet = quiet }

    mutating func limit(_ limit: LimitRule) { set.limits.append(limit) }

    mutating func holdout(_ holdout: Holdout) { set.holdout = holdout }

    mutating func group(
        _ name: String, when text: String? = nil, cap: WindowCap? = nil, more: [WindowCap] = []
    ) {
        let index = set.groups.count
        set.groups.append(
            GroupRule(name: name, caps: [cap].compactMap { $0 } + more, at: Self.nowhere))
        if let text { pending.append { $0.set.groups[index].when = $0.compile(text) } }
    }

    /// The condition of an entry of the schedule of the popup that was added last.
    mutating func schedule(_ entry: Int, when text: String) {
        let index = set.popups.count - 1
        pending.append { $0.set.popups[index].timing.schedule[entry].when = $0.compile(text) }
    }

    mutating func popup(
        _ id: String, when: String? = nil, dismissWhen: String? = nil,
        on event: String? = nil, where filter: String? = nil,
        occurrence: EventTrigger.Occurrence = .any, _ change: (inout PopupRule) -> Void = { _ in }
    ) {
        let index = set.popups.count
        var rule = PopupRule(id: id, at: Self.nowhere)
        change(&rule)
        set.popups.append(rule)
        if let when { pending.append { $0.set.popups[index].when = $0.compile(when) } }
        if let dismissWhen {
            pending.append { $0.set.popups[index].dismissWhen = $0.compile(dismissWhen) }
        }
        guard let event, let eventIndex = set.events.firstPlace(where: { $0.name == event }) else {
            return
        }
        pending.append { rules in
            var trigger = EventTrigger(event: eventIndex, occurrence: occurrence)
            if let filter { trigger.where = rules.compile(filter, event: eventIndex) }
            rules.set.popups[index].triggers = [.event(trigger)]
        }
    }

    /// A goal of the popup that was added last.
    mutating func goal(
        _ name: String, event: EventIndex = 0, where filter: String? = nil, within: Duration,
        ends: Goal.Ending? = nil
    ) {
        let index = set.popups.count - 1
        let place = set.popups[index].goals.count
        set.popups[index].goals.append(Goal(name, event: event, within: within, ends: ends))
        guard let filter else { return }
        pending.append { rules in
            rules.set.popups[index].goals[place].where = rules.compile(filter, event: event)
        }
    }

    /// Adds a template with the actions that users can take on its popups.
    mutating func template(_ name: String, _ actions: String..., refusals: [String] = []) {
        set.templates.append(
            TemplateRule(
                name: name,
                actions: actions.map { TemplateRule.Action(name: $0) }
                    + refusals.map { TemplateRule.Action(name: $0, isRefusal: true) },
                at: Self.nowhere))
    }

    /// Adds a template with fields that contain a string for each language; a key selects the
    /// language.
    mutating func localize(_ template: String, fields: [String], key: KeyIndex, fallback: String) {
        set.templates.append(
            TemplateRule(name: template, localizedFields: fields, at: Self.nowhere))
        set.locales = Locales(key: key, fallback: fallback)
    }

    /// The rule set with all conditions compiled.
    func built() -> RuleSet {
        var rules = self
        for compile in pending { compile(&rules) }
        rules.set.slots = rules.slots.entries.map { rules.meaning(of: $0) }
        return rules.set
    }
}

extension Rules {
    private static func constant(_ value: Bool) -> Program {
        var slots = SlotTable()
        let expression = Expression.literal(.bool(value), at: nowhere)
        return compiled(Environment().compile(expression, expecting: .bool, slots: &slots))
    }

    private static func compiled(_ checked: Checked<Program>) -> Program {
        guard let program = checked.value else {
            preconditionFailure("\(checked.diagnostics.list.map(\.message))")
        }
        return program
    }

    private mutating func compile(_ text: String, event: EventIndex? = nil) -> Condition {
        let environment = environment(event: event)
        let map = TextMap(file: FileID(index: 0), offset: 0, length: text.utf8.count)
        guard let expression = Expression.parse(text, map: map).value else {
            preconditionFailure("`\(text)` is no expression")
        }
        let program = environment.compile(expression, expecting: .bool, slots: &slots)
        return Condition(Self.compiled(program), at: Self.nowhere)
    }

    private mutating func environment(event: EventIndex?) -> Environment {
        if event == nil, let plainEnvironment { return plainEnvironment }
        let environment = makeEnvironment(event: event)
        if event == nil { plainEnvironment = environment }
        return environment
    }

    private mutating func makeEnvironment(event: EventIndex?) -> Environment {
        var environment = Environment()
        func declare(_ name: String, _ type: CELType, _ meaning: SlotMeaning, missing: Bool = false)
        {
            environment.declare(
                Variable(name, identity: "\(meaning)", type: type, mayBeMissing: missing))
            meanings["\(meaning)"] = meaning
        }
        declare("now", .timestamp, .now)
        declare(SlotMeaning.scheduleOpenName, .bool, .scheduleOpen)
        for fact in SessionFact.allCases { declare(fact.rawValue, fact.type, .session(fact)) }
        for index in set.keys.places {
            let key = set.keys[index]
            declare(key.name, key.type, .key(index), missing: key.defaultValue == nil)
        }
        for index in set.conditions.places {
            declare(set.conditions[index].name, .bool, .condition(index))
        }
        for index in set.popups.places {
            let popup = set.popups[index]
            declare("popups.\(popup.id).shown_count", .int, .shownCount(popup: index))
            declare("popups.\(popup.id).variant", .string, .variant(popup: index))
            declare("popups.\(popup.id).exposed_count", .int, .exposedCount(popup: index))
            declare(
                "popups.\(popup.id).last_shown", .timestamp, .lastShown(popup: index), missing: true
            )
            declare(
                "popups.\(popup.id).last_reason", .string, .lastReason(popup: index), missing: true)
            declare("popups.\(popup.id).last_action", .string, .lastAction(popup: index))
            declare("popups.\(popup.id).closed_count", .int, .closedCount(popup: index))
            declare("popups.\(popup.id).converted", .bool, .converted(popup: index))
        }
        if let event {
            for (index, field) in set.events[event].fields.enumerated() {
                let meaning = SlotMeaning.payloadField(event: event, field: index)
                declare("event.\(field.name)", field.type, meaning, missing: true)
            }
        }
        environment.declareSlotFunction("event_count", parameters: [.string], result: .int)
        environment.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int)
        environment.declareSlotFunction("last_event", parameters: [.string], result: .timestamp)
        environment.declareSlotFunction("since", parameters: [.string], result: .duration)
        environment.declare(
            [], functions: [.eventSum { [set] in set.events.type(of: $0, in: $1) }])
        environment.declareSlotFunction("acted", parameters: [.string, .string], result: .int)
        environment.declareSlotFunction(
            "last_acted", parameters: [.string, .string], result: .timestamp)
        return environment
    }

    private func meaning(of entry: SlotTable.Entry) -> SlotMeaning {
        switch entry {
        case .variable(let identity):
            guard let meaning = meanings[identity] else {
                preconditionFailure("nothing is known of \(identity)")
            }
            return meaning
        case .call(let function, let arguments):
            let meaning = SlotMeaning(
                function: function, arguments: arguments,
                popup: { id in set.popups.firstPlace { $0.id == id } },
                field: { set.events.type(of: $0, in: $1) })
            guard let meaning else { preconditionFailure("`\(function)` has other arguments") }
            return meaning
        }
    }
}
