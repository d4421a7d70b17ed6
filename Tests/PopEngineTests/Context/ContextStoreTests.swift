import Foundation
import PopCEL
import PopEngine
import PopSource
import Testing

@Suite struct `The context store` {
    private enum Plan: String, ValueConvertible { case free, pro }

    @Test func `sets and reads keys by name, with literals`() {
        let context = ContextStore()
        context["app.screen"] = "map"
        context["user.launches"] = 3
        context["user.tags"] = ["beta", "eu"]
        context["mixed"] = ["a": 1, "b": "x"]
        #expect(context["app.screen"] == "map")
        #expect(context["user.launches"] == 3)
        #expect(context["user.tags"] == ["beta", "eu"])
        #expect(context["mixed"] == Value.map(["a": 1, "b": "x"]))
        context["app.screen"] = nil
        #expect(context["app.screen"] == Value?.none)
    }

    @Test func `sets and reads a variable of a Swift type unchanged`() {
        let context = ContextStore()
        let screen = "map"
        context["app.screen"] = screen
        let read: String? = context["app.screen"]
        #expect(read == "map")
        let wrong: Int? = context["app.screen"]
        #expect(wrong == nil)
    }

    @Test func `accepts only values of its type for a typed key, enums too`() {
        let context = ContextStore()
        let plan = TypedKey<Plan>("user.plan")
        context[plan] = .pro
        #expect(context["user.plan"] == "pro")
        context["user.plan"] = "gold"
        #expect(context[plan] == nil)
    }

    @Test func `changes the keys of an update together and returns its result`() {
        let context = ContextStore(["a": 1])
        let sum = context.update { context -> Int in
            context["a"] = 2
            context["b"] = 3
            return (context["a"] ?? 0) + (context["b"] ?? 0)
        }
        #expect(sum == 5)
        #expect(context.snapshot.values == ["a": 2, "b": 3])
    }

    @Test func `changes nothing if an update throws`() {
        struct Stop: Error {}
        let context = ContextStore()
        #expect(throws: Stop.self) {
            try context.update { context in
                context["a"] = 1
                throw Stop()
            }
        }
        #expect(context.snapshot.values.isEmpty)
    }

    @Test func `can be used from inside an update`() {
        let context = ContextStore()
        context.update { draft in
            if context["inner"] == Value?.none { context["inner"] = true }
            draft["outer"] = true
        }
        #expect(context.snapshot.values == ["inner": true, "outer": true])
    }

    /// P5: such a change was made again forever.
    @Test func `applies a write inside an update once, whatever it writes (P5)`() {
        let context = ContextStore(["count": 0, "both": 0])
        var attempts = 0
        let outcome = context.update { draft in
            attempts += 1
            for _ in 0..<3 { context.update { $0["count"] = ($0["count"] ?? 0) + attempts } }
            context["both"] = 1
            draft["both"] = 2
        }
        #expect(attempts == 1)
        #expect(outcome.isTaken)
        #expect(context.snapshot.values == ["count": 3, "both": 2])
    }

    @Test func `gives up an update that other updates always overtake, and reports it (P5)`() {
        var limits = EngineLimits()
        limits.contextAttempts = 5
        let context = ContextStore(limits: limits)
        let outcome = context.update { draft in
            // Another thread, which the update waits for.
            let isDone = DispatchSemaphore(value: 0)
            Thread {
                context.update { $0["other"] = ($0["other"] ?? 0) + 1 }
                isDone.signal()
            }.start()
            isDone.wait()
            draft["mine"] = true
        }
        #expect(outcome.state == .refused)
        #expect(outcome.remarks == [.contextBusy(attempts: 5)])
        #expect(context.snapshot.values == ["other": 5])
    }

    @Test func `loses no update of many threads`() async {
        let context = ContextStore(["count": 0])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { context.update { $0["count"] = ($0["count"] ?? 0) + 1 } }
                }
            }
        }
        #expect(context["count"] == 800)
    }

    @Test func `reads and writes JSON`() throws {
        let context = ContextStore(["gone": 1, "stays": true])
        try context.set(json: #"{"app.screen": "map", "n": 3, "x": 2.5, "l": [1], "gone": null}"#)
        #expect(context.json == #"{"app.screen":"map","l":[1],"n":3,"stays":true,"x":2.5}"#)
        #expect(throws: JSONSyntaxError.self) { try context.set(json: "[1]") }
        #expect(throws: JSONSyntaxError.self) { try context.set(json: "{") }
    }
}
