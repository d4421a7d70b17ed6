import PopCEL
import PopSource
import PopTestSupport
import Testing

@Suite struct `A table of conditions` {
    private let environment: Environment = {
        var environment = Environment()
        environment.checking = .none
        for variable in FormulaGenerator.variables {
            environment.declare(Variable(variable.name, type: variable.type, mayBeMissing: true))
        }
        return environment
    }()

    @Test func `gives the same result as the program of each condition, or no result`() throws {
        var generator = FormulaGenerator(SeededGenerator(seed: 21))
        var slots = SlotTable()
        for variable in FormulaGenerator.variables {
            _ = slots.slot(for: .variable(identity: variable.name))
        }
        let texts = (0..<300).map { _ in generator.formula(.bool, depth: 2).text }
        let programs = try texts.map { text in
            try Expression.parse(text).then {
                environment.compile($0, expecting: .bool, slots: &slots)
            }.get()
        }
        let (table, starts) = ConditionTable.holding(programs)
        var outcomes: [Bool?: Int] = [:]
        for _ in 0..<20 {
            let variables = generator.values()
            var values = SlotValues(count: FormulaGenerator.variables.count)
            for (slot, variable) in FormulaGenerator.variables.enumerated() {
                if let value = variables[variable.name] { values[SlotIndex(slot)] = .value(value) }
            }
            for (number, program) in programs.enumerated() {
                let isMet = table.isMet(starts[number], in: values)
                outcomes[isMet, default: 0] += 1
                guard let isMet else { continue }
                #expect(program.isTrue(values) == (isMet ? .yes : .no), "\(texts[number])")
            }
        }
        // Each outcome occurs often enough for the test to be meaningful.
        for outcome in [true, false, nil] { #expect(outcomes[outcome] ?? 0 > 300) }
    }
}
