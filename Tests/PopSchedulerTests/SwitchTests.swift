import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "The scheduling pass", point 4: how one popup makes room for another.
struct SwitchTests {
    /// `s` shows, `c` is more important.
    private func stage(
        _ s: (inout PopupRule) -> Void = { _ in }, _ c: (inout PopupRule) -> Void = { _ in },
        others: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        rules.main { $0.gap = .seconds(5) ... .seconds(5) }
        rules.popup("s") {
            $0.switch = .latent
            s(&$0)
        }
        rules.popup("c", when: "on") {
            $0.priority = 1000
            $0.triggers = [.manual]
            c(&$0)
        }
        others(&rules)
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.showing == "s")
        stage.isManual = true
        return stage
    }

    @Test func `the host is asked before the visible popup is dismissed`() {
        let stage = stage()
        #expect(stage(.enqueue("c")) == ["queued c", "willShow c"])
        #expect(stage.showing == "s")
        #expect(stage.answer("c", .show) == ["willDismiss s PREEMPTED"])
        #expect(stage.didDismiss("s") == ["requeued s"])
        #expect(stage.didPresent("c") == ["shown c"])
    }

    @Test(arguments: [WillShowAnswer.cancel, .postpone(.seconds(60))])
    func `a refusal of the host leaves the visible popup alone`(answer: WillShowAnswer) {
        let stage = stage()
        stage(.enqueue("c"))
        #expect(stage.answer("c", answer) == [answer == .cancel ? "cancelled c" : "postponed c"])
        #expect(stage.showing == "s")
        #expect(stage(.poke) == [])
    }

    @Test func `no gap follows a switch`() {
        let stage = stage()
        stage.isManual = false
        #expect(stage(.enqueue("c")).last == "shown c")
        #expect(stage(.userClosed("c")).last == "dismissed c USER_CLOSED")
        #expect(stage.reason("s") == .inGap)
    }

    @Test func `no gap follows a switch whose popup may no longer show`() {
        let stage = stage(others: {
            $0.popup("other") {
                $0.priority = 500
                $0.triggers = [.manual]
            }
        })
        stage(.enqueue("c"))
        stage(.enqueue("other"))
        stage.answer("c", .show)
        stage(.update(["on": .bool(false)]))
        #expect(stage.didDismiss("s") == ["requeued s", "requeued c", "willShow other"])
        #expect(stage.reason("c") == .conditionFalse)
    }

    @Test func `the new popup is checked again when the host has answered`() {
        let stage = stage()
        stage(.enqueue("c"))
        stage(.update(["on": .bool(false)]))
        #expect(stage.answer("c", .show) == ["requeued c"])
        #expect(stage.showing == "s")
        #expect(stage(.update(["on": .bool(true)])) == ["willShow c"])
    }

    @Test func `a still better popup that arrives in the meantime takes the turn`() {
        let stage = stage(others: {
            $0.popup("better") {
                $0.priority = 2000
                $0.triggers = [.manual]
            }
        })
        stage(.enqueue("c"))
        #expect(stage(.enqueue("better")) == ["queued better"])
        #expect(stage.answer("c", .show) == ["requeued c", "willShow better"])
        #expect(stage.answer("better", .show) == ["willDismiss s PREEMPTED"])
    }

    @Test func `grace runs while the visible popup shows, with the reason SLOT_BUSY`() {
        let stage = stage({ $0.timing.minShow = .seconds(3) }, { $0.timing.grace = .seconds(2) })
        #expect(stage(.enqueue("c")) == ["queued c"])
        #expect(stage.reason("c") == .slotBusy)
        #expect(stage.scheduler.explain("c", at: stage.now)?.isSettling == true)
        // Both run at the same time: no five seconds.
        #expect(stage.after(.milliseconds(2999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow c"])
    }

    @Test func `a grace longer than min show is waited for`() {
        let stage = stage({ $0.timing.minShow = .seconds(1) }, { $0.timing.grace = .seconds(2) })
        stage(.enqueue("c"))
        #expect(stage.after(.milliseconds(1999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow c"])
    }

    @Test func `a settling popup that may no longer show waits again silently`() {
        let stage = stage({ _ in }, { $0.timing.grace = .seconds(2) })
        stage(.enqueue("c"))
        #expect(stage(.update(["on": .bool(false)])) == [])
        stage.after(.seconds(1))
        #expect(stage(.update(["on": .bool(true)])) == [])
        #expect(stage.after(.milliseconds(1999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow c"])
    }

    @Test func `the gap applies and the grace continues if the visible popup ends by itself`() {
        let stage = stage({ _ in }, { $0.timing.grace = .seconds(7) })
        stage(.enqueue("c"))
        stage.after(.seconds(1))
        stage(.userClosed("s"))
        stage.didDismiss("s")
        #expect(stage.reason("c") == .inGap)
        // The gap is over at 6, the grace at 7.
        #expect(stage.after(.milliseconds(5999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow c"])
        let short = self.stage({ _ in }, { $0.timing.grace = .seconds(2) })
        short(.enqueue("c"))
        short(.userClosed("s"))
        short.didDismiss("s")
        #expect(short.after(.milliseconds(4999)) == [])
        #expect(short.after(.milliseconds(1)) == ["willShow c"])
    }

    @Test func `a settling popup that is outranked in the gap waits again`() {
        let stage = stage(
            { _ in }, { $0.timing.grace = .seconds(2) },
            others: {
                $0.popup("better") {
                    $0.priority = 2000
                    $0.triggers = [.manual]
                }
            })
        stage(.enqueue("c"))
        stage(.userClosed("s"))
        stage.didDismiss("s")
        #expect(stage(.enqueue("better")) == ["queued better"])
        #expect(stage.after(.seconds(5)) == ["willShow better"])
    }

    @Test func `nothing is dropped while the visible popup shows`() {
        let stage = stage(others: {
            $0.popup("passed", when: "!on") {
                $0.priority = 2000
                $0.untriggered = .discard
                $0.triggers = [.manual]
            }
        })
        stage(.enqueue("passed"))
        stage(.enqueue("c"))
        #expect(stage.answer("c", .show) == ["willDismiss s PREEMPTED"])
        #expect(
            stage.didDismiss("s") == ["requeued s", "discarded passed DISCARDED_UNTRIGGERED"])
        #expect(stage.didPresent("c") == ["shown c"])
    }

    @Test func `a popup already being dismissed ends with that reason and is not queued again`() {
        let stage = stage()
        stage(.enqueue("c"))
        #expect(stage(.dismiss("s")) == ["willDismiss s DISMISSED"])
        #expect(stage.answer("c", .show) == [])
        #expect(stage.didDismiss("s") == ["dismissed s DISMISSED"])
        // The host was asked about it while the other showed: it does not wait for the gap.
        #expect(stage.didPresent("c") == ["shown c"])
    }

    @Test func `a popup dismissed during the switch ends with that reason`() {
        let stage = stage(others: {
            $0.popup("other") {
                $0.priority = 500
                $0.triggers = [.manual]
            }
        })
        stage(.enqueue("c"))
        stage(.enqueue("other"))
        stage.answer("c", .show)
        #expect(stage(.dismiss("s")) == [])
        stage(.remove("c"))
        #expect(stage.didDismiss("s") == ["dismissed s DISMISSED", "willShow other"])
    }

    @Test func `max wait counts while a popup settles and while the other is dismissed`() {
        let settling = stage(
            { _ in },
            {
                $0.timing.grace = .seconds(10)
                $0.timing.maxWait = .seconds(5)
            })
        settling(.enqueue("c"))
        #expect(settling.after(.seconds(5)) == ["discarded c WAITED_TOO_LONG"])
        let leaving = stage({ _ in }, { $0.timing.maxWait = .seconds(5) })
        leaving(.enqueue("c"))
        leaving.answer("c", .show)
        #expect(leaving.after(.seconds(5)) == ["discarded c WAITED_TOO_LONG"])
    }

    @Test func `min show applies to each appearance`() {
        let stage = stage({ $0.timing.minShow = .seconds(3) })
        stage.isManual = false
        stage.after(.seconds(3))
        stage(.enqueue("c"))
        stage(.userClosed("c"))
        stage.after(.seconds(5))
        #expect(stage.showing == "s")
        #expect(stage(.enqueue("c")) == ["queued c"])
        #expect(stage.after(.milliseconds(2999)) == [])
        #expect(stage.after(.milliseconds(1)).last == "shown c")
    }
}
