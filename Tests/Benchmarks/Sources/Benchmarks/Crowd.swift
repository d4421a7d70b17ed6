import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource

/// Many popups with random priorities, each of which waits for a flag of its own.
struct Crowd {
    let rules: RuleSet
    let count: Int

    init(_ count: Int) throws {
        self.count = count
        let place = SourceRange(file: FileID(index: 0), 0..<0)
        var environment = Environment()
        var rules = RuleSet()
        let names = ["user.level", "app.unread"] + (0..<count).map { "flag.f\($0)" }
        for (number, name) in names.enumerated() {
            let type: CELType = number < 2 ? .int : .bool
            environment.declare(Variable(name, type: type))
            rules.keys.append(
                ContextKey(
                    name: name, type: type, defaultValue: number < 2 ? .int(5) : .bool(false),
                    at: place))
        }
        // A sequence without a pattern, the same every time.
        var random: UInt64 = 1
        var slots = SlotTable()
        // In the order of the keys, so that a slot and its key have the same number.
        for name in names { _ = slots.slot(for: .variable(identity: name)) }
        for number in 0..<count {
            let condition = Expression.parse("user.level >= 1 && flag.f\(number)")
            var popup = PopupRule(id: "p\(number)", at: place)
            popup.when = Condition(
                try condition.then { environment.compile($0, expecting: .bool, slots: &slots) }
                    .get(),
                at: place)
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            popup.priority = Int(random >> 54)
            rules.popups.append(popup)
        }
        rules.slots = rules.keys.places.map { .key($0) }
        self.rules = rules
    }

    /// A scheduler without tasks.
    func scheduler() -> Scheduler { Scheduler(rules: rules, seed: 1, at: .benchmark) }

    /// A scheduler with all tasks waiting and examined.
    func waiting() -> Scheduler {
        var scheduler = scheduler()
        _ = scheduler.handle(.started, at: .benchmark)
        return scheduler
    }
}

extension Moment {
    /// A fixed point in time: time doesn't pass.
    static let benchmark = Moment(instant: .zero, date: Timestamp(seconds: 1_700_000_000))
}
