import PopCEL
import PopScheduler
import Testing

/// SEMANTICS "Life of a task": a place under each cap from the question on, an impression when the
/// popup is visible.
struct ReservationTests {
    private func stage(history: History = History(), _ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.key("on", .bool, default: .bool(true))
        change(&rules)
        let stage = Stage(rules, history: history)
        stage.isManual = true
        stage(.started)
        return stage
    }

    private func kinds(_ stage: Stage) -> [String] {
        stage.records.compactMap { record in
            switch record {
            case .session, .counted: nil
            case .reservation: "reserved"
            case .reservationTakenBack: "taken back"
            case .impression: "shown"
            case .impressionTakenBack: "shown taken back"
            case .acted: "closed"
            case .dismissal: "gone"
            default: "other"
            }
        }
    }

    @Test func `an impression is counted and dated when the popup becomes visible`() {
        let stage = stage {
            $0.popup("a")
            $0.popup("seen", when: "popups.a.shown_count == 1") { $0.scheduler = 1 }
            $0.scheduler("toast")
        }
        stage.after(.seconds(3))
        stage.answer("a", .show)
        stage.after(.seconds(5))
        #expect(stage.scheduler.history.popups["a"]?.shownCount == 0)
        #expect(stage.reason("seen") == .conditionFalse)
        #expect(stage.didPresent("a") == ["shown a", "willShow seen"])
        #expect(
            stage.scheduler.history.popups["a"]?.impressions == [date("2026-11-20T09:00:08Z")])
        #expect(stage.scheduler.history.popups["a"]?.reservations == [])
    }

    @Test
    func `a place is reserved before the host is asked, and the impression made once per task`() {
        let stage = stage {
            $0.popup("a") { $0.switch = .latent }
            $0.popup("urgent") {
                $0.priority = 1000
                $0.triggers = [.manual]
            }
        }
        stage.isManual = false
        stage.answer("a", .show)
        stage.didPresent("a")
        stage(.enqueue("urgent"))
        stage(.userClosed("urgent"))
        #expect(stage.showing == "a")
        #expect(kinds(stage) == ["reserved", "shown", "reserved", "shown", "gone"])
        var reserved: Set<String> = []
        for effect in stage.effects {
            if case .record(.reservation(let popup, _), _) = effect { reserved.insert(popup) }
            if case .askWillShow(let presentation) = effect {
                #expect(reserved.contains(presentation.popup.id))
            }
        }
    }

    @Test(arguments: [WillShowAnswer.cancel, .postpone(.seconds(5))])
    func `a place is returned if the host cancels or postpones`(answer: WillShowAnswer) {
        let stage = stage { $0.popup("a") { $0.caps.lifetime = 1 } }
        stage.answer("a", answer)
        #expect(kinds(stage) == ["reserved", "taken back"])
        #expect(stage.scheduler.history.popups == [:])
    }

    @Test func `a place is returned if the presentation fails`() {
        let stage = stage { $0.popup("a") { $0.caps.lifetime = 1 } }
        stage.answer("a", .show)
        #expect(stage.fail("a") == ["failed a"])
        #expect(kinds(stage) == ["reserved", "taken back"])
        #expect(stage(.enqueue("a")) == ["queued a", "willShow a"])
    }

    @Test func `a place is returned if the task ends while the host is asked`() {
        for event in [Event.remove("a"), .dismiss("a"), .removeAll, .switchUser("bob", History())] {
            let stage = stage { $0.popup("a") }
            stage(event)
            #expect(kinds(stage).prefix(2) == ["reserved", "taken back"])
        }
    }

    private func sharing(_ change: (inout PopupRule) -> Void = { _ in }) -> Stage {
        stage {
            $0.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(3600))))
            $0.scheduler("toast")
            $0.popup("a") { $0.group = 0 }
            $0.popup("b") {
                $0.group = 0
                $0.scheduler = 1
                change(&$0)
            }
        }
    }

    @Test func `a task that only a reservation suppresses is passed over and never dropped`() {
        let stage = sharing { $0.untriggered = .discard }
        #expect(stage.reason("b") == .groupCap)
        #expect(stage.answer("a", .cancel) == ["cancelled a", "willShow b"])
        let shown = sharing { $0.untriggered = .discard }
        shown.answer("a", .show)
        #expect(shown.didPresent("a") == ["shown a", "discarded b DISCARDED_UNTRIGGERED"])
    }

    @Test func `a place is kept however long the presentation takes`() {
        let stage = stage {
            $0.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(2))))
            $0.scheduler("toast")
            $0.popup("a") { $0.group = 0 }
            $0.popup("b") {
                $0.group = 0
                $0.scheduler = 1
            }
        }
        stage.answer("a", .show)
        #expect(stage.after(.seconds(5)) == [])
        #expect(stage.didPresent("a") == ["shown a"])
        #expect(stage.after(.milliseconds(1999)) == [])
        #expect(stage.after(.milliseconds(1)) == ["willShow b"])
    }

    @Test func `a popup of a former user still on the screen counts when that user returns`() {
        let stage = stage { $0.popup("a") { $0.caps.perSession = 1 } }
        stage.answer("a", .show)
        let ada = stage.scheduler.history
        stage(.switchUser("bob", History()))
        stage(.switchUser("ada", ada))
        #expect(stage.reason("a") == .sessionCap)
        #expect(stage.didPresent("a") == ["shown a", "willDismiss a USER_SWITCHED"])
        #expect(stage.scheduler.history.popups["a"]?.shownCount == 1)
        stage.didDismiss("a")
        #expect(stage.reason("a") == .sessionCap)
    }

    @Test func `an impression of a former user is recorded in the history of that user`() {
        let stage = stage { $0.popup("a") }
        stage.answer("a", .show)
        stage(.switchUser("bob", History()))
        stage.didPresent("a")
        let users = stage.effects.compactMap { effect -> String? in
            if case .record(.impression, let user) = effect { user } else { nil }
        }
        #expect(users == ["ada"])
        #expect(stage.scheduler.history.popups == [:])
    }

    /// The history of an app that died while the popup was about to be visible.
    private func leftBehind() -> History {
        var history = History()
        history.apply(.reservation(popup: "a", date: date("2026-11-20T08:59:30Z")))
        return history
    }

    @Test func `a reservation of a dead process counts towards caps from its start`() {
        let lifetime = stage(history: leftBehind()) { $0.popup("a") { $0.caps.lifetime = 1 } }
        #expect(lifetime.reason("a") == .lifetimeCap)
        let window = stage(history: leftBehind()) {
            $0.popup("a") { $0.caps.every = .seconds(60) }
        }
        #expect(window.reason("a") == .cooldown)
        #expect(window.after(.seconds(30)) == ["willShow a"])
        let group = stage(history: leftBehind()) {
            $0.group("g", cap: WindowCap(max: 1, per: .rolling(.seconds(60))))
            $0.popup("a") {
                $0.group = 0
                $0.triggers = [.manual]
            }
            $0.popup("b") {
                $0.group = 0
                $0.untriggered = .discard
            }
        }
        #expect(group.scheduler.explain("b", at: group.now)?.lastEnding == .discardedUntriggered)
    }

    @Test func `a reservation of a dead process satisfies after, but no condition reads it`() {
        let stage = stage(history: leftBehind()) {
            $0.popup("a") { $0.triggers = [.manual] }
            $0.popup("next") { $0.after = [Predecessor(0)] }
            $0.popup("counts", when: "popups.a.shown_count == 0 && !has(popups.a.last_shown)") {
                $0.scheduler = 1
            }
            $0.scheduler("toast")
        }
        #expect(stage.answer("next", .show) == [])
        #expect(stage.scheduler.explain("counts", at: stage.now)?.state == .chosen)
    }
}
