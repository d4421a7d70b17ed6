import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: goals.
struct GoalTests {
    /// A popup `a` with the given changes, and an event `bought` with a `total`.
    private func stage(
        history: History = History(), change: (inout PopupRule) -> Void = { _ in },
        _ more: (inout Rules) -> Void
    ) -> Stage {
        var rules = Rules()
        rules.key("user", .string, default: .string("ada"))
        rules.event("bought", [("total", .int)])
        rules.event("tried")
        rules.popup("a") {
            change(&$0)
        }
        more(&rules)
        let stage = Stage(rules, history: history)
        stage(.started)
        return stage
    }

    private static func experiment(control: Double) -> Experiment {
        Experiment(
            Assignment(key: 0, salt: "s", control: control, arms: [Assignment.Arm("short")]))
    }

    private static let bought = Event.send("bought", payload: ["total": .int(5)])

    // MARK: Conversions

    @Test func `an event within the time after an impression converts it, once`() {
        let stage = stage { $0.goal("buy", within: .seconds(60)) }
        stage.after(.seconds(60))
        #expect(stage(Self.bought) == ["converted a buy -"])
        #expect(stage(Self.bought) == [])
        let past = stage.scheduler.history.popups["a"]?.goals["buy"]
        #expect(past?.conversions == 1 && past?.converted == Stage.start.date)
        #expect(past?.last == stage.now.date)
    }

    @Test func `an event after that time converts nothing`() {
        let stage = stage { $0.goal("buy", within: .seconds(60)) }
        stage.after(.milliseconds(60_001))
        #expect(stage(Self.bought) == [])
        #expect(stage.scheduler.history.popups["a"]?.goals == [:])
    }

    @Test func `impressions in another process convert too, and each exposure separately`() {
        var history = History()
        history.apply(.impression(popup: "a", date: date("2026-11-20T08:59:30Z")))
        let stage = stage(history: history, change: { $0.triggers = [.manual] }) {
            $0.goal("buy", within: .seconds(60))
        }
        #expect(stage(Self.bought) == ["converted a buy -"])
        stage(.enqueue("a"))
        #expect(stage(Self.bought) == ["converted a buy -"])
        #expect(stage.scheduler.history.popups["a"]?.goals["buy"]?.conversions == 2)
    }

    @Test func `the latest exposure is converted, which closes earlier exposures`() {
        let stage = stage { $0.goal("buy", within: .seconds(60)) }
        stage(.userClosed("a"))
        stage.after(.seconds(5))
        stage(.enqueue("a"))
        #expect(stage(Self.bought) == ["converted a buy -"])
        let converted = stage.scheduler.history.popups["a"]?.goals["buy"]?.converted
        #expect(converted == stage.now.date)
        #expect(stage(Self.bought) == [])
    }

