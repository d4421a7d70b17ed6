import PopCEL
import PopDebugging
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting

/// A random session of users and an app over a few days.
@MainActor
struct RandomSession {
    private let rules: RuleSet
    private let driver: EngineDriver
    private var generator: SeededGenerator

    init(_ rules: RuleSet, seed: UInt64) {
        self.rules = rules
        generator = SeededGenerator(seed: seed)
        driver = EngineDriver(rules: rules, user: seed % 3 == 0 ? "" : "u\(seed)", seed: seed)
    }

    /// Plays the session and returns its recorded test.
    mutating func play() async -> String? {
        driver.engine.debug.record()
        for key in rules.keys where roll(3) == 0 {
            driver.engine.context[key.name] = value(of: key)
        }
        if roll(4) == 0 { driver.engine.zoneChanged("Europe/Berlin") }
        for popup in rules.popups where roll(4) == 0 {
            driver.presenter.answers[popup.id] = answer()
        }
        await driver.start()
        for _ in 0..<40 { await step() }
        return driver.engine.debug.stop()
    }

    private mutating func roll(_ sides: Int) -> Int { .random(in: 0..<sides, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &generator)
    }

    private mutating func step() async {
        let engine = driver.engine
        let showing = engine.showing.values.sorted()
        let popup = pick(rules.popups)?.id ?? ""
        switch roll(21) {
        case 0, 1, 2: await driver.advance(by: .milliseconds(250 * (1 + roll(20))))
        case 3: await driver.advance(by: .seconds(3_600 * (1 + roll(40))))
        case 4, 5:
            guard let key = pick(rules.keys) else { break }
            engine.context[key.name] = roll(6) == 0 ? nil : value(of: key)
        case 6, 7, 8: send()
        case 9, 10:
            guard let id = pick(showing) else { break }
            _ = roll(4) == 0 ? engine.didDisappear(id) : engine.userClosed(id)
        case 11: act(showing)
        case 12: engine.enqueue(popup)
        case 13: engine.debug.force(popup)
        case 14: _ = roll(2) == 0 ? engine.dismiss(popup) : engine.remove(popup)
        case 15: driver.presenter.answers[popup] = answer()
        case 16: _ = roll(2) == 0 ? engine.background() : engine.foreground()
        case 17: await moveOn()
        case 18: await debug(popup)
        case 19:
            driver.presenter.failing = roll(2) == 0 ? [popup] : []
        default: suspend()
        }
        await driver.settle()
    }

    private mutating func moveOn() async {
        let engine = driver.engine
        switch roll(5) {
        case 0: engine.beginSession()
        case 1: await switchUser()
        case 2: engine.poke()
        case 3: engine.zoneChanged(pick(["UTC", "+02:00", "Asia/Tokyo"]) ?? "UTC")
        default: engine.removeAll()
        }
    }

    private mutating func switchUser() async {
        let user = "v\(roll(3))"
        guard roll(2) == 0 else { return _ = await driver.engine.switchUser(user) }
        var context: [String: Value] = [:]
        for key in rules.keys where roll(3) == 0 { context[key.name] = value(of: key) }
        let kept = Set(rules.keys.map(\.name).filter { _ in roll(4) == 0 })
        await driver.engine.switchUser(user, context: context, keeping: kept)
    }

    private mutating func debug(_ popup: String) async {
        let engine = driver.engine
        switch roll(4) {
        case 0: try? await engine.debug.reset(popup)
        case 1: try? await engine.forget(user: "v\(roll(3))")
        case 2:
            let tried = rules.popups.filter { $0.experiment != nil }
            guard let popup = pick(tried), let experiment = popup.experiment else { return }
            let arms = experiment.assignment.arms.map(\.name) + ["control"]
            engine.forceArm(pick(arms), of: popup.id)
        default: engine.updateContent(of: popup, ["text": "changed", "progress": 0.5])
        }
    }

    private mutating func suspend() {
        let owner = roll(2) == 0 ? nil : "checkout"
        let scheduler = roll(2) == 0 ? nil : rules.schedulers.first?.name
        if roll(3) == 0 {
            driver.engine.suspend(by: owner, scheduler: scheduler)
        } else {
            driver.engine.resume(by: owner, scheduler: scheduler)
        }
    }

    private mutating func send() {
        guard let event = pick(rules.events) else { return }
        var payload: [String: Value] = [:]
        for field in event.fields { payload[field.name] = value(of: field.type) }
        driver.engine.send(event.name, payload)
    }

    private mutating func act(_ showing: [String]) {
        guard let id = pick(showing), let rule = rules.popups.first(where: { $0.id == id }),
            let action = pick(rules.actions(of: rule))
        else { return }
        driver.engine.acted(id, action.name, stays: roll(3) == 0)
    }

    private mutating func answer() -> WillShowAnswer? {
        switch roll(3) {
        case 0: .cancel
        case 1: .postpone(.seconds(1 + roll(5)))
        default: nil
        }
    }

    private mutating func value(of key: ContextKey) -> Value {
        let candidates = key.allowedValues ?? (0..<8).map { _ in value(of: key.type) }
        let fitting = candidates.filter { key.refusal(of: $0) == nil }
        return pick(fitting) ?? key.defaultValue ?? .string("")
    }

    private mutating func value(of type: CELType) -> Value {
        let number = roll(11)
        return switch type {
        case .bool: .bool(number > 5)
        case .int: .int(Int64(number))
        case .uint: .uint(UInt64(number))
        case .double: .double(Double(number) * 12.5)
        case .string: .string(["", "map", "home", "a \"b\"", "pro"][number % 5])
        case .timestamp: .timestamp(Timestamp(seconds: 1_767_225_600 + Int64(number) * 86_400))
        case .duration: .duration(.seconds(number))
        case .version: .string("1.\(number).0")
        case .list(let element): .list((0..<number % 3).map { _ in value(of: element) })
        default: .int(Int64(number))
        }
    }
}
