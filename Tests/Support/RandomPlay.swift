internal import PopCEL
package import PopScheduler

/// Plays random inputs to a scheduler: the same ones for the same generator and the
/// same names.
package struct RandomPlay {
    private let rules: RuleSet
    private var scheduler: Scheduler
    private var now = Moment(instant: .zero, date: Timestamp(seconds: 1_793_000_000))
    private var generator: any RandomNumberGenerator
    /// The seed of the scheduler's random choices.
    package let seed: UInt64
    /// All inputs so far, each with its time and its effects.
    package private(set) var history: [(event: Event, moment: Moment, effects: [Effect])] = []

    package init(_ rules: RuleSet, by generator: any RandomNumberGenerator) {
        self.rules = rules
        self.generator = generator
        seed = self.generator.next()
        scheduler = Scheduler(rules: rules, seed: seed, at: now)
        _ = handle(.started)
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        let effects = scheduler.handle(event, at: now)
        history.append((event, now, effects))
        return effects
    }

    /// The reasons at the end that each popup shows or doesn't.
    package var explanations: [PopupExplanation] {
        scheduler.explanations(of: rules.popups.map(\.id), at: now)
    }

    /// Takes a random step. Returns the scheduler's actions and its state afterwards, as text
    /// without the places in files.
    package mutating func step() -> [String] {
        now = now.advanced(by: .milliseconds(Int.random(in: 0...20_000_000, using: &generator)))
        var lines: [String] = []
        var queue = [randomEvent()]
        while let event = queue.popLast() {
            for effect in handle(event) {
                switch effect {
                case .askWillShow(let presentation):
                    queue.append(.answered(presentation.id, .show))
                case .present(let presentation): queue.append(.didPresent(presentation.id))
                case .dismiss(let id): queue.append(.didDismiss(id))
                case .record(let record, _): lines.append("\(record)")
                case .emit(.conditionError(let popup, let role, let error)):
                    lines.append("\(popup) \(role) \(error.message)")
                case .emit(let event): lines.append("\(event)")
                }
            }
        }
        lines += rules.popups.map {
            "\($0.id) \(scheduler.reason($0.id, at: now)?.rawValue ?? "-")"
        }
        return lines
    }

    private mutating func randomEvent() -> Event {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
            guard let key = rules.keys.randomElement(using: &generator) else { return .poke }
            return .update([key.name: randomValue(key)])
        case 2:
            guard let event = rules.events.randomElement(using: &generator) else { return .poke }
            var payload: [String: Value] = [:]
            for field in event.fields { payload[field.name] = randomValue(field.type) }
            return .send(event.name, payload: payload)
        case 3:
            guard let popup = rules.popups.randomElement(using: &generator) else { return .poke }
            return .enqueue(popup.id)
        case 4:
            guard let popup = scheduler.showing.values.min() else { return .poke }
            let template = rules.popups.first { $0.id == popup }?.template
            let actions = rules.templates.first { $0.name == template }?.actions ?? []
            guard Bool.random(using: &generator), let action = actions.first else {
                return .userClosed(popup)
            }
            return .acted(popup, action: action.name, stays: .random(using: &generator))
        default: return .timePassed
        }
    }

    private mutating func randomValue(_ key: ContextKey) -> Value {
        key.allowedValues?.randomElement(using: &generator) ?? randomValue(key.type)
    }

    private mutating func randomValue(_ type: CELType) -> Value {
        let number = Int.random(in: 0...10, using: &generator)
        return switch type {
        case .bool: .bool(number > 5)
        case .int: .int(Int64(number))
        case .uint: .uint(UInt64(number))
        case .double: .double(Double(number) / 2)
        case .string: .string(["", "map", "home", "a", "pro"][number % 5])
        case .timestamp: .timestamp(Timestamp(seconds: 1_793_000_000 + Int64(number) * 86_400))
        case .duration: .duration(.seconds(number))
        case .version: .string("1.\(number)\(number % 3 == 0 ? "-beta" : "")")
        case .list(let element): .list((0..<number % 3).map { _ in randomValue(element) })
        case .map(let key, let value): .map([randomValue(key): randomValue(value)])
        default: .int(Int64(number))
        }
    }
}
