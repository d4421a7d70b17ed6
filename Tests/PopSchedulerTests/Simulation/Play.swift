import PopCEL
import PopReplay
import PopScheduler

/// An input of a simulation. It names replies by their place among the open requests, so that a
/// sequence stays playable if parts of it are left out.
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
    /// A user closes the popup on a screen.
    case close(Int)
    /// A user uses an action of the popup on a screen.
    case act(Int, String, stays: Bool)
    case acted(String)
    case didDisappear(String)
    case removeAll
    case suspend(Suspension)
    case resume(Suspension)
    /// An owner lifts its suspension.
    case lift(Int)
    case switchUser(Int)
    case reload(Int)
    /// The host is in another zone.
    case zone(Int)
    /// The user is put into an arm of a popup's experiment, or is drawn again.
    case force(String, Int)
    /// A popup is to show regardless of its rule.
    case show(String)
    /// The history of a popup is erased.
    case forget(String)
    case background
    case foreground
    case beginSession
    /// The app ends without warning and starts again with the recorded history.
    case restart
    /// The host obeys an open request, if there is any.
    case obey
    case answer(Int, WillShowAnswer)
    case presented(Int)
    case failed(Int)
    case dismissed(Int)

    static func random(_ dice: inout Dice) -> Input {
        let popup = dice.pick(RandomRules.popups)
        switch dice.roll(1000) {
        case 0..<80: return .advance(milliseconds: 250 * (1 + dice.roll(10)))
        case 80..<140: return .advance(milliseconds: 250 * (1 + dice.roll(3)))
        case 140..<143: return .advance(milliseconds: 3_600_000 * (1 + dice.roll(30)))
        case 143..<148: return .calendar(seconds: dice.roll(20_000) - 10_000)
        case 148..<152: return .started
        case 152..<155: return .zone(dice.roll(3))
        case 155..<158: return .force(popup, dice.roll(5))
        case 158..<165: return .show(popup)
        case 165..<167: return .forget(popup)
        case 167..<170: return .advance(milliseconds: 3000)
        case 170..<210: return .close(dice.roll(2))
        case 210..<224: return act(&dice)
        case 224..<225: return .acted(popup)
        case 225..<345: return .key(dice.roll(6), dice.roll(4))
        case 345..<390: return .send(dice.pick(["e", "f"]), dice.roll(5))
        case 390..<480: return .enqueue(popup)
        case 480..<530: return .obey
        case 530..<550: return .dismiss(popup)
        case 550..<560: return .remove(popup)
        case 560..<580: return .userClosed(popup)
        case 580..<590: return .didDisappear(popup)
        case 590..<593: return .removeAll
        case 593..<599: return .suspend(suspension(&dice))
        case 599..<603: return .resume(suspension(&dice))
        case 603..<620: return .lift(dice.roll(2))
        case 620..<623: return .background
        case 623..<625: return .beginSession
        case 625..<640: return .switchUser(dice.roll(2))
        case 640..<646: return .reload(dice.roll(3))
        case 646..<652: return .restart
        case 652..<664: return .foreground
        case 664..<730: return .obey
        case 730..<800: return .answer(dice.roll(2), answer(&dice))
        case 800..<880: return .presented(dice.roll(2))
        case 880..<900: return .failed(dice.roll(2))
        default: return .dismissed(dice.roll(2))
        }
    }

    /// One popup shows, another comes, and something happens meanwhile.
    static func collision(_ dice: inout Dice) -> [Input] {
        let pause = Input.advance(milliseconds: 250 * (1 + dice.roll(3)))
        let (first, second) = (dice.pick(RandomRules.popups), dice.pick(RandomRules.popups))
        let begin: [Input] = [.enqueue(first), .obey, .obey, .obey, .enqueue(second)]
        let key = Input.key(dice.roll(3), dice.roll(4))
        switch dice.roll(10) {
        case 4, 5:
            // Popups that outrank it come then.
            let others = RandomRules.popups.map { Input.enqueue($0) }
            return [.enqueue(first), .obey, .obey, .send("e", 3), .send("f", 0)] + others
                + [.obey, .obey, .obey]
        case 9:
            // The reserved place is left over.
            let others = RandomRules.popups.map { Input.enqueue($0) }
            return [.enqueue(first), .restart] + others + [.obey, .obey, .obey]
        case 8:
            let acts = (0..<3).map { _ in Input.act(0, dice.pick(RandomRules.actions), stays: true)
            }
            return [.enqueue(first), .obey, .obey, .obey] + acts + [pause, .close(0), .obey]
        case 7: return [.enqueue(first), .obey, .reload(dice.roll(3)), key, pause, .obey]
        case 0: return begin + [pause, key, .obey, .obey]
        case 1: return begin + [.close(0), .obey, key, pause, key, .obey]
        case 2: return begin + [pause, .dismiss(first), .obey, .answer(0, .show), .obey]
        case 3: return [.enqueue(first), .obey, .switchUser(dice.roll(2)), .failed(0), .obey]
        default:
            return begin + [pause, meanwhile(&dice), meanwhile(&dice), .obey]
                + [meanwhile(&dice), pause, meanwhile(&dice), .obey]
        }
    }

    private static func meanwhile(_ dice: inout Dice) -> Input {
        switch dice.roll(16) {
        case 0, 1: .close(0)
        case 12, 13: act(&dice)
        case 14, 15: .send(dice.pick(["e", "f"]), dice.roll(5))
        case 2, 3: .key(dice.roll(4), dice.roll(4))
        case 4: .enqueue(dice.pick(RandomRules.popups))
        case 5: .dismiss(dice.pick(RandomRules.popups))
        case 6: .switchUser(dice.roll(2))
        case 7: .advance(milliseconds: 250 * (1 + dice.roll(4)))
        case 8: .answer(0, answer(&dice))
        case 9: .failed(0)
        default: .obey
        }
    }

    private static func act(_ dice: inout Dice) -> Input {
        .act(dice.roll(2), dice.pick(RandomRules.actions), stays: dice.isLucky(40))
    }

    private static func suspension(_ dice: inout Dice) -> Suspension {
        Suspension(
            by: dice.pick([nil, nil, "checkout"]), scheduler: dice.pick([nil, "main", "main"]))
    }

    private static func answer(_ dice: inout Dice) -> WillShowAnswer {
        switch dice.roll(10) {
        case 0, 1: .cancel
        case 2: .postpone(dice.seconds(5))
        default: .show
        }
    }
}

