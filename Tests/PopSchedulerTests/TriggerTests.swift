import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: tasks, triggers and the reasons that no task is made.
struct TriggerTests {
    private func stage(history: History = History(), _ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        change(&rules)
        return Stage(rules, history: history)
    }

    @Test func `a disabled popup gets no task: DISABLED`() {
        let stage = stage { $0.popup("a") { $0.isEnabled = false } }
        #expect(stage(.started) == ["notMade a DISABLED"])
        #expect(stage.reason("a") == .disabled)
    }

    @Test func `a user outside the rollout gets no task: NOT_IN_ROLLOUT`() {
        let stage = stage {
            $0.key("user", .string)
            for percent in [0.0, 100.0] {
                $0.popup("p\(Int(percent))") {
                    $0.audience.rollout = Rollout(
                        share: .range(0..<percent), key: 0, salt: "s")
                }
            }
        }
        stage(.update(["user": .string("ada")]))
        #expect(stage(.started).prefix(2) == ["notMade p0 NOT_IN_ROLLOUT", "queued p100"])
    }

    @Test
    func `the reason of the last refused trigger stays for a user who is in the rollout by now`() {
        let stage = stage {
            $0.key("user", .string)
            $0.holdout(Holdout(percent: 100, key: 0))
            $0.popup("rolled") {
                $0.isEssential = true
                $0.audience.rollout = Rollout(share: .range(0..<99.9), key: 0, salt: "s")
            }
            $0.popup("held") { $0.triggers = [.manual] }
        }
        stage(.started)
        #expect(stage.reason("rolled") == .notInRollout)
        #expect(stage.reason("held") == .notTriggered)
        stage(.update(["user": .string("ada")]))
        #expect(stage.reason("rolled") == .notInRollout)
        #expect(stage.reason("held") == .heldOut)
        stage(.enqueue("held"))
        stage(.update(["user": .string("")]))
        #expect(stage.reason("held") == .heldOut)
        #expect(stage.scheduler.explain("held", at: stage.now)?.isFormer == true)
        stage(.enqueue("held"))
        #expect(stage.reason("held") != .heldOut)
    }

    @Test func `a rollout shows to its share of users and always to the same users`() {
        var rules = Rules()
        rules.key("user", .string)
        rules.popup("a") { $0.audience.rollout = Rollout(share: .range(0..<25), key: 0, salt: "s") }
        var counts: [Int] = []
        for _ in 0..<2 {
            var count = 0
            for number in 0..<400 {
                let stage = Stage(rules)
                stage(.update(["user": .string("user-\(number)")]))
                if stage(.started).contains("queued a") { count += 1 }
            }
            counts.append(count)
        }
        #expect((60...140).contains(counts[0]))
        #expect(counts[0] == counts[1])
    }

    @Test func `two halves of a rollout cover all users, each in one half`() {
        var rules = Rules()
        rules.key("user", .string)
        for (id, half) in [("a", 0.0..<50), ("b", 50.0..<100)] {
            rules.popup(id) {
                $0.audience.rollout = Rollout(share: .range(half), key: 0, salt: "s")
            }
        }
        let halves = (0..<200).map { number in
            let stage = Stage(rules)
            stage(.update(["user": .string("user-\(number)")]))
            return stage(.started).filter { $0.hasPrefix("queued") }
        }
        #expect(Set(halves) == [["queued a"], ["queued b"]])
    }

    @Test func `users without a value or with an empty value are in no part of a rollout`() {
        let stage = stage {
            $0.key("user", .string)
            $0.popup("a") {
                $0.audience.rollout = Rollout(share: .range(0..<99), key: 0, salt: "s")
            }
        }
        #expect(stage(.started) == ["notMade a NOT_IN_ROLLOUT"])
        stage(.update(["user": .string("")]))
        #expect(stage(.enqueue("a")) == ["notMade a NOT_IN_ROLLOUT"])
    }

