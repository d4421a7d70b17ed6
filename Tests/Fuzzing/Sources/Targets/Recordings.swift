@testable import PopCEL
@testable import PopDebugging
@testable import PopEngine
@testable import PopScheduler
@testable import PopSource

extension FuzzTarget {
    /// A session that is made of decisions, with rules that are: its recording is a test file
    /// without a doubtful place, which passes.
    static let recording = FuzzTarget(
        name: "recording",
        body: .direct { bytes in
            let half = bytes.count / 2
            guard let rules = RuleText.rules(Array(bytes.prefix(half)), mostPopups: 2) else {
                return
            }
            var session = RecordedSession(rules, SeededGenerator(bytes: bytes.dropFirst(half)))
            session.play(steps: 12)
            let text = RecordedTest(session.recording, name: session.name).text
            try WrittenTests.requirePasses(text, with: rules)
        })
}

/// A host without a screen that takes its answers from decisions, and records the inputs.
private struct RecordedSession {
    private let rules: RuleSet
    private var scheduler: Scheduler
    private var now = Moment(instant: .seconds(5), date: Timestamp(seconds: 1_793_000_000))
    private var dice: SeededGenerator
    private var user: String
    /// The histories of the users who aren't the current one.
    private var histories: [String: History] = [:]
    private(set) var recording: Recording
    /// The name of the test.
    let name: String

    init(_ rules: RuleSet, _ dice: SeededGenerator) {
        self.rules = rules
        self.dice = dice
        name = self.dice.pick(["a session", "x: # \"\u{2028}", "~", "'", "off"])
        user = self.dice.pick(["", "ann", "null", "a: \"\u{7F}\n"])
        scheduler = Scheduler(rules: rules, seed: self.dice.next() >> 16, user: user, at: now)
        recording = Recording(scheduler: scheduler, moment: now)
    }

    mutating func play(steps: Int) {
        for key in rules.keys where dice.isLucky(40) { set(key) }
        if dice.isLucky(20) { handle(.zoneChanged(zone)) }
        handle(.started)
        for _ in 0..<steps { step() }
    }

    private var zone: String {
        mutating get { dice.pick(["UTC", "Europe/Berlin", "+02:00", "Asia/Tokyo"]) }
    }

    private static let mostWakes = 100

    /// Passes an input to the scheduler, and answers its requests.
    private mutating func handle(_ event: Event) {
        var inbox = [event]
        var next = 0
        while next < inbox.count {
            recording.add(.event(inbox[next]), at: now, limit: 2_000)
            for effect in scheduler.handle(inbox[next], at: now) {
                switch effect {
                case .askWillShow(let presentation):
                    inbox.append(.answered(presentation.id, answer))
                case .present(let presentation):
                    inbox.append(
                        dice.isLucky(8)
                            ? .presentFailed(presentation.id, message: "it failed")
                            : .didPresent(presentation.id))
                case .dismiss(let id): inbox.append(.didDismiss(id))
                case .record(let record, let viewer):
                    if viewer != user { histories[viewer]?.apply(record) }
                case .emit: break
                }
            }
            next += 1
        }
    }

    private var answer: WillShowAnswer {
        mutating get {
            switch dice.roll(12) {
            case 10: .cancel
            case 11: .postpone(.seconds(1 + dice.roll(5)))
            default: .show
            }
        }
    }

    private mutating func advance(by time: Duration) {
        let end = now.advanced(by: time)
        var wakes = 0
        while let wake = scheduler.nextWake, wake <= end.instant {
            wakes += 1
            // Rules that want to be woken all the time get less of it.
            if wakes > Self.mostWakes { return }
            now = now.advanced(by: max(.zero, wake - now.instant))
            handle(.timePassed)
        }
        now = end
        handle(.timePassed)
    }

    private mutating func step() {
        let popup = rules.popups[dice.roll(rules.popups.count)].id
        let shown = scheduler.showing.values.sorted().first ?? popup
        switch dice.roll(20) {
        case 0, 1, 2: advance(by: .milliseconds(250 * (1 + dice.roll(40))))
        case 3: advance(by: .seconds(3_600 * (1 + dice.roll(40))))
        case 4, 5: set(rules.keys[dice.roll(rules.keys.count)])
        case 6: handle(.update([:], unset: [rules.keys[dice.roll(rules.keys.count)].name]))
        case 7, 8, 9: send()
        case 10: handle(.userClosed(shown))
        case 11: act(on: shown)
        case 12: handle(.enqueue(popup))
        case 13: handle(dice.isLucky(50) ? .force(popup) : .didDisappear(shown))
        case 14: handle(dice.isLucky(50) ? .dismiss(shown) : .remove(popup))
        case 15: handle(dice.isLucky(50) ? .background : .foreground)
        case 16: suspend()
        case 17: switchUser()
        case 18: handle(dice.pick([.beginSession, .poke, .removeAll]))
        default: handle(dice.isLucky(50) ? .zoneChanged(zone) : .forgetPopup(popup))
        }
    }

    private mutating func set(_ key: ContextKey) {
        let value = key.allowedValues.map { dice.pick($0) } ?? value(of: key.type)
        handle(.update([key.name: value]))
    }

    private mutating func send() {
        let event = rules.events[dice.roll(rules.events.count)]
        var payload: [String: Value] = [:]
        for field in event.fields { payload[field.name] = value(of: field.type) }
        handle(.send(event.name, payload: payload))
    }

    private mutating func act(on popup: String) {
        guard let rule = rules.popups.first(where: { $0.id == popup }),
            let action = rules.actions(of: rule).first
        else { return }
        handle(.acted(popup, action: action.name, stays: dice.isLucky(30)))
    }

    private mutating func suspend() {
        let owner = dice.pick([nil, "checkout", "off"])
        let scheduler = dice.isLucky(50) ? nil : rules.schedulers.first?.name
        handle(
            dice.isLucky(40)
                ? .suspend(by: owner, scheduler: scheduler)
                : .resume(by: owner, scheduler: scheduler))
    }

    private mutating func switchUser() {
        let name = dice.pick(["", "ben", "0x1", "a: \"\u{7F}\n"])
        if dice.isLucky(20), name != user {
            histories[name] = nil
            return handle(.forget(name))
        }
        histories[user] = scheduler.history
        user = name
        var context: [String: Value]?
        if dice.isLucky(50) {
            context = [:]
            for key in rules.keys where key.allowedValues == nil && dice.isLucky(40) {
                context?[key.name] = value(of: key.type)
            }
        }
        handle(.switchUser(name, histories[name] ?? History(), context: context))
    }

    private static let texts = ["", "off", "a", "\"\u{85}\n", "12", "~", "a # b", "é: x"]

    private mutating func value(of type: CELType) -> Value {
        let number = dice.roll(11)
        return switch type {
        case .bool: .bool(number > 5)
        case .int: .int(number == 10 ? .max : Int64(number))
        case .double:
            .double(number > 7 ? [.infinity, 1e300, -0.1][number - 8] : Double(number) * 12.5)
        case .string: .string(Self.texts[number % Self.texts.count])
        case .timestamp: .timestamp(Timestamp(seconds: 1_793_000_000 + Int64(number) * 86_400))
        case .list(let element): .list((0..<number % 3).map { _ in value(of: element) })
        case .map(let key, let element):
            .map(
                ValueMap(
                    (0..<number % 3).map { _ in (key: value(of: key), value: value(of: element)) }
                ))
        default: .int(Int64(number))
        }
    }
}
