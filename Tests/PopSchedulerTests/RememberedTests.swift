import PopCEL
import PopScheduler
import Testing

/// R4: a trigger that fired while its popup was leaving was lost.
struct RememberedTests {
    private func stage(history: History = History(), _ change: (inout Rules) -> Void) -> Stage {
        var rules = Rules()
        rules.event("sent", [("to", .string)])
        change(&rules)
        let stage = Stage(rules, history: history)
        stage.isManual = true
        stage(.started)
        return stage
    }

    private func asked(_ popup: String, of stage: Stage) -> PresentationID {
        guard let id = stage.asked[popup] else {
            preconditionFailure("\(popup) was never asked about")
        }
        return id
    }

    private func show(_ popup: String, on stage: Stage) {
        stage(.enqueue(popup))
        stage(.answered(asked(popup, of: stage), .show))
        stage(.didPresent(asked(popup, of: stage)))
    }

    private func end(_ popup: String, on stage: Stage) -> [String] {
        stage(.didDismiss(asked(popup, of: stage)))
    }

    private func hud(_ minShow: Duration = .zero) -> Stage {
        let stage = stage {
            $0.popup("hud") {
                $0.triggers = [.manual]
                $0.timing.minShow = minShow
            }
        }
        show("hud", on: stage)
        return stage
    }

    @Test
    func `a trigger within min_show after a dismissal is tried when the popup has ended (R4)`() {
        let stage = hud(.seconds(2))
        #expect(stage(.dismiss("hud")) == [])
        #expect(stage(.enqueue("hud")) == ["remembered hud"])
        #expect(stage(.enqueue("hud")) == ["coalesced hud"])
        #expect(stage.after(.seconds(2)) == ["willDismiss hud DISMISSED"])
        #expect(end("hud", on: stage) == ["dismissed hud DISMISSED", "queued hud", "willShow hud"])
    }

