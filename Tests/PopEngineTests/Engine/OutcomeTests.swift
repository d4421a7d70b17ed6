import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P8: refused writes and payloads were silent at the call.
@MainActor
@Suite struct `The outcome of a call (P8)` {
    private let rules = """
        context:
          user.plan: { type: string, values: [free, pro], default: free }
          user.ratio: { type: double, default: 1.0 }
          user.launches: { type: int, default: 0 }
        events: { checkout.completed: { total: double, currency: string } }
        popups: { thanks: { trigger: { event: checkout.completed, where: event.total > 50.0 } } }
        """

    private func remarks(_ driver: EngineDriver) -> [CallRemark] {
        driver.events.compactMap { if case .remark(let remark) = $0.kind { remark } else { nil } }
    }

    @Test func `reports a value that the rules refuse`() async throws {
        let engine = EngineDriver(rules: try .parse(rules)).engine
        let refused = engine.context.set("user.plan", to: "gold")
        #expect(refused.state == .refused)
        #expect(
            refused.rejections == [
                .badValue(key: "user.plan", message: "not one of the allowed values")
            ])
        #expect(engine.context.set("user.plan", to: "pro").isTaken)
        let update = engine.context.update { context in
            context["user.plan"] = "free"
            context["user.ratio"] = "much"
        }
        #expect(update.rejections.count == 1)
        #expect(engine.context["user.plan"] == "pro")
        #expect(try engine.context.set(json: #"{"user.plan": 3}"#).state == .refused)
    }

    @Test func `reports a string that isn't a version`() async throws {
        let rules = """
            context: { app.version: { type: version, min: "1.0" } }
            popups: { news: { when: has(app.version) && app.version >= version("1.10") } }
            """
        let driver = EngineDriver(rules: try .parse(rules))
        await driver.start()
        let context = driver.engine.context
        #expect(
            context.set("app.version", to: "latest").rejections == [
                .badValue(
                    key: "app.version",
                    message: "expected a version, such as 1.12.0, found `latest`")
            ])
        #expect(context.set("app.version", to: "1.0-beta").state == .refused)
        #expect(try context.set(json: #"{"app.version": 1.2}"#).state == .refused)
        #expect(context.set("app.version", to: "1.9").isTaken)
        let read: String? = context["app.version"]
        #expect(read == "1.9")
        #expect(try context.set(json: #"{"app.version": "1.10.0"}"#).isTaken)
        await driver.settle()
        #expect(driver.engine.showing["main"] == "news")
    }

    @Test func `reports a misspelled key, with the similar key`() async throws {
        let engine = EngineDriver(rules: try .parse(rules)).engine
        let outcome = engine.context.set("user.plna", to: "pro")
        #expect(outcome.remarks == [.unknownKey("user.plna", similar: ["user.plan"])])
        #expect(!outcome.isTaken)
        #expect(
            outcome.remarks.first?.description
                == "the rules declare no context key `user.plna`; did you mean `user.plan`?")
    }

    @Test func `reports a misspelled field and a missing field, each once`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        let expected: [CallRemark] = [
            .unknownField("totl", event: "checkout.completed", similar: ["total"]),
            .missingField("total", event: "checkout.completed"),
        ]
        for _ in 0..<2 {
            let outcome = driver.engine.send(
                "checkout.completed", ["totl": 80.0, "currency": "EUR"])
            #expect(outcome.state == .taken && outcome.remarks == expected)
        }
        await driver.settle()
        #expect(remarks(driver) == expected)
        let right = driver.engine.send(
            "checkout.completed", ["total": 80.0, "currency": "EUR"])
        #expect(right.isTaken)
    }

    @Test func `reports a payload of the wrong type, an unknown event, popup and scheduler`()
        async throws
    {
        let engine = EngineDriver(rules: try .parse(rules)).engine
        let wrong = engine.send(
            "checkout.completed", ["total": "much", "currency": "EUR"])
        #expect(wrong.state == .refused)
        #expect(engine.send("checkout").rejections == [.unknownEvent("checkout")])
        #expect(engine.enqueue("thx").rejections == [.unknownPopup("thx")])
        #expect(engine.suspend(scheduler: "t").rejections == [.unknownScheduler("t")])
        #expect(
            engine.enqueue(ForeignPopup(id: "thanks")).rejections == [.idTaken("thanks")])
        #expect(engine.enqueue("thanks").isTaken)
    }

    @Test func `reports a typed key of another type than declared, once per key`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        let context = driver.engine.context
        for _ in 0..<2 {
            _ = context[TypedKey<Double>("user.launches")]
            context[TypedKey<Plan>("user.plan")] = .pro
            context.update { $0[TypedKey<Bool>("user.ratio")] = nil }
        }
        await driver.settle()
        #expect(
            remarks(driver) == [
                .typedKey("user.launches", declared: "int", typed: "double"),
                .typedKey("user.ratio", declared: "double", typed: "bool"),
            ])
        driver.engine.reload(
            try .parse("context: { user.plan: { type: int, default: 0 } }\npopups: { a: {} }"))
        await driver.settle()
        #expect(
            remarks(driver).last == .typedKey("user.plan", declared: "int", typed: "string"))
    }

    /// P16: a value a hundred thousand lists deep overflowed the stack wherever it was looked into.
    @Test func `reports a value that is nested too deeply in every call, without reading it (P16)`()
        async throws
    {
        let rules = """
            context: { deep: list<int> }
            events: { e: { deep: list<int> } }
            popups: { a: {} }
            """
        var deep = Value.int(1)
        for _ in 0..<64 { deep = .list([.map(["a": .optional(deep)])]) }
        let context = ContextStore(["deep": deep, "other": deep])
        let engine = PopupEngine(
            rules: try .parse(rules), presenter: IdlePresenter(), context: context)
        #expect(context.snapshot.values.isEmpty)
        let message = "lists and maps are nested deeper than 64 levels"
        #expect(
            context.set("deep", to: deep).rejections == [.badValue(key: "deep", message: message)])
        #expect(context.set("other", to: ["x": deep]).state == .refused)
        #expect(
            engine.send("e", ["deep": deep]).rejections == [
                .badPayload(event: "e", field: "deep", message: message)
            ])
        let outcome = await engine.switchUser("bob", context: ["deep": deep])
        #expect(outcome.rejections == [.badValue(key: "deep", message: message)])
        await engine.stop()
    }

    private enum Plan: String, ValueConvertible { case free, pro }
}
