import PopCEL
import PopScheduler
import Testing

struct NamedConditionTests {
    @Test func `a long chain of named conditions does not overflow the stack`() {
        var rules = Rules()
        rules.key("n", .int, default: .int(0))
        rules.condition("c0", "n > 0")
        for number in 1..<2000 { rules.condition("c\(number)", "c\(number - 1)") }
        rules.popup("a", when: "c1999")
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.reason("a") == .conditionFalse)
        stage(.update(["n": .int(1)]))
        #expect(stage.showing == "a")
    }

    @Test func `conditions that refer to each other in a cycle are an error and block no popup`() {
        var rules = Rules()
        rules.condition("one", "two")
        rules.condition("two", "!one")
        rules.popup("a", when: "one")
        rules.popup("b")
        let stage = Stage(rules)
        #expect(stage(.started).contains("conditionError a when"))
        #expect(stage.showing == "b")
    }

    @Test func `an error inside a named condition is reported for the popup that reads it`() {
        var rules = Rules()
        rules.key("screen", .string)
        rules.condition("map", "screen == 'map'")
        rules.popup("a", when: "map")
        let stage = Stage(rules)
        #expect(stage(.started).contains("conditionError a when"))
        #expect(stage(.update(["screen": .string("map")])).contains("shown a"))
    }

    @Test func `a condition on now is checked when it changes and not earlier`() {
        var rules = Rules()
        rules.condition("late", "now - session.started >= duration('90s')")
        rules.popup("a", when: "late")
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.scheduler.nextWake == .seconds(90))
        #expect(stage.after(.seconds(90)) == ["willShow a", "shown a"])
    }

    @Test func `a dismiss when on now dismisses the popup in time`() {
        var rules = Rules()
        rules.popup("a", dismissWhen: "now >= session.started + duration('5s')")
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.scheduler.nextWake == .seconds(5))
        #expect(stage.after(.seconds(5)).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a host that wakes late finds everything due done`() {
        var rules = Rules()
        rules.main { $0.gap = .seconds(1) ... .seconds(1) }
        rules.popup("a") { $0.timing.hideAfter = .seconds(5) }
        rules.popup("b") { $0.timing.maxWait = .seconds(60) }
        rules.popup("c")
        let stage = Stage(rules)
        stage(.started)
        let late = Moment(instant: .seconds(600), date: date("2026-11-20T09:10:00Z"))
        var scheduler = stage.scheduler
        let said = scheduler.handle(.timePassed, at: late).compactMap { effect in
            if case .emit(let event) = effect { describe(event) } else { nil }
        }
        #expect(said == ["discarded b WAITED_TOO_LONG", "willDismiss a TIMED_OUT"])
    }
}
