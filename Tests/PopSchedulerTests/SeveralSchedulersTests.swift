import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "The scheduling pass", point 6, and who may suspend what: several schedulers in one
/// rule set.
struct SeveralSchedulersTests {
    /// `low` on the first scheduler and `high` on the second share a cap of one.
    private func stage(
        _ low: (inout PopupRule) -> Void = { _ in }, _ high: (inout PopupRule) -> Void = { _ in },
        others: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        rules.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(3600))))
        rules.scheduler("toast") { $0.strategy = .fifo }
        rules.popup("low") {
            $0.group = 0
            low(&$0)
        }
        rules.popup("high") {
            $0.group = 0
            $0.scheduler = 1
            $0.priority = 1000
            high(&$0)
        }
        others(&rules)
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    @Test func `a shared cap is used by the popup with the highest priority, under fifo too`() {
        #expect(stage().scheduler.showing == ["toast": "high"])
    }

    @Test func `among equals the scheduler declared first has priority`() {
        #expect(stage({ $0.priority = 1000 }).scheduler.showing == ["main": "low"])
    }

    @Test func `a settling popup reserves no place and may find the cap used up`() {
        let stage = stage({ _ in }, { $0.timing.grace = .seconds(1) })
        #expect(stage.scheduler.showing == ["main": "low"])
        #expect(stage.after(.seconds(1)) == [])
        #expect(stage.reason("high") == .groupCap)
    }

    @Test func `a settled task is chosen by its priority too`() {
        let stage = stage(
            { $0.timing.delay = .seconds(1) ... .seconds(1) }, { $0.timing.grace = .seconds(1) })
        #expect(stage.after(.seconds(1)) == ["willShow high", "shown high"])
    }

    @Test func `a switch is decided by the priority too`() {
        let stage = stage(
            { $0.triggers = [.changed(key: 0)] },
            {
                $0.scheduler = 0
                $0.triggers = [.changed(key: 0)]
            },
            others: {
                $0.popup("side") {
                    $0.switch = .discard
                    $0.priority = 10
                }
                $0.popup("toast") {
                    $0.group = 0
                    $0.scheduler = 1
                    $0.priority = 500
                    $0.triggers = [.changed(key: 0)]
                }
            })
        #expect(stage.showing == "side")
        stage(.update(["on": .bool(false)]))
        #expect(stage.scheduler.showing == ["main": "high"])
        #expect(stage.reason("toast") == .groupCap)
    }

    @Test func `a scheduler without a choice drops tasks after the others have chosen`() {
        let stage = stage({
            $0.untriggered = .discard
            $0.timing.schedule = [Schedule(until: .moment(date("2030-01-01T00:00:00Z")))]
        })
        let log = stage.effects.compactMap { effect -> String? in
            if case .emit(let event) = effect { describe(event) } else { nil }
        }
        #expect(
            log == [
                "queued low", "queued high", "willShow high", "shown high",
                "discarded low DISCARDED_UNTRIGGERED",
            ])
    }

    // MARK: P12

    @Test func `P12: an owner lifts only its own suspension`() {
        let stage = stage()
        stage(.suspend(by: "checkout"))
        stage(.suspend(by: "video"))
        stage(.userClosed("high"))
        stage(.resume(by: "checkout"))
        stage(.resume())
        #expect(stage.scheduler.suspended == ["main", "toast"])
        #expect(stage.scheduler.suspensions == [Suspension(by: "video")])
        stage(.resume(by: "video"))
        #expect(stage.scheduler.suspended == [])
    }

    @Test func `P12: resuming all does not lift the suspension of one scheduler`() {
        let stage = stage()
        stage(.suspend(scheduler: "toast"))
        stage(.suspend())
        stage(.resume())
        #expect(stage.scheduler.suspended == ["toast"])
        stage(.resume(by: "checkout", scheduler: "toast"))
        #expect(stage.scheduler.suspended == ["toast"])
        stage(.resume(scheduler: "toast"))
        #expect(stage.scheduler.suspended == [])
    }

    @Test func `a suspension of all applies to schedulers that a reload adds`() {
        let stage = stage()
        stage(.suspend(by: "checkout"))
        stage(.suspend(by: "video", scheduler: "toast"))
        var rules = Rules()
        rules.scheduler("banner")
        stage(.reload(rules.built()))
        #expect(stage.scheduler.suspended.contains("banner"))
        // A suspension of a scheduler that was removed can still be lifted.
        stage.isManual = true
        #expect(stage(.resume(by: "video", scheduler: "toast")) == [])
        #expect(stage.scheduler.suspensions == [Suspension(by: "checkout")])
    }
}
