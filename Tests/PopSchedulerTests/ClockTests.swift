import PopCEL
import PopScheduler
import Testing

/// Calendars that jump, and the days and nights on which they are odd.
struct ClockTests {
    private func stage(_ schedule: Schedule, caps: Caps = .none, at start: String) -> Stage {
        var rules = Rules()
        rules.popup("a") {
            $0.timing.schedule = [schedule]
            $0.caps = caps
            $0.triggers = [.start, .manual]
        }
        let stage = Stage(rules, at: Moment(instant: .zero, date: date(start)))
        stage(.started)
        return stage
    }

    @Test func `a calendar set forward by a day shows a popup that waited for the date`() {
        let stage = stage(
            Schedule(from: .moment(date("2026-11-21T08:00:00Z"))), at: "2026-11-20T09:00:00Z")
        #expect(stage.reason("a") == .beforeStart)
        stage.setCalendar("2026-11-21T09:00:00Z")
        #expect(stage(.poke) == ["willShow a", "shown a"])
    }

    @Test func `a calendar set forward by a day ends a popup that was limited by the date`() {
        var rules = Rules()
        rules.popup("a") {
            $0.timing.schedule = [Schedule(until: .moment(date("2026-11-21T08:00:00Z")))]
        }
        rules.popup("b") { $0.priority = 1000 }
        let stage = Stage(rules)
        stage(.started)
        stage.setCalendar("2026-11-21T09:00:00Z")
        #expect(stage(.poke) == ["discarded a EXPIRED"])
    }

    @Test(arguments: ["2026-11-19T09:00:00Z", "2026-11-21T09:00:00Z"])
    func `timers continue when the calendar is set back or forward by a day`(other: String) {
        var rules = Rules()
        rules.main { $0.gap = .seconds(5) ... .seconds(5) }
        rules.popup("a") {
            $0.timing.hideAfter = .seconds(60)
            $0.priority = 1000
        }
        rules.popup("b") { $0.timing.delay = .seconds(30) ... .seconds(30) }
        let stage = Stage(rules)
        stage(.started)
        stage.after(.seconds(20))
        stage.setCalendar(other)
        stage(.poke)
        #expect(stage.after(.seconds(39)) == [])
        #expect(stage.after(.seconds(1)) == ["willDismiss a TIMED_OUT", "dismissed a TIMED_OUT"])
        #expect(stage.after(.seconds(5)) == ["willShow b", "shown b"])
    }

    /// E19: a page claimed that the cooldown starts again from there.
    @Test func `a cooldown lasts until its date when the calendar is set back (E19)`() {
        let stage = stage(
            Schedule(), caps: Caps(every: .seconds(3600)), at: "2026-11-20T09:00:00Z")
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        stage.setCalendar("2026-11-19T09:00:00Z")
        stage(.poke)
        #expect(stage.reason("a") == .cooldown)
        stage.setCalendar("2026-11-20T10:00:00Z")
        #expect(stage(.poke) == ["willShow a", "shown a"])
    }

    @Test func `a new time zone counts from the time at which its rules are loaded`() {
        func rules(_ zone: String) -> Rules {
            var rules = Rules()
            rules.popup("a") {
                $0.timing.schedule = [
                    Schedule(
                        hours: Schedule.Hours(from: 18 * 60, until: 20 * 60), zone: .named(zone))
                ]
            }
            return rules
        }
        let stage = Stage(rules("Europe/Berlin"))
        stage(.started)
        #expect(stage.reason("a") == .outsideHours)
        #expect(stage(.reload(rules("Asia/Tokyo").built())) == ["willShow a", "shown a"])
    }

    @Test func `a leap day counts as a separate day`() {
        let stage = stage(
            Schedule(), caps: Caps(windows: [WindowCap(max: 1, per: .calendar(.day))]),
            at: "2028-02-28T12:00:00Z")
        for _ in 0..<3 {
            #expect(stage.showing == "a")
            stage(.userClosed("a"))
            stage(.enqueue("a"))
            #expect(stage.reason("a") == .periodCap)
            #expect(stage.after(.seconds(12 * 3600)) == ["willShow a", "shown a"])
            stage.after(.seconds(12 * 3600))
        }
        #expect(stage.now.date == date("2028-03-02T12:00:00Z"))
    }

    @Test
    func `a schedule that begins in the hour skipped by summer time begins after that hour`() {
        let hours = Schedule.Hours(from: 2 * 60 + 30, until: 4 * 60)
        let stage = stage(
            Schedule(hours: hours, zone: .named("Europe/Berlin")), at: "2026-03-29T00:00:00Z")
        #expect(stage.after(.seconds(3599)) == [])
        #expect(stage.after(.seconds(1)) == ["willShow a", "shown a"])
    }

    @Test func `the day on which summer time ends has twenty-five hours`() {
        let stage = stage(
            Schedule(zone: .named("Europe/Berlin")),
            caps: Caps(windows: [WindowCap(max: 1, per: .calendar(.day))]),
            at: "2026-10-24T22:00:00Z")
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.after(.seconds(25 * 3600 - 1)) == [])
        #expect(stage.after(.seconds(1)) == ["willShow a", "shown a"])
    }
}
