import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// Embedding 10: outcomes that didn't report what happened.
@MainActor
@Suite struct `A call without effect` {
    private func driver() throws -> EngineDriver {
        EngineDriver(
            rules: try .parse(
                """
                context: { a.s: string, a.list: list<string> }
                popups: { shows: {}, waits: { trigger: manual }, away: { trigger: manual } }
                """))
    }

    @Test func `reports that a popup neither waits nor shows (embedding 10)`() async throws {
        let driver = try driver()
        await driver.start()
        let engine = driver.engine
        engine.enqueue("waits")
        for outcome in [engine.dismiss("away"), engine.remove("away")] {
            #expect(outcome.state == .taken && outcome.remarks == [.notThere("away")])
        }
        for outcome in [engine.userClosed("waits"), engine.didDisappear("waits")] {
            #expect(outcome.state == .taken && outcome.remarks == [.notOnScreen("waits")])
        }
        #expect(engine.userClosed("nobody").rejections == [.unknownPopup("nobody")])
        #expect(engine.waiting == ["main": ["waits"]])
        await driver.settle()
        let told = driver.events.compactMap {
            if case .remark(let remark) = $0.kind { remark } else { nil }
        }
        #expect(told == [.notThere("away"), .notOnScreen("waits")])
        #expect(engine.dismiss("waits").isTaken && engine.userClosed("shows").isTaken)
        await driver.settle()
        #expect(engine.isEmpty)
    }

    /// E4: for three events whose toasts name different users, only the first toast showed, and
    /// each outcome was `taken`.
    @Test func `reports that a popup already waits or shows (E4)`() async throws {
        let driver = EngineDriver(
            rules: try .parse(
                """
                events: { message.sent: { to: string } }
                popups: { sent: { trigger: { event: message.sent } }, late: { trigger: manual } }
                """))
        await driver.start()
        let engine = driver.engine
        let outcomes = ["Ann", "Bob", "Cyd"].map {
            engine.send("message.sent", ["to": .string($0)])
        }
        #expect(outcomes.map(\.isTaken) == [true, false, false])
        #expect(outcomes.map(\.remarks) == [[], [.alreadyThere("sent")], [.alreadyThere("sent")]])
        #expect(engine.enqueue("late").isTaken)
        for outcome in [engine.enqueue("late"), engine.enqueue("late", calling: PopupCallbacks())] {
            #expect(outcome.state == .taken && outcome.remarks == [.alreadyThere("late")])
        }
        #expect(engine.enqueue(ForeignPopup(id: "alert")).isTaken)
        #expect(engine.enqueue(ForeignPopup(id: "alert")).remarks == [.alreadyThere("alert")])
        let words = "the popup `late` already waits or shows: nothing was added"
        #expect("\(CallRemark.alreadyThere("late"))" == words)
        // One that is leaving is remembered instead.
        await driver.settle()
        driver.presenter.animation = .seconds(1)
        engine.dismiss("sent")
        #expect(engine.send("message.sent", ["to": "Dan"]).isTaken)
    }

    @Test func `reports that an action cannot have been used (embedding 10)`() async throws {
        let driver = EngineDriver(
            rules: try .parse(
                """
                templates: { sheet: { actions: [accept] } }
                popups: { shows: { template: sheet }, waits: { template: sheet, trigger: manual } }
                """))
        await driver.start()
        let engine = driver.engine
        #expect(engine.acted("waits", "accept").rejections == [.notShowing("waits")])
        let unknown = Rejection.unknownAction(popup: "shows", "buy")
        #expect(engine.acted("shows", "buy").rejections == [unknown])
        #expect(engine.acted("shows", "accept", stays: true).isTaken)
        #expect(engine.showing == ["main": "shows"])
        #expect(engine.acted("shows", "accept").isTaken)
        await driver.settle()
        #expect(engine.isEmpty && engine.history.popups["shows"]?.lastReason == .acted)
    }

    @Test func `reports that nothing is suspended (embedding 10)`() async throws {
        let driver = try driver()
        let engine = driver.engine
        engine.suspend(by: "tour", scheduler: "main")
        #expect(engine.resume().remarks == [.notSuspended(Suspension())])
        let other = Suspension(by: "tour")
        #expect(engine.resume(by: "tour").remarks == [.notSuspended(other)])
        #expect(engine.suspensions == [Suspension(by: "tour", scheduler: "main")])
        #expect(engine.resume(by: "tour", scheduler: "main").isTaken)
        #expect(engine.resume(scheduler: "m").rejections == [.unknownScheduler("m")])
    }

    @Test func `reports that the engine was stopped, also for start (embedding 10)`() async throws {
        let driver = try driver()
        await driver.start()
        await driver.engine.stop()
        #expect(driver.engine.start().state == .stopped)
        let never = try self.driver()
        await never.engine.stop()
        #expect(never.engine.start().state == .stopped)
    }

    @Test func `reports a typed key of another type each time (embedding 10)`() async throws {
        let driver = try driver()
        let context = driver.engine.context
        let number = CallRemark.typedKey("a.s", declared: "string", typed: "int")
        for _ in 0..<2 {
            #expect(context.set(TypedKey<Int>("a.s"), to: nil).remarks == [number])
            #expect(context.update { $0[TypedKey<Int>("a.s")] = nil }.remarks == [number])
        }
        #expect(
            context.set(TypedKey<[Int]>("a.list"), to: []).remarks
                == [.typedKey("a.list", declared: "list<string>", typed: "list<int>")])
        #expect(context.set(TypedKey<String>("a.s"), to: "x").isTaken)
        await driver.settle()
    }
}
