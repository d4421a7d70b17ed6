internal import PopAdvice
package import PopCEL
internal import PopScheduler
internal import PopSource

/// The names that conditions at one place may use, and the meanings of their slots.
struct Scope {
    private(set) var environment: Environment
    /// The meanings of the names that this scope adds to the scope it was made of; of all names if
    /// it was made of a model.
    private(set) var meanings: [String: SlotMeaning]

    /// The names that every condition may use.
    init(_ model: RuleModel) { self.init(model, historyOf: model.mentionsHistory ? nil : []) }

    /// With the history of the popups in `wanted`; of all popups if `wanted` is nil.
    fileprivate init(_ model: RuleModel, historyOf wanted: Set<String>?) {
        environment = Environment.ofRules()
        environment.advice = .full
        var names = Names()
        let history = 5 * (wanted?.count ?? model.popups.entries.count)
        names.reserveCapacity(
            model.context.entries.count + model.conditions.entries.count + 1
                + SessionFact.allCases.count + history)
        names.add(contextOf: model)
        names.add(Variable("now", type: .timestamp), meaning: .now)
        // `first_seen` was free for a name of the rules once.
        for fact in SessionFact.allCases
        where model.context[fact.rawValue] == nil && model.conditions[fact.rawValue] == nil {
            names.add(
                Variable(
                    fact.rawValue, type: fact.type, mayBeMissing: fact.mayBeMissing,
                    minimum: fact == .count ? .int(1) : nil),
                meaning: .session(fact))
        }
        if history > 0 { names.add(historyOf: model, of: wanted) }
        environment.declare(
            names.variables,
            functions: Self.eventFunctions(model) + Self.actionFunctions(model))
        meanings = names.meanings
        if model.leavesScheduleFree { forbidSchedule() }
    }

    private mutating func forbidSchedule() {
        environment.forbid(
            SlotMeaning.scheduleOpenName,
            because: "only the `dismiss_when` of a popup can read whether its schedule is open",
            help: "remove `schedule.open`, because a popup shows only while its schedule is open;"
                + " to dismiss the popup when its schedule closes, add `dismiss_when:"
                + " \"!schedule.open\"`")
    }

    /// For the `dismiss_when` of popups: whether their schedule is open.
    func atDismissal(of model: RuleModel) -> Scope {
        guard model.leavesScheduleFree else { return self }
        var names = Names()
        names.add(Variable(SlotMeaning.scheduleOpenName, type: .bool), meaning: .scheduleOpen)
        return adding(names)
    }

    /// Returns the scope of a trigger's `where`, which may also use the payload of the event.
    func inside(_ event: EventIndex, of model: RuleModel) -> Scope {
        var names = Names()
        for (position, field) in model.events.entries[event].fields.enumerated() {
            names.add(
                Variable(
                    "event.\(field.name.value)", identity: "event.\(event).\(position)",
                    type: field.type?.value ?? .dyn, declaredAt: field.name.range),
                meaning: .payloadField(event: event, field: position))
        }
        var scope = adding(names)
        scope.environment.describe("event", as: "`\(model.events.entries[event].name.value)`")
        return scope
    }

    /// Returns the scope of a `where` whose event does not exist: any payload field is allowed.
    /// Suggestions come from the event with the most similar name, or from the only event.
    func insideUnknownEvent(_ name: String, of model: RuleModel) -> Scope {
        var names = Names()
        names.add(Variable("event", type: .dyn), meaning: .payload)
        let known = model.events.names
        let meant =
            similarNames(to: name, among: known, limit: 1).first
            ?? (known.count == 1 ? known.first : nil)
        guard let event = meant.flatMap({ model.events[$0] }) else { return adding(names) }
        for field in event.fields {
            names.add(
                Variable(
                    "event.\(field.name.value)", type: .dyn, declaredAt: field.name.range),
                meaning: .payload)
        }
        var scope = adding(names)
        scope.environment.describe("event", as: "`\(event.name.value)`")
        return scope
    }

