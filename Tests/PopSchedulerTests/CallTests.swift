import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Calls".
struct CallTests {
    private func stage(_ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        change(&rules)
        return Stage(rules)
    }

    @Test func `enqueue is the manual trigger`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.manual] } }
        #expect(stage(.enqueue("a")).contains("shown a"))
        #expect(stage(.enqueue("b")) == [#"rejected unknownPopup("b")"#])
    }

    @Test func `send creates a task for every popup whose trigger matches`() {
        let stage = stage {
            $0.event("paid")
            $0.popup("a", on: "paid")
            $0.popup("b", on: "paid")
            $0.popup("c") { $0.triggers = [.manual] }
        }
        stage(.send("paid"))
        #expect(stage.showing == "a")
        #expect(stage.waiting == ["b"])
        #expect(stage.scheduler.history.events["paid"]?.count == 1)
    }

    @Test func `an unknown event and a payload of the wrong type are reported`() {
        let stage = stage { $0.event("paid", [("total", .double)]) }
        #expect(stage(.send("pad")) == [#"rejected unknownEvent("pad")"#])
        #expect(stage(.send("paid", payload: ["total": .string("x")])).count == 1)
        #expect(stage.scheduler.history.events.isEmpty)
    }

    @Test func `the keys of one update change together`() {
        let stage = stage {
            $0.key("x", .int, default: .int(0))
            $0.key("y", .int, default: .int(0))
            $0.popup("a", when: "x != y")
        }
        stage(.started)
        #expect(stage(.update(["x": .int(1), "y": .int(1)])) == [])
        #expect(stage.showing == nil)
    }

    @Test func `an update with a wrong value changes nothing and is reported`() {
        let stage = stage {
            $0.key(
                "plan", .string, default: .string("free"),
                allowed: [.string("free"), .string("pro")])
            $0.key("age", .int, default: .int(1), minimum: .int(0), maximum: .int(9))
            $0.popup("a", when: "plan == 'pro' || age > 1")
        }
        stage(.started)
        for wrong: [String: Value] in [
            ["plan": .string("pro"), "age": .string("x")],
            ["age": .int(10), "plan": .string("pro")],
            ["plan": .string("team")], ["plan": .string("pro"), "height": .int(1)],
        ] {
            #expect(stage(.update(wrong)).count == 1)
            #expect(stage.showing == nil)
        }
        #expect(stage(.update(["plan": .string("pro"), "age": .int(0)])).contains("shown a"))
    }

    @Test func `dismiss ends a waiting task: DISMISSED_BEFORE_SHOWN`() {
        let stage = stage {
            $0.popup("first")
            $0.popup("a")
        }
        stage(.started)
        #expect(stage(.dismiss("a")) == ["discarded a DISMISSED_BEFORE_SHOWN"])
        #expect(stage(.dismiss("a")) == [])
    }

    @Test func `dismiss asks the host to dismiss the visible popup`() {
        let stage = stage { $0.popup("a") }
        stage(.started)
        #expect(stage(.dismiss("a")) == ["willDismiss a DISMISSED", "dismissed a DISMISSED"])
    }

    @Test func `remove ends the task immediately and then removes it from the screen`() {
        let stage = stage {
            $0.popup("a") { $0.timing.minShow = .seconds(60) }
            $0.popup("b")
            $0.popup("c")
        }
        stage(.started)
        #expect(stage(.remove("b")) == ["discarded b REMOVED"])
        #expect(
            stage(.remove("a")) == [
                "willDismiss a REMOVED", "dismissed a REMOVED", "willShow c", "shown c",
            ])
    }

    @Test func `removeAll empties the queues and dismisses the visible popup`() {
        let stage = stage {
            $0.popup("a")
            $0.popup("b")
        }
        stage(.started)
        #expect(
            stage(.removeAll) == [
                "discarded b REMOVED", "willDismiss a DISMISSED", "dismissed a DISMISSED",
            ])
        #expect(stage.scheduler.isEmpty)
    }

    @Test func `the visible popup stays when the scheduler is suspended, and its timers run`() {
        let stage = stage {
            $0.popup("a") { $0.timing.hideAfter = .seconds(5) }
            $0.popup("b")
        }
        stage(.started)
        stage(.suspend())
        #expect(stage.showing == "a")
        #expect(stage.after(.seconds(5)).last == "dismissed a TIMED_OUT")
        #expect(stage.reason("b") == .suspended)
        #expect(stage(.resume()) == ["willShow b", "shown b"])
    }

    @Test func `suspending an unknown scheduler is reported`() {
        #expect(stage { _ in }(.suspend(scheduler: "x")) == [#"rejected unknownScheduler("x")"#])
    }

    @Test func `switchUser ends all tasks, loads the other history and fires start again`() {
        let stage = stage {
            $0.popup("a") { $0.caps.lifetime = 1 }
            $0.popup("b")
        }
        stage(.started)
        var history = History()
        history.apply(.impression(popup: "b", date: date("2026-11-01T00:00:00Z")))
        let log = stage(.switchUser("bob", history))
        #expect(
            log == [
                "discarded b USER_SWITCHED", "willDismiss a USER_SWITCHED", "queued a",
                "queued b", "dismissed a USER_SWITCHED", "willShow a", "shown a",
            ])
        #expect(stage.scheduler.history.popups["a"]?.shownCount == 1)
        #expect(stage.scheduler.history.popups["a"]?.dismissals == 0)
        #expect(stage.scheduler.history.popups["b"]?.shownCount == 1)
    }

    @Test func `the end of the former user's popup is recorded in that user's history`() {
        let stage = stage { $0.popup("a") }
        stage(.started)
        stage(.switchUser("bob", History()))
        let users = stage.effects.compactMap { effect -> String? in
            if case .record(.dismissal, let user) = effect { user } else { nil }
        }
        #expect(users == ["ada"])
    }

    @Test func `session caps of a user apply when the user returns`() {
        let stage = stage { $0.popup("a") { $0.caps.perSession = 1 } }
        stage(.started)
        let ada = stage.scheduler.history
        stage(.switchUser("bob", History()))
        #expect(stage.showing == "a")
        stage(.switchUser("ada", ada))
        #expect(stage.reason("a") == .sessionCap)
    }

    @Test func `showing, waiting and isEmpty return the state`() {
        let stage = stage {
            $0.popup("a")
            $0.popup("b")
        }
        #expect(stage.scheduler.isEmpty)
        stage(.started)
        #expect(stage.scheduler.showing == ["main": "a"])
        #expect(stage.scheduler.waiting == ["main": ["b"]])
        #expect(!stage.scheduler.isEmpty)
    }
}
