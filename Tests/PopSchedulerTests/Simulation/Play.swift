import PopCEL
import PopScheduler

/// One thing that happens in a simulation. It names replies by their place among what is open, so that a sequence stays
/// playable when parts of it are left out.
enum Input: Sendable {
    case advance(milliseconds: Int)
    case calendar(seconds: Int)
    case started
    case key(Int, Int)
    case send(String, Int)
    case enqueue(String)
    case dismiss(String)
    case remove(String)
    case userClosed(String)
    /// A person closes what is on a screen.
    case close(Int)
    case didDisappear(String)
    case removeAll
    case suspend(all: Bool)
    case resume
    case switchUser(Int)
    case reload(Int)
    /// The app ends without warning and starts again with what was recorded.
    case restart
    /// The host does what it is asked for, wherever something is open.
    case obey
    case answer(Int, WillShowAnswer)
    case presented(Int)
    case failed(Int)
    case dismissed(Int)

    static func random(_ dice: inout Dice) -> Input {
        let popup = dice.pick(RandomRules.popups)
        switch dice.roll(1000) {
        case 0..<120: return .advance(milliseconds: 250 * (1 + dice.roll(10)))
        case 120..<200: return .obey
        case 200..<203: return .advance(milliseconds: 3_600_000 * (1 + dice.roll(30)))
        case 203..<208: return .calendar(seconds: dice.roll(20_000) - 10_000)
        case 208..<215: return .started
        case 215..<230: return .advance(milliseconds: 3000)
        case 230..<260: return .close(dice.roll(2))
        case 260..<320: return .key(dice.roll(4), dice.roll(4))
        case 320..<345: return .close(dice.roll(2))
        case 345..<390: return .send(dice.pick(["e", "f"]), dice.roll(4))
        case 390..<450: return .enqueue(popup)
        case 450..<530: return .obey
        case 530..<550: return .dismiss(popup)
        case 550..<560: return .remove(popup)
        case 560..<600: return .userClosed(popup)
        case 600..<610: return .didDisappear(popup)
        case 610..<613: return .removeAll
        case 613..<617: return .suspend(all: dice.isLucky(50))
        case 617..<640: return .resume
        case 640..<643: return .switchUser(dice.roll(2))
        case 643..<648: return .reload(dice.roll(3))
        case 648..<650: return .restart
        case 650..<730: return .obey
        case 730..<790: return .answer(dice.roll(2), answer(&dice))
        case 790..<890: return .presented(dice.roll(2))
        case 890..<900: return .failed(dice.roll(2))
        default: return .dismissed(dice.roll(2))
        }
    }

    private static func answer(_ dice: inout Dice) -> WillShowAnswer {
        switch dice.roll(10) {
        case 0: .cancel
        case 1: .postpone(dice.seconds(5))
        default: .show
        }
    }
}

/// What holds for every sequence of inputs.
enum Property: CaseIterable {
    case oneOnScreen
    case oneEnding
    case conditionMet
    case noIdleTask
    case capsKept
    case historyRecorded
    case sameAgain
    case sameAsModel
    case nothingUntilDue
}

/// Plays inputs to the scheduler and to the model side by side and says where they part or a property breaks.
struct Play {
    private let variants: [RuleSet]
    private let properties: Set<Property>
    private let asksModel: Bool
    private var variant = 0
    private var user = "u0"
    private var scheduler: Scheduler
    private var model: Model
    private var now = Stage.start
    private var asks: [PresentationID] = []
    private var presents: [PresentationID] = []
    private var dismissals: [PresentationID] = []
    private var histories: [String: History] = [:]
    private var observer = Observer()
    private(set) var log: [String] = []

    /// Nil when all is well.
    static func failure(
        seed: UInt64, _ inputs: [Input], _ properties: Set<Property> = Set(Property.allCases)
    ) -> String? {
        let variants = (0..<3).map { RandomRules.make(seed, UInt64($0)) }
        var first = Play(variants, properties)
        for (index, input) in inputs.enumerated() {
            if let problem = first.step(input) { return "step \(index), \(input): \(problem)" }
        }
        guard properties.contains(.sameAgain) else { return nil }
        var second = Play(variants, [])
        for input in inputs { _ = second.step(input) }
        return first.log == second.log ? nil : "the same inputs gave other events"
    }

    /// Everything that is said while some inputs are played.
    static func log(seed: UInt64, _ inputs: [Input]) -> [String] {
        var play = Play((0..<3).map { RandomRules.make(seed, UInt64($0)) }, [])
        for input in inputs { _ = play.step(input) }
        return play.log
    }

    private init(_ variants: [RuleSet], _ properties: Set<Property>) {
        self.variants = variants
        self.properties = properties
        asksModel = !properties.isDisjoint(with: [.sameAsModel, .conditionMet])
        scheduler = Scheduler(rules: variants[0], seed: 1, user: user, at: now)
        model = Model(variants[0], user: user, at: now)
    }

    private mutating func step(_ input: Input) -> String? {
        if case .restart = input { restart() }
        guard let event = resolve(input) else { return nil }
        let wake = scheduler.nextWake
        let before = scheduler.statistics
        let isMet = isConditionMet(event)
        let effects = scheduler.handle(event, at: now)
        let lines = effects.map(describe)
        let expected = asksModel ? model.handle(event, at: now) : lines
        log += lines
        for effect in effects { follow(effect) }
        if properties.contains(.sameAsModel), lines != expected {
            return "the scheduler gave \(lines), the model \(expected)"
        }
        if !isMet, effects.contains(where: \.isPresent) {
            return "its condition is not met and it is presented"
        }
        if properties.contains(.nothingUntilDue), case .timePassed = event,
            wake.map({ $0 > now.instant }) ?? true,
            !lines.isEmpty || scheduler.statistics != before
        {
            return "it was not due before \(wake ?? .zero) and did something: \(lines)"
        }
        if properties.contains(.historyRecorded),
            scheduler.history != histories[user] ?? History()
        {
            return "its history is not what it had recorded"
        }
        if let problem = observer.observe(effects, user: user, properties) { return problem }
        return properties.contains(.noIdleTask) ? idleTasks() : nil
    }

