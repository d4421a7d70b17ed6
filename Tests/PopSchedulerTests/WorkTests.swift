import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "What holds", 8: the work for an input depends on the parts that the input affects.
struct WorkTests {
    /// Popups that wait for `on`, one of them for `other`.
    private func crowd(_ count: Int, on: Bool = false) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(on))
        rules.key("other", .bool, default: .bool(false))
        rules.key("unread", .int, default: .int(0))
        rules.popup("shows") { $0.triggers = [.manual] }
        for number in 0..<count { rules.popup("p\(number)", when: "on") }
        rules.popup("special", when: "other") { $0.triggers = [.manual] }
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    private func work(_ stage: Stage, _ event: Event) -> (conditions: Int, tasks: Int) {
        let before = stage.scheduler.statistics
        stage(event)
        let after = stage.scheduler.statistics
        return (
            after.conditionsEvaluated - before.conditionsEvaluated,
            after.tasksExamined - before.tasksExamined
        )
    }

    @Test func `a change that no condition reads evaluates nothing`() {
        let stage = crowd(100)
        #expect(work(stage, .update(["unread": .int(5)])) == (0, 0))
        #expect(work(stage, .update(["on": .bool(false)])) == (0, 0))
        #expect(work(stage, .poke) == (0, 0))
        #expect(work(stage, .timePassed) == (0, 0))
    }

    @Test func `a change evaluates only popups whose condition reads it`() {
        let stage = crowd(100)
        stage(.enqueue("special"))
        #expect(work(stage, .update(["other": .bool(true)])) == (1, 1))
        #expect(stage.showing == "special")
    }

    @Test func `if many popups could show only the first is evaluated`() {
        let stage = crowd(100)
        #expect(work(stage, .update(["on": .bool(true)])) == (1, 1))
        #expect(stage.showing == "p0")
    }

    @Test func `a change evaluates no popups that have already been shown`() {
        let stage = crowd(3, on: true)
        for id in ["p0", "p1", "p2"] {
            #expect(stage.showing == id)
            stage(.userClosed(id))
        }
        #expect(work(stage, .update(["on": .bool(false)])) == (0, 0))
        #expect(work(stage, .update(["on": .bool(true)])) == (0, 0))
        #expect(stage.showing == nil)
    }

    @Test func `a popup that is shown and queued again follows its condition as before`() {
        let stage = crowd(1, on: true)
        stage(.userClosed("p0"))
        stage(.update(["on": .bool(false)]))
        #expect(work(stage, .enqueue("p0")) == (1, 1))
        #expect(stage.waiting == ["p0"])
        #expect(work(stage, .update(["on": .bool(true)])) == (1, 1))
        #expect(stage.showing == "p0")
        stage(.userClosed("p0"))
        stage(.enqueue("p0"))
        #expect(stage.showing == "p0")
    }

    @Test func `nothing is evaluated while the screen is occupied`() {
        let stage = crowd(100)
        stage(.enqueue("shows"))
        #expect(work(stage, .update(["on": .bool(true)])) == (0, 0))
    }

    @Test func `a named condition with an unchanged result wakes no popup`() {
        var rules = Rules()
        rules.key("launches", .int, default: .int(9))
        rules.condition("newcomer", "launches <= 3")
        rules.condition("guided", "newcomer")
        for number in 0..<50 { rules.popup("p\(number)", when: "newcomer || guided") }
        let stage = Stage(rules)
        stage(.started)
        let work = work(stage, .update(["launches": .int(10)]))
        #expect(work.tasks == 0)
        #expect(work.conditions <= 2)
        stage(.update(["launches": .int(2)]))
        #expect(stage.showing == "p0")
    }

    @Test func `a timer touches only its own task`() {
        var rules = Rules()
        rules.popup("shows")
        for number in 0..<50 {
            rules.popup("p\(number)") { $0.timing.maxWait = .seconds(Double(number) + 1) }
        }
        let stage = Stage(rules)
        stage(.started)
        let before = stage.scheduler.statistics
        #expect(stage.after(.seconds(2)).count == 2)
        #expect(stage.scheduler.statistics == before)
    }

    @Test func `no wake-up is scheduled if only an event can change anything`() {
        #expect(crowd(10).scheduler.nextWake == nil)
    }
}