    @Test func `a rollout grows by its steps, and has no users before the first step`() throws {
        let begins = try #require(Stage.start.date.adding(.seconds(60)))
        let later = try #require(Stage.start.date.adding(.seconds(120)))
        let stage = stage {
            $0.key("user", .string)
            $0.popup("a") {
                $0.triggers = [.manual]
                $0.audience.rollout = Rollout(
                    share: .steps([
                        Rollout.Step(begins: begins, percent: 0),
                        Rollout.Step(begins: later, percent: 100),
                    ]), key: 0, salt: "s")
            }
        }
        stage(.started)
        #expect(stage(.enqueue("a")) == ["notMade a NOT_IN_ROLLOUT"])
        stage.after(.seconds(119))
        #expect(stage(.enqueue("a")) == ["notMade a NOT_IN_ROLLOUT"])
        stage.after(.seconds(1))
        #expect(stage(.enqueue("a")).first == "queued a")
    }

    @Test func `a user in the holdout gets only tasks of essential popups: HELD_OUT`() {
        let stage = stage {
            $0.key("user", .string)
            $0.holdout(Holdout(percent: 100, key: 0))
            $0.popup("tip") { $0.caps.lifetime = 1 }
            $0.popup("plain")
            $0.popup("terms") { $0.isEssential = true }
        }
        // A user without an id is not held out.
        #expect(stage(.started).prefix(1) == ["queued tip"])
        stage(.update(["user": .string("ada")]))
        #expect(stage(.enqueue("plain")) == ["coalesced plain"])
        stage(.removeAll)
        #expect(stage(.enqueue("plain")) == ["notMade plain HELD_OUT"])
        #expect(stage.reason("plain") == .heldOut)
        #expect(stage(.enqueue("tip")) == ["notMade tip LIFETIME_CAP"])
        #expect(stage(.enqueue("terms")) == ["queued terms", "willShow terms", "shown terms"])
    }

