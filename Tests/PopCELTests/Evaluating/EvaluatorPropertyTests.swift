import PopCEL
import PopSource
import PopTestSupport
import Testing

@Suite struct `The compiled evaluator` {
    private let environment: Environment = {
        var environment = Environment()
        environment.checking = .none
        for variable in FormulaGenerator.variables {
            environment.declare(Variable(variable.name, type: variable.type, mayBeMissing: true))
        }
        return environment
    }()

    /// The value, or nil for an error.
    private func evaluate(_ text: String, _ values: [String: Value]) throws -> Value? {
        try? environment.compile(text).get().evaluate(values)
    }

    /// Returns true if two outcomes are the same; unlike in the language, NaN is the same as NaN.
    private func isSame(_ one: Value?, _ other: Value?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (.double(let one)?, .double(let other)?): one == other || one.isNaN && other.isNaN
        case (.list(let one)?, .list(let other)?):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
        case (let one?, let other?): one == other && one.type == other.type
        default: false
        }
    }

    @Test(arguments: FormulaGenerator.Kind.allCases)
    func `the compiled evaluator agrees with walking the tree, on variables and on constants`(
        kind: FormulaGenerator.Kind
    ) throws {
        var generator = FormulaGenerator(SeededGenerator(seed: 11))
        var errors = 0
        for _ in 0..<200 {
            let formula = generator.formula(kind, depth: 5)
            let program = try environment.compile(formula.text).get()
            for _ in 0..<4 {
                let values = generator.values()
                let expected = formula.evaluate(values)
                errors += expected == nil ? 1 : 0
                let found = try? program.evaluate(values)
                #expect(isSame(found, expected), "\(formula.text) with \(values)")
                let folded = try evaluate(formula.replacing(values).text, values)
                #expect(isSame(folded, expected), "\(formula.replacing(values).text)")
            }
        }
        // Formulas that always fail would show nothing.
        #expect((50...600).contains(errors), "\(errors) errors")
    }

    @Test
    func `truth values of the compiled evaluator agree with walking the tree`() throws {
        var generator = FormulaGenerator(SeededGenerator(seed: 12))
        for _ in 0..<400 {
            let formula = generator.formula(.bool, depth: 5)
            let program = try environment.compile(formula.text).get()
            let values = generator.values()
            let slots = program.slotValues(values)
            let isRight =
                switch (program.isTrue(slots), formula.evaluate(values)) {
                case (.yes, .bool(true)?), (.no, .bool(false)?), (.error, nil): true
                // A condition whose value isn't a Boolean is an error of the condition.
                case (.error, let value?): value.type != .bool
                default: false
                }
            #expect(isRight, "\(formula.text) with \(values)")
        }
    }

    @Test func `gives the value of the whole in an explanation`() throws {
        var generator = FormulaGenerator(SeededGenerator(seed: 13))
        for _ in 0..<200 {
            let formula = generator.formula(.bool, depth: 4)
            let program = try environment.compile(formula.text).get()
            let values = generator.values()
            let explanation = program.explain(program.slotValues(values))
            guard let root = explanation.root, let result = root.result else { continue }
            #expect(
                isSame(try? result.get(), formula.evaluate(values)),
                "\(formula.text) with \(values)")
        }
    }
}
