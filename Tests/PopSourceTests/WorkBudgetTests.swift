import PopSource
import Testing

@Suite struct `A work budget` {
    @Test func `refuses a charge larger than the rest`() {
        let budget = WorkBudget([.logicSteps: 10])
        #expect(budget.charge(.logicSteps, 4))
        #expect(budget.rest(of: .logicSteps) == 6)
        #expect(!budget.charge(.logicSteps, 7))
        #expect(!budget.charge(.logicSteps, 1), "a refused charge uses up the rest")
        #expect(budget.isUsedUp)
    }

    @Test func `counts each kind of work separately`() {
        let budget = WorkBudget([.logicSteps: 1, .generatedRows: 2])
        #expect(budget.charge(.logicSteps))
        #expect(budget.charge(.generatedRows, 1))
        #expect(budget.rest(of: .generatedRows) == 1)
    }

    @Test func `is unlimited for a kind of work without an amount`() {
        let budget = WorkBudget()
        #expect(budget.charge(.judgedPopups, .max))
        #expect(budget.charge(.judgedPopups, .max))
        #expect(!budget.isUsedUp)
    }

    @Test func `refuses everything after cancellation`() {
        let budget = WorkBudget()
        budget.cancel()
        #expect(!budget.charge(.simulatedSteps))
        #expect(budget.isCancelled)
        #expect(budget.rest(of: .logicSteps) == 0)
    }

    @Test func `is shared by threads of the same command`() async {
        let budget = WorkBudget([.logicSteps: 1_000])
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<500).filter { _ in budget.charge(.logicSteps) }.count }
            }
            return await group.reduce(0, +)
        }
        #expect(granted == 1_000)
    }

    /// S-H4: charged work stays charged, and nothing else changes.
    @Test func `keeps its rest when interrupted work ends without a result`() {
        let budget = WorkBudget([.logicSteps: 100_000])
        let interrupted = budget.work(until: { true }) { budget.charge(.logicSteps, 40_000) }
        #expect(interrupted == nil)
        #expect(budget.rest(of: .logicSteps) == 60_000)
        #expect(!budget.isUsedUp)
        #expect(budget.work(until: { false }) { budget.charge(.logicSteps, 40_000) } == true)
        #expect(budget.work(until: { false }) { budget.charge(.logicSteps, 40_000) } == false)
        #expect(budget.isUsedUp)
    }

    /// S-H4
    @Test func `refuses all charges of interrupted work`() {
        let budget = WorkBudget()
        var answers: [Bool] = []
        budget.work(until: { true }) {
            answers = [budget.mayGoOn, budget.charge(.judgedPopups), !budget.isUsedUp]
        }
        #expect(answers == [false, false, false])
        #expect(budget.mayGoOn)
        #expect(budget.charge(.judgedPopups))
    }
}
