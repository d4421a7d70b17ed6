import PopReports
import PopScheduler
import PopSource
import PopStories
import Testing

/// The report about one of many popups doesn't grow with the others.
@Suite struct `An explanation among many popups` {
    private static let count = 1_000

    private func reports() throws -> [PopupReport] {
        let popups = (0..<Self.count).map { "  p\($0): {}\n" }.joined()
        let question = ExplainQuery(try rules("popups:\n\(popups)"))
        return PopupReport.all(
            (0..<Self.count).map { "p\($0)" }, question: question, in: question.played())
    }

    @Test func `names the first popups in the order, its own popup, and how many are omitted`()
        throws
    {
        let reports = try reports()
        #expect(reports.count == Self.count)
        let last = try #require(reports.last)
        #expect(last.explanation.position == Self.count - 1)
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: [])
        var places = SourcePlaces(sources)
        let leftOut = Self.count - 1 - PrintLimits.ranks
        let text = last.text(&places, style: .plain)
        #expect(text.contains("\n    … and \(leftOut) more\n"))
        #expect(text.contains("  p\(Self.count - 1)   normal    SLOT_BUSY"))
        #expect(last.json(&places).compact.contains("\"ranksLeftOut\":\(leftOut)"))
    }

    /// S-M2: the queue is judged once for all reports.
    @Test func `takes steps in proportion to the number of popups`() throws {
        func steps(_ count: Int) throws -> Int {
            let popups = (0..<count).map { "  p\($0): {}\n" }.joined()
            let budget = WorkBudget([.judgedPopups: 1_000_000_000])
            let question = ExplainQuery(
                try rules("popups:\n\(popups)"), within: budget)
            let simulation = question.played()
            let before = budget.rest(of: .judgedPopups)
            let ids = (0..<count).map { "p\($0)" }
            #expect(PopupReport.all(ids, question: question, in: simulation).count == count)
            return before - budget.rest(of: .judgedPopups)
        }
        let (few, many) = (try steps(50), try steps(200))
        #expect(few > 0)
        #expect(many <= few * 5)
    }

    /// S-M2: a condition that many popups share is taken apart for as many as the budget has room
    /// for; all have a reason.
    @Test
    func `an explanation gives a reason for every popup, whatever its conditions cost`() throws {
        let parts = (1...100).map { "k == \($0)" }.joined(separator: " || ")
        let popups = (0..<200).map { "  p\($0): { when: c }\n" }.joined()
        let budget = WorkBudget([.logicSteps: 1_000_000])
        let question = ExplainQuery(
            try rules(
                "context: { k: { type: int, default: 0 } }\nconditions: { c: '\(parts)' }\n"
                    + "popups:\n\(popups)"), within: budget)
        let ids = (0..<200).map { "p\($0)" }
        let reports = PopupReport.all(ids, question: question, in: question.played())
        #expect(reports.map(\.explanation.reason) == ids.map { _ in .conditionFalse })
        let shown = reports.prefix { $0.deciding != nil }.count
        #expect((1..<100).contains(shown))
        #expect(reports.dropFirst(shown).allSatisfy { $0.deciding == nil && $0.changes.isEmpty })
        #expect(!budget.isAllDecided)
    }

    /// H5: each popup whose condition isn't met was asked about by starting the app again, also
    /// when the budget had been used up long before.
    @Test func `an explanation simulates no app start if its budget is used up`() throws {
        let popups = (0..<200).map { "  p\($0): { when: k == \($0 + 1) }\n" }.joined()
        let budget = WorkBudget([.judgedPopups: 20_000, .simulatedSteps: 100_000])
        let question = ExplainQuery(
            try rules("context: { k: { type: int, default: 0 } }\npopups:\n\(popups)"),
            within: budget)
        let ids = (0..<200).map { "p\($0)" }
        let reports = PopupReport.all(ids, question: question, in: question.played())
        #expect(reports.map(\.explanation.reason) == ids.map { _ in .conditionFalse })
        #expect(!reports[0].changes.isEmpty)
        #expect(reports[199].changes.isEmpty)
        #expect(!budget.isAllDecided)
        // Each start takes two steps: one for the context, and one for the start.
        #expect(100_000 - budget.rest(of: .simulatedSteps) < 100)
    }
}
