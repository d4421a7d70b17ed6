internal import PopAdvice
package import PopCEL
package import PopRuleFiles
internal import PopScheduler
internal import PopSource

/// The values that conditions of a test may read: the state of the schedulers and the context.
package struct StateSlots: Sendable {
    private var environment = Environment.ofRules()
    private var table = SlotTable()
    private var sources: [String: Source] = [:]

    private enum Source: Sendable {
        case showing(scheduler: String)
        case waiting(scheduler: String)
        case shown(popup: String)
        case key(String, defaultValue: Value?)
    }

    /// Declares the names: `showing.LANE`, a popup's id or "none"; `waiting.LANE`, a list;
    /// `shown.POPUP`; and the context keys.
    ///
    /// `others` are rules that may replace these rules.
    init(rules: RuleSet, others: [RuleSet] = []) {
        environment.advice = .full
        let popups = ([rules] + others).flatMap { $0.popupsByScheduler }
        for scheduler in rules.schedulers {
            let name = scheduler.name
            let ids = popups.filter { $0.scheduler == name }.map { Value.string($0.popup) }
            declare(
                "showing.\(name)", type: .string, source: .showing(scheduler: name),
                allowed: ids + [.string("none")])
            declare("waiting.\(name)", type: .list(.string), source: .waiting(scheduler: name))
        }
        for popup in rules.popups {
            declare("shown.\(popup.id)", type: .int, source: .shown(popup: popup.id))
        }
        for key in rules.keys {
            // No advice to use `has()`: a test that reads a missing key fails and reports it.
            environment.declare(
                Variable(
                    key.name, type: key.type, allowedValues: key.allowedValues,
                    declaredAt: key.range))
            sources[key.name] = .key(key.name, defaultValue: key.defaultValue)
        }
    }

    /// Returns the names that conditions of a test may use, even if the rules have errors.
    package static func environment(of model: RuleModel) -> Environment {
        var environment = Environment.ofRules()
        let popups = model.popups.entries
        for name in Set(model.schedulers.names + [RuleModel.mainScheduler]).sorted() {
            let own = popups.filter {
                ($0.place.scheduler?.value ?? RuleModel.mainScheduler) == name
            }
            environment.declare(
                Variable(
                    "showing.\(name)", type: .string,
                    allowedValues: own.map { .string($0.name.value) } + [.string("none")]))
            environment.declare(Variable("waiting.\(name)", type: .list(.string)))
        }
        for popup in popups {
            environment.declare(Variable("shown.\(popup.name.value)", type: .int))
        }
        for key in model.context.entries {
            environment.declare(
                Variable(
                    key.name.value, type: key.type?.value ?? .dyn,
                    allowedValues: key.allowedValues?.value.map(\.value)))
        }
        return environment
    }

    private mutating func declare(
        _ name: String, type: CELType, source: Source, allowed: [Value]? = nil
    ) {
        environment.declare(Variable(name, type: type, allowedValues: allowed))
        sources[name] = source
    }

    mutating func compile(_ expression: Expression) -> Checked<Program> {
        environment.compile(expression, expecting: .bool, slots: &table)
    }

    mutating func compile(_ text: String, at map: TextMap) -> Checked<Program> {
        environment.compile(text, map: map, expecting: .bool, slots: &table)
    }

    /// Returns the current values that the conditions read.
    func values(in simulation: Simulation) -> SlotValues {
        let showing = simulation.scheduler.showing
        let waiting = simulation.scheduler.waiting
        var values = SlotValues(count: table.entries.count)
        for (number, entry) in table.entries.enumerated() {
            let slot = SlotIndex(number)
            guard case .variable(let name) = entry else { continue }
            switch sources[name] {
            case .showing(let lane): values[slot] = .value(.string(showing[lane] ?? "none"))
            case .waiting(let lane):
                values[slot] = .value(.list((waiting[lane] ?? []).map { .string($0) }))
            case .shown(let popup): values[slot] = .value(.int(Int64(simulation.shown[popup] ?? 0)))
            case .key(let key, let defaultValue):
                let value = simulation.context[key] ?? defaultValue
                values[slot] = value.map { .value($0) } ?? .missing
            case nil: break
            }
        }
        return values
    }
}

extension RuleSet {
    fileprivate var popupsByScheduler: [(popup: String, scheduler: String)] {
        popups.map { ($0.id, schedulers[$0.scheduler].name) }
    }
}
