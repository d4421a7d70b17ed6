import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: an urgent popup takes the screen from any of lower priority.
struct `An urgent popup` {
    /// `low` shows, `alarm` waits for the key.
    private func stage(
        switch: PopupRule.Switch, minShow: Duration = .seconds(60),
        _ change: (inout PopupRule) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("fire", .bool, default: .bool(false))
        rules.popup("low") {
            $0.switch = `switch`
            $0.timing.minShow = minShow
        }
        rules.popup("alarm", when: "fire") {
            $0.isUrgent = true
            $0.priority = 2000
            change(&$0)
        }
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    private let fire = Event.update(["fire": .bool(true)])

    @Test(arguments: [PopupRule.Switch.await, .latent])
    func `takes the screen immediately, and the other popup returns`(switch: PopupRule.Switch) {
        let stage = stage(switch: `switch`)
        let events = stage(fire)
        #expect(
            events == [
                "willShow alarm", "willDismiss low PREEMPTED", "requeued low", "shown alarm",
            ])
        #expect(stage(.userClosed("alarm")).contains("shown low"))
    }

    @Test func `ends a popup with switch discard`() {
        #expect(stage(switch: .discard)(fire).contains("dismissed low PREEMPTED"))
    }

    @Test func `still has its own grace`() {
        let stage = stage(switch: .await) { $0.timing.grace = .seconds(2) }
        #expect(stage(fire) == [])
        #expect(stage.after(.seconds(2)).first == "willShow alarm")
    }

    @Test func `waits like any other popup at equal priority`() {
        let stage = stage(switch: .await) { $0.priority = 100 }
        #expect(stage(fire) == [])
        #expect(stage.reason("alarm") == .slotBusy)
    }

    @Test func `lets a popup that is already being dismissed end for its reason`() {
        let stage = stage(switch: .latent)
        #expect(stage(.dismiss("low")) == [])
        #expect(stage(fire).contains("dismissed low DISMISSED"))
        #expect(stage.showing == "alarm")
    }

    @Test func `waits for an animation to end`() {
        let stage = stage(switch: .await)
        stage(.userClosed("low"))
        stage.isManual = true
        stage(.enqueue("low"))
        stage.answer("low", .show)
        #expect(stage(fire) == [])
        #expect(stage.didPresent("low").contains("willShow alarm"))
    }

    @Test func `waits for a popup with higher priority`() {
        var rules = Rules()
        rules.key("fire", .bool, default: .bool(false))
        rules.popup("low")
        rules.popup("alarm", when: "fire") {
            $0.isUrgent = true
            $0.priority = 1000
        }
        rules.popup("first", when: "fire") { $0.priority = 2000 }
        let stage = Stage(rules)
        stage(.started)
        #expect(stage(fire) == [])
    }
}