    /// For all conditions but `where`: the payload is not there.
    func outsideEvents() -> Scope {
        var scope = self
        scope.environment.forbid(
            "event",
            because: "only the `where` of a trigger or goal can read `event`, the event that the"
                + " app sends",
            help: "to check a field of an event, use the `where` of a trigger with `event`, such as"
                + " `trigger: { event: order.paid, where: event.total > 50.0 }`")
        return scope
    }

    private func adding(_ names: Names) -> Scope {
        var scope = self
        scope.environment = environment.adding(names.variables)
        scope.meanings = names.meanings
        return scope
    }

    private static func eventFunctions(_ model: RuleModel) -> [SlotDeclaration] {
        let events = model.events
        let check: @Sendable (Environment.SlotCall) -> [Diagnostic] = { call in
            guard let name = call.arguments.first, case .string(let event) = name.value,
                events.index(of: event) == nil
            else {
                return call.arguments.dropFirst().compactMap {
                    .timeBeforeNow($0, call: call.range)
                }
            }
            return [
                .undefined(
                    .refUndefinedEvent, kind: "event", name: Located(event, at: name.range),
                    among: events.names)
            ]
        }
        return [
            SlotDeclaration("event_count", parameters: [.string], result: .int, check: check),
            SlotDeclaration(
                "event_count", parameters: [.string, .duration], result: .int, check: check),
            SlotDeclaration(
                "last_event", parameters: [.string], result: .timestamp, mayBeMissing: true,
                check: check),
            SlotDeclaration("since", parameters: [.string], result: .duration, check: check),
            .eventSum(
                typeOfField: { events.type(of: $0, in: $1) },
                check: { call in check(call) + events.mistakes(in: call) }),
        ]
    }

    private static func actionFunctions(_ model: RuleModel) -> [SlotDeclaration] {
        let popups = PopupTemplates(model)
        let check: @Sendable (Environment.SlotCall) -> [Diagnostic] = { call in
            guard call.arguments.count == 2, case .string(let popup) = call.arguments[0].value,
                case .string(let action) = call.arguments[1].value
            else { return [] }
            let name = Located(popup, at: call.arguments[0].range)
            guard popups.contains(popup) else {
                return [
                    .undefined(
                        .refUndefinedPopup, kind: "popup", name: name, among: popups.popupNames)
                ]
            }
            guard action != TemplateRule.Action.close,
                let declared = popups.actions(ofPopup: popup)?.map(\.name.value),
                !declared.contains(action)
            else { return [] }
            let place = Located(action, at: call.arguments[1].range)
            let template = popups.template(ofPopup: popup)
            return [
                .undefinedAction(place, of: popup, template: template, declared: declared)
            ]
        }
        return [
            SlotDeclaration(
                "acted", parameters: [.string, .string], result: .int, check: check),
            SlotDeclaration(
                "last_acted", parameters: [.string, .string], result: .timestamp,
                mayBeMissing: true, check: check),
        ]
    }
}

/// Names that conditions may read, and the meanings of their slots.
private struct Names {
    private(set) var variables: [Variable] = []
    private(set) var meanings: [String: SlotMeaning] = [:]

    mutating func reserveCapacity(_ count: Int) {
        variables.reserveCapacity(count)
        meanings.reserveCapacity(count)
    }

    mutating func add(_ variable: Variable, meaning: SlotMeaning) {
        meanings[variable.identity] = meaning
        variables.append(variable)
    }

    mutating func add(contextOf model: RuleModel) {
        for place in model.context.entries.places {
            let key = model.context.entries[place]
            add(
                Variable(
                    key.name.value, type: key.type?.value ?? .dyn,
                    // For a key of a wrong type neither its values nor its default are known.
                    mayBeMissing: key.type != nil && !key.hasDefault,
                    allowedValues: key.allowedValues?.value.map(\.value),
                    minimum: key.minimum?.value, maximum: key.maximum?.value,
                    declaredAt: key.name.range), meaning: .key(place))
        }
        for place in model.conditions.entries.places {
            let condition = model.conditions.entries[place]
            var variable = Variable(
                condition.name.value, type: .bool, declaredAt: condition.name.range)
            if case .expression(let expression) = condition.condition.form {
                variable.definition = expression
            }
            add(variable, meaning: .condition(place))
        }
    }

