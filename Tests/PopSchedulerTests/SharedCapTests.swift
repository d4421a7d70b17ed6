import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: caps that popups share, over a group, a scheduler, several of these or all.
struct SharedCapTests {
    private func stage(history: History = History(), _ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        change(&rules)
        let stage = Stage(rules, history: history)
        stage(.started)
        return stage
    }

    private let hour = WindowCap.Period.rolling(.seconds(3600))

    @Test func `a limit over all schedulers suppresses every other popup: GLOBAL_CAP`() {
        let stage = stage {
            $0.scheduler("toast")
            $0.limit(LimitRule(WindowCap(max: 1, per: hour)))
            $0.popup("a")
            $0.popup("b") { $0.scheduler = 1 }
        }
        #expect(stage.showing == "a")
        #expect(stage.reason("b") == .globalCap)
        #expect(stage.scheduler.nextWake == .seconds(3600))
    }

    @Test func `a limit over schedulers or tags does not affect other popups`() {
        let stage = stage {
            $0.scheduler("toast")
            $0.limit(
                LimitRule(WindowCap(max: 1, per: hour), popups: PopupSelection(schedulers: [0])))
            $0.limit(
                LimitRule(WindowCap(max: 1, per: hour), popups: PopupSelection(tags: ["promo"])))
            for id in ["a", "b"] { $0.popup(id) }
            $0.popup("c") {
                $0.scheduler = 1
                $0.texts.tags = ["promo", "new"]
            }
            $0.popup("d") {
                $0.scheduler = 1
                $0.texts.tags = ["promo"]
            }
            $0.popup("e") { $0.scheduler = 1 }
        }
        stage(.userClosed("a"))
        #expect(stage.reason("b") == .globalCap)
        #expect(stage.scheduler.showing["toast"] == "c")
        stage(.userClosed("c"))
        #expect(stage.reason("d") == .globalCap)
        #expect(stage.scheduler.showing["toast"] == "e")
    }

    @Test func `shared caps neither suppress an essential popup nor count it`() {
        let one = WindowCap(max: 1, per: hour)
        let stage = stage {
            $0.main { $0.cap = one }
            $0.limit(LimitRule(one))
            $0.group("g", cap: one)
            for id in ["terms", "tip", "privacy"] {
                $0.popup(id) {
                    $0.group = 0
                    $0.isEssential = id != "tip"
                }
            }
        }
        stage(.userClosed("terms"))
        #expect(stage.showing == "tip")
        stage(.userClosed("tip"))
        #expect(stage.showing == "privacy")
    }

    @Test func `impressions of removed popups count only in a limit over all popups`() {
        var history = History()
        history.apply(.impression(popup: "gone", date: Stage.start.date))
        let stage = stage(history: history) {
            $0.limit(
                LimitRule(WindowCap(max: 1, per: hour), popups: PopupSelection(tags: ["promo"])))
            $0.limit(LimitRule(WindowCap(max: 2, per: hour)))
            $0.popup("a") { $0.texts.tags = ["promo"] }
            $0.popup("b")
        }
        #expect(stage.showing == "a")
        stage(.userClosed("a"))
        #expect(stage.reason("b") == .globalCap)
    }

    @Test func `a group may have several caps, which all apply`() {
        let stage = stage {
            $0.group(
                "g", cap: WindowCap(max: 2, per: .rolling(.seconds(7200))),
                more: [WindowCap(max: 1, per: hour)])
            $0.popup("a") {
                $0.group = 0
                $0.triggers = [.start, .manual]
            }
        }
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .groupCap)
        #expect(stage.after(.seconds(3600)).contains("shown a"))
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.scheduler.nextWake == .seconds(7200))
    }

    @Test func `a cap per session restarts with the session`() {
        let stage = stage {
            $0.limit(LimitRule(WindowCap(max: 1, per: .session)))
            $0.popup("a") {
                $0.triggers = [.start, .manual]
                $0.caps.windows = [WindowCap(max: 3, per: .session)]
            }
            $0.popup("b")
        }
        stage(.userClosed("a"))
        #expect(stage.reason("b") == .globalCap)
        stage.after(.seconds(30 * 86_400))
        #expect(stage.reason("b") == .globalCap)
        stage(.switchUser("bob", History()))
        #expect(stage.showing == "a")
    }

    @Test func `a popup's own cap per session gives SESSION_CAP`() {
        let stage = stage {
            $0.popup("a") {
                $0.triggers = [.start, .manual]
                $0.caps.windows = [WindowCap(max: 1, per: .session)]
            }
        }
        stage(.userClosed("a"))
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .sessionCap)
    }
}