    @Test func `after the end of the schedule no task is created: EXPIRED`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.schedule = [Schedule(until: .moment(date("2026-11-20T09:00:00Z")))]
            }
        }
        #expect(stage(.started) == ["notMade a EXPIRED"])
    }

    @Test func `a used-up lifetime cap prevents a task: LIFETIME_CAP`() {
        let stage = stage { $0.popup("a") { $0.caps.lifetime = 1 } }
        stage(.started)
        stage(.userClosed("a"))
        #expect(stage(.enqueue("a")) == ["notMade a LIFETIME_CAP"])
    }

    @Test func `an event that where rejects creates no task: TRIGGER_FILTERED`() {
        let stage = stage {
            $0.event("paid", [("total", .double)])
            $0.popup("a", on: "paid", where: "event.total > 50.0")
        }
        #expect(stage.reason("a") == .notTriggered)
        #expect(
            stage(.send("paid", payload: ["total": .double(10)]))
                == ["notMade a TRIGGER_FILTERED"])
        #expect(stage.reason("a") == .triggerFiltered)
        #expect(
            stage(.send("paid", payload: ["total": .int(80)]))
                == ["queued a", "willShow a", "shown a"])
    }

    @Test func `a where that fails rejects the event and is reported`() {
        let stage = stage {
            $0.event("paid", [("total", .double)])
            $0.popup("a", on: "paid", where: "event.total > 50.0")
        }
        #expect(
            stage(.send("paid")) == ["conditionError a where", "notMade a TRIGGER_FILTERED"])
    }

    @Test func `a trigger that fires while the task waits or shows is coalesced into it`() {
        let stage = stage {
            $0.popup("shows")
            $0.popup("waits")
        }
        stage(.started)
        #expect(stage(.enqueue("shows")) == ["coalesced shows"])
        #expect(stage(.enqueue("waits")) == ["coalesced waits"])
    }

    @Test func `nth counts the events of the whole history`() {
        var history = History()
        history.apply(.event(name: "opened", date: date("2026-11-19T09:00:00Z")))
        let stage = stage(history: history) {
            $0.event("opened")
            $0.popup("a", on: "opened", occurrence: .nth(3))
        }
        #expect(stage(.send("opened")) == ["notMade a TRIGGER_COUNTING"])
        #expect(stage(.send("opened")).contains("shown a"))
        stage(.userClosed("a"))
        #expect(stage(.send("opened")) == ["notMade a TRIGGER_COUNTING"])
    }

    @Test func `an event that nth or every does not count creates no task: TRIGGER_COUNTING`() {
        let stage = stage {
            $0.event("paid", [("total", .int)])
            $0.popup("a", on: "paid", where: "event.total > 5", occurrence: .every(2))
        }
        #expect(
            stage(.send("paid", payload: ["total": .int(1)])) == ["notMade a TRIGGER_FILTERED"])
        #expect(
            stage(.send("paid", payload: ["total": .int(9)])) == ["notMade a TRIGGER_COUNTING"])
        #expect(stage.reason("a") == .triggerCounting)
        #expect(stage(.send("paid", payload: ["total": .int(9)])).contains("shown a"))
        #expect(
            stage(.send("paid", payload: ["total": .int(9)])) == ["notMade a TRIGGER_COUNTING"])
    }

    @Test func `among several triggers on an event a counting trigger gives the reason`() {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(false))
        rules.event("opened")
        rules.popup("a", on: "opened", where: "on")
        rules.popup("b", on: "opened", occurrence: .nth(2))
        var set = rules.built()
        set.popups[0].triggers += set.popups[1].triggers
        set.popups.removeLast()
        let stage = Stage(Rules())
        stage(.reload(set))
        #expect(stage(.send("opened")) == ["notMade a TRIGGER_COUNTING"])
        #expect(stage.scheduler.explain("a", at: stage.now)?.filter?.cause == .occurrence(1))
        #expect(stage(.send("opened")).contains("shown a"))
    }

    @Test func `popups with the trigger start wait for the start of the app`() {
        let stage = stage { $0.popup("a") }
        var rules = Rules()
        rules.popup("a")
        rules.popup("b")
        #expect(stage(.reload(rules.built())) == [])
        #expect(stage(.switchUser("bob", History())) == [])
        #expect(stage(.started).prefix(2) == ["queued a", "queued b"])
    }

    @Test func `every counts the events that where accepts`() {
        let stage = stage {
            $0.event("paid", [("total", .int)])
            $0.popup("a", on: "paid", where: "event.total > 5", occurrence: .every(2))
        }
        let results = [9, 1, 9, 9, 1, 9].map { (total: Int64) in
            let log = stage(.send("paid", payload: ["total": .int(total)]))
            stage(.userClosed("a"))
            return log.contains("shown a")
        }
        #expect(results == [false, false, true, false, false, true])
        #expect(stage.scheduler.history.occurrences == ["a/paid/0": 4])
    }

    @Test func `a changed key fires only when its value changes`() {
        let stage = stage {
            $0.key("plan", .string, default: .string("free"))
            $0.popup("a") { $0.triggers = [.changed(key: 0)] }
        }
        stage(.started)
        #expect(stage(.update(["plan": .string("free")])) == [])
        #expect(stage(.update(["plan": .string("pro")])).contains("queued a"))
        stage(.userClosed("a"))
        #expect(stage(.update([:], unset: ["plan"])).contains("queued a"))
    }

    @Test func `filling the context before the start fires nothing`() {
        let stage = stage {
            $0.key("plan", .string, default: .string("free"))
            $0.popup("a") { $0.triggers = [.changed(key: 0)] }
        }
        #expect(stage(.update(["plan": .string("pro")])) == [])
        #expect(stage(.started) == [])
        #expect(stage(.update(["plan": .string("free")])).contains("queued a"))
    }

    @Test func `a popup with trigger manual waits for enqueue`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.manual] } }
        #expect(stage(.started) == [])
        #expect(stage(.enqueue("a")) == ["queued a", "willShow a", "shown a"])
    }

    @Test func `an event is counted before its triggers are checked`() {
        let stage = stage {
            $0.event("opened")
            $0.popup("a", on: "opened", where: "event_count('opened') == 2")
        }
        #expect(stage(.send("opened")) == ["notMade a TRIGGER_FILTERED"])
        #expect(stage(.send("opened")).contains("shown a"))
    }

    @Test func `sent events are recorded before their effects`() {
        let stage = stage {
            $0.event("opened")
            $0.popup("a", on: "opened")
        }
        stage(.send("opened"))
        guard case .record(.event("opened", _, _), user: "ada") = stage.effects.first else {
            Issue.record("\(stage.effects)")
            return
        }
    }
}