    /// Adds the history of some popups; of all popups if `wanted` is nil.
    mutating func add(historyOf model: RuleModel, of wanted: Set<String>?) {
        for index in model.popups.entries.places {
            let popup = model.popups.entries[index]
            if let wanted, !wanted.contains(popup.name.value) { continue }
            let name = "popups.\(popup.name.value)"
            let place = popup.name.range
            add(
                Variable("\(name).shown_count", type: .int, minimum: .int(0), declaredAt: place),
                meaning: .shownCount(popup: index))
            var shown = Variable("\(name).last_shown", type: .timestamp, mayBeMissing: true)
            shown.presence = "once `\(popup.name.value)` has been shown"
            add(shown, meaning: .lastShown(popup: index))
            var reason = Variable(
                "\(name).last_reason", type: .string, mayBeMissing: true,
                allowedValues: dismissalReasons)
            reason.presence = "once `\(popup.name.value)` has been shown and dismissed"
            add(reason, meaning: .lastReason(popup: index))
            if let experiment = popup.limits.experiment?.value {
                add(exposuresTo: experiment, of: popup.name, at: index)
            }
            let actions = popup.template.flatMap { model.templates[$0.value]?.actions?.range }
            var action = Variable("\(name).last_action", type: .string, declaredAt: actions)
            action.allowedValues = model.actions(ofPopup: popup.name.value).map { actions in
                [.string("")] + actions.map { .string($0.name.value) }
            }
            add(action, meaning: .lastAction(popup: index))
            add(
                Variable("\(name).closed_count", type: .int, minimum: .int(0), declaredAt: place),
                meaning: .closedCount(popup: index))
            if popup.limits.goals != nil {
                add(
                    Variable("\(name).converted", type: .bool, declaredAt: place),
                    meaning: .converted(popup: index))
            }
        }
    }

    private mutating func add(
        exposuresTo experiment: ExperimentModel, of popup: Located<String>, at index: PopupIndex
    ) {
        // The variant names of a named experiment may change in another file; if variants cannot be
        // read, nothing is known about them.
        let arms: [String]? =
            experiment.of != nil
            ? nil
            : experiment.variants.map { ["", Assignment.control] + $0.value.map(\.name.value) }
        let name = "popups.\(popup.value)"
        add(
            Variable(
                "\(name).variant", type: .string, allowedValues: arms?.map { .string($0) },
                declaredAt: popup.range), meaning: .variant(popup: index))
        add(
            Variable(
                "\(name).exposed_count", type: .int, minimum: .int(0), declaredAt: popup.range),
            meaning: .exposedCount(popup: index))
    }
}

extension RuleSet {
    /// The functions that conditions of rules have in addition to those of the language, by name.
    package static let functionsOfRules: [String] = Scope(RuleModel(sources: SourceSet()))
        .environment.slotFunctions.keys.sorted()
}

extension RuleModel {
    /// True if no key and no condition has the name `schedule.open`, or a name that begins so.
    fileprivate var leavesScheduleFree: Bool {
        SlotMeaning.namesOfSchedule.allSatisfy { context[$0] == nil && conditions[$0] == nil }
    }

    /// True if a condition or an example may name `popups`: declaring five variables for each popup
    /// takes time that most rule sets can save.
    var mentionsHistory: Bool {
        // By index: going through the popups themselves copies each.
        conditionsMentionHistory
            || popups.entries.indices.contains { popups.entries[$0].checksIfAny?.examples != nil }
    }
}

extension Scope {
    /// Notes the definitions of named conditions.
    mutating func define(_ definitions: [(name: String, Expression)]) {
        environment.declare(
            definitions.compactMap { name, expression in
                guard var variable = environment.variable(named: name) else { return nil }
                variable.definition = expression
                return variable
            })
    }

