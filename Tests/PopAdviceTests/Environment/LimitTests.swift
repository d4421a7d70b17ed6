import Foundation
import PopCEL
import PopSource
import Testing

@Suite struct LimitTests {
    private func messages(_ text: String) -> [String] {
        Environment.advised.compile(text).diagnostics.sorted.map(\.message)
    }

    /// Runs on the smallest stack that a thread of an app has.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }

    /// Text that nests deeper the more often it is repeated.
    struct Nest: Sendable, CustomTestStringConvertible {
        var opening = ""
        var inner = ""
        var closing = ""

        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + inner
                + String(repeating: closing, count: depth)
        }

        var testDescription: String { "\(opening)…\(inner)…\(closing)" }
    }

    @Test(arguments: [
        Nest(opening: "("), Nest(opening: "["), Nest(opening: "{1:"),
        Nest(opening: "!", inner: "true"), Nest(inner: "1", closing: " + 1"),
        Nest(inner: "user.tags", closing: "[0]"), Nest(inner: "a", closing: ".a"),
        Nest(opening: "true ? 1 : ", inner: "1"), Nest(opening: "size("),
        Nest(opening: "-", inner: "1"),
        Nest(opening: "[1].map(x, "), Nest(inner: "x", closing: ".f()"),
    ])
    func `nesting beyond the limit is refused on a small stack`(nest: Nest) async {
        await onSmallStack {
            let found = Environment.advised.compile(nest.text(5_000)).diagnostics
            #expect(found.list.map(\.check) == [.conditionCost])
        }
    }

    @Test(arguments: [
        Nest(opening: "[", inner: "1", closing: "]"), Nest(inner: "1", closing: " + user.launches"),
        Nest(opening: "net.online ? 1 : ", inner: "1"),
        Nest(opening: "[user.launches].map(x, ", inner: "1", closing: ")"),
        Nest(opening: "[user.launches].exists(x, ", inner: "net.online", closing: ")"),
        Nest(opening: "!", inner: "net.online"),
        Nest(opening: "(net.online && ", inner: "true", closing: ")"),
        Nest(opening: "[1, 2][", inner: "1", closing: "]"),
        Nest(opening: "string(", inner: "user.launches", closing: ")"),
        Nest(opening: "cel.bind(x, user.launches, ", inner: "1", closing: ")"),
        Nest(opening: "\"a\".indexOf(\"b\", 1 + ", inner: "1", closing: ")"),
    ])
    func `nesting up to the limit works on a small stack`(nest: Nest) async {
        let variables: [String: Value] = ["user.launches": 1, "net.online": true]
        var environment = Environment.advised
        environment.checking = .language
        let deepest = (1...CELLimits.standard.nesting).reversed().lazy
            .map { nest.text($0) }
            .first { !environment.compile($0).diagnostics.hasErrors }
        guard let deepest else {
            Issue.record("no depth is allowed")
            return
        }
        await onSmallStack {
            let program = Environment.advised.compile(deepest).value
            #expect(program != nil)
            guard let program else { return }
            _ = try? program.evaluate(variables)
            _ = program.explain(program.slotValues(variables))
        }
    }

    @Test func `long chains of conditions do not count as nesting`() throws {
        let text = Array(repeating: "user.launches > 1", count: 2_000).joined(separator: " || ")
        let program = try Environment.advised.compile(text).get()
        #expect(try program.evaluate(["user.launches": 1]) == false)
    }

    @Test func `expressions longer than the limit are refused`() {
        #expect(
            messages(String(repeating: " ", count: 70_000) + "1")
                == ["the expression is 70001 bytes long; the limit is 65536"])
        #expect(
            messages("[" + String(repeating: "1,", count: 20_000) + "]")
                == ["the expression has more than 16384 parts"])
    }

    @Test(arguments: [
        // Loops in loops.
        "list.all(a, list.all(b, list.all(c, list.all(d, a + b + c + d >= 0))))",
        // Values that share their parts.
        "cel.bind(a, [list, list], cel.bind(b, [a, a, a, a], cel.bind(c, [b, b, b, b, b, b, b], "
            + "cel.bind(d, [c, c, c, c, c, c, c], cel.bind(e, [d, d, d, d, d, d, d], "
            + "[e, e, e, e, e] == [e, e, e, e, e])))))",
        "list.map(a, list.map(b, list.map(c, list)))",
    ])
    func `work beyond the budget is an error`(text: String) throws {
        var limits = CELLimits.standard
        limits.cost = 50_000
        var environment = Environment(limits: limits)
        environment.declare(Variable("list", type: .list(.int)))
        let list = Value.list((0..<200).map { .int($0) })
        let program = try environment.compile(text).get()
        #expect(throws: EvaluationError.self) { try program.evaluate(["list": list]) }
    }

    @Test func `strings longer than the limit are not built`() throws {
        var environment = Environment()
        environment.declare(Variable("s", type: .string))
        var text = "s"
        for _ in 0..<12 { text = "cel.bind(x, \(text), x + x + x + x)" }
        let program = try environment.compile(text).get()
        #expect(throws: EvaluationError.self) { try program.evaluate(["s": "abcd"]) }
        #expect(try environment.compile("s + s").get().evaluate(["s": "ab"]) == "abab")
    }
}
