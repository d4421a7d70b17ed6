import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The context of an engine` {
    private let rules = """
        context:
          user.launches: { type: int, default: 0 }
          user.ratio: { type: double, default: 1.0 }
          user.since: timestamp
        popups: { a: { trigger: { changed: user.launches } } }
        """

    @Test func `has the default of the rules for a key without a value`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        #expect(driver.engine.context["user.launches"] == 0)
        driver.engine.context["user.launches"] = 3
        #expect(driver.engine.context["user.launches"] == 3)
        driver.engine.context["user.launches"] = nil
        #expect(driver.engine.context["user.launches"] == 0)
    }

    @Test func `keeps the previous value if the type of a new value is wrong, and reports it`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse(rules), context: ["user.ratio": 2])
        driver.engine.context["user.ratio"] = "much"
        await driver.settle()
        #expect(driver.engine.context["user.ratio"] == 2)
        #expect(
            driver.hostEvents == [
                .rejected(
                    .badValue(key: "user.ratio", message: "expected a double, found a string"))
            ])
    }

    @Test func `takes nothing from an update with one wrong value`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        driver.engine.context.update { context in
            context["user.launches"] = 5
            context["user.ratio"] = false
        }
        await driver.settle()
        #expect(driver.engine.context["user.launches"] == 0)
        #expect(driver.engine.isEmpty)
    }

    @Test func `reports an undeclared key once, and keeps it for rules that declare it`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse("popups: { a: {} }"))
        driver.engine.context["user.launches"] = 7
        driver.engine.context["user.launches"] = 8
        await driver.settle()
        // It was accepted: no event reports that it was refused (embedding 10).
        #expect(driver.hostEvents == [])
        let told = driver.events.compactMap {
            if case .remark(let remark) = $0.kind { remark } else { nil }
        }
        #expect(told == [.unknownKey("user.launches", similar: [])])
        driver.engine.reload(try .parse(rules))
        await driver.settle()
        #expect(driver.engine.context["user.launches"] == 8)
    }

    @Test func `treats a value from before the declaration of its key as unchanged`()
        async throws
    {
        let driver = EngineDriver(
            rules: try .parse("popups: { b: { trigger: manual } }"), context: ["user.launches": 7])
        await driver.start()
        driver.engine.reload(try .parse(rules))
        await driver.settle()
        #expect(driver.engine.isEmpty)
        driver.engine.context["user.launches"] = 8
        await driver.settle()
        #expect(driver.engine.showing == ["main": "a"])
    }

    @Test func `removes a value that reloaded rules refuse, and reports it once`() async throws {
        let driver = EngineDriver(rules: try .parse(rules), context: ["user.launches": 7])
        driver.engine.reload(
            try .parse("context: { user.launches: { type: string } }\npopups: { a: {} }"))
        await driver.settle()
        #expect(driver.engine.context["user.launches"] == Value?.none)
        #expect(
            driver.hostEvents.filter { if case .rejected = $0 { true } else { false } }.count == 1)
    }

    @Test func `converts JSON strings to times if the rules declare a time`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        try driver.engine.context.set(json: #"{"user.since": "1970-01-01T00:00:05Z"}"#)
        #expect(driver.engine.context["user.since"] == Timestamp(seconds: 5))
        #expect(driver.engine.context.json == #"{"user.since":"1970-01-01T00:00:05Z"}"#)
    }
}
