import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: schedules of several entries, and whose clocks they are read by.
struct ScheduleTests {
    /// At 9 o'clock on Friday, 20 November 2026.
    private func stage(_ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.key("zone", .string)
        rules.key("eu", .bool, default: .bool(true))
        change(&rules)
        return Stage(rules)
    }

    private let morning = Schedule.Hours(from: 10 * 60, until: 11 * 60)
    private let noon = Schedule.Hours(from: 12 * 60, until: 13 * 60)

    @Test func `a schedule is open while one of its entries is`() {
        let stage = stage {
            $0.popup("a") { [morning, noon] in
                $0.timing.schedule = [Schedule(hours: noon), Schedule(hours: morning)]
                $0.timing.hideAfter = .seconds(60)
                $0.triggers = [.start, .manual]
            }
        }
        stage(.started)
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage.after(.seconds(3600)).contains("shown a"))
        stage.after(.seconds(3600))
        #expect(stage(.enqueue("a")) == ["queued a"])
        #expect(stage.after(.seconds(3600)).contains("shown a"))
    }

    @Test func `it is over when every entry is, and one without an end is never`() {
        let first = Schedule(until: .moment(date("2026-11-20T09:00:10Z")))
        let second = Schedule(until: .moment(date("2026-11-20T09:00:20Z")))
        let stage = stage {
            $0.main { $0.gap = .seconds(1) ... .seconds(1) }
            $0.popup("hold") { $0.priority = 2000 }
            $0.popup("a") { $0.timing.schedule = [first, second] }
            $0.popup("b") { $0.timing.schedule = [first, Schedule(days: [.sunday])] }
        }
        stage(.started)
        #expect(stage.after(.seconds(19)) == [])
        #expect(stage.after(.seconds(1)) == ["discarded a EXPIRED"])
        #expect(stage(.enqueue("a")) == ["notMade a EXPIRED"])
        #expect(stage.reason("b") == .outsideHours)
    }

    @Test func `while no entry has begun it is before the start, whatever the conditions`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.schedule = [Schedule(from: .moment(date("2026-11-20T09:00:10Z")))]
            }
            $0.schedule(0, when: "!eu")
        }
        stage(.started)
        #expect(stage.reason("a") == .beforeStart)
        stage.after(.seconds(10))
        #expect(stage.reason("a") == .conditionFalse)
        #expect(stage(.update(["eu": .bool(false)])).contains("shown a"))
    }

    @Test func `an entry whose condition errs is not open, and the error is reported once`() {
        let stage = stage {
            $0.popup("a") { $0.timing.schedule = [Schedule()] }
            $0.schedule(0, when: "zone == 'x'")
        }
        let events = stage(.started)
        #expect(events.filter { $0.hasPrefix("conditionError a") }.count == 1)
        #expect(stage.reason("a") == .conditionError)
        #expect(stage(.update(["eu": .bool(false)])) == [])
        #expect(stage(.update(["zone": .string("x")])).contains("shown a"))
    }

    @Test func `local hours are those of the host, and move with it`() {
        let stage = stage {
            $0.popup("a") { [morning] in
                $0.timing.schedule = [Schedule(hours: morning, zone: .local)]
            }
        }
        stage(.started)
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage(.zoneChanged("+01:00")).contains("shown a"))
    }

    @Test func `the zone that a key names counts, and the host's while it names none`() {
        let stage = stage {
            $0.popup("a") { [morning] in
                $0.timing.schedule = [Schedule(hours: morning, zone: .key(0))]
            }
        }
        #expect(stage(.started) == ["zoneUnknown zone -", "queued a"])
        #expect(stage(.update(["zone": .string("Nowhere")])) == ["zoneUnknown zone Nowhere"])
        #expect(stage(.update(["eu": .bool(false)])) == [])
        #expect(stage(.zoneChanged("+01:00")).contains("shown a"))
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        stage(.userClosed("a"))
        stage(.zoneChanged("UTC"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage(.update(["zone": .string("Europe/Berlin")])).contains("shown a"))
    }

    @Test func `an end by the clocks of the host comes sooner where they are ahead`() {
        let nine = Int64(date("2026-11-20T09:00:00Z").seconds)
        let stage = stage {
            $0.popup("hold") { $0.priority = 2000 }
            $0.popup("a") {
                $0.timing.schedule = [Schedule(until: .reading(nine + 3600), zone: .local)]
            }
        }
        stage(.started)
        #expect(stage.scheduler.nextWake == .seconds(3600))
        #expect(stage(.zoneChanged("+00:30")) == [])
        #expect(stage.scheduler.nextWake == .seconds(1800))
        #expect(stage(.zoneChanged("+02:00")) == ["discarded a EXPIRED"])
    }

    @Test func `a zone that does not exist changes nothing`() {
        let stage = stage { $0.popup("a") }
        #expect(stage(.zoneChanged("Nowhere")).count == 1)
    }

    @Test func `a cap counts the days of its own zone`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.start, .manual]
                $0.caps.windows = [WindowCap(max: 1, per: .calendar(.day), zone: .local)]
            }
        }
        stage(.started)
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .periodCap)
        #expect(stage.scheduler.nextWake == .seconds(15 * 3600))
        // In Auckland it is ten in the evening.
        stage(.zoneChanged("Pacific/Auckland"))
        #expect(stage.scheduler.nextWake == .seconds(2 * 3600))
        #expect(stage.after(.seconds(2 * 3600)).contains("shown a"))
    }

    @Test func `a cap counts the months of the calendar`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.start, .manual]
                $0.caps.windows = [WindowCap(max: 1, per: .calendar(.month))]
            }
        }
        stage(.started)
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.scheduler.nextWake == .seconds((10 * 24 + 15) * 3600))
    }
}