    @Test func `goals of one popup and of several popups convert separately, by matching events`() {
        let stage = stage {
            $0.goal("buy", where: "event.total > 3", within: .seconds(60))
            $0.goal("much", where: "event.total > 9", within: .seconds(60))
            $0.scheduler("toast")
            $0.popup("b") { $0.scheduler = 1 }
            $0.goal("buy", within: .seconds(60))
        }
        #expect(stage(Self.bought) == ["converted a buy -", "converted b buy -"])
        #expect(
            stage(.send("bought", payload: ["total": .int(10)])) == ["converted a much -"])
        #expect(
            stage(.send("bought", payload: [:])) == [
                "conditionError a goals.where", "conditionError a goals.where",
            ])
    }

    @Test func `a variant and control convert from their exposure`() {
        for (arm, control) in [("short", 0.0), ("control", 100)] {
            let stage = stage(change: {
                $0.audience.experiment = Self.experiment(control: control)
                $0.timing.grace = .seconds(1)
            }) {
                $0.goal("buy", within: .seconds(60))
            }
            #expect(stage(Self.bought) == [])
            stage.after(.seconds(1))
            #expect(stage(Self.bought) == ["converted a buy \(arm)"])
        }
    }

    @Test func `users outside the experiment convert from the impression`() {
        var history = History()
        history.apply(
            .exposure(popup: "a", variant: "short", date: date("2026-11-20T08:59:30Z")))
        let stage = stage(
            history: history,
            change: {
                $0.audience.experiment = Self.experiment(control: 0)
                $0.audience.experiment?.assignment.share = 0
            }, { $0.goal("buy", within: .seconds(60)) })
        #expect(stage(Self.bought) == ["converted a buy -"])
    }

    @Test func `conversions come before triggers, and the first goal decides converted`() {
        let stage = stage {
            $0.goal("try", event: 1, within: .seconds(60))
            $0.goal("buy", within: .seconds(60))
            $0.scheduler("toast")
            $0.popup("b", when: "popups.a.converted", on: "tried") { $0.scheduler = 1 }
        }
        #expect(stage(Self.bought) == ["converted a buy -"])
        stage(.enqueue("b"))
        #expect(stage.reason("b") == .conditionFalse)
        #expect(stage(.send("tried")).prefix(2) == ["converted a try -", "coalesced b"])
        #expect(stage.scheduler.showing["toast"] == "b")
    }

    // MARK: Ends

    @Test
    func `a goal that ends the popup ends waiting tasks, even before any exposure: GOAL_REACHED`() {
        let stage = stage(change: { $0.timing.delay = .seconds(5) ... .seconds(5) }) {
            $0.goal("buy", within: .seconds(60), ends: .forGood)
        }
        #expect(stage(Self.bought) == ["discarded a GOAL_REACHED"])
        #expect(stage(.enqueue("a")) == ["notMade a GOAL_REACHED"])
        #expect(stage.reason("a") == .goalReached)
        stage.after(.seconds(10_000_000))
        #expect(stage(.enqueue("a")) == ["notMade a GOAL_REACHED"])
    }

    @Test func `a visible popup stays when its goal is reached`() {
        let stage = stage { $0.goal("buy", within: .seconds(60), ends: .forGood) }
        #expect(stage(Self.bought) == ["converted a buy -"])
        #expect(stage.showing == "a")
        #expect(stage(.userClosed("a")).last == "dismissed a USER_CLOSED")
    }

    @Test func `a preempted popup ends by its goal, whether the preemption was earlier or later`() {
        for isBefore in [true, false] {
            let stage = stage(change: { $0.switch = .latent }) {
                $0.goal("buy", within: .seconds(60), ends: .forGood)
                $0.popup("b") {
                    $0.triggers = [.manual]
                    $0.priority = 1000
                }
            }
            if isBefore { stage(Self.bought) }
            let switched = stage(.enqueue("b"))
            if isBefore {
                #expect(switched.contains("dismissed a GOAL_REACHED"))
            } else {
                #expect(switched.contains("requeued a"))
                #expect(stage(Self.bought) == ["converted a buy -", "dismissed a GOAL_REACHED"])
            }
            #expect(stage.scheduler.history.popups["a"]?.lastReason == .goalReached)
        }
    }

    @Test func `a goal may pause its popup, and the latest event restarts the pause`() {
        let stage = stage(change: { $0.triggers = [.manual] }) {
            $0.goal("buy", within: .seconds(60), ends: .pause(.seconds(10)))
        }
        stage(Self.bought)
        stage.after(.seconds(5))
        stage(Self.bought)
        stage.after(.seconds(9))
        #expect(stage(.enqueue("a")) == ["notMade a GOAL_REACHED"])
        stage.after(.seconds(1))
        #expect(stage(.enqueue("a")).contains("shown a"))
    }

    @Test func `the event that ends the popup does not also trigger it`() {
        var rules = Rules()
        rules.event("bought")
        rules.popup("a", on: "bought")
        rules.goal("buy", within: .seconds(60), ends: .forGood)
        let stage = Stage(rules)
        stage(.started)
        #expect(stage(.send("bought")) == ["notMade a GOAL_REACHED"])
    }

    @Test func `a reload drops tasks that a goal of the new rules has ended`() {
        var history = History()
        history.apply(
            .goalMatched(popup: "a", goal: "buy", date: Stage.start.date, exposure: nil))
        var rules = Rules()
        rules.event("bought")
        rules.popup("a") { $0.timing.delay = .seconds(5) ... .seconds(5) }
        let stage = Stage(rules, history: history)
        stage(.started)
        rules.goal("buy", within: .seconds(60), ends: .forGood)
        #expect(stage(.reload(rules.built(), context: [:])) == ["discarded a GOAL_REACHED"])
    }
}
