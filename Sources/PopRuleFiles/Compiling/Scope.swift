internal import PopCEL
internal import PopScheduler
internal import PopSource

/// What conditions at one place may name, and what the slots behind the names mean.
struct Scope {
    private(set) var environment: Environment
    private(set) var meanings: [String: SlotMeaning] = [:]

    /// What every condition may name.
    init(_ model: RuleModel) {
        environment = Environment()
        var declarations = Self.context(model)
        declarations.append((Variable("now", type: .timestamp), .now))
        declarations.append((Variable("session.started", type: .timestamp), .sessionStarted))
        if model.mentionsHistory { declarations += Self.history(model) }
        declare(declarations)
        declareEventFunctions(model)
    }

    /// What the `where` of a trigger on the event may name besides.
    func inside(_ event: Int, of model: RuleModel) -> Scope {
        var scope = self
        scope.declare(
            model.events.entries[event].fields.enumerated().map { position, field in
                (
                    Variable(
                        "event.\(field.name.value)", identity: "event.\(event).\(position)",
                        type: field.type?.value ?? .dyn, declaredAt: field.name.range),
                    .payloadField(event: event, field: position)
                )
            })
        return scope
    }

    /// For a `where` whose event does not exist: anything about the payload goes.
    func insideUnknownEvent() -> Scope {
        var scope = self
        scope.declare([(Variable("event", type: .dyn), .payload)])
        return scope
    }

    /// For all conditions but `where`: the payload is not there.
    func outsideEvents() -> Scope {
        var scope = self
        scope.environment.forbid(
            "event", because: "`event` is what the app sends; only a trigger's `where` can read it")
        return scope
    }

    /// The same scope for another core.
    func unshared() -> Scope {
        var scope = self
        scope.environment = environment.unshared()
        return scope
    }

    /// A name that conditions may read, and what the slot behind it means.
    private typealias Declaration = (variable: Variable, meaning: SlotMeaning)

    private mutating func declare(_ declarations: [Declaration]) {
        environment.declare(declarations.map(\.variable))
        meanings.reserveCapacity(meanings.count + declarations.count)
        for (variable, meaning) in declarations { meanings[variable.identity] = meaning }
    }

    private static func context(_ model: RuleModel) -> [Declaration] {
        let keys = model.context.entries.enumerated().map { position, key -> Declaration in
            (
                Variable(
                    key.name.value, type: key.type?.value ?? .dyn,
                    // Of a key whose type is wrong nothing is known, its default neither.
                    mayBeMissing: key.type != nil && key.defaultValue == nil,
                    allowedValues: key.allowedValues?.value.map(\.value),
                    minimum: key.minimum?.value, maximum: key.maximum?.value,
                    declaredAt: key.name.range), .key(position)
            )
        }
        let conditions = model.conditions.entries.enumerated().map {
            position, condition -> Declaration in
            (
                Variable(condition.name.value, type: .bool, declaredAt: condition.name.range),
                .condition(position)
            )
        }
        return keys + conditions
    }

    private static func history(_ model: RuleModel) -> [Declaration] {
        model.popups.entries.enumerated().flatMap { position, popup -> [Declaration] in
            let name = "popups.\(popup.name.value)"
            let place = popup.name.range
            return [
                (
                    Variable(
                        "\(name).shown_count", type: .int, minimum: .int(0), declaredAt: place),
                    .shownCount(popup: position)
                ),
                (
                    Variable(
                        "\(name).last_shown", type: .timestamp, mayBeMissing: true,
                        declaredAt: place), .lastShown(popup: position)
                ),
                (
                    Variable(
                        "\(name).last_reason", type: .string, mayBeMissing: true,
                        allowedValues: dismissalReasons, declaredAt: place),
                    .lastReason(popup: position)
                ),
            ]
        }
    }

    private mutating func declareEventFunctions(_ model: RuleModel) {
        let events = model.events
        let check: @Sendable (Environment.SlotCall) -> [Diagnostic] = { call in
            guard let name = call.arguments.first, case .string(let event) = name.value,
                events.index(of: event) == nil
            else { return [] }
            return [
                .undefined(
                    .refUndefinedEvent, "event", Located(event, at: name.range),
                    among: events.names)
            ]
        }
        environment.declareSlotFunction(
            "event_count", parameters: [.string], result: .int, check: check)
        environment.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int, check: check)
        environment.declareSlotFunction(
            "last_event", parameters: [.string], result: .timestamp, mayBeMissing: true,
            check: check)
    }
}

extension RuleModel {
    /// Whether a condition or an example may name `popups`: declaring three variables for each popup takes time that
    /// most sets can save.
    var mentionsHistory: Bool {
        // By index: going through the popups themselves copies each.
        conditionsMentionHistory
            || popups.entries.indices.contains { popups.entries[$0].examples != nil }
    }
}

/// What `last_reason` can be: why a visible popup goes, or one that was switched out does not come back.
private let dismissalReasons: [Value] = [
    ReasonCode.preempted, .timedOut, .dismissCondition, .dismissed, .userClosed, .disappeared,
    .removed, .userSwitched, .expired, .queueFull, .discardedUntriggered, .removedByReload,
    .disabled, .notInRollout,
].map { .string($0.rawValue) }
