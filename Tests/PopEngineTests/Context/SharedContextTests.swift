import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P14: a store in two engines served only the last.
@MainActor
@Suite struct `A context store in two engines (P14)` {
    private let context = ContextStore(["n": 1, "size": 9])

    private func engine(_ rules: String) throws -> PopupEngine {
        var options = EngineOptions()
        options.clock = VirtualClock()
        let engine = PopupEngine(
            rules: try .parse(rules), presenter: IdlePresenter(), context: context,
            options: options)
        engine.start()
        return engine
    }

    @Test func `serves both engines`() async throws {
        let first = try engine("context: { n: int }\npopups: { a: { when: n == 2 } }")
        let second = try engine("context: { n: int }\npopups: { b: { when: n == 2 } }")
        #expect(context.set("n", to: 2).isTaken)
        #expect(first.explain("a")?.reason == nil && second.explain("b")?.reason == nil)
        await first.stop()
        await second.stop()
    }

    @Test func `refuses a value that one engine refuses, and knows a key that one engine declares`()
        async throws
    {
        let first = try engine("context: { n: { type: int, max: 5 } }\npopups: { a: {} }")
        let second = try engine("context: { n: int, size: int }\npopups: { b: { when: n == 9 } }")
        #expect(context.set("n", to: 9).state == .refused)
        #expect(context["n"] == 1)
        #expect(second.explain("b")?.reason == .conditionFalse)
        #expect(context.set("size", to: 3).isTaken)
        #expect(!context.set("sise", to: 3).isTaken)
        await first.stop()
        // An engine that was stopped refuses no value.
        #expect(context.set("n", to: 9).isTaken)
        #expect(second.explain("b")?.reason == nil)
        await second.stop()
    }

    @Test func `keeps a value for one engine that the other engine refuses later`() async throws {
        let first = try engine("context: { size: int }\npopups: { a: { when: size == 9 } }")
        let second = try engine("context: { size: string }\npopups: { b: {} }")
        #expect(context["size"] == 9)
        #expect(first.explain("a")?.reason == nil)
        await first.stop()
        await second.stop()
    }
}
