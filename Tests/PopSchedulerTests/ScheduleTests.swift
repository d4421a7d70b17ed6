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

    @Test func `a schedule is open while one of its entries is open`() {
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

    @Test
    func `a schedule has ended when every entry has ended, and never with an unlimited entry`() {
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

    @Test func `a schedule has not started while no entry has started, whatever the conditions`() {
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

    @Test func `an entry whose condition fails is not open, and the error is reported once`() {
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

    @Test func `local hours are in the time zone of the host, and move with it`() {
        let stage = stage {
            $0.popup("a") { [morning] in
                $0.timing.schedule = [Schedule(hours: morning, zone: .local)]
            }
        }
        stage(.started)
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage(.zoneChanged("+01:00")).contains("shown a"))
    }

    @Test func `a key may set the time zone, and without a value the host's time zone counts`() {
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

    @Test func `an end in local time comes sooner in a time zone that is ahead`() {
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

    @Test func `a schedule changes at the first edge that changes its state`() throws {
        let zones = [
            "UTC", "+05:45", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
            "America/Sao_Paulo", "Africa/Casablanca",
        ]
        // Around the days on which clocks change, and others.
        let days = ["2026-03-29", "2026-10-25", "2026-11-01", "2018-11-04", "2026-06-10"]
        var dice = Dice(20_261_128)
        for _ in 0..<3_000 {
            let zone = dice.pick(zones)
            let calendar = try #require(LocalCalendar(zone: zone, zones: .system))
            let midnight = date("\(dice.pick(days))T00:00:00Z")
            let away = dice.roll(8 * 86400) - 4 * 86400
            let date = Timestamp(seconds: midnight.seconds + Int64(away))
            var schedule = Schedule()
            if dice.isLucky(70) {
                let chosen = Schedule.Weekday.allCases.filter { _ in dice.isLucky(30) }
                if !chosen.isEmpty { schedule.days = Set(chosen) }
            }
            if dice.isLucky(70) {
                schedule.hours = Schedule.Hours(
                    from: dice.roll(96) * 15, until: (1 + dice.roll(96)) * 15)
            }
            #expect(
                schedule.nextChange(after: date, calendar: calendar)
                    == schedule.changeAmongAllEdges(after: date, calendar: calendar),
                "\(schedule) in \(zone) after \(date)")
        }
    }

    @Test func `a schedule skips the week in which its only hour does not exist`() throws {
        // In Apia there was no Friday, 30 December 2011.
        let apia = try #require(LocalCalendar(zone: "Pacific/Apia", zones: .system))
        let hours = Schedule.Hours(from: 600, until: 660)
        let fridays = Schedule(days: [.friday], hours: hours)
        #expect(
            fridays.nextChange(after: date("2011-12-29T00:00:00Z"), calendar: apia)
                == date("2012-01-05T20:00:00Z"))
    }
}

extension Schedule {
    /// The first instant at which it changes, of all at which the clock reads one of its times or
    /// midnight.
    fileprivate func changeAmongAllEdges(
        after date: Timestamp, calendar: LocalCalendar
    ) -> Timestamp? {
        let edges = [0] + (hours.map { [$0.from, $0.until] } ?? [])
        let before = includes(date, calendar: calendar)
        var candidate = date
        for _ in 0..<(3 * 15) {
            candidate = edges.map { calendar.next(minuteOfDay: $0, after: candidate) }.min() ?? .max
            if includes(candidate, calendar: calendar) != before { return candidate }
        }
        return nil
    }
}
