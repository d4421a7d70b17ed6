import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Eligible, and the reason codes": one test per row, in their order.
struct EligibilityTests {
    private func stage(
        history: History = History(), at moment: Moment = Stage.start,
        _ change: (inout Rules) -> Void
    ) -> Stage {
        var rules = Rules()
        change(&rules)
        let stage = Stage(rules, history: history, at: moment)
        stage(.started)
        return stage
    }

    private func shown(_ dates: String...) -> History {
        var history = History()
        for text in dates { history.apply(.impression(popup: "a", date: date(text))) }
        return history
    }

    @Test func `a suspended scheduler shows nothing: SUSPENDED`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.manual] } }
        stage(.suspend())
        stage(.enqueue("a"))
        #expect(stage.showing == nil)
        #expect(stage.reason("a") == .suspended)
    }

    @Test func `a postponed popup waits until the time is over: POSTPONED`() {
        let stage = stage { $0.popup("a") { $0.triggers = [.manual] } }
        stage.answers["a"] = .postpone(.seconds(5))
        #expect(stage(.enqueue("a")) == ["queued a", "willShow a", "postponed a"])
        #expect(stage.reason("a") == .postponed)
        stage.answers["a"] = .show
        #expect(stage.after(.milliseconds(4999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow a", "shown a"])
    }

    @Test func `delay since the trigger suppresses a popup: DELAYED`() {
        let stage = stage { $0.popup("a") { $0.timing.delay = .seconds(1) ... .seconds(1) } }
        #expect(stage.reason("a") == .delayed)
        #expect(stage.after(.milliseconds(999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow a", "shown a"])
    }

    @Test func `nothing shows before schedule from: BEFORE_START`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.schedule = [Schedule(from: .moment(date("2026-11-20T09:00:10Z")))]
            }
        }
        #expect(stage.reason("a") == .beforeStart)
        stage.after(.seconds(9))
        #expect(stage.showing == nil)
        stage.after(.seconds(1))
        #expect(stage.showing == "a")
    }

    @Test func `hours are in the time zone of the schedule: OUTSIDE_HOURS`() {
        let stage = stage {
            $0.popup("a") {
                let hours = Schedule.Hours(from: 11 * 60, until: 12 * 60)
                $0.timing.schedule = [Schedule(hours: hours, zone: .named("+01:00"))]
            }
        }
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage.scheduler.nextWake == .seconds(3600))
        stage.after(.seconds(3600))
        #expect(stage.showing == "a")
    }

    @Test func `days are days of the week: OUTSIDE_HOURS`() {
        // 2026-11-20 is a Friday.
        let stage = stage {
            $0.popup("a") { $0.timing.schedule = [Schedule(days: [.monday, .tuesday])] }
        }
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage.scheduler.nextWake == .seconds((24 - 9 + 48) * 3600))
        stage.after(.seconds((24 - 9 + 48) * 3600))
        #expect(stage.showing == "a")
    }

    @Test func `hours that span midnight belong to the day on which they start`() {
        var schedule = Schedule(days: [.friday])
        schedule.hours = Schedule.Hours(from: 22 * 60, until: 2 * 60)
        let hours = [
            "2026-11-20T01:00:00Z": false, "2026-11-20T22:00:00Z": true,
            "2026-11-21T01:59:59Z": true, "2026-11-21T02:00:00Z": false,
            "2026-11-21T23:00:00Z": false,
        ]
        for (text, shows) in hours {
            let moment = Moment(instant: .zero, date: date(text))
            let stage = stage(at: moment) { $0.popup("a") { $0.timing.schedule = [schedule] } }
            #expect((stage.showing == "a") == shows, "\(text)")
        }
    }

    @Test func `the predecessor must have been shown and dismissed: AWAITING_PREDECESSOR`() {
        let stage = stage {
            $0.popup("first")
            $0.popup("a") {
                $0.after = [Predecessor(0)]
                $0.priority = 1000
            }
        }
        #expect(stage.showing == "first")
        #expect(stage.reason("a") == .awaitingPredecessor)
        #expect(stage(.userClosed("first")).contains("shown a"))
    }

    @Test func `a popup with after waits again while its predecessor shows again`() {
        let stage = stage {
            $0.scheduler("toast")
            $0.popup("first")
            $0.popup("a") {
                $0.after = [Predecessor(0)]
                $0.scheduler = 1
                $0.triggers = [.manual]
            }
        }
        stage(.userClosed("first"))
        stage(.enqueue("first"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .awaitingPredecessor)
        #expect(stage(.userClosed("first")).last == "shown a")
    }

    @Test func `a predecessor that showed when the app died does not block forever`() {
        var history = History()
        history.apply(.impression(popup: "first", date: date("2026-11-20T08:00:00Z")))
        var rules = Rules()
        rules.popup("first") { $0.triggers = [.manual] }
        rules.popup("a") { $0.after = [Predecessor(0)] }
        let stage = Stage(rules, history: history)
        #expect(stage(.started).last == "shown a")
    }

    @Test func `the condition of the group must be true: GROUP_CONDITION_FALSE`() {
        let stage = stage {
            $0.key("new", .bool, default: .bool(false))
            $0.group("g", when: "new")
            $0.popup("a") { $0.group = 0 }
        }
        #expect(stage.reason("a") == .groupConditionFalse)
        stage(.update(["new": .bool(true)]))
        #expect(stage.showing == "a")
    }

    @Test func `the cap of the group counts all its popups: GROUP_CAP`() {
        let stage = stage {
            $0.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(60))))
            $0.popup("first") { $0.group = 0 }
            $0.popup("a") { $0.group = 0 }
        }
        stage(.userClosed("first"))
        #expect(stage.reason("a") == .groupCap)
        #expect(stage.scheduler.nextWake == .seconds(60))
        stage.after(.seconds(60))
        #expect(stage.showing == "a")
    }

    @Test func `impressions of the session are capped: SESSION_CAP`() {
        let stage = stage { $0.popup("a") { $0.caps.perSession = 1 } }
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .sessionCap)
    }

    @Test func `impressions before the session do not count towards its cap`() {
        let stage = stage(history: shown("2026-11-20T08:59:59Z")) {
            $0.popup("a") { $0.caps.perSession = 1 }
        }
        #expect(stage.showing == "a")
    }

    @Test func `every requires that much time between impressions: COOLDOWN`() {
        let stage = stage(history: shown("2026-11-20T08:59:30Z")) {
            $0.popup("a") { $0.caps.every = .seconds(60) }
        }
        #expect(stage.reason("a") == .cooldown)
        #expect(stage.scheduler.nextWake == .seconds(30))
        stage.after(.seconds(30))
        #expect(stage.showing == "a")
    }

    @Test func `a rolling window is capped: PERIOD_CAP`() {
        let history = shown("2026-11-20T08:59:10Z", "2026-11-20T08:59:30Z")
        let stage = stage(history: history) {
            $0.popup("a") {
                $0.caps.windows = [WindowCap(max: 2, per: .rolling(.seconds(60)))]
            }
        }
        #expect(stage.reason("a") == .periodCap)
        #expect(stage.scheduler.nextWake == .seconds(10))
    }

    @Test func `a calendar day starts at midnight of the zone: PERIOD_CAP`() {
        let stage = stage(history: shown("2026-11-20T08:00:00Z")) {
            $0.popup("a") {
                $0.caps.windows = [WindowCap(max: 1, per: .calendar(.day))]
                $0.timing.schedule = [Schedule(zone: .named("+01:00"))]
            }
        }
        #expect(stage.reason("a") == .periodCap)
        #expect(stage.scheduler.nextWake == .seconds(14 * 3600))
    }

    @Test func `a calendar week starts on Monday: PERIOD_CAP`() {
        let week = [WindowCap(max: 1, per: .calendar(.week))]
        let tuesday = stage(history: shown("2026-11-17T08:00:00Z")) {
            $0.popup("a") { $0.caps.windows = week }
        }
        #expect(tuesday.reason("a") == .periodCap)
        #expect(tuesday.scheduler.nextWake == .seconds((24 - 9 + 48) * 3600))
        let sunday = stage(history: shown("2026-11-15T23:59:59Z")) {
            $0.popup("a") { $0.caps.windows = week }
        }
        #expect(sunday.showing == "a")
    }

    @Test func `the cap of the scheduler counts all its popups: SCHEDULER_CAP`() {
        let stage = stage {
            $0.main { $0.cap = WindowCap(max: 1, per: .rolling(.seconds(60))) }
            $0.popup("first")
            $0.popup("a")
        }
        stage(.userClosed("first"))
        #expect(stage.reason("a") == .schedulerCap)
        stage.after(.seconds(60))
        #expect(stage.showing == "a")
    }

    @Test func `when must be true: CONDITION_FALSE`() {
        let stage = stage {
            $0.key("online", .bool, default: .bool(false))
            $0.popup("a", when: "online")
        }
        #expect(stage.reason("a") == .conditionFalse)
        stage(.update(["online": .bool(true)]))
        #expect(stage.showing == "a")
    }

    @Test
    func `a condition that fails is reported once and blocks no popup: CONDITION_ERROR`() {
        var rules = Rules()
        rules.key("screen", .string)
        rules.key("other", .int, default: .int(0))
        rules.popup("a", when: "screen == 'map' && other >= 0")
        rules.popup("b")
        let stage = Stage(rules)
        let log = stage(.started)
        #expect(log.contains("conditionError a when"))
        #expect(stage.reason("a") == .conditionError)
        #expect(stage.showing == "b")
        #expect(stage(.userClosed("b")).contains("conditionError a when") == false)
        #expect(stage(.update(["other": .int(1)])) == [])
        #expect(stage(.update(["screen": .string("map")])) == ["willShow a", "shown a"])
    }

    @Test func `the first check that fails is the reason`() {
        let stage = stage {
            $0.key("online", .bool, default: .bool(false))
            $0.popup("a", when: "online") {
                $0.timing.delay = .seconds(1) ... .seconds(1)
                $0.timing.schedule = [Schedule(from: .moment(date("2026-11-20T09:00:02Z")))]
                $0.caps.perSession = 0
            }
        }
        stage(.suspend())
        #expect(stage.reason("a") == .suspended)
        stage(.resume())
        #expect(stage.reason("a") == .delayed)
        stage.after(.seconds(1))
        #expect(stage.reason("a") == .beforeStart)
        stage.after(.seconds(1))
        #expect(stage.reason("a") == .sessionCap)
    }

    @Test func `an eligible task waits while the screen is occupied: SLOT_BUSY`() {
        let stage = stage {
            $0.popup("first")
            $0.popup("a")
        }
        #expect(stage.reason("first") == nil)
        #expect(stage.reason("a") == .slotBusy)
    }

    @Test func `an eligible task waits in the gap: IN_GAP`() {
        let stage = stage {
            $0.main { $0.gap = .seconds(2) ... .seconds(2) }
            $0.popup("first")
            $0.popup("a")
        }
        stage(.userClosed("first"))
        #expect(stage.reason("a") == .inGap)
        #expect(stage.scheduler.nextWake == .seconds(2))
        stage.after(.seconds(2))
        #expect(stage.showing == "a")
    }

    @Test func `an eligible task waits for a better task that is about to show: OUTRANKED`() {
        let stage = stage {
            $0.popup("first") { $0.timing.grace = .seconds(1) }
            $0.popup("a")
        }
        #expect(stage.reason("a") == .outranked)
        #expect(stage.showing == nil)
    }

    @Test func `the reason codes are the documented words in the documented order`() {
        let words = ReasonCode.allCases.map(\.rawValue)
        let documented = [
            "SUSPENDED", "BACKGROUND", "QUIET_HOURS", "POSTPONED", "DELAYED", "BEFORE_START",
            "OUTSIDE_HOURS",
            "AWAITING_PREDECESSOR", "GROUP_CONDITION_FALSE", "GROUP_CAP", "SESSION_CAP",
            "COOLDOWN", "CLOSED_RECENTLY", "PERIOD_CAP", "SCHEDULER_CAP", "GLOBAL_CAP",
            "CONDITION_FALSE", "CONDITION_ERROR", "SLOT_BUSY", "IN_GAP", "OUTRANKED",
        ]
        #expect(words.starts(with: documented))
    }
}
