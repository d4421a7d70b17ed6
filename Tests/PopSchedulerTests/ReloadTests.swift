import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Calls", the row of `reload`.
struct ReloadTests {
    private func rules(_ change: (inout Rules) -> Void) -> Rules {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        change(&rules)
        return rules
    }

    @Test func `tasks keep their position and take the new definition`() {
        let stage = Stage(
            rules {
                $0.popup("shows")
                $0.popup("a", when: "on")
                $0.popup("b", when: "on")
            })
        stage(.started)
        let log = stage(
            .reload(
                rules {
                    $0.popup("b")
                    $0.popup("a")
                    $0.popup("shows")
                }.built()))
        #expect(log == [])
        #expect(stage.waiting == ["a", "b"])
        #expect(stage(.userClosed("shows")).contains("shown a"))
    }

    @Test func `the visible popup keeps its old definition until it ends`() {
        let stage = Stage(
            rules {
                $0.key("old", .bool, default: .bool(false))
                $0.popup("a", dismissWhen: "on && !old") { $0.timing.hideAfter = .seconds(10) }
            })
        stage(.started)
        stage(.reload(rules { $0.popup("other") { $0.triggers = [.manual] } }.built()))
        #expect(stage.showing == "a")
        #expect(stage(.update(["on": .bool(true)])).last == "dismissed a DISMISS_CONDITION")
    }

    @Test func `hide after of the old definition continues after a reload`() {
        let stage = Stage(rules { $0.popup("a") { $0.timing.hideAfter = .seconds(10) } })
        stage(.started)
        stage(.reload(rules { $0.popup("a") }.built()))
        #expect(stage.after(.seconds(10)).last == "dismissed a TIMED_OUT")
    }

    @Test func `tasks of removed popups are dropped: REMOVED_BY_RELOAD`() {
        let stage = Stage(
            rules {
                $0.popup("shows")
                $0.popup("a")
            })
        stage(.started)
        #expect(
            stage(.reload(rules { $0.popup("shows") }.built())) == ["discarded a REMOVED_BY_RELOAD"]
        )
    }

    @Test func `new popups of the set fire start`() {
        let stage = Stage(rules { $0.popup("a") })
        stage(.started)
        stage(.userClosed("a"))
        let log = stage(
            .reload(
                rules {
                    $0.popup("a")
                    $0.popup("b")
                    $0.popup("c") { $0.triggers = [.manual] }
                }.built()))
        #expect(log == ["queued b", "willShow b", "shown b"])
    }

    @Test func `a waiting popup that the new set disables is dropped`() {
        let stage = Stage(
            rules {
                $0.popup("shows")
                $0.popup("a")
            })
        stage(.started)
        let log = stage(
            .reload(
                rules {
                    $0.popup("shows")
                    $0.popup("a") { $0.isEnabled = false }
                }.built()))
        #expect(log == ["discarded a DISABLED"])
    }

    @Test func `the context, suspension and gaps stay`() {
        let first = rules {
            $0.main { $0.gap = .seconds(5) ... .seconds(5) }
            $0.popup("a")
        }
        let stage = Stage(first)
        stage(.started)
        stage(.update(["on": .bool(true)]))
        stage(.userClosed("a"))
        let second = rules {
            $0.main { $0.gap = .seconds(5) ... .seconds(5) }
            $0.popup("a")
            $0.popup("b", when: "on")
        }
        stage(.reload(second.built()))
        #expect(stage.reason("b") == .inGap)
        #expect(stage.after(.seconds(5)) == ["willShow b", "shown b"])
    }

    @Test func `a popup stays on the screen of a removed scheduler`() {
        let stage = Stage(
            rules {
                $0.scheduler("toast")
                $0.popup("a") { $0.scheduler = 1 }
            })
        stage(.started)
        stage(.reload(rules { $0.popup("a") }.built()))
        #expect(stage.scheduler.showing == ["toast": "a"])
        #expect(stage(.enqueue("a")) == ["coalesced a"])
        #expect(stage(.userClosed("a")).last == "dismissed a USER_CLOSED")
    }

    @Test func `calls about a popup that a reload removed work while it is being dismissed`() {
        let stage = Stage(rules { $0.popup("a") })
        stage(.started)
        stage.isManual = true
        stage(.switchUser("bob", History()))
        stage(.reload(rules { _ in }.built()))
        #expect(stage.showing == "a")
        for call in [Event.userClosed("a"), .dismiss("a"), .remove("a")] {
            #expect(stage(call) == [])
        }
        #expect(stage(.didDisappear("a")) == ["dismissed a USER_SWITCHED"])
        #expect(stage(.userClosed("a")) == ["rejected unknownPopup(\"a\")"])
    }

    @Test func `the value of a new key applies from the start and changes nothing`() {
        let stage = Stage(rules { _ in })
        stage(.started)
        let next = rules {
            $0.key("x", .int, default: .int(0))
            $0.key("y", .int, default: .int(0), maximum: .int(5))
            $0.popup("a") { $0.triggers = [.changed(key: 1), .changed(key: 2)] }
            $0.popup("b", when: "x == 7 && y == 0")
        }
        let log = stage(.reload(next.built(), context: ["x": .int(7), "y": .int(6)]))
        #expect(log.first?.hasPrefix("rejected badValue(key: \"y\"") == true)
        #expect(log.dropFirst() == ["queued b", "willShow b", "shown b"])
        #expect(stage(.update(["x": .int(8)])) == ["queued a"])
    }

    @Test func `a value that the new declarations do not allow is dropped and reported`() {
        let stage = Stage(rules { $0.key("x", .int, default: .int(0)) })
        stage(.started)
        stage(.update(["x": .int(7)]))
        let next = rules {
            $0.key("x", .int, default: .int(0), maximum: .int(5))
            $0.popup("a", when: "x == 0")
        }
        let log = stage(.reload(next.built()))
        #expect(log.first?.hasPrefix("rejected badValue") == true)
        #expect(stage.showing == "a")
    }
}
