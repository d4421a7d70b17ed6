import PopCEL
import PopSource
import Testing

@testable import PopAdvice

/// B1: looking for what clashes takes steps, and only so many of them.
@Suite struct `The number of logic steps for a condition` {
    private static let environment: Environment = {
        var environment = Environment.ofRules()
        environment.advice = .full
        environment.declare(Variable("name", type: .string))
        environment.declare(Variable("m", type: .int))
        // Written out, the last of these has more parts than can be checked.
        for number in 0...CELLimits.definitions {
            var variable = Variable("c\(number)", type: .bool)
            let part = number == 0 ? "m > 1" : "c\(number - 1)"
            let text = Array(repeating: part, count: 20).joined(separator: " && ")
            variable.definition = Expression.parse(text).value
            environment.declare(variable)
        }
        return environment
    }()

    private func look(_ text: String) throws -> (steps: Int, parts: Int, found: [Diagnostic]) {
        let tree = try Expression.parse(text).get().tree
        let advice = LogicAdvice(tree, environment: Self.environment)
        return (advice.steps, tree.nodes.count, advice.found)
    }

    private func chain(_ sign: String, _ count: Int = 2_000, _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: " \(sign) ")
    }

    @Test func `is small for each part of a long chain`() throws {
        for text in [
            chain("&&") { "name != 'x\($0)'" }, chain("||") { "name == 'x\($0)'" },
            chain("&&") { "m != \($0)" }, chain("||") { "m == \($0)" },
            chain("&&") { "m > \($0)" }, chain("||") { $0 % 2 == 0 ? "m < \($0)" : "name == 'a'" },
        ] {
            let (steps, parts, found) = try look(text)
            #expect(steps < 5 * parts, "\(text.prefix(40))")
            #expect(found.isEmpty, "\(text.prefix(40))")
        }
    }

    @Test func `is bounded, and beyond the bound nothing is reported`() throws {
        for text in [
            chain("&&", 1_500) { "(m == \($0) || name == 'x\($0)')" },
            chain("&&") { "m != \($0)" } + " && m == 1500",
            "c\(CELLimits.definitions) && m < 0",
            chain("||", 200) { "(\(chain("&&", 8) { "m != \($0)" }) && m == \($0 + 8))" },
        ] {
            let (steps, _, found) = try look(text)
            #expect(steps <= CELLimits.logicSteps, "\(text.prefix(40))")
            #expect(found.isEmpty, "\(text.prefix(40))")
        }
    }

    @Test func `is bounded for deeply nested parts`() throws {
        let nested = (0..<50).reduce("m > 0") { text, level in
            level % 2 == 0 ? "(\(text)) && m > \(level)" : "(\(text)) || m < \(level)"
        }
        #expect(try look(nested).steps <= CELLimits.logicSteps)
        #expect(try look("(\(nested)) && (\(nested))").steps <= CELLimits.logicSteps)
    }

    @Test func `suffices to find a contradiction in a long chain`() throws {
        let found = try look(chain("&&", 300) { "name != 'x\($0)'" } + " && m > 10 && m < 5").found
        #expect(found.map(\.message) == ["`m` cannot be `> 10` and `< 5` at the same time"])
    }

    @Test func `is small for conditions that use each other in a circle`() throws {
        var environment = Self.environment
        for (name, other) in [("a", "b"), ("b", "a")] {
            var variable = Variable(name, type: .bool)
            variable.definition = Expression.parse("\(other) && \(other) && m > 1").value
            environment.declare(variable)
        }
        let tree = try Expression.parse("a && b && m < 1").get().tree
        #expect(LogicAdvice(tree, environment: environment).steps < 500)
    }
}
