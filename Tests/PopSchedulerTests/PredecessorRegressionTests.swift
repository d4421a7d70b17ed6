import PopCEL
import PopScheduler
import Testing

/// Situations in which the systems before this one failed.
struct PredecessorRegressionTests {
    private func stage(_ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        change(&rules)
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    @Test func `a new popup that cannot be shown does not evict the visible popup`() {
        let stage = stage {
            $0.popup("shows") { $0.switch = .discard }
            $0.popup("newcomer", when: "on") {
                $0.priority = 2000
                $0.triggers = [.manual]
            }
        }
        #expect(stage(.enqueue("newcomer")) == ["queued newcomer"])
        #expect(stage.showing == "shows")
    }

    @Test func `a preempted popup is not lost`() {
        let stage = stage {
            $0.popup("shows") { $0.switch = .latent }
            $0.popup("urgent") {
                $0.priority = 2000
                $0.triggers = [.manual]
            }
        }
        stage(.enqueue("urgent"))
        #expect(stage.waiting == ["shows"])
        stage(.userClosed("urgent"))
        #expect(stage.showing == "shows")
    }

    @Test func `removing the visible popup takes it off the screen before the next popup shows`() {
        let stage = stage {
            $0.popup("a")
            $0.popup("b")
        }
        stage.isManual = true
        #expect(stage(.remove("a")) == ["willDismiss a REMOVED"])
        #expect(stage.scheduler.showing == ["main": "a"])
        #expect(stage.didDismiss("a") == ["dismissed a REMOVED", "willShow b"])
    }

    @Test func `a dismissal from inside a callback is a later input`() {
        let stage = stage {
            $0.popup("a") { $0.triggers = [.manual] }
            $0.popup("b") { $0.triggers = [.manual] }
        }
        stage.isManual = true
        stage(.enqueue("a"))
        stage.answer("a", .show)
        // A callback of `shown` might do this: dismiss it, enqueue another, dismiss again.
        stage.didPresent("a")
        stage(.dismiss("a"))
        stage(.enqueue("b"))
        stage(.dismiss("a"))
        #expect(stage.didDismiss("a") == ["dismissed a DISMISSED", "willShow b"])
    }

    @Test func `a long chain of cancelled popups does not overflow the stack`() {
        var rules = Rules()
        for number in 0..<20_000 { rules.popup("p\(number)") }
        let stage = Stage(rules)
        for number in 0..<20_000 { stage.answers["p\(number)"] = .cancel }
        stage(.started)
        #expect(stage.scheduler.isEmpty)
    }

    @Test func `grace does not cancel a pending hide`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.grace = .seconds(2)
                $0.timing.hideAfter = .seconds(1)
            }
        }
        #expect(stage.after(.seconds(2)) == ["willShow a", "shown a"])
        #expect(stage.after(.seconds(1)).last == "dismissed a TIMED_OUT")
    }

    @Test func `hiding a popup twice ends it once`() {
        let stage = stage { $0.popup("a") }
        stage.isManual = true
        #expect(stage(.dismiss("a")) == ["willDismiss a DISMISSED"])
        #expect(stage(.dismiss("a")) == [])
        #expect(stage(.userClosed("a")) == [])
        #expect(stage.didDismiss("a") == ["dismissed a DISMISSED"])
        #expect(stage.didDismiss("a") == [])
    }

    @Test func `an idle tick evaluates nothing however many tasks wait`() {
        let stage = stage {
            for number in 0..<1000 { $0.popup("p\(number)", when: "on") }
        }
        let before = stage.scheduler.statistics
        for _ in 0..<100 {
            stage.after(.seconds(1))
            stage(.timePassed)
        }
        #expect(stage.scheduler.statistics == before)
        #expect(stage.scheduler.nextWake == nil)
    }
}