    /// Returns the same scope, checking only the rules of the language.
    func withoutAdvice() -> Scope {
        var scope = self
        scope.environment.checking = .language
        return scope
    }

    /// Returns the same scope for an expression that is evaluated only if some names have a value.
    func presuming(_ names: Set<String>) -> Scope {
        var scope = self
        scope.environment.presumed = names
        return scope
    }
}

/// The values of `last_reason`: why a visible popup is dismissed, or why a preempted popup does not
/// come back.
private let dismissalReasons = ReasonCode.allCases.filter(\.endsWhatShows)
    .map { Value.string($0.rawValue) }

extension Diagnostic {
    /// Returns the finding about a length of time in which nothing can have happened; nil for other
    /// lengths.
    fileprivate static func timeBeforeNow(
        _ argument: Located<Value>, call: SourceRange
    ) -> Self? {
        guard case .duration(let length) = argument.value, length <= .zero else { return nil }
        return Diagnostic(
            .conditionSuspiciousCompare,
            message: "a time window of zero or less contains no events",
            at: argument.range, label: "counts no events",
            help: ["use a positive duration, such as `duration(\"7d\")`"])
    }
}

extension RuleModel {
    /// The names that conditions may use; with `event`, also those of its payload in a trigger's
    /// `where`. The history includes only `popup`.
    package func environment(
        forEvent event: String? = nil, historyOf popup: String? = nil
    ) -> Environment {
        let scope = Scope(self, historyOf: Set([popup].compactMap(\.self)))
        guard let event else { return scope.outsideEvents().environment }
        guard let place = events.place(of: event) else {
            return scope.insideUnknownEvent(event, of: self).environment
        }
        return scope.inside(place, of: self).environment
    }
}

extension Section<EventModel> {
    /// The type of a field of the payload of an event; nil if the event has no such field, or its
    /// type cannot be read.
    func type(of field: String, in event: String) -> CELType? {
        self[event]?.fields.first { $0.name.value == field }?.type?.value
    }

    /// Returns the mistakes in the field that a call of `event_sum` adds up.
    func mistakes(in call: Environment.SlotCall) -> [Diagnostic] {
        guard call.arguments.count == 3, case .string(let name) = call.arguments[0].value,
            case .string(let field) = call.arguments[1].value, let event = self[name]
        else { return [] }
        let place = Located(field, at: call.arguments[1].range)
        guard let declared = event.fields.first(where: { $0.name.value == field }) else {
            return event.isBroken ? [] : [.unknownField(place, of: event)]
        }
        guard let type = declared.type, !type.value.isNumeric else { return [] }
        return [.notAddable(place, of: event, declared: declared.name, type: type.value)]
    }
}

extension Diagnostic {
    fileprivate static func unknownField(_ field: Located<String>, of event: EventModel) -> Self {
        let names = event.fields.map(\.name.value)
        let similar = similarNames(to: field.value, among: names)
        var diagnostic = Diagnostic(
            .conditionUnknownKey,
            message: "`\(event.name.value)` has no field `\(field.value.shortened)`",
            at: field.range,
            label: "not a field of `\(event.name.value)`")
        if similar.count == 1 { diagnostic.fixes = [.rename(field.range, to: similar[0])] }
        if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        } else {
            diagnostic.help = [event.numericFields]
        }
        return diagnostic
    }

    fileprivate static func notAddable(
        _ field: Located<String>, of event: EventModel, declared: Located<String>, type: CELType
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "`\(field.value)` of `\(event.name.value)` cannot be added up: it is"
                + " \(type.phrase)",
            at: field.range, label: "not a number",
            secondary: [Label("`\(field.value)` is declared here", at: declared.range)],
            help: [event.numericFields])
    }
}

extension EventModel {
    /// Help that lists the fields that can be added up.
    fileprivate var numericFields: String {
        let names = fields.filter { $0.type?.value.isNumeric == true }.map(\.name.value)
        if names.isEmpty {
            return "declare a field with a number for `\(name.value)` under `events`, such as"
                + " `total: double`"
        }
        return "use one of the number fields \(enumeration(names, atMost: 12))"
    }
}
