import PopCEL
import PopScheduler
import Testing

/// Caps that count for each value of a context key.
struct `A cap per value of a key` {
    private func stage(
        history: History = History(), _ change: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("app.version", .string)
        rules.key("user.plan", .string)
        rules.popup("a") { $0.triggers = [.manual] }
        rules.popup("b") { $0.triggers = [.manual] }
        change(&rules)
        let stage = Stage(rules, history: history)
        stage(.started)
        return stage
    }

    private func capped(_ rules: inout Rules, _ max: Int = 1) {
        rules.set.popups[0].caps.windows = [WindowCap(max: max, per: .value(of: 0))]
    }

    private func set(_ value: Value) -> Event { .update(["app.version": value]) }

    @Test func `allows as many impressions for each value, even for a missing value`() {
        let stage = stage { capped(&$0) }
        #expect(stage(.enqueue("a")).last == "shown a")
        stage(.userClosed("a"))
        #expect(stage(.enqueue("a")).contains("queued a"))
        #expect(stage.reason("a") == .periodCap)
        #expect(stage(set("3.1")).last == "shown a")
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .periodCap)
        #expect(stage(set("")).last == "shown a")
    }

    @Test func `stays used up for an earlier value, even after a restart`() {
        let first = stage { capped(&$0) }
        first(set("1"))
        first(.enqueue("a"))
        first(.userClosed("a"))
        first(set("2"))
        first(.enqueue("a"))
        first(.userClosed("a"))
        let second = stage(history: first.scheduler.history) { capped(&$0) }
        second(set("1"))
        second(.enqueue("a"))
        #expect(second.reason("a") == .periodCap)
        #expect(second(set("3")).last == "shown a")
    }

    @Test func `records only values that a cap needs`() {
        let stage = stage { $0.set.popups[1].caps.lifetime = 3 }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        stage(.enqueue("b"))
        #expect(stage.scheduler.history.values == ValueCounts())
    }

    @Test func `of a group is shared by its popups, but not by essential popups`() {
        let stage = stage {
            $0.group("g", cap: WindowCap(max: 1, per: .value(of: 0)))
            $0.set.popups[0].group = 0
            $0.set.popups[1].group = 0
            $0.popup("c") {
                $0.triggers = [.manual]
                $0.group = 0
                $0.isEssential = true
            }
        }
        stage(.enqueue("c"))
        stage(.userClosed("c"))
        #expect(stage(.enqueue("a")).last == "shown a")
        stage(.userClosed("a"))
        stage(.enqueue("b"))
        #expect(stage.reason("b") == .groupCap)
        #expect(stage.scheduler.explain("b", at: stage.now)?.until == nil)
        #expect(stage(set("3.1")).last == "shown b")
    }

    @Test func `over all popups counts removed popups`() {
        let limit = LimitRule(WindowCap(max: 1, per: .value(of: 0)))
        var history = History()
        let value = KeyedValue(key: "app.version", text: nil)
        history.apply(.counted(popup: "z", value: value, change: .shown, date: Stage.start.date))
        let stage = stage(history: history) { $0.limit(limit) }
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .globalCap)
    }

    @Test func `returns the place of a popup that was not shown`() {
        let stage = stage { capped(&$0) }
        stage.answers["a"] = .cancel
        stage(.enqueue("a"))
        #expect(stage.scheduler.history.values == ValueCounts())
        stage.answers["a"] = nil
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `counts an impression for the value that was current at the reservation`() {
        let stage = stage { capped(&$0) }
        stage.isManual = true
        stage.answers["a"] = .show
        stage(.enqueue("a"))
        stage(set("3.1"))
        if let id = stage.asked["a"] { stage(.didPresent(id)) }
        stage.isManual = false
        stage(.userClosed("a"))
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `wakes only popups with a cap on the changed key`() {
        let stage = stage {
            capped(&$0)
            $0.popup("c") {
                $0.triggers = [.manual]
                $0.caps.windows = [WindowCap(max: 1, per: .rolling(.seconds(1000)))]
            }
        }
        for id in ["a", "c"] {
            stage(.enqueue(id))
            stage(.userClosed(id))
            stage(.enqueue(id))
        }
        let before = stage.scheduler.statistics.tasksExamined
        stage(.update(["user.plan": "pro"]))
        #expect(stage.scheduler.statistics.tasksExamined == before)
        stage(set("3.1"))
        #expect(stage.scheduler.statistics.tasksExamined > before)
    }

    @Test func `suppresses a popup closed for one value only for that value`() {
        let stage = stage {
            $0.set.popups[0].caps.closes = 1
            $0.set.popups[0].caps.closesPer = 0
        }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .closedTooOften)
        #expect(stage(set("7")).last == "shown a")
        // It was about the one, and another has come meanwhile.
        stage(set("8"))
        stage(.userClosed("a"))
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `does not treat an end without the user as closing`() {
        let stage = stage {
            $0.set.popups[0].caps.closes = 1
            $0.set.popups[0].caps.closesPer = 0
            $0.set.popups[0].timing.hideAfter = .seconds(1)
        }
        stage(.enqueue("a"))
        stage.after(.seconds(2))
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `keeps the values that changed last`() {
        var history = History()
        for number in 0..<150 {
            let value = KeyedValue(key: "k", text: "\(number)")
            let date = Timestamp(seconds: Int64(number))
            history.apply(.counted(popup: "a", value: value, change: .shown, date: date))
        }
        let kept = history.values.counts["a"]?["k"] ?? []
        #expect(kept.count == ValueCounts.most)
        #expect(kept.first?.text == "50")
        #expect(kept.last?.text == "149")
    }

    @Test func `forgets the values when the user is forgotten`() {
        let stage = stage { capped(&$0) }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        stage(.forget("ada"))
        #expect(stage.scheduler.history.values == ValueCounts())
        #expect(stage(.enqueue("a")).last == "shown a")
    }

    @Test func `keeps the values for a user who returns`() {
        let stage = stage { capped(&$0) }
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        let ada = stage.scheduler.history
        stage(.switchUser("bob", History()))
        #expect(stage(.enqueue("a")).last == "shown a")
        stage(.switchUser("ada", ada))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .periodCap)
    }

    @Test func `counts control only if it is a popup's own cap`() {
        let stage = stage {
            capped(&$0)
            $0.limit(LimitRule(WindowCap(max: 1, per: .value(of: 0))))
            $0.set.popups[0].audience.experiment = Experiment(
                Assignment(key: 1, salt: "s", control: 100, arms: []), variants: [])
        }
        stage(.update(["user.plan": "pro"]))
        stage(.forceArm(popup: "a", arm: "control"))
        #expect(stage(.enqueue("a")).last == "discarded a CONTROL")
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .periodCap)
        #expect(stage(.enqueue("b")).last == "shown b")
    }
}
