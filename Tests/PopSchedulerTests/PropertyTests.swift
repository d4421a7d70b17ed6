import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "What holds for every sequence of inputs", one by one. The simulation checks all at
/// once over more steps.
struct PropertyTests {
    private func check(_ property: Property) {
        for seed in UInt64(1000)..<1002 {
            let failure = Play.failure(seed: seed, SimulationTests.inputs(seed), [property])
            #expect(failure == nil, "seed \(seed)")
        }
    }

    @Test func `1: a scheduler's screen never has two tasks`() { check(.oneOnScreen) }

    @Test func `2: every task ends exactly once, with a reason`() { check(.oneEnding) }

    @Test func `3: a popup whose condition is not met is never presented`() {
        check(.conditionMet)
    }

    @Test
    func `4: no eligible task waits while its scheduler is free, not suspended and not in a gap`() {
        check(.noIdleTask)
    }

    @Test func `5: no cap is ever exceeded, even across restarts`() { check(.capsKept) }

    @Test func `6: the same inputs with the same seed give the same events`() { check(.sameAgain) }

    @Test
    func `7: evaluating only the affected conditions gives the same events as evaluating all`() {
        check(.sameAsModel)
    }

    @Test func `8: nothing is done before it is due`() { check(.nothingUntilDue) }

    @Test func `the history always equals the changes that the host was told to keep`() {
        check(.historyRecorded)
    }

    @Test func `2: a task that is removed together with all others ends too`() {
        var rules = Rules()
        for id in ["a", "b", "c"] { rules.popup(id) { $0.timing.minShow = .seconds(5) } }
        let stage = Stage(rules)
        let made = stage(.started).filter { $0.hasPrefix("queued") }
        let ended = stage(.removeAll) + stage.after(.seconds(5))
        #expect(made.count == 3)
        #expect(ended.filter { $0.hasPrefix("d") }.count == 3)
        #expect(stage.scheduler.isEmpty)
    }
}
