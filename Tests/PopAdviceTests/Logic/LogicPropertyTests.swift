import PopCEL
import PopSource
import PopTestSupport
import Testing

@testable import PopAdvice

/// B1: claims about a part of a condition hold for all values that the keys can have.
@Suite struct `A claim about a condition` {
    private static let environment: Environment = {
        var environment = Environment.ofRules()
        environment.advice = .full
        environment.declare(Variable("m", type: .int))
        environment.declare(Variable("n", type: .int, mayBeMissing: true, minimum: 0, maximum: 3))
        environment.declare(Variable("share", type: .double))
        environment.declare(Variable("part", type: .double, minimum: 0.0, maximum: 2.0))
        environment.declare(
            Variable("plan", type: .string, allowedValues: ["free", "pro", "team"]))
        environment.declare(Variable("screen", type: .string, mayBeMissing: true))
        environment.declare(Variable("on", type: .bool))
        environment.declare(Variable("seen", type: .bool, mayBeMissing: true))
        return environment
    }()

    /// All values that the keys can have, as far as the constants below distinguish them; nil is a
    /// missing value.
    private static let values: [(name: String, values: [Value?])] = [
        ("m", (-1...5).map { .int($0) }),
        ("n", (0...3).map { .int($0) } + [nil]),
        (
            "share",
            [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 9, .nan, .infinity, -.infinity].map { .double($0) }
        ),
        ("part", [0, 0.5, 1, 1.5, 2].map { .double($0) }),
        ("plan", ["free", "pro", "team"]), ("screen", ["a", "b", "c", nil]),
        ("on", [.bool(true), .bool(false)]), ("seen", [.bool(true), .bool(false), nil]),
    ]

    @Test func `is true for all values of the keys`() throws {
        var generator = SeededGenerator(seed: 11)
        var claims: [Check: Int] = [:]
        for _ in 0..<3_000 {
            let names = Self.values.map(\.name).shuffled(using: &generator).prefix(2)
            let text = condition(Array(names), depth: 3, &generator)
            let checked = Self.environment.compile(text, expecting: .bool)
            _ = try #require(checked.value, "\(text): \(checked.diagnostics)")
            for finding in checked.diagnostics.list where finding.check.group == "logic" {
                claims[finding.check, default: 0] += 1
                try check(finding, of: text)
            }
        }
        #expect(claims[.logicNeverTrue, default: 0] > 300)
        #expect(claims[.logicAlwaysTrue, default: 0] > 300)
    }

    /// Most conditions are not checked closely: a close check of them must find nothing.
    @Test func `is also found by a full analysis, which finds nothing else`() throws {
        var generator = SeededGenerator(seed: 12)
        var passedOver = 0
        for _ in 0..<5_000 {
            let names = Self.values.map(\.name).shuffled(using: &generator).prefix(4)
            let text = condition(Array(names), depth: 2, &generator)
            let tree = try Expression.parse(text).get().tree
            let found = Self.environment.compile(text, expecting: .bool).diagnostics.list
                .filter { $0.check.group == "logic" }
            let all = LogicAdvice(tree, environment: Self.environment).found
            #expect(found.map(\.message) == all.map(\.message), "\(text)")
            if all.isEmpty { passedOver += 1 }
        }
        #expect(passedOver > 500)
    }

    private func check(_ finding: Diagnostic, of text: String) throws {
        let isNever = finding.check == .logicNeverTrue
        let parts = (finding.secondary.map(\.range) + [finding.range]).map { range in
            "(\(String(decoding: Array(text.utf8)[range.bytes], as: UTF8.self)))"
        }
        let claimed = parts.joined(separator: isNever ? " && " : " || ")
        let mayFail =
            finding.message.hasSuffix("if it has a value")
            || finding.message.hasSuffix("whenever it has a value")
        for truth in try truths(of: claimed) {
            let isRight = isNever ? truth != true : truth == true || truth == nil && mayFail
            #expect(isRight, "\(text): \(finding.message): \(claimed)")
        }
        guard finding.level == .error else { return }
        #expect(try !truths(of: text).contains(true), "\(text) can be true")
    }

    /// Returns the results of a condition over all values of its keys; nil stands for a failure.
    private func truths(of text: String) throws -> Set<Bool?> {
        var environment = Self.environment
        environment.checking = .language
        let program = try #require(environment.compile(text, expecting: .bool).value)
        let keys = Self.values.filter { text.contains($0.name) }
        var truths: Set<Bool?> = []
        for number in 0..<keys.reduce(1, { $0 * $1.values.count }) {
            var rest = number
            var context: [String: Value] = [:]
            for key in keys {
                context[key.name] = key.values[rest % key.values.count]
                rest /= key.values.count
            }
            let value = try? program.evaluate(context)
            truths.insert(value.map { $0 == .bool(true) })
        }
        return truths
    }

    private func condition(
        _ names: [String], depth: Int, _ generator: inout SeededGenerator
    ) -> String {
        guard depth > 0 else { return test(names, &generator) }
        let parts = (0..<3).map { _ in
            condition(names, depth: Int.random(in: 0..<depth, using: &generator), &generator)
        }
        switch Int.random(in: 0...9, using: &generator) {
        case 0...3: return "(\(parts[0])) && (\(parts[1]))"
        case 4...6: return "(\(parts[0])) || (\(parts[1]))"
        case 7: return "!(\(parts[0]))"
        case 8: return "(\(parts[0])) ? (\(parts[1])) : (\(parts[2]))"
        default: return "\(parts[0]) && \(parts[1]) || \(parts[2])"
        }
    }

    private func test(_ names: [String], _ generator: inout SeededGenerator) -> String {
        let name = names.randomElement(using: &generator) ?? "m"
        let sign = ["==", "!=", "<", "<=", ">", ">="].randomElement(using: &generator) ?? "=="
        let equality = Bool.random(using: &generator) ? "==" : "!="
        let text = ["a", "b"].randomElement(using: &generator) ?? "a"
        let isAsked = Int.random(in: 0...3, using: &generator) == 0
        switch name {
        case "n", "screen",
            "seen" where isAsked:
            return "has(\(name))"
        default: break
        }
        switch name {
        case "m", "n":
            let constant = Int.random(in: 0...3, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: return "\(constant) \(sign) \(name)"
            case 1: return "\(name) \(sign.count == 1 ? sign : "<") \(constant).5"
            default: return "\(name) \(sign) \(constant)"
            }
        case "share", "part":
            let constant = ["0.0", "1.0", "2.0", "0.5"].randomElement(using: &generator) ?? "0.0"
            return isAsked ? "\(name) > 1" : "\(name) \(sign) \(constant)"
        case "plan":
            return isAsked
                ? "plan in ['free', 'pro']" : "plan \(equality) '\(text == "a" ? "pro" : "free")'"
        case "screen": return isAsked ? "screen in ['a']" : "screen \(equality) '\(text)'"
        default: return isAsked ? "\(name) \(equality) true" : name
        }
    }
}
