import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Life of a task".
struct LifeTests {
    private func stage(
        isManual: Bool = false, history: History = History(), _ change: (inout Rules) -> Void
    ) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        change(&rules)
        let stage = Stage(rules, history: history)
        stage.isManual = isManual
        stage(.started)
        return stage
    }

    @Test func `a task is printed with its popup, scheduler and number`() {
        let stage = stage { $0.popup("a") }
        let tasks = stage.effects.compactMap { effect -> TaskID? in
            if case .emit(let event) = effect { event.task } else { nil }
        }
        let name = #"TaskID(popup: "a", scheduler: "main", number: 1)"#
        #expect(Set(tasks.map { "\($0)" }) == [name])
        #expect("\(TaskID(popup: "a", scheduler: "main", number: 1))" == name)
    }

    @Test func `grace keeps the screen empty until it is over`() {
        let stage = stage { $0.popup("a") { $0.timing.grace = .milliseconds(300) } }
        #expect(stage.showing == nil)
        #expect(stage.waiting == ["a"])
        #expect(stage.scheduler.nextWake == .milliseconds(300))
        #expect(stage.after(.milliseconds(300)) == ["willShow a", "shown a"])
    }

    @Test func `a settling task that stops being eligible is never shown and waits again`() {
        let stage = stage { $0.popup("a", when: "on") { $0.timing.grace = .seconds(1) } }
        stage(.update(["on": .bool(false)]))
        #expect(stage.after(.seconds(1)) == [])
        #expect(stage.reason("a") == .conditionFalse)
        stage(.update(["on": .bool(true)]))
        #expect(stage.after(.milliseconds(999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow a", "shown a"])
    }

    @Test func `a settling task that is outranked waits again in its old position`() {
        let stage = stage {
            $0.popup("a") { $0.timing.grace = .seconds(1) }
            $0.popup("b")
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage(.enqueue("urgent"))
        #expect(stage.showing == "urgent")
        #expect(stage.waiting == ["a", "b"])
    }

    @Test func `a settling task waits again when the scheduler is suspended`() {
        let stage = stage { $0.popup("a") { $0.timing.grace = .seconds(1) } }
        stage(.suspend())
        #expect(stage.after(.seconds(2)) == [])
        #expect(stage.reason("a") == .suspended)
    }

    @Test func `a settling task that is dismissed or removed ends immediately`() {
        let dismissed = stage { $0.popup("a") { $0.timing.grace = .seconds(1) } }
        #expect(dismissed(.dismiss("a")) == ["discarded a DISMISSED_BEFORE_SHOWN"])
        let removed = stage { $0.popup("a") { $0.timing.grace = .seconds(1) } }
        #expect(removed(.remove("a")) == ["discarded a REMOVED"])
        #expect(removed.scheduler.isEmpty)
    }

    @Test func `the host is asked right before each presentation`() {
        let stage = stage(isManual: true) { $0.popup("a") }
        #expect(stage.showing == nil)
        stage.answer("a", .show)
        #expect(stage.showing == "a")
        #expect(stage.didPresent("a") == ["shown a"])
    }

    @Test func `cancel drops the task and the next task is tried: CANCELLED`() {
        var rules = Rules()
        rules.popup("a")
        rules.popup("b")
        let stage = Stage(rules)
        stage.answers["a"] = .cancel
        let log = stage(.started)
        #expect(log.suffix(4) == ["willShow a", "cancelled a", "willShow b", "shown b"])
        #expect(stage.scheduler.history.popups.keys.sorted() == ["b"])
    }

    @Test
    func `an answer of the host counts even if another popup has become better in the meantime`() {
        for answer in [WillShowAnswer.cancel, .postpone(.seconds(5)), .show] {
            let stage = stage(isManual: true) {
                $0.popup("a")
                $0.popup("urgent") {
                    $0.priority = 1000
                    $0.triggers = [.manual]
                }
            }
            #expect(stage(.enqueue("urgent")) == ["queued urgent"])
            let word =
                switch answer {
                case .cancel: "cancelled"
                case .postpone: "postponed"
                case .show: "requeued"
                }
            #expect(stage.answer("a", answer) == ["\(word) a", "willShow urgent"])
        }
    }

    @Test func `a reload asks the host again about a pending question`() {
        var rules = Rules()
        rules.popup("a")
        let stage = Stage(rules)
        stage.isManual = true
        stage(.started)
        let former = stage.asked["a"]
        #expect(stage(.reload(rules.built())) == ["requeued a", "willShow a"])
        #expect(former.map { stage(.answered($0, .cancel)) } == [])
        #expect(stage.answer("a", .cancel) == ["cancelled a"])
    }

    @Test func `a reload that removes the popup of a pending question ends the question`() {
        let stage = stage(isManual: true) { $0.popup("a") }
        #expect(stage(.reload(RuleSet())) == ["discarded a REMOVED_BY_RELOAD"])
    }

    @Test func `changes while the host is asked count when it answers`() {
        let stage = stage(isManual: true) { $0.popup("a", when: "on") }
        stage(.update(["on": .bool(false)]))
        #expect(stage.answer("a", .show) == ["requeued a"])
        #expect(stage.showing == nil)
        #expect(stage.reason("a") == .conditionFalse)
    }

    @Test func `a presentation that takes too long is reported and the scheduler continues`() {
        let stage = stage(isManual: true) {
            $0.popup("a") { $0.timing.hideAfter = .seconds(5) }
            $0.popup("b")
        }
        stage.answer("a", .show)
        #expect(stage.after(.seconds(10)) == ["timeout a present", "shown a"])
        #expect(stage.didPresent("a") == [])
        #expect(stage.after(.seconds(5)) == ["willDismiss a TIMED_OUT"])
        #expect(
            stage.after(.seconds(10)) == [
                "timeout a dismiss", "dismissed a TIMED_OUT", "willShow b",
            ])
        #expect(stage.didDismiss("a") == [])
    }

    @Test func `a presentation that fails counts as no impression: PRESENTATION_FAILED`() {
        let stage = stage(isManual: true) {
            $0.main { $0.gap = .seconds(2) ... .seconds(2) }
            $0.popup("a") { $0.caps.lifetime = 1 }
            $0.popup("b")
        }
        stage.answer("a", .show)
        #expect(stage.fail("a") == ["failed a", "willShow b"])
        #expect(stage.scheduler.history.popups["a"] == nil)
        #expect(stage.scheduler.explain("a", at: stage.now)?.lastEnding == .presentationFailed)
        #expect(stage(.enqueue("a")) == ["queued a"])
    }

    @Test func `inputs that arrive during an animation take effect after it`() {
        let stage = stage(isManual: true) {
            $0.popup("a") { $0.switch = .discard }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage.answer("a", .show)
        #expect(stage(.enqueue("urgent")) == ["queued urgent"])
        #expect(stage.didPresent("a") == ["shown a", "willShow urgent"])
        #expect(stage.answer("urgent", .show) == ["willDismiss a PREEMPTED"])
        #expect(stage(.poke) == [])
        #expect(stage.didDismiss("a") == ["dismissed a PREEMPTED"])
        #expect(stage.didPresent("urgent") == ["shown urgent"])
    }

    @Test func `dismiss during presenting takes precedence`() {
        let stage = stage(isManual: true) { $0.popup("a") }
        stage.answer("a", .show)
        #expect(stage(.dismiss("a")) == [])
        #expect(stage.didPresent("a") == ["shown a", "willDismiss a DISMISSED"])
    }

    @Test func `min show delays a dismissal by code, by a switch and by hide after`() {
        let rule: (inout PopupRule) -> Void = { $0.timing.minShow = .seconds(3) }
        let code = stage { $0.popup("a", rule) }
        #expect(code(.dismiss("a")) == [])
        #expect(code.after(.milliseconds(2999)) == [])
        #expect(
            code.after(.milliseconds(1)) == ["willDismiss a DISMISSED", "dismissed a DISMISSED"])
        let hiding = stage {
            $0.popup("a") {
                rule(&$0)
                $0.timing.hideAfter = .seconds(1)
            }
        }
        #expect(hiding.after(.milliseconds(2999)) == [])
        #expect(hiding.after(.milliseconds(1)).last == "dismissed a TIMED_OUT")
    }

    @Test func `closing by the user and a popup that disappears take effect immediately`() {
        let rule: (inout PopupRule) -> Void = { $0.timing.minShow = .seconds(3) }
        let closed = stage { $0.popup("a", rule) }
        #expect(
            closed(.userClosed("a")) == ["willDismiss a USER_CLOSED", "dismissed a USER_CLOSED"])
        let gone = stage(isManual: true) { $0.popup("a", rule) }
        gone.answer("a", .show)
        gone.didPresent("a")
        #expect(gone(.didDisappear("a")) == ["dismissed a DISAPPEARED"])
        // A popup that disappeared from the screen was on it.
        let coming = stage(isManual: true) { $0.popup("a", rule) }
        coming.answer("a", .show)
        #expect(coming(.didDisappear("a")) == ["dismissed a DISAPPEARED"])
        #expect(coming.scheduler.history.popups["a"]?.shownCount == 1)
        #expect(coming.scheduler.history.popups["a"]?.reservations == [])
    }

    @Test func `hide after counts only visible time, through a latent switch`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.hideAfter = .seconds(10)
                $0.switch = .latent
            }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage.after(.seconds(4))
        stage(.enqueue("urgent"))
        stage.after(.seconds(60))
        #expect(stage.showing == "urgent")
        stage(.userClosed("urgent"))
        #expect(stage.showing == "a")
        #expect(stage.after(.milliseconds(5999)) == [])
        #expect(stage.after(.milliseconds(1)).last == "dismissed a TIMED_OUT")
    }

    @Test func `max wait drops a task that was never shown: WAITED_TOO_LONG`() {
        let stage = stage {
            $0.popup("first")
            $0.popup("a") { $0.timing.maxWait = .seconds(10) }
        }
        #expect(stage.after(.milliseconds(9999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["discarded a WAITED_TOO_LONG"])
    }

    @Test func `max wait counts until the presentation starts`() {
        let settling = stage {
            $0.popup("a") {
                $0.timing.maxWait = .seconds(5)
                $0.timing.grace = .seconds(10)
            }
        }
        #expect(settling.after(.seconds(5)) == ["discarded a WAITED_TOO_LONG"])
        let asked = stage(isManual: true) { $0.popup("a") { $0.timing.maxWait = .seconds(5) } }
        #expect(asked.after(.seconds(5)) == ["discarded a WAITED_TOO_LONG"])
        let presenting = stage(isManual: true) { $0.popup("a") { $0.timing.maxWait = .seconds(5) } }
        presenting.answer("a", .show)
        #expect(presenting.after(.seconds(9)) == [])
    }

    @Test func `max wait is checked before any choice`() {
        let stage = stage { $0.popup("a") { $0.timing.maxWait = .zero } }
        #expect(stage.showing == nil)
        #expect(stage.scheduler.explain("a", at: stage.now)?.lastEnding == .waitedTooLong)
    }

    @Test func `max wait does not drop a preempted task`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.maxWait = .seconds(10)
                $0.switch = .latent
            }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage(.enqueue("urgent"))
        #expect(stage.after(.seconds(60)) == [])
        #expect(stage.waiting == ["a"])
    }

    @Test func `schedule until passing drops a waiting task: EXPIRED`() {
        let stage = stage {
            $0.popup("first")
            $0.popup("a") {
                $0.timing.schedule = [Schedule(until: .moment(date("2026-11-20T09:01:00Z")))]
            }
        }
        #expect(stage.after(.seconds(60)) == ["discarded a EXPIRED"])
    }

    @Test func `among expired tasks a chosen task is dropped first`() {
        let stage = stage {
            for id in ["waits", "chosen"] {
                $0.popup(id, when: id == "waits" ? "!on" : nil) {
                    $0.timing.grace = .seconds(90)
                    $0.timing.schedule = [Schedule(until: .moment(date("2026-11-20T09:01:00Z")))]
                }
            }
        }
        #expect(stage.waiting == ["chosen", "waits"])
        #expect(
            stage.after(.seconds(60)) == ["discarded chosen EXPIRED", "discarded waits EXPIRED"])
    }

    @Test func `schedule until does not dismiss the visible popup`() {
        let stage = stage {
            $0.popup("a") {
                $0.timing.schedule = [Schedule(until: .moment(date("2026-11-20T09:01:00Z")))]
            }
        }
        #expect(stage.after(.seconds(120)) == [])
        #expect(stage.showing == "a")
    }

    @Test func `a gap follows a dismissal, even for tasks added during it`() {
        let stage = stage {
            $0.main { $0.gap = .seconds(2) ... .seconds(2) }
            $0.popup("a")
            $0.popup("b") { $0.triggers = [.manual] }
        }
        stage(.userClosed("a"))
        stage.after(.seconds(1))
        #expect(stage(.enqueue("b")) == ["queued b"])
        #expect(stage.after(.seconds(1)) == ["willShow b", "shown b"])
    }

    @Test func `a delay is random for each task, and no other random value changes it`() {
        func delays(withOther: Bool) -> [Duration?] {
            var rules = Rules()
            if withOther { rules.popup("b") { $0.timing.delay = .seconds(1) ... .seconds(9) } }
            rules.popup("a") { $0.timing.delay = .seconds(1) ... .seconds(3) }
            let stage = Stage(rules, seed: 4)
            stage(.started)
            return (0..<20).map { _ in
                if withOther {
                    stage(.dismiss("b"))
                    stage(.enqueue("b"))
                    stage(.dismiss("b"))
                }
                stage(.dismiss("a"))
                stage(.enqueue("a"))
                return stage.scheduler.nextWake.map { $0 - stage.now.instant }
            }
        }
        let alone = delays(withOther: false)
        #expect(alone.allSatisfy { (.seconds(1) ... .seconds(3)).contains($0 ?? .zero) })
        #expect(Set(alone).count > 10)
        #expect(alone == delays(withOther: true))
    }

    @Test func `a gap is random between its bounds with the seed`() {
        var rules = Rules()
        rules.main { $0.gap = .seconds(1) ... .seconds(3) }
        rules.popup("a")
        rules.popup("b")
        let gaps = (UInt64(0)..<20).map { seed in
            let stage = Stage(rules, seed: seed)
            stage(.started)
            stage(.userClosed("a"))
            return stage.scheduler.nextWake ?? .zero
        }
        #expect(gaps.allSatisfy { (.seconds(1) ... .seconds(3)).contains($0) })
        #expect(Set(gaps).count > 10)
    }

    @Test func `caps do not prevent a preempted task from returning`() {
        let stage = stage {
            $0.popup("a") {
                $0.switch = .latent
                $0.caps = Caps(lifetime: 1, perSession: 1, every: .seconds(3600))
            }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage(.enqueue("urgent"))
        stage(.userClosed("urgent"))
        #expect(stage.showing == "a")
    }

    @Test func `caps are checked again at the time of display`() {
        let stage = stage {
            $0.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(3600))))
            $0.scheduler("other")
            $0.popup("a") {
                $0.group = 0
                $0.timing.delay = .milliseconds(500) ... .milliseconds(500)
            }
            $0.popup("b") {
                $0.group = 0
                $0.scheduler = 1
                $0.timing.grace = .seconds(1)
            }
        }
        #expect(stage.after(.seconds(2)) == ["willShow a", "shown a"])
        #expect(stage.reason("b") == .groupCap)
    }

    @Test func `every task ends with exactly one terminal event`() {
        let stage = stage {
            $0.popup("a") { $0.timing.hideAfter = .seconds(1) }
        }
        stage(.dismiss("a"))
        stage(.dismiss("a"))
        stage(.userClosed("a"))
        stage(.didDisappear("a"))
        stage.after(.seconds(5))
        let endings = stage.effects.filter {
            if case .emit(let event) = $0 { event.ending != nil } else { false }
        }
        #expect(endings.count == 1)
    }
}
