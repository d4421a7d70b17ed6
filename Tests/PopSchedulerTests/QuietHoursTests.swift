import PopCEL
import Testing

@testable import PopScheduler

@Suite struct QuietHoursTests {
    private func stage(
        _ quiet: QuietRule, _ change: (inout Rules) -> Void
    ) -> Stage {
        var rules = Rules()
        rules.key("zone", .string, default: .string("UTC"))
        rules.quiet(quiet)
        change(&rules)
        let stage = Stage(rules)
        stage(.started)
        return stage
    }

    /// The stage is set at nine.
    private let untilTen = Schedule.Hours(from: 22 * 60, until: 10 * 60)

    @Test func `nothing is shown or dropped in quiet hours: QUIET_HOURS`() {
        let stage = stage(QuietRule(untilTen)) {
            $0.popup("a") { $0.untriggered = .discard }
            $0.popup("b") { $0.timing.maxWait = .seconds(60) }
        }
        #expect(stage.reason("a") == .quietHours)
        #expect(stage.after(.seconds(3599)) == ["discarded b WAITED_TOO_LONG"])
        #expect(stage.after(.seconds(1)) == ["willShow a", "shown a"])
    }

    @Test func `only popups of the named schedulers and tags are suppressed in quiet hours`() {
        let promo = PopupSelection(schedulers: [0], tags: ["promo"])
        let stage = stage(QuietRule(untilTen, popups: promo)) {
            $0.scheduler("toast")
            $0.popup("tagged") { $0.texts.tags = ["promo"] }
            $0.popup("plain") { $0.triggers = [.manual] }
            $0.popup("notice") {
                $0.texts.tags = ["promo"]
                $0.isEssential = true
            }
            $0.popup("elsewhere") {
                $0.texts.tags = ["promo"]
                $0.scheduler = 1
            }
        }
        #expect(stage.reason("tagged") == .quietHours)
        stage(.enqueue("plain"))
        #expect(stage.reason("plain") == .slotBusy)
        #expect(stage.scheduler.showing == ["main": "notice", "toast": "elsewhere"])
    }

    @Test func `the end of another reason does not depend on quiet hours`() {
        let hours = Schedule.Hours(from: 12 * 60, until: 13 * 60)
        let stage = stage(QuietRule(hours)) {
            $0.popup("a") { $0.timing.delay = .seconds(86_400)...(.seconds(86_400)) }
        }
        let explanation = stage.scheduler.explain("a", at: stage.now)
        #expect(explanation?.reason == .delayed)
        #expect(explanation?.until == date("2026-11-21T09:00:00Z"))
    }

    @Test func `quiet hours are in the time zone of the device, or of the user`() {
        let device = stage(QuietRule(untilTen)) { $0.popup("a") }
        #expect(device(.zoneChanged("+01:00")) == ["willShow a", "shown a"])
        let user = stage(QuietRule(untilTen, zone: .key(0))) { $0.popup("a") }
        #expect(user.reason("a") == .quietHours)
        #expect(user(.update(["zone": .string("+01:00")])) == ["willShow a", "shown a"])
    }

    @Test func `another user, other rules and a calendar set back change quiet hours`() {
        let user = stage(QuietRule(untilTen, zone: .key(0))) { $0.popup("a") }
        #expect(user.reason("a") == .quietHours)
        let context = ["zone": Value.string("+01:00")]
        #expect(user(.switchUser("b", History(), context: context)).contains("shown a"))
        let rules = stage(QuietRule(untilTen)) { $0.popup("a") }
        #expect(rules.reason("a") == .quietHours)
        var others = Rules()
        others.quiet(QuietRule(Schedule.Hours(from: 22 * 60, until: 9 * 60)))
        others.popup("a")
        #expect(rules(.reload(others.built())) == ["willShow a", "shown a"])
        let calendar = stage(QuietRule(untilTen)) {
            $0.popup("a") { $0.timing.delay = .seconds(3600)...(.seconds(3600)) }
        }
        calendar.setCalendar("2026-11-20T08:30:00Z")
        #expect(calendar.after(.seconds(3600)) == [])
        #expect(calendar.reason("a") == .quietHours)
    }

    @Test func `a task that would be dropped when passed over stays when quiet hours start`() {
        let hours = Schedule.Hours(from: 9 * 60 + 1, until: 9 * 60 + 2)
        let stage = stage(QuietRule(hours, popups: PopupSelection(tags: ["promo"]))) {
            $0.main { $0.gap = .seconds(70)...(.seconds(70)) }
            $0.popup("first")
            $0.popup("a", when: "zone == 'x'") {
                $0.triggers = [.manual]
                $0.untriggered = .discard
                $0.texts.tags = ["promo"]
            }
        }
        stage(.enqueue("a"))
        stage(.userClosed("first"))
        // The gap ends in the quiet hours.
        #expect(stage.after(.seconds(71)) == [])
        #expect(stage.reason("a") == .quietHours)
        #expect(stage.after(.seconds(60)) == ["discarded a DISCARDED_UNTRIGGERED"])
    }

    @Test func `a visible popup stays in quiet hours, and a settling task waits again`() {
        let hours = Schedule.Hours(from: 9 * 60 + 1, until: 9 * 60 + 2)
        let stage = stage(QuietRule(hours)) {
            $0.scheduler("toast")
            $0.popup("there")
            $0.popup("settling") {
                $0.scheduler = 1
                $0.timing.grace = .seconds(90)
            }
        }
        stage.after(.seconds(61))
        #expect(stage.showing == "there")
        #expect(stage.reason("settling") == .quietHours)
    }
}
