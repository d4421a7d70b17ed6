import PopCEL
import PopScheduler
import Testing

/// SEMANTICS: experiments.
struct ExperimentTests {
    private static func experiment(control: Double = 0) -> Experiment {
        let long = Experiment.Variant(
            "long", template: "full", content: .map(["title": .string("Go pro, {{user}}")]))
        return Experiment(
            Assignment(
                key: 0, salt: "s", control: control,
                arms: [Assignment.Arm("short"), Assignment.Arm("long", weight: 0)]),
            variants: [long])
    }

    /// A popup `a` with an experiment, after another popup if requested, and other changes.
    private static func stage(
        arm: String? = nil, history: History = History(), isManual: Bool = false,
        behind other: PopupRule.Switch? = nil, change: (inout PopupRule) -> Void = { _ in },
        others: (inout Rules) -> Void = { _ in }
    ) -> Stage {
        var rules = Rules()
        rules.key("user", .string, default: .string("ada"))
        if let other { rules.popup("other") { $0.switch = other } }
        rules.popup("a") {
            $0.triggers = [.manual]
            $0.audience.experiment = experiment()
            $0.priority = 1000
            change(&$0)
        }
        others(&rules)
        let stage = Stage(rules, history: history)
        stage(.forceArm(popup: "a", arm: arm))
        stage(.started)
        stage.isManual = isManual
        return stage
    }

