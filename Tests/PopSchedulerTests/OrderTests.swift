import PopScheduler
import Testing

/// SEMANTICS "Order of waiting tasks".
struct OrderTests {
    private func stage(
        _ strategy: SchedulerRule.Strategy, tieBreak: SchedulerRule.TieBreak = .fifo
    ) -> Stage {
        var rules = Rules()
        rules.main {
            $0.strategy = strategy
            $0.tieBreak = tieBreak
        }
        for (id, priority) in [("a", 100), ("b", 1000), ("c", 100), ("d", 50)] {
            rules.popup(id) { $0.priority = priority }
        }
        let stage = Stage(rules)
        stage(.suspend())
        stage(.started)
        return stage
    }

    @Test func `fifo takes the oldest task first`() {
        #expect(stage(.fifo).waiting == ["a", "b", "c", "d"])
    }

    @Test func `lifo takes the newest task first`() {
        #expect(stage(.lifo).waiting == ["d", "c", "b", "a"])
    }

    @Test func `priority takes the highest priority first, and equal priorities by age`() {
        #expect(stage(.priority).waiting == ["b", "a", "c", "d"])
    }

    @Test func `priority with tie break lifo takes the newest of equal tasks first`() {
        #expect(stage(.priority, tieBreak: .lifo).waiting == ["b", "c", "a", "d"])
    }

    @Test func `the popup with the highest priority shows next`() {
        let stage = stage(.priority)
        stage(.resume())
        #expect(stage.showing == "b")
    }

    @Test func `every integer is a valid priority`() {
        var rules = Rules()
        rules.popup("least") { $0.priority = .min }
        rules.popup("most") { $0.priority = .max }
        let stage = Stage(rules)
        stage(.suspend())
        stage(.started)
        #expect(stage.waiting == ["most", "least"])
    }

    @Test func `a preempted task keeps its position among equals`() {
        var rules = Rules()
        rules.popup("first") { $0.switch = .latent }
        rules.popup("second")
        rules.popup("urgent") {
            $0.priority = 1000
            $0.triggers = [.manual]
        }
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.showing == "first")
        stage(.enqueue("urgent"))
        #expect(stage.showing == "urgent")
        #expect(stage.waiting == ["first", "second"])
    }
}
