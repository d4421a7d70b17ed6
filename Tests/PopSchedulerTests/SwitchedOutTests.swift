import PopCEL
import PopScheduler
import Testing

/// Endings of a task that was shown, was switched out and waits to come back.
struct `A preempted popup` {
    /// `a` has been shown and waits, `urgent` is on the screen.
    private func stage(
        _ change: (inout PopupRule) -> Void = { _ in },
        others: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        let stage = Stage(rules(change, others: others))
        stage(.started)
        stage(.enqueue("urgent"))
        #expect(stage.showing == "urgent")
        #expect(stage.waiting.contains("a"))
        return stage
    }

    private func rules(
        _ change: (inout PopupRule) -> Void = { _ in },
        others: (inout Rules) -> Void = { _ in }
    ) -> Rules {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        rules.popup("a", when: "on") {
            $0.switch = .latent
            change(&$0)
        }
        rules.popup("urgent") {
            $0.priority = 1000
            $0.triggers = [.manual]
        }
        others(&rules)
        return rules
    }

    @Test func `that is dismissed while it waits is DISMISSED, and recorded in the history`() {
        let stage = stage()
        #expect(stage(.dismiss("a")) == ["dismissed a DISMISSED"])
        #expect(stage.scheduler.history.popups["a"]?.dismissals == 1)
        #expect(stage.scheduler.history.popups["a"]?.lastReason == .dismissed)
        #expect(stage.scheduler.explain("a", at: stage.now)?.lastEnding == .dismissed)
    }

    @Test func `that is removed while it waits is REMOVED`() {
        #expect(stage()(.remove("a")) == ["dismissed a REMOVED"])
    }

    @Test func `that is removed with everything is REMOVED`() {
        #expect(stage()(.removeAll).first == "dismissed a REMOVED")
    }

    @Test func `ends with another user, and its end is recorded for the user who saw it`() {
        let stage = stage()
        #expect(stage(.switchUser("bob", History())).first == "dismissed a USER_SWITCHED")
        let users = stage.effects.compactMap { effect in
            if case .record(.dismissal(popup: "a", _, _), let user) = effect { user } else { nil }
        }
        #expect(users == ["ada"])
        #expect(stage.scheduler.history.popups["a"]?.dismissals == 0)
    }

    @Test func `ends with a reload that removes it: REMOVED_BY_RELOAD`() {
        let stage = stage()
        #expect(stage(.reload(RuleSet())).first == "dismissed a REMOVED_BY_RELOAD")
    }

    @Test func `ends with a reload that disables it: DISABLED`() {
        let stage = stage()
        let off = rules { $0.isEnabled = false }
        #expect(stage(.reload(off.built())) == ["dismissed a DISABLED"])
        #expect(stage.scheduler.history.popups["a"]?.lastReason == .disabled)
    }

    @Test func `ends with its schedule: EXPIRED`() {
        let stage = stage {
            $0.timing.schedule = [Schedule(until: .moment(date("2026-11-20T09:01:00Z")))]
        }
        #expect(stage.after(.seconds(60)) == ["dismissed a EXPIRED"])
    }

    @Test func `is neither counted nor dropped by max waiting`() {
        var rules = rules {
            $0.priority = 1
        } others: {
            $0.popup("b") { $0.triggers = [.manual] }
            $0.popup("c") { $0.triggers = [.manual] }
        }
        rules.main { $0.maxWaiting = 1 }
        let stage = Stage(rules)
        stage(.started)
        stage(.enqueue("urgent"))
        #expect(stage(.enqueue("b")) == ["queued b"])
        #expect(stage(.enqueue("c")) == ["queued c", "discarded c QUEUE_FULL"])
        #expect(stage.waiting == ["b", "a"])
    }

    @Test func `that is passed over for a false condition is DISCARDED_UNTRIGGERED`() {
        let stage = stage { $0.untriggered = .discard }
        stage(.update(["on": .bool(false)]))
        #expect(stage(.userClosed("urgent")).last == "dismissed a DISCARDED_UNTRIGGERED")
    }

    @Test func `may still be refused by the host when asked again`() {
        let stage = stage()
        stage.answers["a"] = .cancel
        #expect(stage(.userClosed("urgent")).last == "cancelled a")
        #expect(stage.scheduler.history.popups["a"]?.dismissals == 0)
    }

    @Test func `that ends causes no gap, because nothing was on the screen`() {
        var rules = rules()
        rules.main { $0.gap = .seconds(5)...(.seconds(5)) }
        let stage = Stage(rules)
        stage(.started)
        stage(.enqueue("urgent"))
        stage.after(.seconds(5))
        stage(.userClosed("urgent"))
        stage.after(.seconds(4))
        stage(.dismiss("a"))
        stage(.enqueue("urgent"))
        #expect(stage.after(.seconds(1)) == ["willShow urgent", "shown urgent"])
    }

    @Test func `lets its successor show as soon as it is dropped, in the successor's own position`()
    {
        let stage = stage {
            $0.untriggered = .discard
        } others: {
            $0.popup("next") {
                $0.priority = 500
                $0.after = [Predecessor(0)]
            }
            $0.popup("last") { $0.priority = 1 }
        }
        stage(.update(["on": .bool(false)]))
        let events = stage(.userClosed("urgent"))
        #expect(
            events.suffix(3)
                == ["dismissed a DISCARDED_UNTRIGGERED", "willShow next", "shown next"])
    }

    @Test func `makes its successor wait until it has returned and ended`() {
        var rules = rules(others: {
            $0.popup("next") {
                $0.scheduler = 1
                $0.after = [Predecessor(0)]
            }
        })
        rules.scheduler("side")
        let stage = Stage(rules)
        stage(.started)
        stage(.enqueue("urgent"))
        #expect(stage.reason("next") == .awaitingPredecessor)
        #expect(stage.scheduler.explain("next", at: stage.now)?.awaited == ["a"])
        stage(.userClosed("urgent"))
        #expect(stage.showing == "a")
        #expect(stage.reason("next") == .awaitingPredecessor)
        #expect(stage(.userClosed("a")).last == "shown next")
    }

    @Test func `lets its successor show if the host refuses it`() {
        var rules = rules(others: {
            $0.popup("next") {
                $0.scheduler = 1
                $0.after = [Predecessor(0)]
            }
        })
        rules.scheduler("side")
        let stage = Stage(rules)
        stage(.started)
        stage(.enqueue("urgent"))
        stage.answers["a"] = .cancel
        let events = stage(.userClosed("urgent"))
        #expect(events.suffix(3) == ["cancelled a", "willShow next", "shown next"])
    }

    @Test func `that is dropped makes the scheduler check conditions that depend on it again`() {
        let stage = stage {
            $0.untriggered = .discard
        } others: {
            $0.popup("hanging", when: "!has(popups.a.last_reason)") {
                $0.timing.grace = .seconds(5)
                $0.priority = 50
            }
        }
        stage.answers["a"] = .postpone(.seconds(2))
        stage(.userClosed("urgent"))
        stage(.update(["on": .bool(false)]))
        #expect(stage.scheduler.explain("hanging", at: stage.now)?.state == .chosen)
        #expect(stage.after(.seconds(2)) == ["dismissed a DISCARDED_UNTRIGGERED"])
        #expect(stage.after(.seconds(5)) == [])
        #expect(stage.showing == nil)
        #expect(stage.reason("hanging") == .conditionFalse)
    }
}
