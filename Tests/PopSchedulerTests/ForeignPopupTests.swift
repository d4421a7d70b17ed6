import PopCEL
import PopScheduler
import Testing

struct `A popup created by the app` {
    private func stage() -> Stage {
        var rules = Rules()
        rules.popup("ruled") { $0.triggers = [.manual] }
        return Stage(rules)
    }

    @Test func `takes a place in the queue`() {
        let stage = stage()
        stage(.enqueue("ruled"))
        #expect(
            stage(.enqueueForeign(ForeignPopup(id: "alert"), isTrue: true)) == ["queued alert"])
        #expect(stage(.userClosed("ruled")).contains("shown alert"))
        #expect(stage(.didDisappear("alert")) == ["dismissed alert DISAPPEARED"])
        #expect(stage.scheduler.isEmpty)
        #expect(stage.reason("alert") == nil)
    }

    @Test func `has the condition that the host reports`() {
        let stage = stage()
        stage(.enqueueForeign(ForeignPopup(id: "alert"), isTrue: false))
        #expect(stage.reason("alert") == .conditionFalse)
        #expect(stage(.setForeign("alert", isTrue: true)).contains("shown alert"))
    }

    @Test func `makes no impressions`() {
        let stage = stage()
        stage(.enqueueForeign(ForeignPopup(id: "alert"), isTrue: true))
        stage(.didDisappear("alert"))
        #expect(stage.records == [])
    }

    @Test func `survives a reload and a latent switch`() {
        let stage = stage()
        var alert = ForeignPopup(id: "alert")
        alert.switch = .latent
        stage(.started)
        stage(.enqueueForeign(alert, isTrue: true))
        var rules = Rules()
        rules.popup("urgent") { $0.priority = 1000 }
        stage(.reload(rules.built()))
        #expect(stage.showing == "urgent")
        #expect(stage.waiting == ["alert"])
        stage(.reload(rules.built()))
        #expect(stage(.userClosed("urgent")).contains("shown alert"))
    }

    @Test func `is refused with an id of the rules`() {
        #expect(
            stage()(.enqueueForeign(ForeignPopup(id: "ruled"), isTrue: true))
                == [#"rejected idTaken("ruled")"#])
    }

    @Test func `may use an id again when the task has ended`() {
        let stage = stage()
        for _ in 0..<3 {
            #expect(
                stage(.enqueueForeign(ForeignPopup(id: "alert"), isTrue: true)).contains(
                    "shown alert"))
            stage(.didDisappear("alert"))
        }
    }
}