    @Test func `a control task reaches the question to the host and then ends: CONTROL`() {
        let stage = Self.stage(arm: "control")
        #expect(
            stage(.enqueue("a")) == [
                "queued a", "willShow a", "exposed a control first", "discarded a CONTROL",
            ])
        #expect(
            stage(.enqueue("a")) == [
                "queued a", "willShow a", "exposed a control", "discarded a CONTROL",
            ])
    }

    @Test func `users can use the actions of the template of their variant`() {
        let stage = Self.stage(arm: "long", others: { $0.template("full", "later") })
        stage(.enqueue("a"))
        #expect(stage(.acted("a", action: "later", stays: true)) == ["acted a later"])
        let plain = Self.stage(others: { $0.template("full", "later") })
        plain(.enqueue("a"))
        #expect(
            plain(.acted("a", action: "later", stays: true)).first?.hasPrefix("rejected") == true)
    }

    @Test func `the host gets the arm before it answers, and the content of the variant`() throws {
        let stage = Self.stage(arm: "long")
        stage(.enqueue("a"))
        let shown = stage.effects.compactMap { effect in
            if case .present(let presentation) = effect { presentation } else { nil }
        }
        let asked = stage.effects.compactMap { effect in
            if case .askWillShow(let presentation) = effect { presentation } else { nil }
        }
        for presentation in try [#require(shown.last), #require(asked.last)] {
            #expect(presentation.variant == "long" && !presentation.isControl)
            #expect(presentation.template == "full")
            #expect(presentation.content == .map(["title": .string("Go pro, {{user}}")]))
            #expect(presentation.resolvedContent == .map(["title": .string("Go pro, ada")]))
        }
    }

    @Test func `users who do not participate see the original popup`() throws {
        let stage = Self.stage()
        stage(.update(["user": .string("")]))
        #expect(stage(.enqueue("a")) == ["queued a", "willShow a", "shown a"])
        let asked = stage.effects.compactMap { effect in
            if case .askWillShow(let presentation) = effect { presentation } else { nil }
        }
        #expect(asked.last?.variant == nil && asked.last?.content == .map([:]))
    }

    @Test func `a variant is exposed at the answer, once per task`() {
        let stage = Self.stage(
            arm: "short", change: { $0.switch = .latent },
            others: {
                $0.popup("better") {
                    $0.triggers = [.manual]
                    $0.priority = 2000
                }
            })
        #expect(
            stage(.enqueue("a")) == [
                "queued a", "willShow a", "exposed a short first", "shown a",
            ])
        stage(.enqueue("better"))
        #expect(stage(.userClosed("better")).suffix(2) == ["willShow a", "shown a"])
    }

    @Test func `no visible popup is dismissed for control, and no gap follows`() {
        let stage = Self.stage(arm: "control", behind: .latent) { $0.grace() }
        #expect(stage.showing == "other")
        #expect(stage(.enqueue("a")) == ["queued a"])
        #expect(
            stage.after(.seconds(1)) == [
                "willShow a", "exposed a control first", "discarded a CONTROL",
            ])
        #expect(stage.showing == "other")
    }

    @Test func `a variant that can no longer show after the answer is not exposed`() {
        let stage = Self.stage(arm: "short", isManual: true, behind: .latent) { _ in
        } others: {
            $0.popup("best") {
                $0.triggers = [.manual]
                $0.priority = 2000
            }
        }
        stage(.enqueue("a"))
        stage.answer("a", .show)
        stage(.enqueue("best"))
        #expect(stage.didDismiss("other").contains("requeued a"))
        #expect(stage.scheduler.history.popups["a"]?.exposures.count ?? 0 == 0)
    }

    @Test(arguments: ["control", "short"])
    func `a popup's own caps count exposures`(arm: String) {
        let caps: [(Caps, ReasonCode)] = [
            (Caps(lifetime: 1), .lifetimeCap), (Caps(perSession: 1), .sessionCap),
            (Caps(every: .seconds(60)), .cooldown),
            (Caps(windows: [WindowCap(max: 1, per: .calendar(.day))]), .periodCap),
        ]
        for (caps, reason) in caps {
            let stage = Self.stage(arm: arm, change: { $0.caps = caps })
            stage(.enqueue("a"))
            stage(.userClosed("a"))
            stage(.enqueue("a"))
            #expect(stage.reason("a") == reason)
        }
    }

    @Test func `control returns reserved places of shared caps, which never count it`() {
        let one = WindowCap(max: 1, per: .rolling(.seconds(60)))
        let stage = Self.stage(
            arm: "control", change: { $0.group = 0 },
            others: {
                $0.main { $0.cap = one }
                $0.limit(LimitRule(one))
                $0.group("g", cap: one)
                $0.popup("b") {
                    $0.triggers = [.manual]
                    $0.group = 0
                }
            })
        stage(.enqueue("a"))
        #expect(stage(.enqueue("b")).last == "shown b")
    }

    @Test func `a failed presentation returns only shared places`() {
        let one = WindowCap(max: 1, per: .rolling(.seconds(60)))
        let stage = Self.stage(
            arm: "short", isManual: true, change: { $0.caps.every = .seconds(60) },
            others: {
                $0.main { $0.cap = one }
                $0.popup("b") { $0.triggers = [.manual] }
            })
        stage(.enqueue("a"))
        stage.answer("a", .show)
        #expect(stage.fail("a") == ["failed a"])
        stage(.enqueue("a"))
        #expect(stage.reason("a") == .cooldown)
        #expect(stage(.enqueue("b")).last == "willShow b")
    }

    @Test func `a bare after is satisfied by a control exposure`() {
        let stage = Self.stage(
            arm: "control", others: { $0.popup("next") { $0.after = [Predecessor(0)] } })
        #expect(stage.reason("next") == .awaitingPredecessor)
        #expect(stage(.enqueue("a")).last == "shown next")
    }

    @Test func `shown_count counts impressions, exposed_count both, and variant is the latest`() {
        func others(_ rules: inout Rules) {
            for (id, when) in [
                ("none", "popups.a.variant == ''"), ("one", "popups.a.exposed_count == 1"),
                ("unseen", "popups.a.exposed_count == 1 && popups.a.shown_count == 0"),
                ("control", "popups.a.variant == 'control'"),
            ] {
                rules.scheduler(id)
                let lane = LaneIndex(rules.set.schedulers.count - 1)
                rules.popup(id, when: when) { $0.scheduler = lane }
            }
        }
        let stage = Self.stage(arm: "control", others: others)
        #expect(stage.scheduler.showing["none"] == "none")
        stage(.enqueue("a"))
        #expect(stage.scheduler.showing.keys.sorted() == ["control", "none", "one", "unseen"])
    }

    @Test func `the arm is kept through a preemption, even if the user attributes change`() {
        let stage = Self.stage(
            arm: "long", change: { $0.switch = .latent },
            others: {
                $0.popup("better") {
                    $0.triggers = [.manual]
                    $0.priority = 2000
                }
            })
        stage(.enqueue("a"))
        stage(.enqueue("better"))
        stage(.forceArm(popup: "a", arm: "control"))
        #expect(stage(.userClosed("better")).last == "shown a")
    }

    @Test func `an unknown arm cannot be forced`() {
        let stage = Self.stage()
        #expect(stage(.forceArm(popup: "a", arm: "tall")).count == 1)
        #expect(stage(.forceArm(popup: "b", arm: "short")).first?.hasPrefix("rejected") == true)
    }
}

extension PopupRule {
    fileprivate mutating func grace() { timing.grace = .seconds(1) }
}
