import PopAdvice
import PopCEL
import PopReports
import PopSource
import Testing

/// The examples of the page `docs/reference/conditions.md`, word for word.
@Suite struct `The examples of the page` {
    @Test func `compile and return one of three verbs`() throws {
        var environment = Environment()
        environment.declare(Variable("user.plan", type: .string, allowedValues: ["free", "pro"]))
        environment.declare(Variable("user.launches", type: .int, minimum: 0))

        let text = #"user.plan == "pro" && user.launches >= 3"#
        let program = try environment.compile(text, expecting: .bool).get()

        let value = try program.evaluate(["user.plan": "pro", "user.launches": 5])  // true
        #expect(value == true)
    }

    static var environment: Environment {
        var environment = Environment()
        environment.advice = .full
        environment.declare(Variable("user.plan", type: .string, allowedValues: ["free", "pro"]))
        environment.declare(Variable("user.launches", type: .int, minimum: 0))
        return environment
    }

    /// Returns the findings that the page shows for its mistaken expression.
    static func findings(in text: String) -> String {
        let environment = Self.environment
        var slots = SlotTable()
        var sources = SourceSet()
        let file = sources.add(path: "condition", bytes: Array(text.utf8))
        let map = TextMap(file: file.id, offset: 0, length: text.utf8.count)
        let checked = Expression.parse(text, map: map, advice: .full).then { expression in
            environment.compile(expression, expecting: .bool, slots: &slots)
        }
        var renderer = TextRenderer(sources: sources)
        let printed = renderer.render(checked.diagnostics)
        return printed
    }

    @Test func `compile with many programs and one set of values`() throws {
        let environment = Self.environment
        var slots = SlotTable()
        let conditions = [#"user.plan == "pro""#, "user.launches > 2"]
        let programs = try conditions.map { text in
            try Expression.parse(text).then { expression in
                environment.compile(expression, expecting: .bool, slots: &slots)
            }.get()
        }

        var values = SlotValues(count: slots.entries.count)
        for (slot, entry) in slots.entries.enumerated() {
            switch entry {
            case .variable("user.plan"): values[SlotIndex(slot)] = .value("free")
            case .variable("user.launches"): values[SlotIndex(slot)] = .value(5)
            default: break
            }
        }
        let truths = programs.map { $0.isTrue(values) }  // [.no, .yes]
        let explanation = programs[0].explain(values)  // each part of the expression with its value
        #expect(truths == [.no, .yes])
        #expect(programs.map(\.slots) == [[0], [1]])
        #expect(explanation.root?.parts.map(\.text) == ["user.plan"])
    }

    @Test func `compile with your own functions`() throws {
        var environment = Environment()
        environment.declare(
            HostFunction("initials", parameters: [.string], result: .string, isMethod: true) {
                arguments throws(EvaluationError) in
                guard case .string(let name) = arguments[0], !name.isEmpty else {
                    throw EvaluationError("there is no name to take initials from")
                }
                return .string(String(name.split(separator: " ").compactMap(\.first)))
            })
        let program = try environment.compile("'Ada Lovelace'.initials()").get()
        let value = try program.evaluate([:])  // "AL"
        #expect(value == "AL")
    }
}
