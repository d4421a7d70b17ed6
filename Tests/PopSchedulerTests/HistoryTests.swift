import PopCEL
import PopScheduler
import Testing

struct HistoryTests {
    @Test func `conditions read impressions, their times and their endings`() {
        var rules = Rules()
        rules.popup("a")
        rules.popup("count", when: "popups.a.shown_count == 1") { $0.scheduler = 1 }
        rules.popup("reason", when: "popups.a.last_reason == 'USER_CLOSED'") { $0.scheduler = 2 }
        rules.popup("last", when: "popups.a.last_shown == timestamp('2026-11-20T09:00:00Z')") {
            $0.scheduler = 3
        }
        for name in ["one", "two", "three"] { rules.scheduler(name) }
        let stage = Stage(rules)
        stage(.started)
        #expect(stage.scheduler.showing == ["main": "a", "one": "count", "three": "last"])
        stage(.userClosed("a"))
        #expect(stage.scheduler.showing["two"] == "reason")
    }

    @Test func `event count over a duration forgets old events and reports when`() {
        var rules = Rules()
        rules.event("opened")
        rules.popup("a", when: "event_count('opened', duration('60s')) == 0")
        let stage = Stage(rules)
        stage(.send("opened"))
        stage(.started)
        #expect(stage.reason("a") == .conditionFalse)
        #expect(stage.scheduler.nextWake == .seconds(60))
        #expect(stage.after(.seconds(60)) == ["willShow a", "shown a"])
    }

    @Test func `last event is missing until it was sent`() {
        var rules = Rules()
        rules.event("opened")
        rules.popup("a", when: "last_event('opened') == timestamp('2026-11-20T09:00:00Z')")
        let stage = Stage(rules)
        #expect(stage(.started).contains("conditionError a when"))
        #expect(stage(.send("opened")).contains("shown a"))
    }

    @Test func `a withdrawn impression leaves no trace`() {
        var history = History()
        history.apply(.impression(popup: "a", date: date("2026-11-20T09:00:00Z")))
        let before = history
        history.apply(.impression(popup: "a", date: date("2026-11-20T10:00:00Z")))
        history.apply(.impressionTakenBack(popup: "a", date: date("2026-11-20T10:00:00Z")))
        #expect(history == before)
    }

    @Test func `the records of a scheduler add up to its history`() {
        var rules = Rules()
        rules.event("paid", [("total", .int)])
        rules.popup("a", on: "paid", where: "event.total > 1", occurrence: .every(2))
        rules.popup("b")
        let stage = Stage(rules)
        stage(.started)
        for total in 1...6 { stage(.send("paid", payload: ["total": .int(Int64(total))])) }
        stage(.userClosed("b"))
        stage(.userClosed("a"))
        var history = History()
        for record in stage.records { history.apply(record) }
        #expect(history == stage.scheduler.history)
    }

    @Test func `caps apply when the calendar is set back`() {
        var rules = Rules()
        rules.popup("a") { $0.caps.windows = [WindowCap(max: 1, per: .rolling(.seconds(60)))] }
        let stage = Stage(rules)
        stage(.started)
        stage(.userClosed("a"))
        stage.setCalendar("2026-11-20T08:00:00Z")
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .periodCap)
    }

    @Test func `the dates of one event stay bounded`() {
        var rules = Rules()
        rules.event("opened")
        var limits = SchedulerLimits()
        limits.datesPerEvent = 10
        let stage = Stage(rules, limits: limits)
        for _ in 0..<100 { stage(.send("opened")) }
        #expect(stage.scheduler.history.events["opened"]?.count == 100)
        #expect((stage.scheduler.history.events["opened"]?.dates.count ?? 0) <= 20)
    }

    @Test func `the dates of one popup stay bounded, and its caps are kept`() {
        var rules = Rules()
        rules.popup("a") { $0.caps.windows = [WindowCap(max: 30, per: .rolling(.seconds(100)))] }
        func history(keeping dates: Int) -> History.Popup? {
            var limits = SchedulerLimits()
            limits.datesPerPopup = dates
            let stage = Stage(rules, limits: limits)
            for _ in 0..<300 {
                stage(.enqueue("a"))
                stage(.userClosed("a"))
                stage.after(.seconds(1))
            }
            return stage.scheduler.history.popups["a"]
        }
        let bounded = history(keeping: 10)
        #expect(bounded?.shownCount == history(keeping: 1000)?.shownCount)
        #expect((bounded?.impressions.count ?? 0) <= 64)
    }

    @Test func `the time since an event wakes the scheduler when a condition depends on it`() {
        var rules = Rules()
        rules.event("opened")
        rules.popup("a", when: "since('opened') >= duration('1h')") { $0.triggers = [.manual] }
        rules.popup("b", when: "since('opened') < duration('1m')") { $0.triggers = [.manual] }
        let stage = Stage(rules)
        stage(.started)
        stage(.enqueue("a"))
        #expect(stage.showing == "a", "what never happened is longer ago than anything")
        stage(.enqueue("b"))
        stage(.userClosed("a"))
        #expect(stage.reason("b") == .conditionFalse)
        #expect(stage.scheduler.nextWake == nil)
        #expect(stage(.send("opened", payload: [:])).contains("shown b"))
        stage(.userClosed("b"))
        stage(.enqueue("a"))
        #expect(stage.scheduler.nextWake == stage.now.instant + .seconds(3600))
        stage.after(.seconds(3599))
        #expect(stage.reason("a") == .conditionFalse)
        #expect(stage.after(.seconds(1)).contains("shown a"))
    }
}

