import PopCEL
import PopScheduler

/// Random numbers that depend only on a seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
    mutating func isLucky(_ percent: Int) -> Bool { roll(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
    mutating func seconds(_ most: Int) -> Duration { .milliseconds(250 * (1 + roll(most * 4))) }

    /// One duration, or two bounds to draw it from.
    mutating func span(_ most: Int) -> ClosedRange<Duration> {
        let shortest = seconds(most)
        return shortest...shortest + (isLucky(30) ? seconds(most) : .zero)
    }
}

/// Rule sets that use everything, small enough that their parts meet all the time.
struct RandomRules {
    static let keys = ["k0", "k1", "n", "m"]
    static let popups = (0..<7).map { "p\($0)" }
    /// The actions of the templates; one template doesn't declare all of them.
    static let actions = ["accept", "accept", "later", "never"]

    private static let conditions = [
        "k0", "!k0", "k1", "n > 1", "n != 2 && k0", "c0", "!c1", "c2 || k1", "m == 1", "has(m)",
        "popups.p0.shown_count < 2", "popups.p1.last_reason == 'USER_CLOSED'",
        "event_count('e') > 1", "event_count('e', duration('7s')) < 2",
        "event_count('f', duration('3s')) > 0", "now > session.started + duration('12s')",
        "popups.p2.last_shown + duration('5s') < now", "last_event('f') + duration('4s') > now",
        "popups.p0.variant == 'short'", "popups.p1.exposed_count < 2",
        "session.count > 1", "now > session.previous_end + duration('5s')",
        "first_seen + duration('9s') < now",
        "k0 ? n > 0 : now.getSeconds() % 2 == 0", "c3", "popups.p0.last_action != 'accept'",
        "popups.p1.closed_count < 2", "acted('p0', 'later') % 2 == 0",
        "last_acted('p1', 'accept') + duration('6s') < now",
        "since('e') > duration('5s')", "since('f') < duration('4s') || k1",
        "since('f') - since('e') >= duration('2s')", "since('e').getSeconds() % 2 == 0",
        "event_sum('e', 'x', duration('6s')) > 3",
        "event_sum('e', 'y', duration('9s')) < 2.5 && k1",
        "event_sum('e', 'x', duration('4s')) - event_sum('e', 'x', duration('2s')) == 1",
        "!popups.p0.converted", "popups.p1.converted || k1",
    ]

    private var dice: Dice
    private var rules = Rules()
    /// Popups that push each other from the screens all the time.
    private var isBusy = false

    static func make(_ seed: UInt64, _ variant: UInt64) -> RuleSet {
        var made = RandomRules(dice: Dice(seed &* 31 &+ variant &+ 7))
        return made.make()
    }

    private init(dice: Dice) { self.dice = dice }

    private mutating func make() -> RuleSet {
        isBusy = dice.isLucky(50)
        rules.key("k0", .bool, default: .bool(false))
        rules.key("k1", .bool, default: .bool(true))
        rules.key("n", .int, default: .int(0))
        rules.key("m", .int)
        rules.key("z", .string)
        rules.key("u", .string)
        if dice.isLucky(20) {
            rules.holdout(Holdout(percent: 50, key: 5, salt: "\(dice.roll(4))"))
        }
        rules.event("e", [("x", .int), ("y", .double)])
        rules.event("f")
        rules.condition("c0", "n < 2")
        rules.condition("c1", "c0 && k1")
        rules.condition("c2", "m > 0 || event_count('e', duration('5s')) > 0")
        rules.condition("c3", "now < session.started + duration('20s') && !c1")
        if dice.isLucky(50) { rules.sessionTimeout(dice.seconds(4)) }
        rules.template("t", "accept", "later", refusals: ["never"])
        rules.template("u", "accept", refusals: ["later"])
        changeMain()
        if dice.isLucky(isBusy ? 30 : 70) {
            rules.scheduler("side") { [dice, isBusy] in
                var dice = dice
                Self.change(&$0, &dice, isBusy: isBusy)
            }
        }
        for index in 0..<2 {
            let when = dice.isLucky(50) ? dice.pick(Self.conditions) : nil
            rules.group(
                "g\(index)", when: when, cap: dice.isLucky(60) ? cap() : nil,
                more: dice.isLucky(30) ? [cap()] : [])
        }
        while dice.isLucky(isBusy ? 5 : 25) { rules.limit(limit()) }
        if dice.isLucky(15) { rules.quiet(quiet()) }
        for id in Self.popups.prefix(4 + dice.roll(4)) { popup(id) }
        return rules.built()
    }

    private mutating func changeMain() {
        var rule = SchedulerRule(name: "main")
        Self.change(&rule, &dice, isBusy: isBusy)
        rules.main { $0 = rule }
    }

    private static func change(
        _ rule: inout SchedulerRule, _ dice: inout Dice, isBusy: Bool
    ) {
        rule.strategy = dice.pick([.fifo, .lifo, .priority, .priority, .priority])
        if isBusy { rule.strategy = .priority }
        rule.tieBreak = dice.pick([.fifo, .lifo])
        if dice.isLucky(50) {
            rule.gap = dice.span(3)
        }
        if dice.isLucky(30) { rule.maxWaiting = dice.roll(5) }
        if dice.isLucky(isBusy ? 10 : 30) {
            let per = dice.isLucky(70) ? .rolling(dice.seconds(20)) : dice.pick(values)
            rule.cap = WindowCap(max: 1 + dice.roll(2), per: per)
        }
    }

    /// Periods by the values of keys that change all the time, sometimes to missing.
    private static let values: [WindowCap.Period] = [
        .value(of: 0), .value(of: 2), .value(of: 3), .value(of: 5),
    ]

    private mutating func cap() -> WindowCap {
        let others: [WindowCap.Period] =
            CalendarUnit.allCases.map { .calendar($0) } + [.session] + Self.values
        let period = dice.isLucky(60) ? .rolling(dice.seconds(20)) : dice.pick(others)
        var cap = WindowCap(max: 1 + dice.roll(3), per: period)
        if dice.isLucky(30) { cap.zone = dice.pick(Self.zones) }
        return cap
    }

    private mutating func limit() -> LimitRule {
        var limit = LimitRule(cap())
        limit.cap.max += 2
        if dice.isLucky(40) {
            limit.popups.schedulers = [LaneIndex(dice.roll(rules.set.schedulers.count))]
        }
        if dice.isLucky(40) { limit.popups.tags = dice.pick([["x"], ["y"], ["x", "z"]]) }
        return limit
    }

    private mutating func quiet() -> QuietRule {
        let minutes = [0, 539, 541, 542, 600, 1439]
        var quiet = QuietRule(
            Schedule.Hours(from: dice.pick(minutes), until: 1 + dice.pick(minutes)),
            zone: dice.pick(Self.zones))
        if dice.isLucky(70) { quiet.popups.tags = dice.pick([["x"], ["y"]]) }
        if dice.isLucky(20) { quiet.popups.schedulers = [0] }
        return quiet
    }

    private mutating func popup(_ id: String) {
        var rule = PopupRule(id: id, at: Rules.nowhere)
        place(&rule)
        time(&rule)
        limit(&rule)
        var when = dice.isLucky(45) ? dice.pick(Self.conditions) : nil
        if isBusy { when = dice.isLucky(50) ? dice.pick(["k0", "!k0", "k1", "n > 1"]) : nil }
        var dismissWhen = dice.isLucky(isBusy ? 10 : 25) ? dice.pick(Self.conditions) : nil
        if !rule.timing.schedule.isEmpty, dice.isLucky(80) {
            dismissWhen = dice.pick(
                ["!schedule.open", "!schedule.open || k0", "schedule.open && !k1"])
        }
        var event: String?
        var filter: String?
        var occurrence = EventTrigger.Occurrence.any
        if dice.isLucky(isBusy ? 10 : 35) {
            event = dice.pick(["e", "f"])
            if event == "e", dice.isLucky(50) {
                filter = dice.pick(["event.x > 1", "event.x > 0 && c1", "k0"])
            }
            occurrence = dice.pick([.any, .any, .nth(2), .every(2)])
        }
        rules.popup(
            id, when: when, dismissWhen: dismissWhen, on: event, where: filter,
            occurrence: occurrence
        ) { $0 = rule }
        if dice.isLucky(isBusy ? 40 : 20) { goals() }
        for entry in rule.timing.schedule.indices where dice.isLucky(30) {
            rules.schedule(entry, when: dice.pick(Self.conditions))
        }
    }

    private mutating func goals() {
        for name in dice.pick([["buy"], ["buy"], ["buy", "try"]]) {
            let event = EventIndex(dice.roll(2))
            let filter = event == 0 && dice.isLucky(40) ? dice.pick(["event.x > 1", "k0"]) : nil
            rules.goal(
                name, event: event, where: filter, within: dice.seconds(10),
                ends: dice.pick([nil, nil, .pause(dice.seconds(8)), .forGood]))
        }
    }

    private mutating func place(_ rule: inout PopupRule) {
        rule.scheduler = LaneIndex(dice.roll(rules.set.schedulers.count))
        rule.group = dice.isLucky(isBusy ? 10 : 35) ? GroupIndex(dice.roll(2)) : nil
        rule.priority = dice.pick([50, 100, 100, 500, 1000, 2000])
        rule.triggers = dice.pick([
            [.start], [.start], [.manual], [.changed(key: 0)], [.start, .changed(key: 2)],
            [.session], [.start, .session],
        ])
        rule.untriggered = dice.pick([.await, .await, .discard])
        rule.switch = dice.pick([.await, .latent, .latent, .discard])
        if dice.isLucky(isBusy ? 5 : 20), !rules.set.popups.isEmpty {
            rule.after = [predecessor()]
        }
        rule.template = dice.pick(["t", "t", "t", "u", nil])
        if dice.isLucky(20), !rules.set.popups.isEmpty {
            let action = dice.pick(Self.actions + ["close"])
            rule.triggers += [.acted(popup: anyPopup(), action: action)]
        }
        if isBusy {
            rule.triggers += (0..<2).map { _ in .changed(key: KeyIndex(dice.roll(3))) }
            rule.switch = dice.pick([.latent, .latent, .discard])
        }
        rule.isUrgent = dice.isLucky(15)
        rule.isEssential = dice.isLucky(10)
        if dice.isLucky(isBusy ? 50 : 25) { rule.audience.experiment = experiment() }
        rule.isEnabled = !dice.isLucky(3)
        if dice.isLucky(40) { rule.texts.tags = dice.pick([["x"], ["y"], ["x", "y"]]) }
    }

    private mutating func experiment() -> Experiment {
        let arms = dice.pick([["short", "long"], ["short"], ["wide", "long"]])
        let assignment = Assignment(
            key: 5, salt: "\(dice.roll(3))", share: dice.pick([100, 100, 70]),
            control: dice.pick([0, 30, 60]),
            arms: arms.map { Assignment.Arm($0, weight: 1 + dice.roll(2)) })
        return Experiment(assignment)
    }

    private mutating func anyPopup() -> PopupIndex {
        PopupIndex(dice.roll(rules.set.popups.count))
    }

    private mutating func predecessor() -> Predecessor {
        let divided = rules.set.popups.places.filter {
            rules.set.popups[$0].audience.experiment != nil
        }
        let popup = divided.isEmpty || dice.isLucky(50) ? anyPopup() : dice.pick(divided)
        var predecessor = Predecessor(popup)
        if dice.isLucky(40) { predecessor.action = dice.pick(Self.actions) }
        if dice.isLucky(40) { predecessor.since = dice.seconds(10) }
        return predecessor
    }

    private mutating func time(_ rule: inout PopupRule) {
        if dice.isLucky(isBusy ? 10 : 25) { rule.timing.delay = dice.span(4) }
        if dice.isLucky(isBusy ? 60 : 30) { rule.timing.grace = dice.seconds(3) }
        if dice.isLucky(30) { rule.timing.minShow = dice.seconds(4) }
        if dice.isLucky(40) { rule.timing.hideAfter = dice.seconds(8) }
        if dice.isLucky(30) { rule.timing.maxWait = dice.seconds(20) - .milliseconds(250) }
        if dice.isLucky(isBusy ? 15 : 0) { rule.timing.maxWait = dice.seconds(2) }
        guard dice.isLucky(isBusy ? 5 : 25) else { return }
        let count = dice.isLucky(30) ? 2 : 1
        rule.timing.schedule = (0..<count).map { _ in schedule() }
    }

    private mutating func schedule() -> Schedule {
        var schedule = Schedule()
        if dice.isLucky(40) { schedule.zone = dice.pick(Self.zones) }
        if dice.isLucky(40) { schedule.from = bound(within: 20) }
        if dice.isLucky(40) { schedule.until = bound(within: 200) }
        if dice.isLucky(40) {
            let minutes = [0, 539, 541, 542, 600, 1439]
            schedule.hours = Schedule.Hours(from: dice.pick(minutes), until: 1 + dice.pick(minutes))
        }
        if dice.isLucky(20) { schedule.days = [.friday, .sunday] }
        return schedule
    }

    private static let zones: [Zone] = [.local, .key(4), .named("+00:01"), .local]

    /// Returns a point in time after the start, or the local time in UTC then.
    private mutating func bound(within seconds: Int) -> Schedule.Bound? {
        let moment = Stage.start.date.adding(dice.seconds(seconds))
        if dice.isLucky(70) { return moment.map { .moment($0) } }
        if dice.isLucky(10) { return .day(Int(Stage.start.date.seconds / 86_400) + dice.roll(2)) }
        return moment.map { .reading($0.seconds) }
    }

    private mutating func limit(_ rule: inout PopupRule) {
        guard dice.isLucky(isBusy ? 10 : 35) else { return }
        if dice.isLucky(30) { rule.caps.lifetime = 1 + dice.roll(4) }
        if dice.isLucky(30) { rule.caps.perSession = 2 + dice.roll(4) }
        if dice.isLucky(30) { rule.caps.every = dice.seconds(10) }
        if dice.isLucky(30) { rule.caps.windows = [cap()] }
        if dice.isLucky(40) { rule.caps.closes = 1 + dice.roll(3) }
        if rule.caps.closes != nil, dice.isLucky(40) { rule.caps.closesPer = dice.pick([2, 3]) }
        guard dice.isLucky(30) else { return }
        rule.caps.afterClose = PauseAfterClose(dice.isLucky(80) ? dice.seconds(10) : .zero)
        if dice.isLucky(50) {
            rule.caps.afterClose?.actions[dice.pick(Self.actions)] = dice.seconds(10)
        }
    }
}
