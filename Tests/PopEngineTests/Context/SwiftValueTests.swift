import Foundation
import PopCEL
import PopEngine
import PopTestSupport
import PopTesting
import Testing

/// F1 and F8 of the findings: an app can pass its own values unchanged.
@MainActor
@Suite struct `Values of Swift types` {
    private enum Plan: String, ValueConvertible { case free, pro }

    private struct Cart {
        var total = 12.5
        var count = 3
        var coupon: String?
        var tags = ["a", "b"]
        var plan = Plan.pro
    }

    private let driver: EngineDriver
    private var engine: PopupEngine { driver.engine }

    init() throws {
        driver = EngineDriver(
            rules: try .parse(
                """
                context:
                  user.plan: { type: string, default: free }
                  user.age: int
                  user.link: string
                events: { bought: { total: double, count: int, coupon: string, tags: list<string>, plan: string } }
                popups: { thanks: { trigger: { event: bought, where: "event.total == 12.5 && event.plan == 'pro'" } } }
                """))
    }

    @Test func `are sent in an event unchanged, and nil is omitted`() {
        let cart = Cart()
        let outcome = engine.send(
            "bought",
            [
                "total": cart.total, "count": cart.count, "coupon": cart.coupon, "tags": cart.tags,
                "plan": cart.plan,
            ])
        #expect(outcome.rejections.isEmpty)
        #expect(outcome.remarks.contains(.missingField("coupon", event: "bought")))
        #expect(engine.waiting == ["main": ["thanks"]])
    }

    @Test func `can be mixed with literals and values of the rules`() {
        let total = 12.5
        engine.send("bought")
        engine.send("bought", [:])
        engine.send("bought", ["total": 12.5, "count": 3])
        engine.send("bought", ["total": .double(12.5), "plan": "pro"])
        engine.send("bought", ["total": total, "plan": "pro", "tags": ["a"], "coupon": nil])
        engine.send("bought", ["plan": Plan.pro, "total": Value.double(total)])
        let values: [String: Value] = ["total": 12.5]
        engine.send("bought", values)
        let texts = ["plan": "pro"]
        engine.send("bought", texts)
        #expect(engine.waiting == ["main": ["thanks"]])
    }

    @Test func `are set in the context together, by name and when the user changes`() async {
        let plan = Plan.pro
        let age: Int? = 40
        engine.context.update(["user.plan": plan, "user.age": age])
        #expect(engine.context["user.plan"] == Plan.pro)
        engine.context.update(["user.plan": nil, "user.age": 41])
        #expect(engine.context["user.plan"] == "free")
        engine.context.set("user.age", to: age)
        engine.context.set("user.plan", to: plan)
        await engine.switchUser(
            "bob", context: ["user.plan": plan, "user.age": nil], keeping: ["user.age"])
        #expect(engine.context["user.age"] as Value? == nil)
        #expect(engine.context["user.plan"] == Plan.pro)
        let refused = engine.context.update(["user.age": "old", "user.plan": Plan.free])
        #expect(refused.state == .refused)
        #expect(engine.context["user.plan"] == Plan.pro)
        #expect(ContextStore(["user.plan": plan])["user.plan"] == Plan.pro)
    }

    @Test func `of every common type are read as they were written`() throws {
        let id = UUID()
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        #expect(Float(Float(0.1).value) == 0.1)
        #expect(Float(0.5).value == .double(0.5))
        #expect(UUID(id.value) == id)
        #expect(id.value == .string(id.uuidString))
        #expect(URL(url.value) == url)
        #expect(url.value == "https://example.org/a?b=c")
        #expect(Data(Data([1, 2]).value) == Data([1, 2]))
        #expect(Data([1, 2]).value == .bytes([1, 2]))
        #expect("abc".dropFirst().value == "bc")
        #expect([Int8(3)].value == [3])
        #expect(["a": UInt16(3)].value == ["a": .uint(3)])
        #expect(UUID(Value.string("no id")) == nil)
    }

    @Test func `of every integer size stay within their bounds`() {
        func bounds<Number: FixedWidthInteger & ValueConvertible>(_ type: Number.Type) -> Bool {
            let others: [Value] = [.int(.min), .uint(.max), .double(0.5), "1", .null]
            let outside = others.filter { value in
                if case .int(let number) = value { return Number(exactly: number) == nil }
                if case .uint(let number) = value { return Number(exactly: number) == nil }
                return true
            }
            return Number(Number.max.value) == .max && Number(Number.min.value) == .min
                && outside.allSatisfy { Number($0) == nil }
        }
        #expect(bounds(Int.self) && bounds(Int8.self) && bounds(Int16.self))
        #expect(bounds(Int32.self) && bounds(Int64.self))
        #expect(bounds(UInt.self) && bounds(UInt8.self) && bounds(UInt16.self))
        #expect(bounds(UInt32.self) && bounds(UInt64.self))
        #expect(Int8(Value.int(128)) == nil)
        #expect(UInt8(Value.int(-1)) == nil)
        #expect(UInt8(Value.int(255)) == 255)
        #expect(Int.valueType == .int && UInt8.valueType == .uint && Float.valueType == .double)
    }
}

@Suite struct `The keys in the code of an app` {
    @Test func `are checked against the rules by a test of the app`() throws {
        let rules = try RuleSet.parse(
            "context: { app.screen: string, user.launches: int, user.age: int }\npopups: {}")
        let screen = TypedKey<String>("app.screen")
        let launches = TypedKey<Int>("user.launches")
        #expect(rules.check(keys: [screen, launches]) == [])
        let wrong = TypedKey<Bool>("user.age")
        let missing = TypedKey<String>("app.scren")
        #expect(
            rules.check(keys: [screen, wrong, missing]) == [
                .typedKey("user.age", declared: "int", typed: "bool"),
                .unknownKey("app.scren", similar: ["app.screen"]),
            ])
    }
}
