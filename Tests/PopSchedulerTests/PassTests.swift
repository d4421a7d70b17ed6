import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "The scheduling pass".
struct PassTests {
    private func stage(_ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        change(&rules)
        return Stage(rules)
    }

    @Test func `the first eligible task in order is chosen`() {
        let stage = stage {
            $0.popup("blocked", when: "on") { $0.priority = 1000 }
            $0.popup("chosen")
            $0.popup("behind")
        }
        stage(.started)
        #expect(stage.showing == "chosen")
        #expect(stage.waiting == ["blocked", "behind"])
    }

    @Test func `a task passed over with untriggered discard is dropped: DISCARDED_UNTRIGGERED`() {
        let stage = stage {
            $0.popup("dropped", when: "on") {
                $0.untriggered = .discard
                $0.priority = 1000
            }
            $0.popup("kept", when: "on") { $0.priority = 1000 }
            $0.popup("chosen")
        }
        let log = stage(.started)
        #expect(log.contains("discarded dropped DISCARDED_UNTRIGGERED"))
        #expect(stage.waiting == ["kept"])
        #expect(stage.showing == "chosen")
    }

    @Test func `tasks after the chosen task are not touched`() {
        let stage = stage {
            $0.popup("chosen")
            $0.popup("behind", when: "on") { $0.untriggered = .discard }
        }
        stage(.started)
        #expect(stage.waiting == ["behind"])
        #expect(stage(.userClosed("chosen")).contains("discarded behind DISCARDED_UNTRIGGERED"))
    }

    @Test
    func `a task that is only suspended, postponed, delayed or before its start is never dropped`()
    {
        let stage = stage {
            $0.popup("delayed", when: "on") {
                $0.untriggered = .discard
                $0.timing.delay = .seconds(5) ... .seconds(5)
                $0.priority = 1000
            }
            $0.popup("postponed") {
                $0.untriggered = .discard
                $0.priority = 500
            }
            $0.popup("early") {
                $0.untriggered = .discard
                $0.priority = 400
                $0.timing.schedule = [Schedule(from: .moment(date("2026-12-01T00:00:00Z")))]
            }
            $0.popup("chosen")
        }
        stage.answers["postponed"] = .postpone(.seconds(60))
        stage(.started)
        #expect(stage.showing == "chosen")
        #expect(stage.waiting == ["delayed", "postponed", "early"])
        stage(.suspend())
        stage(.userClosed("chosen"))
        #expect(stage.waiting == ["delayed", "postponed", "early"])
        #expect(stage.after(.seconds(6)) == [])
        #expect(stage(.resume()) == ["discarded delayed DISCARDED_UNTRIGGERED"])
    }

    private func switching(
        _ change: PopupRule.Switch, priority: Int = 1000,
        tieBreak: SchedulerRule.TieBreak = .fifo,
        strategy: SchedulerRule.Strategy = .priority
    ) -> Stage {
        let stage = stage {
            $0.main {
                $0.tieBreak = tieBreak
                $0.strategy = strategy
            }
            $0.popup("shows") { $0.switch = change }
            $0.popup("comes") {
                $0.priority = priority
                $0.triggers = [.manual]
            }
        }
        stage(.started)
        return stage
    }

    @Test func `switch await makes the better popup wait`() {
        let stage = switching(.await)
        #expect(stage(.enqueue("comes")) == ["queued comes"])
        #expect(stage.reason("comes") == .slotBusy)
    }

    @Test func `switch discard dismisses the visible popup permanently: PREEMPTED`() {
        #expect(
            switching(.discard)(.enqueue("comes")) == [
                "queued comes", "willShow comes", "willDismiss shows PREEMPTED",
                "dismissed shows PREEMPTED", "shown comes",
            ])
    }

    @Test func `switch latent queues the visible popup again if the other has higher priority`() {
        let stage = switching(.latent)
        #expect(
            stage(.enqueue("comes")) == [
                "queued comes", "willShow comes", "willDismiss shows PREEMPTED", "requeued shows",
                "shown comes",
            ])
        #expect(stage(.userClosed("comes")).suffix(2) == ["willShow shows", "shown shows"])
    }

    @Test func `switch latent ends the visible popup if the other is only newer`() {
        let stage = switching(.latent, priority: 100, tieBreak: .lifo)
        let log = stage(.enqueue("comes"))
        #expect(log.contains("dismissed shows PREEMPTED"))
        #expect(stage.waiting == [])
    }

    @Test func `equal priority preempts only under tie break lifo`() {
        #expect(switching(.discard, priority: 100)(.enqueue("comes")) == ["queued comes"])
        let lifo = switching(.discard, priority: 100, tieBreak: .lifo)
        lifo(.enqueue("comes"))
        #expect(lifo.showing == "comes")
    }

    @Test(arguments: [SchedulerRule.Strategy.fifo, .lifo])
    func `switch has no effect under fifo and lifo`(strategy: SchedulerRule.Strategy) {
        let stage = switching(.discard, strategy: strategy)
        #expect(stage(.enqueue("comes")) == ["queued comes"])
    }

    @Test func `a better task that becomes eligible later preempts the visible popup`() {
        let stage = stage {
            $0.popup("shows") { $0.switch = .discard }
            $0.popup("comes", when: "on") { $0.priority = 1000 }
        }
        stage(.started)
        #expect(stage.showing == "shows")
        stage(.update(["on": .bool(true)]))
        #expect(stage.showing == "comes")
    }

    @Test func `nothing is preempted while the scheduler is suspended`() {
        let stage = switching(.discard)
        stage(.suspend())
        stage(.enqueue("comes"))
        #expect(stage.showing == "shows")
        stage(.resume())
        #expect(stage.showing == "comes")
    }

    @Test func `the switch waits for min show and then checks again`() {
        for staysEligible in [true, false] {
            let stage = stage {
                $0.popup("shows") {
                    $0.switch = .discard
                    $0.timing.minShow = .seconds(2)
                }
                $0.popup("comes", when: "on") { $0.priority = 1000 }
            }
            stage(.started)
            stage(.update(["on": .bool(true)]))
            #expect(stage.showing == "shows")
            #expect(stage.scheduler.nextWake == .seconds(2))
            stage(.update(["on": .bool(staysEligible)]))
            stage.after(.seconds(2))
            #expect(stage.showing == (staysEligible ? "comes" : "shows"))
        }
    }

    @Test func `max waiting drops the last task in order: QUEUE_FULL`() {
        let stage = stage {
            $0.main { $0.maxWaiting = 1 }
            $0.popup("first")
            $0.popup("last") { $0.priority = 1 }
            $0.popup("second")
        }
        #expect(stage(.started).contains("discarded last QUEUE_FULL"))
        #expect(stage.showing == "first")
        #expect(stage.waiting == ["second"])
    }

    @Test func `schedulers run independently`() {
        let stage = stage {
            $0.scheduler("toast")
            $0.popup("a")
            $0.popup("b") { $0.scheduler = 1 }
        }
        stage(.started)
        #expect(stage.scheduler.showing == ["main": "a", "toast": "b"])
        stage(.suspend(scheduler: "toast"))
        stage(.userClosed("b"))
        stage(.enqueue("b"))
        #expect(stage.scheduler.waiting == ["main": [], "toast": ["b"]])
    }

    @Test func `poke checks all conditions again`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.schedule = [Schedule(from: .moment(date("2026-11-20T10:00:00Z")))]
            }
        }
        stage(.started)
        stage.setCalendar("2026-11-20T10:00:00Z")
        #expect(stage(.poke) == ["willShow a", "shown a"])
    }
}
