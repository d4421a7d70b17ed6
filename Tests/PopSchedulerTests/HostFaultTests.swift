import PopCEL
import PopScheduler
import Testing

/// A host that doesn't do what it was asked to do.
struct HostFaultTests {
    private func stage() -> Stage {
        var rules = Rules()
        rules.popup("a") { $0.priority = 1000 }
        rules.popup("b")
        let stage = Stage(rules)
        stage.isManual = true
        stage(.started)
        return stage
    }

    @Test func `a duplicate answer counts once`() {
        let stage = stage()
        stage.answer("a", .show)
        #expect(stage.answer("a", .cancel) == [])
        #expect(stage.didPresent("a") == ["shown a"])
        #expect(stage.didPresent("a") == [])
        #expect(stage.fail("a") == [])
        #expect(stage(.userClosed("a")) == ["willDismiss a USER_CLOSED"])
        #expect(stage(.userClosed("a")) == [])
        #expect(stage.didDismiss("a") == ["dismissed a USER_CLOSED", "willShow b"])
        #expect(stage.didDismiss("a") == [])
        #expect(stage(.didDisappear("a")) == [])
    }

    @Test func `a missing answer to willShow blocks only its own screen`() {
        var rules = Rules()
        rules.scheduler("toast")
        rules.popup("a")
        rules.popup("b") { $0.scheduler = 1 }
        let stage = Stage(rules)
        stage.isManual = true
        stage(.started)
        stage.answer("b", .show)
        stage.didPresent("b")
        stage.after(.seconds(3600))
        #expect(stage.scheduler.showing == ["toast": "b"])
        #expect(stage(.remove("a")) == ["discarded a REMOVED"])
    }

    @Test func `a presentation that fails after its timeout gives way to the next popup`() {
        let stage = stage()
        stage.answer("a", .show)
        #expect(stage.after(.seconds(10)) == ["timeout a present", "shown a"])
        #expect(stage.fail("a") == ["failed a", "willShow b"])
        #expect(stage.scheduler.history.popups["a"] == nil)
    }

    @Test func `an answer about a task that has ended changes nothing`() {
        let stage = stage()
        #expect(stage(.remove("a")).first == "discarded a REMOVED")
        #expect(stage.answer("a", .show) == [])
        #expect(stage.didPresent("a") == [])
        #expect(stage.fail("a") == [])
        #expect(stage.didDismiss("a") == [])
    }
}
