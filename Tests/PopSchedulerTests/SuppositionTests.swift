import PopCEL
import PopScheduler
import Testing

@Suite struct `A supposed evaluation` {
    private func stage() -> (stage: Stage, rules: RuleSet) {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        rules.key("count", .int, default: .int(1))
        rules.event("paid", [("total", .double)])
        rules.condition("many", "count > 3")
        rules.popup("a", when: "on && many")
        rules.popup("b", on: "paid", where: "event.total > 50.0")
        let stage = Stage(rules)
        stage(.started)
        return (stage, rules.built())
    }

    @Test func `follows the supposed context through named conditions`() throws {
        let (stage, rules) = stage()
        let program = try #require(rules.popups[0].when?.program)
        func isTrue(_ context: [String: Value?]) -> Truth {
            program.isTrue(
                stage.scheduler.slotValues(
                    program.slots, at: stage.now, supposing: Supposition(context: context)))
        }
        #expect(isTrue([:]) == .no)
        #expect(isTrue(["on": .bool(true), "count": .int(4)]) == .yes)
        #expect(isTrue(["on": .bool(true), "count": nil]) == .no)
        #expect(stage.reason("a") == .conditionFalse)
    }

    @Test func `follows the supposed payload`() throws {
        let (stage, rules) = stage()
        guard case .event(let trigger)? = rules.popups[1].triggers.first else { return }
        let program = try #require(trigger.where?.program)
        let supposition = Supposition(event: "paid", payload: ["total": .double(51)])
        let values = stage.scheduler.slotValues(
            program.slots, at: stage.now, supposing: supposition)
        #expect(program.isTrue(values) == .yes)
    }

    @Test func `gives the reasons of all waiting popups`() {
        let (stage, _) = stage()
        #expect(stage.scheduler.waitingReasons(at: stage.now) == ["a": .conditionFalse])
        stage(.suspend())
        #expect(stage.scheduler.waitingReasons(at: stage.now) == ["a": .suspended])
    }
}
