import PopCEL
import PopScheduler
import Testing

/// Context keys are found by their names.
struct KeyTests {
    /// A scheduler whose key number n takes nothing but n.
    private func scheduler(_ names: [String]) -> Scheduler {
        var rules = Rules()
        for (number, name) in names.enumerated() {
            rules.key(name, .int, allowed: [.int(Int64(number))])
        }
        return Scheduler(rules: rules.built(), seed: 1, at: Stage.start)
    }

    /// How an update of one key is refused; nil when it is taken.
    private func refusal(_ name: String, _ number: Int, _ scheduler: Scheduler) -> Rejection? {
        var scheduler = scheduler
        for case .emit(.rejected(let rejection)) in scheduler.handle(
            .update([name: .int(Int64(number))]), at: Stage.start)
        {
            return rejection
        }
        return nil
    }

    /// Names of every length around that of a word of the machine, many of them alike but for one letter.
    private func name(_ dice: inout Dice) -> String {
        (0..<dice.roll(21)).map { _ in dice.pick(["a", "b", ".", "é"]) }.joined()
    }

    @Test(arguments: UInt64(0)..<60)
    func `each is found among many, the first of two alike, and no other name finds one`(
        seed: UInt64
    ) {
        var dice = Dice(seed)
        let count = [0, 1, 2, 3, 17, 64, 300][Int(seed) % 7]
        let names = (0..<count).map { _ in name(&dice) }
        var numbers: [String: Int] = [:]
        for (number, name) in names.enumerated() where numbers[name] == nil {
            numbers[name] = number
        }
        let scheduler = scheduler(names)
        for (name, number) in numbers {
            #expect(refusal(name, number, scheduler) == nil, "\(name)")
        }
        for _ in 0..<200 {
            let other = name(&dice)
            if numbers[other] == nil {
                #expect(refusal(other, 0, scheduler) == .unknownKey(other))
            }
        }
    }

    @Test func `names of other bytes are others, however they look`() {
        let scheduler = scheduler(["\u{E9}", "Key"])
        #expect(refusal("\u{E9}", 0, scheduler) == nil)
        #expect(refusal("e\u{301}", 0, scheduler) == .unknownKey("e\u{301}"))
        #expect(refusal("\u{212A}ey", 1, scheduler) == .unknownKey("\u{212A}ey"))
    }

    @Test func `names that are alike in their first words are told apart`() {
        let names = ["user.preferences.a", "user.preferences.b", "user.preferences", "user.pref"]
        let scheduler = scheduler(names)
        for (number, name) in names.enumerated() {
            #expect(refusal(name, number, scheduler) == nil)
            #expect(refusal(name, number + 1, scheduler) != nil)
        }
    }
}
