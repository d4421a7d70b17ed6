import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Life of a task": `dismiss_when`.
struct DismissConditionTests {
    private func stage(
        isManual: Bool = false, _ change: (inout Rules) -> Void
    ) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        change(&rules)
        let stage = Stage(rules)
        stage.isManual = isManual
        stage(.started)
        return stage
    }

    @Test func `dismiss when takes the visible popup down: DISMISS_CONDITION`() {
        let stage = stage { $0.popup("a", dismissWhen: "!on") }
        #expect(stage.showing == "a")
        #expect(stage(.update(["on": .bool(false)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test
    func `a dismiss condition that is true from the start takes nothing down until it is anew`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "on") { $0.hideAfter = .seconds(60) }
        }
        #expect(stage.showing == "a")
        #expect(stage.after(.seconds(5)) == [])
        #expect(stage(.update(["on": .bool(false)])) == [])
        #expect(stage(.update(["on": .bool(true)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `the popup's own impression does not make its dismiss condition become true`() {
        let stage = stage { $0.popup("a", dismissWhen: "popups.a.shown_count > 0") }
        #expect(stage.showing == "a")
    }

    @Test func `a dismiss condition that becomes true during the animation counts after it`() {
        let stage = stage(isManual: true) { $0.popup("a", dismissWhen: "!on") }
        stage.answer("a", .show)
        #expect(stage(.update(["on": .bool(false)])) == [])
        #expect(stage(.update(["on": .bool(true)])) == [])
        #expect(stage.didPresent("a") == ["shown a", "willDismiss a DISMISS_CONDITION"])
    }

    @Test func `a dismiss condition that time makes true during the animation counts after it`() {
        let stage = stage(isManual: true) {
            $0.popup("a", dismissWhen: "now > session.started + duration('2s')")
        }
        stage.answer("a", .show)
        stage.after(.seconds(5))
        #expect(stage.didPresent("a") == ["shown a", "willDismiss a DISMISS_CONDITION"])
    }

    @Test func `a dismiss condition that becomes true waits for min show`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "!on") { $0.minShow = .seconds(2) }
        }
        #expect(stage(.update(["on": .bool(false)])) == [])
        #expect(stage.after(.milliseconds(1999)) == [])
        #expect(stage.after(.milliseconds(1)).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `an error between two times true makes a dismiss condition true anew`() {
        let stage = stage {
            $0.key("n", .int)
            $0.popup("a", dismissWhen: "n > 0") { $0.triggers = [.manual] }
        }
        stage(.update(["n": .int(1)]))
        stage(.enqueue("a"))
        #expect(stage(.update([:], unset: ["n"])) == ["conditionError a dismiss_when"])
        #expect(stage(.update(["n": .int(1)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a popup that comes back looks at its dismiss condition anew`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "!on") { $0.switch = .latent }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage(.enqueue("urgent"))
        stage(.update(["on": .bool(false)]))
        stage(.userClosed("urgent"))
        #expect(stage.showing == "a")
        stage(.update(["on": .bool(true)]))
        #expect(stage(.update(["on": .bool(false)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a reload does not make a dismiss condition become true`() {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        rules.popup("a", dismissWhen: "on")
        let stage = Stage(rules)
        stage(.started)
        #expect(stage(.reload(rules.built())) == [])
        stage(.update(["on": .bool(false)]))
        #expect(stage(.update(["on": .bool(true)])).last == "dismissed a DISMISS_CONDITION")
    }
}
