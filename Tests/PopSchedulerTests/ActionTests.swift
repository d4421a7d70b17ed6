import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: `acted(id, action, stay)`, and what follows from what people do with popups.
struct ActionTests {
    private func stage(history: History = History(), _ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.template("sheet", "accept", "later", refusals: ["never"])
        change(&rules)
        let stage = Stage(rules, history: history)
        stage(.started)
        return stage
    }

    private func past(_ stage: Stage, _ id: String = "a") -> History.Popup {
        stage.scheduler.history.popups[id] ?? History.Popup()
    }

    // MARK: The call

    @Test func `an action ends the task regardless of min_show: ACTED`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.timing.minShow = .seconds(9)
            }
        }
        #expect(
            stage(.acted("a", action: "accept"))
                == ["acted a accept", "willDismiss a ACTED", "dismissed a ACTED"])
        #expect(past(stage).lastReason == .acted && past(stage).lastAction == "accept")
        #expect(past(stage).actions["accept"]?.lastEnd == Stage.start.date)
        #expect(past(stage).closedCount == 0)
    }

    @Test func `an action that keeps the popup is recorded in the history and ends nothing`() {
        let stage = stage { $0.popup("a") { $0.template = "sheet" } }
        #expect(stage(.acted("a", action: "accept", stays: true)) == ["acted a accept"])
        #expect(stage.showing == "a")
        #expect(past(stage).actions["accept"]?.count == 1)
        #expect(past(stage).actions["accept"]?.lastEnd == nil)
    }

    @Test func `an undeclared action and an action on a hidden popup are refused`() {
        let stage = stage {
            $0.popup("a") { $0.template = "sheet" }
            $0.popup("b") { $0.template = "sheet" }
            $0.popup("plain") { $0.priority = 1 }
        }
        let refusals: [(Event, Rejection)] = [
            (.acted("a", action: "buy"), .unknownAction(popup: "a", "buy")),
            (.acted("a", action: "close"), .unknownAction(popup: "a", "close")),
            (.acted("b", action: "accept"), .notShowing("b")),
            (.acted("none", action: "accept"), .unknownPopup("none")),
        ]
        for (event, rejection) in refusals { #expect(stage(event) == ["rejected \(rejection)"]) }
        stage(.acted("a", action: "accept"))
        stage(.userClosed("b"))
        #expect(
            stage(.acted("plain", action: "accept"))
                == ["rejected \(Rejection.unknownAction(popup: "plain", "accept"))"])
    }

    @Test func `an action while presenting counts as showing`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.triggers = [.manual]
            }
        }
        stage.isManual = true
        stage(.enqueue("a"))
        stage.answer("a", .show)
        #expect(stage(.acted("a", action: "accept")) == ["acted a accept"])
        #expect(past(stage).shownCount == 1 && past(stage).lastAction == "accept")
        #expect(stage.didPresent("a") == ["shown a", "willDismiss a ACTED"])
        #expect(
            stage(.acted("a", action: "later")) == ["rejected \(Rejection.notShowing("a"))"])
    }

    @Test
    func `an action on a popup that is being dismissed is recorded, and does not change its end`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.triggers = [.manual]
            }
        }
        stage.isManual = true
        stage(.enqueue("a"))
        stage.answer("a", .show)
        stage.didPresent("a")
        stage(.dismiss("a"))
        #expect(stage(.acted("a", action: "accept")) == ["acted a accept"])
        #expect(stage.didDismiss("a") == ["dismissed a DISMISSED"])
        #expect(past(stage).actions["accept"]?.count == 1)
        #expect(past(stage).actions["accept"]?.lastEnd == nil)
    }

    @Test func `after a reload the visible popup has its original actions`() {
        var rules = Rules()
        rules.template("sheet", "accept")
        rules.popup("a") { $0.template = "sheet" }
        let stage = Stage(rules)
        stage(.started)
        var other = Rules()
        other.template("sheet", "later")
        other.popup("a") { $0.template = "sheet" }
        stage(.reload(other.built()))
        #expect(stage(.acted("a", action: "later")).first?.hasPrefix("rejected") == true)
        #expect(stage(.acted("a", action: "accept")).last == "dismissed a ACTED")
    }

    // MARK: Closing

    @Test func `closings and refusals count once per task, and not after another action`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.caps.closes = 99
            }
        }
        func again(_ event: Event) -> Int {
            stage(event)
            stage(.enqueue("a"))
            return past(stage).closedCount
        }
        #expect(again(.userClosed("a")) == 1)
        stage(.acted("a", action: "never", stays: true))
        stage(.acted("a", action: "never", stays: true))
        #expect(again(.userClosed("a")) == 2)
        stage(.acted("a", action: "later", stays: true))
        #expect(again(.userClosed("a")) == 2)
        #expect(again(.dismiss("a")) == 2)
        stage(.acted("a", action: "later", stays: true))
        #expect(again(.acted("a", action: "never")) == 3)
    }

    @Test func `a popup that was closed as often as closes allows gets no task: CLOSED_TOO_OFTEN`()
    {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.caps.closes = 2
            }
        }
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        stage(.acted("a", action: "never"))
        #expect(stage(.enqueue("a")) == ["notMade a CLOSED_TOO_OFTEN"])
        #expect(stage.reason("a") == .closedTooOften)
    }

    @Test func `after_close suppresses a popup that was closed or refused: CLOSED_RECENTLY`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.caps.afterClose = PauseAfterClose(.seconds(60), actions: ["later": .seconds(5)])
            }
        }
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .closedRecently)
        #expect(stage.scheduler.nextWake == .seconds(60))
        #expect(stage.after(.seconds(60)).contains("shown a"))
        stage(.acted("a", action: "never"))
        stage(.enqueue("a"))
        #expect(stage.after(.seconds(59)) == [])
        #expect(stage.after(.seconds(1)).contains("shown a"))
        stage(.acted("a", action: "later"))
        stage(.enqueue("a"))
        #expect(stage.after(.seconds(5)).contains("shown a"))
        stage(.acted("a", action: "accept"))
        #expect(stage(.enqueue("a")).contains("shown a"))
    }

    // MARK: Successors

    @Test func `after an action waits until a task has ended by that action`() {
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.priority = 1000
            }
            $0.popup("b") { $0.after = [Predecessor(0, action: "accept")] }
        }
        stage(.acted("a", action: "accept", stays: true))
        stage(.userClosed("a"))
        #expect(stage.reason("b") == .awaitingPredecessor)
        stage(.enqueue("a"))
        #expect(stage(.acted("a", action: "accept")).contains("shown b"))
    }

    @Test
    func `since counts by calendar time from the end, and without an end from the impression`() {
        var history = History()
        history.apply(.impression(popup: "a", date: date("2026-11-20T08:59:30Z")))
        let died = stage(history: history) {
            $0.popup("a") { $0.triggers = [.manual] }
            $0.popup("b") { $0.after = [Predecessor(0, since: .seconds(60))] }
        }
        #expect(died.reason("b") == .awaitingPredecessor)
        #expect(died.scheduler.nextWake == .seconds(30))
        #expect(died.after(.seconds(30)).contains("shown b"))
        let stage = stage {
            $0.popup("a") {
                $0.template = "sheet"
                $0.priority = 1000
            }
            $0.popup("b") {
                $0.after = [Predecessor(0, action: "accept", since: .seconds(60))]
            }
        }
        stage(.acted("a", action: "accept"))
        #expect(stage.after(.seconds(59)) == [])
        #expect(stage.after(.seconds(1)).contains("shown b"))
    }

    @Test func `an action of a popup and its closing are triggers`() {
        let stage = stage {
            $0.popup("a") { $0.template = "sheet" }
            $0.popup("b") { $0.triggers = [.acted(popup: 0, action: "accept")] }
            $0.popup("c") { $0.triggers = [.acted(popup: 0, action: "close")] }
        }
        #expect(
            stage(.acted("a", action: "accept", stays: true)) == ["acted a accept", "queued b"])
        #expect(stage(.userClosed("a")).first == "queued c")
    }

    @Test func `conditions read the actions of users`() {
        let stage = stage {
            $0.popup("a") { $0.template = "sheet" }
            for (id, condition) in [
                ("last", "popups.a.last_action == 'never'"),
                ("closed", "popups.a.closed_count > 0"),
                ("acted", "acted('a', 'never') == 1"),
                ("when", "now - last_acted('a', 'never') >= duration('5s')"),
            ] {
                $0.scheduler(id)
                let lane = LaneIndex($0.set.schedulers.count - 1)
                $0.popup(id, when: condition) { $0.scheduler = lane }
            }
        }
        #expect(stage.reason("last") == .conditionFalse && stage.reason("when") == .conditionError)
        let events = stage(.acted("a", action: "never"))
        for id in ["last", "closed", "acted"] { #expect(events.contains("shown \(id)")) }
        #expect(stage.after(.seconds(5)).contains("shown when"))
        stage(.enqueue("a"))
        #expect(past(stage).lastAction == nil)
    }
}