    @Test func `a trigger during the dismissal animation is remembered, however it ends`() {
        let stage = hud()
        #expect(stage(.userClosed("hud")) == ["willDismiss hud USER_CLOSED"])
        #expect(stage(.enqueue("hud")) == ["remembered hud"])
        #expect(
            stage.after(.seconds(10)) == [
                "timeout hud dismiss", "dismissed hud USER_CLOSED", "queued hud", "willShow hud",
            ])
        show("hud", on: stage)
        stage(.dismiss("hud"))
        stage(.enqueue("hud"))
        #expect(
            stage(.didDisappear("hud")) == [
                "dismissed hud DISMISSED", "queued hud", "willShow hud",
            ])
    }

    @Test func `a trigger is remembered for a dismissed popup that could not be presented`() {
        let stage = hud()
        stage(.didDisappear("hud"))
        stage(.enqueue("hud"))
        stage(.answered(asked("hud", of: stage), .show))
        #expect(stage(.dismiss("hud")) == [])
        #expect(stage(.enqueue("hud")) == ["remembered hud"])
        #expect(
            stage(.presentFailed(asked("hud", of: stage), message: "no"))
                == ["failed hud", "queued hud", "willShow hud"])
    }

    @Test func `a remembered trigger is subject to the caps at that time`() {
        let stage = stage {
            $0.popup("once") {
                $0.triggers = [.manual]
                $0.caps.lifetime = 1
            }
        }
        show("once", on: stage)
        stage(.dismiss("once"))
        #expect(stage(.enqueue("once")) == ["remembered once"])
        #expect(
            end("once", on: stage) == ["dismissed once DISMISSED", "notMade once LIFETIME_CAP"])
    }

    @Test func `the task of a remembered trigger has the payload of the first remembered event`() {
        let stage = stage {
            $0.popup("sent", on: "sent") {
                $0.content = .map(["text": .string("Sent to {{event.to}}")])
            }
        }
        stage(.send("sent", payload: ["to": .string("Ann")]))
        stage(.answered(asked("sent", of: stage), .show))
        stage(.didPresent(asked("sent", of: stage)))
        stage(.dismiss("sent"))
        #expect(stage(.send("sent", payload: ["to": .string("Bob")])) == ["remembered sent"])
        #expect(stage(.send("sent", payload: ["to": .string("Cyd")])) == ["coalesced sent"])
        _ = end("sent", on: stage)
        let texts = stage.effects.compactMap { effect -> Value? in
            if case .askWillShow(let popup) = effect { popup.resolvedContent } else { nil }
        }
        #expect(texts.last == .map(["text": .string("Sent to Bob")]))
    }

    @Test func `a popup that is preempted isn't shown again for a remembered trigger`() {
        let stage = stage {
            $0.popup("hud") {
                $0.triggers = [.manual]
                $0.timing.minShow = .seconds(5)
            }
            $0.popup("urgent") {
                $0.triggers = [.manual]
                $0.priority = 1000
                $0.isUrgent = true
            }
        }
        show("hud", on: stage)
        stage(.dismiss("hud"))
        #expect(stage(.enqueue("hud")) == ["remembered hud"])
        stage(.enqueue("urgent"))
        #expect(
            stage(.answered(asked("urgent", of: stage), .show)) == ["willDismiss hud DISMISSED"])
        #expect(stage(.enqueue("hud")) == ["coalesced hud"])
        #expect(
            end("hud", on: stage).prefix(2) == ["dismissed hud DISMISSED", "notMade hud PREEMPTED"])
    }

    @Test func `dismiss, remove, another user and forget drop a remembered trigger`() {
        for (event, reason) in [
            (Event.dismiss("hud"), "DISMISSED_BEFORE_SHOWN"), (.remove("hud"), "REMOVED"),
            (.removeAll, "REMOVED"), (.switchUser("bob", History()), "USER_SWITCHED"),
            (.forget("ada"), "USER_SWITCHED"),
        ] {
            let stage = hud(.seconds(2))
            stage(.dismiss("hud"))
            stage(.enqueue("hud"))
            #expect(stage(event).first == "notMade hud \(reason)")
            stage.after(.seconds(2))
            #expect(end("hud", on: stage).count { $0.hasPrefix("queued") } == 0)
            #expect(stage.scheduler.isEmpty)
        }
    }

    @Test func `a reload keeps a remembered trigger, unless the popup is removed`() {
        for isKept in [true, false] {
            let stage = hud()
            stage(.dismiss("hud"))
            stage(.enqueue("hud"))
            var rules = Rules()
            rules.popup(isKept ? "hud" : "other") { $0.triggers = [.manual] }
            stage(.reload(rules.built()))
            #expect(
                end("hud", on: stage).dropFirst().first
                    == (isKept ? "queued hud" : "notMade hud REMOVED_BY_RELOAD"))
        }
    }

    @Test func `a popup made by the app returns as it was enqueued last`() {
        let stage = stage { $0.popup("other") { $0.triggers = [.manual] } }
        func alert(_ text: String) -> Event {
            let content = Value.map(["text": .string(text)])
            return .enqueueForeign(ForeignPopup(id: "alert", content: content), isTrue: true)
        }
        stage(alert("one"))
        stage(.answered(asked("alert", of: stage), .show))
        stage(.didPresent(asked("alert", of: stage)))
        stage(.dismiss("alert"))
        #expect(stage(alert("two")) == ["remembered alert"])
        #expect(
            end("alert", on: stage) == [
                "dismissed alert DISMISSED", "queued alert", "willShow alert",
            ])
        let texts = stage.effects.compactMap { effect -> Value? in
            if case .askWillShow(let popup) = effect { popup.content } else { nil }
        }
        #expect(texts.last == .map(["text": .string("two")]))
        #expect(stage(.setForeign("alert", isTrue: false)) == [])
        stage(.remove("alert"))
        #expect(stage.scheduler.isEmpty)
        #expect(stage(.setForeign("alert", isTrue: true)) == [#"rejected unknownPopup("alert")"#])
    }

    /// E7: a fast tap while the popup came up counted as "disappeared".
    @Test func `the first reason for the end counts in every phase (E7)`() {
        for isPresented in [false, true] {
            for (event, reason) in [
                (Event.acted("ask", action: "accept", stays: false), "ACTED"),
                (.userClosed("ask"), "USER_CLOSED"), (.dismiss("ask"), "DISMISSED"),
            ] {
                let stage = stage {
                    $0.template("sheet", "accept")
                    $0.popup("ask") {
                        $0.triggers = [.manual]
                        $0.template = "sheet"
                        $0.timing.minShow = .seconds(2)
                    }
                }
                stage(.enqueue("ask"))
                stage(.answered(asked("ask", of: stage), .show))
                if isPresented { stage(.didPresent(asked("ask", of: stage))) }
                stage(event)
                #expect(stage(.didDisappear("ask")).last == "dismissed ask \(reason)")
            }
        }
    }
}
