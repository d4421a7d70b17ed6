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

    @Test func `dismiss when dismisses the visible popup: DISMISS_CONDITION`() {
        let stage = stage { $0.popup("a", dismissWhen: "!on") }
        #expect(stage.showing == "a")
        #expect(stage(.update(["on": .bool(false)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a popup whose dismiss condition is true waits: DISMISS_CONDITION`() {
        let stage = stage { $0.popup("a", dismissWhen: "on") }
        #expect(stage.reason("a") == .dismissCondition)
        #expect(stage.scheduler.explain("a", at: stage.now)?.role == .dismissWhen)
        #expect(stage(.update(["on": .bool(false)])) == ["willShow a", "shown a"])
        #expect(stage(.update(["on": .bool(true)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `the dismiss condition is the last test`() {
        let stage = stage { $0.popup("a", when: "!on", dismissWhen: "on") }
        #expect(stage.reason("a") == .conditionFalse)
    }

    @Test func `a popup that is passed over for its dismiss condition is dropped like others`() {
        let stage = stage { $0.popup("a", dismissWhen: "on") { $0.untriggered = .discard } }
        let last = stage.scheduler.explain("a", at: stage.now)?.lastEnding
        #expect(last == .discardedUntriggered)
    }

    @Test func `a dismiss condition that becomes true while the host is asked requeues the popup`()
    {
        let stage = stage(isManual: true) { $0.popup("a", dismissWhen: "!on") }
        stage(.update(["on": .bool(false)]))
        #expect(stage.answer("a", .show) == ["requeued a"])
        #expect(stage.reason("a") == .dismissCondition)
    }

    @Test func `the popup's own impression does not count as a change of its dismiss condition`() {
        let stage = stage { $0.popup("a", dismissWhen: "popups.a.shown_count > 0") }
        #expect(stage.showing == "a")
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .dismissCondition)
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
            $0.popup("a", dismissWhen: "!on") { $0.timing.minShow = .seconds(2) }
        }
        #expect(stage(.update(["on": .bool(false)])) == [])
        #expect(stage.after(.milliseconds(1999)) == [])
        #expect(stage.after(.milliseconds(1)).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `an error of a dismiss condition blocks no popup and is reported once`() {
        let stage = stage {
            $0.key("n", .int)
            $0.popup("a", dismissWhen: "n > 0") { $0.triggers = [.manual] }
        }
        stage(.update(["n": .int(1)]))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .dismissCondition)
        #expect(
            stage(.update([:], unset: ["n"]))
                == ["conditionError a dismiss_when", "willShow a", "shown a"])
        #expect(stage(.update(["n": .int(1)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a popup that is to return waits while its dismiss condition is true`() {
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
        #expect(stage.reason("a") == .dismissCondition)
        #expect(stage(.update(["on": .bool(true)])) == ["willShow a", "shown a"])
        #expect(stage(.update(["on": .bool(false)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a reload does not count as a change of a dismiss condition`() {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        rules.popup("a", dismissWhen: "!on || popups.a.shown_count > 0")
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.showing == "a")
        #expect(stage(.reload(rules.built())) == [])
        #expect(stage(.update(["on": .bool(false)])) == [])
    }

    @Test func `a popup is dismissed at the time when its schedule closes`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "!schedule.open") {
                $0.timing.schedule = [
                    Schedule(until: .moment(date("2026-11-20T09:00:10Z"))),
                    Schedule(until: .moment(date("2026-11-20T09:00:30Z"))),
                ]
            }
            $0.popup("b", dismissWhen: "!schedule.open") { $0.priority = 50 }
        }
        #expect(stage.showing == "a")
        #expect(stage.scheduler.nextWake == stage.now.instant + .seconds(10))
        #expect(stage.after(.seconds(29)) == [])
        #expect(stage.after(.seconds(1)).contains("dismissed a DISMISS_CONDITION"))
        #expect(stage.showing == "b")
        #expect(stage.scheduler.nextWake == nil)
    }

    @Test func `a popup is dismissed when the condition of its schedule is no longer true`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "!schedule.open") { $0.timing.schedule = [Schedule()] }
            $0.schedule(0, when: "on")
        }
        #expect(stage.showing == "a")
        #expect(stage(.update(["on": .bool(false)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `a popup follows its original schedule, even after a reload`() {
        var rules = Rules()
        rules.key("zone", .string)
        rules.popup("a", dismissWhen: "!schedule.open") {
            let morning = Schedule.Hours(from: 9 * 60, until: 10 * 60)
            $0.timing.schedule = [Schedule(hours: morning, zone: .key(0))]
        }
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.showing == "a")
        var others = Rules()
        others.key("other", .string)
        others.key("zone", .string)
        others.popup("a") { $0.timing.schedule = [Schedule(days: [.sunday])] }
        stage(.reload(others.built()))
        #expect(stage.showing == "a")
        stage(.update(["zone": .string("Europe/Berlin")]))
        #expect(stage.showing == nil)
    }

    @Test func `a popup is dismissed when a change of the time zone closes its schedule`() {
        let stage = stage {
            $0.popup("a", dismissWhen: "!schedule.open") {
                let morning = Schedule.Hours(from: 9 * 60, until: 10 * 60)
                $0.timing.schedule = [Schedule(hours: morning, zone: .local)]
            }
        }
        #expect(stage.showing == "a")
        #expect(stage(.zoneChanged("Asia/Tokyo")).last == "dismissed a DISMISS_CONDITION")
    }
}
