import PopAdvice
import PopCEL
import PopSource

extension FuzzTarget {
    /// The text of an expression: read, checked, compiled, evaluated and explained.
    static let expression = FuzzTarget(
        name: "expression",
        body: .direct { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let sources = Findings.sources(("a.cel", Array(text.utf8)))
            let parsed = Expression.parse(text, advice: .full)
            try Findings.check(parsed.diagnostics, in: sources)
            guard let expression = parsed.value else { return }
            let written = expression.description
            let again = Expression.parse(written).value?.description
            try require(
                again == written, "`\(text)` is written `\(written)`, then `\(again ?? "-")`")
            var slots = SlotTable()
            let checked = environment.compile(expression, slots: &slots)
            try Findings.check(checked.diagnostics, in: sources)
            guard let program = checked.value else { return }
            for values in [values, [:]] {
                let slots = program.slotValues(values)
                let value = try? program.evaluate(slots)
                _ = program.explain(slots)
                switch (program.isTrue(slots), value) {
                case (.yes, .bool(true)?), (.no, .bool(false)?), (.error, nil): break
                case (.error, let value?) where value.type != .bool: break
                default: throw Violation(description: "`\(text)` is and is not true")
                }
            }
        })

    private static let environment: Environment = {
        var environment = Environment()
        environment.advice = .full
        for (name, type) in types {
            environment.declare(Variable(name, type: type, mayBeMissing: true))
        }
        environment.declareSlotFunction("event_count", parameters: [.string], result: .int)
        return environment
    }()

    private static let types: [(String, CELType)] = [
        ("flag", .bool), ("count", .int), ("id", .uint), ("total", .double), ("plan", .string),
        ("raw", .bytes), ("since", .timestamp), ("wait", .duration), ("tags", .list(.string)),
        ("limits", .map(.string, .int)), ("user.name", .string), ("any", .dyn),
    ]

    private static let values: [String: Value] = [
        "flag": true, "count": 3, "id": .uint(7), "total": 1.5, "plan": "pro",
        "raw": .bytes([0xFF, 0]), "since": .timestamp(Timestamp(seconds: 1_793_000_000)),
        "wait": .duration(.seconds(90)), "tags": ["a", "é"], "limits": ["a": 1],
        "user.name": "Zoë", "any": [1, "x", .null],
    ]
}
