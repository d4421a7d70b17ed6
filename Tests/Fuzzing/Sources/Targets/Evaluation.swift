import PopCEL
import PopSource

extension FuzzTarget {
    /// Expressions over contexts, both made of decisions; their values must be those of a walk over
    /// their trees.
    static let evaluation = FuzzTarget(
        name: "evaluation",
        body: .direct { bytes in
            var generator = FormulaGenerator(SeededGenerator(bytes: bytes))
            let kinds = FormulaGenerator.Kind.allCases
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator.random)]
            let formula = generator.formula(kind, depth: 5)
            let program = try environment.compile(formula.text).get()
            for _ in 0..<3 {
                let values = generator.values()
                let slots = program.slotValues(values)
                let expected = formula.evaluate(values)
                let found = try? program.evaluate(slots)
                try require(
                    isSame(found, expected), "\(formula.text) with \(values) is \(found as Any)")
                _ = program.explain(slots)
                let constant = formula.replacing(values).text
                let folded = try? environment.compile(constant).get().evaluate(values)
                try require(isSame(folded, expected), "\(constant) is \(folded as Any)")
            }
        })

    private static let environment: Environment = {
        var environment = Environment()
        environment.checking = .none
        for variable in FormulaGenerator.variables {
            environment.declare(Variable(variable.name, type: variable.type, mayBeMissing: true))
        }
        return environment
    }()

    /// Returns true if two outcomes are the same; unlike in the language, NaN is the same as NaN.
    private static func isSame(_ one: Value?, _ other: Value?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (.double(let one)?, .double(let other)?): one == other || one.isNaN && other.isNaN
        case (.list(let one)?, .list(let other)?):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
        case (let one?, let other?): one == other && one.type == other.type
        default: false
        }
    }
}