@Suite struct `The recorded amounts of events` {
    private func stage(_ conditions: String..., limits: SchedulerLimits = .standard) -> Stage {
        var rules = Rules()
        rules.event("paid", [("total", .double), ("points", .int), ("note", .string)])
        for (place, condition) in conditions.enumerated() {
            rules.popup("p\(place)", when: condition) { $0.triggers = [.manual] }
        }
        let stage = Stage(rules, limits: limits)
        stage(.started)
        for place in conditions.indices { stage(.enqueue("p\(place)")) }
        return stage
    }

    private func pay(_ total: Double, points: Int64? = nil) -> Event {
        var payload: [String: Value] = ["total": .double(total), "note": .string("x")]
        payload["points"] = points.map { .int($0) }
        return .send("paid", payload: payload)
    }

    @Test func `are summed again when the oldest amount leaves the window`() {
        let stage = stage("event_sum('paid', 'total', duration('1h')) > 99.0")
        #expect(stage.scheduler.nextWake == nil)
        stage(pay(10))
        #expect(stage.scheduler.nextWake == stage.now.instant + .seconds(3600))
        stage.after(.seconds(600))
        stage(pay(20.5))
        #expect(stage.scheduler.nextWake == stage.now.instant + .seconds(3000))
        #expect(stage.reason("p0") == .conditionFalse)
        stage.after(.seconds(3000))
        #expect(stage.scheduler.nextWake == stage.now.instant + .seconds(600))
    }

    @Test func `count from the start of the window until now`() {
        let stage = stage("event_sum('paid', 'total', duration('1h')) < 25.0")
        #expect(stage.showing == "p0", "nothing was paid")
        stage(.userClosed("p0"))
        stage(pay(10))
        stage.after(.seconds(600))
        stage(pay(20.5))
        stage(.enqueue("p0"))
        stage.after(.seconds(2999))
        #expect(stage.reason("p0") == .conditionFalse)
        #expect(stage.after(.seconds(1)).contains("shown p0"))
    }

    @Test func `ignore a missing field, and add refunds as negative amounts`() {
        let stage = stage("event_sum('paid', 'points', duration('1h')) == 3")
        for event in [pay(1, points: 5), pay(1), pay(1, points: -3)] { stage(event) }
        #expect(stage.showing == nil)
        #expect(stage(pay(1, points: 1)).contains("shown p0"))
    }

    @Test func `give an error while their sum is out of range`() {
        let stage = stage("event_sum('paid', 'points', duration('1h')) < 0")
        stage(pay(1, points: .max))
        stage.after(.seconds(60))
        #expect(stage.reason("p0") == .conditionFalse)
        stage(pay(1, points: 1))
        #expect(stage.reason("p0") == .conditionError)
        stage.after(.seconds(3540))
        #expect(stage.reason("p0") == .conditionFalse)
    }

    @Test func `contain only numbers, and only for fields that a condition sums`() {
        let stage = stage("event_sum('paid', 'total', duration('1h')) > 1.0")
        stage(pay(.nan, points: 4))
        #expect(stage.scheduler.history.events["paid"]?.amounts == [:])
        stage(pay(2, points: 4))
        #expect(stage.showing == "p0")
        let amounts = stage.scheduler.history.events["paid"]?.amounts
        #expect(amounts?.mapValues { $0.values } == ["total": [.double(2)]])
    }

    @Test func `are bounded per field`() {
        var limits = SchedulerLimits()
        limits.datesPerEvent = 10
        let stage = stage(
            "event_sum('paid', 'total', duration('1h')) > 1000.0", limits: limits)
        for _ in 0..<100 { stage(pay(1)) }
        #expect((stage.scheduler.history.events["paid"]?.amounts["total"]?.dates.count ?? 0) <= 20)
    }
}