    /// Whether the popup that the host lets show may show by its conditions.
    private func isConditionMet(_ event: Event) -> Bool {
        guard properties.contains(.conditionMet), case .answered(let id, .show) = event,
            let rule = model.popup(id.task.popup)
        else { return true }
        model.now = now
        let group = rule.group.flatMap { model.rules.groups[$0].when }
        return [rule.when, group].compactMap { $0 }.allSatisfy { model.truth($0) == .yes }
    }

    private mutating func restart() {
        let history = histories[user] ?? History()
        scheduler = Scheduler(
            rules: variants[variant], seed: 1, user: user, history: history, at: now)
        model = Model(variants[variant], user: user, at: now)
        model.history = history
        observer.restart()
        (asks, presents, dismissals) = ([], [], [])
    }

    /// No eligible task waits while its scheduler is free, not suspended and not in a gap.
    private func idleTasks() -> String? {
        for (lane, ids) in scheduler.waiting where scheduler.showing[lane] == nil {
            if let first = ids.first, scheduler.explain(first, at: now)?.state == .chosen {
                continue
            }
            for id in ids where scheduler.reason(id, at: now) == .outranked {
                return "\(id) could show and waits"
            }
        }
        return nil
    }

    private mutating func follow(_ effect: Effect) {
        switch effect {
        case .askWillShow(let presentation): asks.append(presentation.id)
        case .present(let presentation): presents.append(presentation.id)
        case .dismiss(let id): dismissals.append(id)
        case .record(let record, let user): histories[user, default: History()].apply(record)
        case .emit: break
        }
    }

    private mutating func resolve(_ input: Input) -> Event? {
        switch input {
        case .advance(let milliseconds):
            now = now.advanced(by: .milliseconds(milliseconds))
            return .timePassed
        case .calendar(let seconds):
            now.date = now.date.adding(.seconds(seconds)) ?? now.date
            return .poke
        case .key(let key, let value): return update(key, value)
        case .send(let name, let value):
            return .send(name, payload: name == "e" && value > 0 ? ["x": .int(Int64(value))] : [:])
        case .switchUser(let number):
            user = "u\(number)"
            return .switchUser(user, histories[user] ?? History())
        case .reload(let variant):
            self.variant = variant
            return .reload(variants[variant])
        case .close(let index):
            let ids = scheduler.showing.values.sorted()
            return ids.isEmpty ? nil : .userClosed(ids[index % ids.count])
        case .obey:
            return take(&dismissals, 0).map { .didDismiss($0) }
                ?? take(&presents, 0).map { .didPresent($0) }
                ?? take(&asks, 0).map { .answered($0, .show) }
        case .answer(let index, let answer): return take(&asks, index).map { .answered($0, answer) }
        case .presented(let index): return take(&presents, index).map { .didPresent($0) }
        case .failed(let index):
            return take(&presents, index).map { .presentFailed($0, message: "no") }
        case .dismissed(let index): return take(&dismissals, index).map { .didDismiss($0) }
        default: return call(input)
        }
    }

    private func call(_ input: Input) -> Event? {
        if let id = input.popup, scheduler.explain(id, at: now) == nil { return nil }
        return switch input {
        case .started, .restart: .started
        case .enqueue(let id): .enqueue(id)
        case .dismiss(let id): .dismiss(id)
        case .remove(let id): .remove(id)
        case .userClosed(let id): .userClosed(id)
        case .didDisappear(let id): .didDisappear(id)
        case .removeAll: .removeAll
        case .suspend(let all): .suspend(scheduler: all ? nil : "main")
        case .resume: .resume()
        default: nil
        }
    }

    private func update(_ key: Int, _ value: Int) -> Event {
        switch key {
        case 0: .update(["k0": .bool(value % 2 == 0), "n": .int(Int64(value))])
        case 1: .update(["k1": .bool(value % 2 == 0)])
        case 2: .update(["n": .int(Int64(value))])
        default: value == 0 ? .update([:], unset: ["m"]) : .update(["m": .int(Int64(value) - 1)])
        }
    }

    private func take(_ open: inout [PresentationID], _ index: Int) -> PresentationID? {
        open.isEmpty ? nil : open.remove(at: index % open.count)
    }

    private func describe(_ effect: Effect) -> String {
        switch effect {
        case .emit(let event): PopSchedulerTests.describe(event)
        case .record(let record, let user): "record \(user) \(record)"
        case .askWillShow(let presentation):
            "ask \(presentation.task.number) \(presentation.id.turn)"
        case .present(let presentation):
            "present \(presentation.task.number) \(presentation.id.turn)"
        case .dismiss(let id): "dismiss \(id.task.number) \(id.turn)"
        }
    }
}

extension Input {
    /// The popup that a call names.
    fileprivate var popup: String? {
        switch self {
        case .enqueue(let id), .dismiss(let id), .remove(let id), .userClosed(let id),
            .didDisappear(let id):
            id
        default: nil
        }
    }
}

extension Effect {
    fileprivate var isPresent: Bool { if case .present = self { true } else { false } }
}