/// Properties that hold for every sequence of inputs.
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

/// Plays inputs to the scheduler and to the model side by side, and reports where they differ or a
/// property breaks.
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
    /// The handled inputs, one run for each start of the app.
    private var runs: [Replay] = []
    /// The sights of the models before a restart.
    private var sights: [Sight: Int] = [:]

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

    /// Returns the whole log while some inputs are played.
    static func log(seed: UInt64, _ inputs: [Input]) -> [String] {
        var play = Play((0..<3).map { RandomRules.make(seed, UInt64($0)) }, [])
        for input in inputs { _ = play.step(input) }
        return play.log
    }

    /// Returns the inputs that the scheduler handles while some inputs are played.
    static func runs(seed: UInt64, _ inputs: [Input]) -> [Replay] {
        var play = Play((0..<3).map { RandomRules.make(seed, UInt64($0)) }, [])
        for input in inputs { _ = play.step(input) }
        return play.runs
    }

    /// Returns the sights while some inputs are played, and the number of each.
    static func sights(seed: UInt64, _ inputs: [Input]) -> [Sight: Int] {
        var play = Play((0..<3).map { RandomRules.make(seed, UInt64($0)) }, [.sameAsModel])
        for input in inputs { _ = play.step(input) }
        return play.sights.merging(play.model.sights) { $0 + $1 }
    }

    private init(_ variants: [RuleSet], _ properties: Set<Property>) {
        self.variants = variants
        self.properties = properties
        asksModel = !properties.isDisjoint(with: [.sameAsModel, .conditionMet])
        scheduler = Scheduler(rules: variants[0], seed: 1, user: user, at: now)
        model = Model(variants[0], user: user, at: now)
        beginRun(of: History())
    }

    private mutating func beginRun(of history: History) {
        var run = Replay(variants[variant], start: now)
        run.seed = 1
        run.user = user
        run.history = history
        run.explained = run.rules.popups.map(\.id)
        runs.append(run)
    }

    private mutating func step(_ input: Input) -> String? {
        if case .restart = input { restart() }
        guard let event = resolve(input) else { return nil }
        let wake = scheduler.nextWake
        let before = scheduler.statistics
        let isMet = isConditionMet(event)
        runs[runs.count - 1].steps.append(Replay.Step(event, at: now))
        let effects = scheduler.handle(event, at: now)
        let lines = effects.map(describe)
        let expected = asksModel ? model.handle(event, at: now) : lines
        log += lines
        if case .force(let id) = event { observer.force(id, effects) }
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

    /// Returns true if the popup that the host lets show may show by its conditions.
    private func isConditionMet(_ event: Event) -> Bool {
        guard properties.contains(.conditionMet), case .answered(let id, .show) = event,
            let rule = model.popup(id.task.popup), !model.isForced(rule.id, rule.scheduler)
        else { return true }
        model.now = now
        let group = rule.group.flatMap { model.rules.groups[$0].when }
        let isOpen =
            rule.timing.schedule.isEmpty
            || rule.timing.schedule.contains { $0.when.map { model.truth($0) == .yes } ?? true }
        return isOpen
            && [rule.when, group].compactMap { $0 }.allSatisfy { model.truth($0) == .yes }
    }

    private mutating func restart() {
        let history = histories[user] ?? History()
        scheduler = Scheduler(
            rules: variants[variant], seed: 1, user: user, history: history, at: now)
        sights.merge(model.sights) { $0 + $1 }
        model = Model(variants[variant], user: user, at: now)
        model.history = history
        beginRun(of: history)
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
            return .send(name, payload: name == "e" ? payload(value) : [:])
        case .switchUser(let number):
            user = "u\(number)"
            return .switchUser(user, histories[user] ?? History())
        case .reload(let variant):
            self.variant = variant
            return .reload(variants[variant])
        case .force(let popup, let index):
            let arms = [nil, "control", "short", "long", "tall"]
            return .forceArm(popup: popup, arm: arms[index])
        case .forget(let popup):
            histories[user]?.forget(popup: popup)
            observer.forget(popup, of: user)
            return .forgetPopup(popup)
        case .zone(let index): return .zoneChanged(["UTC", "+00:01", "-00:02"][index])
        case .close(let index):
            let ids = scheduler.showing.values.sorted()
            return ids.isEmpty ? nil : .userClosed(ids[index % ids.count])
        case .act(let index, let action, let stays):
            let ids = scheduler.showing.values.sorted()
            if ids.isEmpty { return nil }
            return .acted(ids[index % ids.count], action: action, stays: stays)
        case .obey:
            // The latest request is least likely to be over.
            return dismissals.popLast().map { .didDismiss($0) }
                ?? presents.popLast().map { .didPresent($0) }
                ?? asks.popLast().map { .answered($0, .show) }
        case .lift(let index):
            let held = scheduler.suspensions.sorted { "\($0)" < "\($1)" }
            if held.isEmpty { return nil }
            let suspension = held[index % held.count]
            return .resume(by: suspension.owner, scheduler: suspension.scheduler)
        case .answer(let index, let answer):
            return take(&asks, asks.count - 1 - index).map { .answered($0, answer) }
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
        case .show(let id): .force(id)
        case .dismiss(let id): .dismiss(id)
        case .remove(let id): .remove(id)
        case .userClosed(let id): .userClosed(id)
        case .acted(let id): .acted(id, action: "accept")
        case .didDisappear(let id): .didDisappear(id)
        case .removeAll: .removeAll
        case .background: .background
        case .foreground: .foreground
        case .beginSession: .beginSession
        case .suspend(let suspension):
            .suspend(by: suspension.owner, scheduler: suspension.scheduler)
        case .resume(let suspension):
            .resume(by: suspension.owner, scheduler: suspension.scheduler)
        default: nil
        }
    }

    /// The last has a sum out of range when it comes twice.
    private func payload(_ value: Int) -> [String: Value] {
        switch value {
        case 0: [:]
        case 4: ["x": .int(.max / 2 + 1), "y": .double(-0.1)]
        default: ["x": .int(Int64(value)), "y": .double(Double(value) / 10)]
        }
    }

    private func update(_ key: Int, _ value: Int) -> Event {
        switch key {
        case 0: .update(["k0": .bool(value % 2 == 0), "n": .int(Int64(value))])
        case 1: .update(["k1": .bool(value % 2 == 0)])
        case 2: .update(["n": .int(Int64(value))])
        case 4: update(zone: value)
        case 5: value == 0 ? .update([:], unset: ["u"]) : .update(["u": .string("u\(value)")])
        default: value == 0 ? .update([:], unset: ["m"]) : .update(["m": .int(Int64(value) - 1)])
        }
    }

    /// The key that names a zone.
    private func update(zone: Int) -> Event {
        zone == 0
            ? .update([:], unset: ["z"])
            : .update(["z": .string(["+00:01", "-00:01", "nowhere"][zone - 1])])
    }

    private func take(_ open: inout [PresentationID], _ index: Int) -> PresentationID? {
        open.isEmpty ? nil : open.remove(at: max(index, 0) % open.count)
    }

    private func describe(_ effect: Effect) -> String {
        switch effect {
        case .emit(let event): PopSchedulerTests.describe(event)
        case .record(let record, let user):
            "record \(user) \(PopSchedulerTests.describe(record))"
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
        case .enqueue(let id), .show(let id), .dismiss(let id), .remove(let id),
            .userClosed(let id),
            .acted(let id), .didDisappear(let id):
            id
        default: nil
        }
    }
}

extension Effect {
    fileprivate var isPresent: Bool { if case .present = self { true } else { false } }
}
