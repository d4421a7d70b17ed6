import PopCEL
import Testing

@testable import PopScheduler

@Suite struct SessionTests {
    private func stage(_ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        change(&rules)
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    @Test func `nothing is chosen or dropped in the background: BACKGROUND`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.manual]
                $0.untriggered = .discard
            }
        }
        stage(.background)
        #expect(stage(.enqueue("a")) == ["queued a"])
        #expect(stage.reason("a") == .background)
        #expect(stage.after(.seconds(60)) == [])
        #expect(stage(.foreground) == ["willShow a", "shown a"])
    }

    @Test func `visible time stops in the background`() {
        let stage = stage {
            $0.main { $0.gap = .seconds(3)...(.seconds(3)) }
            $0.popup("a") { $0.timing.hideAfter = .seconds(10) }
            $0.popup("b") { $0.timing.delay = .seconds(30)...(.seconds(30)) }
            $0.popup("c") {
                $0.triggers = [.manual]
                $0.timing.grace = .seconds(4)
            }
        }
        stage.after(.seconds(6))
        stage(.background)
        #expect(stage.after(.seconds(3600)) == [])
        stage(.foreground)
        #expect(stage.after(.seconds(3)) == [])
        #expect(stage.after(.seconds(1)) == ["willDismiss a TIMED_OUT", "dismissed a TIMED_OUT"])
        #expect(stage(.enqueue("c")) == ["queued c"])
        stage.after(.seconds(1))
        stage(.background)
        stage.after(.seconds(60))
        stage(.foreground)
        #expect(stage.after(.seconds(1)) == [])
        // Two seconds of the gap are over; one more, and the grace begins.
        #expect(stage.after(.seconds(1)) == [])
        stage(.background)
        stage.after(.seconds(60))
        stage(.foreground)
        #expect(stage.after(.seconds(3)) == [])
        #expect(stage.after(.seconds(1)) == ["willShow c", "shown c"])
        #expect(stage.reason("b") == .delayed)
    }

    @Test func `a popup dismissed in the background ends when min_show is over in the foreground`()
    {
        let stage = stage { $0.popup("a") { $0.timing.minShow = .seconds(2) } }
        stage.after(.seconds(1))
        stage(.background)
        #expect(stage(.dismiss("a")) == [])
        #expect(stage.after(.seconds(9)) == [])
        stage(.foreground)
        #expect(stage.after(.seconds(1)) == ["willDismiss a DISMISSED", "dismissed a DISMISSED"])
    }

    @Test func `max_wait continues in the background`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.manual]
                $0.timing.maxWait = .seconds(5)
            }
        }
        stage(.background)
        stage(.enqueue("a"))
        #expect(stage.after(.seconds(6)) == ["discarded a WAITED_TOO_LONG"])
    }

    @Test
    func `a session starts with the app, by a call, and after the timeout in the background`() {
        let stage = stage {
            $0.sessionTimeout(.seconds(60))
            $0.popup("a") { $0.triggers = [.session] }
        }
        #expect(stage.showing == "a")
        stage(.userClosed("a"))
        #expect(stage(.beginSession).first == "queued a")
        stage(.userClosed("a"))
        stage(.background)
        stage.after(.seconds(59))
        #expect(stage(.foreground) == [])
        stage(.background)
        stage.after(.seconds(60))
        #expect(stage(.foreground).first == "queued a")
        #expect(stage.scheduler.history.sessions.count == 3)
    }

    @Test func `without a timeout returning starts no session`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.session] } }
        stage(.userClosed("a"))
        stage(.background)
        stage.after(.seconds(86_400))
        #expect(stage(.foreground) == [])
    }

    @Test func `after a reload the visible popup still sees sessions`() {
        var history = History()
        history.apply(.session(date: Stage.start.date))
        var rules = Rules()
        rules.popup("a", dismissWhen: "now < session.previous_end")
        let stage = Stage(rules, history: history)
        stage(.started)
        #expect(stage(.reload(rules.built())) == [])
        #expect(stage(.poke) == [])
    }

    @Test func `a session renews the caps of all users`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.manual]
                $0.caps.perSession = 1
            }
            $0.limit(LimitRule(WindowCap(max: 2, per: .session)))
        }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        let ada = stage.scheduler.history
        stage(.switchUser("bob", History()))
        stage(.beginSession)
        stage(.switchUser("ada", ada))
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `a popup that waited for the session cap shows when a session starts`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.manual]
                $0.caps.perSession = 1
            }
        }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .sessionCap)
        #expect(stage(.beginSession) == ["willShow a", "shown a"])
    }

    @Test func `an impression that fails after its session does not count in the next session`() {
        let stage = stage {
            $0.popup("a") { $0.triggers = [.manual] }
            $0.popup("b") {
                $0.triggers = [.manual]
                $0.scheduler = 1
            }
            $0.scheduler("toast")
            $0.limit(LimitRule(WindowCap(max: 1, per: .session)))
        }
        stage.isManual = true
        stage(.enqueue("a"))
        stage.answer("a", .show)
        stage.after(.seconds(11))
        stage(.beginSession)
        stage(.enqueue("b"))
        stage.answer("b", .show)
        stage.didPresent("b")
        #expect(stage.fail("a") == ["failed a"])
        stage(.userClosed("b"))
        stage.didDismiss("b")
        stage(.enqueue("b"))
        #expect(stage.reason("b") == .globalCap)
    }

    @Test func `only switchUser and reload fire start`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.session] } }
        stage(.userClosed("a"))
        #expect(stage(.switchUser("bob", History())) == [])
        var rules = Rules()
        rules.popup("a") { $0.triggers = [.session] }
        rules.popup("b") { $0.triggers = [.session] }
        #expect(stage(.reload(rules.built())) == [])
    }

    @Test func `a popup with both start and session is created once`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.start, .session] } }
        #expect(stage.showing == "a")
        #expect(!stage.take().contains("coalesced a"))
    }

    @Test func `conditions read the number of sessions, and when the last session ended`() {
        let stage = stage {
            $0.popup("third", when: "session.count == 3") { $0.triggers = [.session] }
            $0.popup("away", when: "now - session.previous_end > duration('1h')") {
                $0.triggers = [.session]
                $0.scheduler = 1
            }
            $0.scheduler("toast")
        }
        #expect(stage.reason("third") == .conditionFalse)
        #expect(stage.reason("away") == .conditionError)
        stage(.background)
        stage.after(.seconds(3601))
        stage(.foreground)
        #expect(stage(.beginSession).contains("shown away"))
        #expect(stage(.beginSession).contains("shown third"))
    }

    @Test func `a session is counted for each active user`() {
        let stage = stage { $0.popup("a", when: "session.count == 2") { $0.triggers = [.start] } }
        stage(.beginSession)
        #expect(stage.showing == "a")
        stage(.switchUser("bob", History()))
        #expect(stage.scheduler.history.sessions.count == 1)
        #expect(stage.reason("a") == .conditionFalse)
    }

    @Test func `old absences are forgotten, but not the ones that matter`() {
        var absences = Absences()
        for second in 0..<5_000 {
            absences.begin(at: Stage.start.advanced(by: .seconds(2 * second)))
            absences.end(at: .seconds(2 * second + 1))
        }
        #expect(absences.time(from: .seconds(9_900), to: .seconds(10_000)) == .seconds(50))
    }
}
