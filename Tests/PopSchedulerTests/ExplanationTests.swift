import PopCEL
import PopScheduler
import Testing

struct ExplanationTests {
    @Test func `an unknown popup has no explanation`() {
        #expect(Stage(Rules()).scheduler.explain("a", at: Stage.start) == nil)
    }

    @Test func `a waiting popup is explained by its reason, position and condition`() {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        rules.popup("first")
        rules.popup("second", when: "on")
        let stage = Stage(rules)
        stage(.started)
        let explanation = stage.scheduler.explain("second", at: stage.now)
        #expect(explanation?.state == .waiting(.conditionFalse))
        #expect(explanation?.position == 1)
        #expect(explanation?.waiting == 1)
        #expect(explanation?.occupant == "first")
        #expect(explanation?.role == .when)
        #expect(explanation?.condition?.root != nil)
        #expect(explanation?.range == Rules.nowhere)
    }

    private func payingStage(occurrence: EventTrigger.Occurrence = .any) -> Stage {
        var rules = Rules()
        rules.key("least", .double, default: .double(50))
        rules.event("paid", [("total", .double)])
        rules.popup("a", on: "paid", where: "event.total > least", occurrence: occurrence)
        return Stage(rules)
    }

    private func parts(_ explanation: PopupExplanation?) -> [String] {
        explanation?.condition?.root?.parts.map { part in
            switch part.result {
            case .success(let value)?: "\(part.text) = \(value)"
            default: "\(part.text) = none"
            }
        } ?? []
    }

    @Test func `a filtered event is explained with the values that its where read`() {
        let stage = payingStage()
        stage(.send("paid", payload: ["total": .double(10)]))
        stage.after(.seconds(5))
        stage(.update(["least": .double(1)]))
        let explanation = stage.scheduler.explain("a", at: stage.now)
        #expect(explanation?.reason == .triggerFiltered)
        #expect(explanation?.role == .where)
        #expect(explanation?.filter?.cause == .whereFalse)
        #expect(explanation?.filter?.event == "paid")
        #expect(explanation?.filter?.date == date("2026-11-20T09:00:00Z"))
        #expect(parts(explanation) == ["event.total = 10.0", "least = 50.0"])
    }

    @Test func `a where that failed is explained with its error`() {
        let stage = payingStage()
        stage(.send("paid"))
        let explanation = stage.scheduler.explain("a", at: stage.now)
        guard case .whereError(let error) = explanation?.filter?.cause else {
            Issue.record("\(String(describing: explanation?.filter))")
            return
        }
        #expect(error.message == "`event.total` has no value")
        #expect(parts(explanation) == ["event.total = none", "least = 50.0"])
    }

    @Test func `an event with the wrong number is explained with its number`() {
        let stage = payingStage(occurrence: .nth(2))
        stage(.send("paid", payload: ["total": .double(80)]))
        let explanation = stage.scheduler.explain("a", at: stage.now)
        #expect(explanation?.reason == .triggerCounting)
        #expect(explanation?.filter?.cause == .occurrence(1))
        #expect(explanation?.condition?.root?.result == .success(.bool(true)))
    }

    @Test func `the explanation of a filtered event is dropped with the next task, user or rules`()
    {
        let stage = payingStage()
        func filter() -> TriggerFilter? { stage.scheduler.explain("a", at: stage.now)?.filter }
        stage(.send("paid", payload: ["total": .double(10)]))
        #expect(filter() != nil)
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        #expect(filter() == nil)
        stage(.send("paid", payload: ["total": .double(10)]))
        stage(.switchUser("bob", History()))
        #expect(filter() == nil)
        #expect(stage.reason("a") == .notTriggered)
    }

    @Test func `a temporary reason has the time of its end`() {
        var rules = Rules()
        rules.popup("a") { $0.timing.delay = .seconds(5) ... .seconds(5) }
        let stage = Stage(rules)
        stage(.started)
        #expect(
            stage.scheduler.explain("a", at: stage.now)?.until == date("2026-11-20T09:00:05Z"))
    }

    @Test func `a popup is explained in each phase of its life`() {
        var rules = Rules()
        rules.popup("a") {
            $0.timing.grace = .seconds(1)
            $0.triggers = [.manual]
        }
        let stage = Stage(rules)
        stage.isManual = true
        func state() -> PopupExplanation.State? {
            stage.scheduler.explain("a", at: stage.now)?.state
        }
        #expect(state() == .absent(.notTriggered))
        stage(.enqueue("a"))
        #expect(state() == .chosen)
        stage.after(.seconds(1))
        stage.answer("a", .show)
        #expect(state() == .presenting)
        stage.didPresent("a")
        #expect(state() == .showing)
        stage(.userClosed("a"))
        #expect(state() == .dismissing(.userClosed))
        stage.didDismiss("a")
        #expect(state() == .absent(.notTriggered))
        #expect(stage.scheduler.explain("a", at: stage.now)?.lastEnding == .userClosed)
    }
}
