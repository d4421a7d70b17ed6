internal import PopAdvice
package import PopCEL
internal import PopExplanations
internal import PopRuleFiles
internal import PopScheduler
package import PopSource

/// The result of an expression that isn't part of any rules.
package struct Evaluation: Sendable {
    package var value: Result<Value, EvaluationError>
    /// Each part of the expression with its value, one part per line.
    package var tree: [String]

    /// Evaluates the expression in a file, with the given values of names.
    package static func of(
        _ file: SourceFile, values: [String: Value]
    ) -> Checked<Evaluation> {
        var environment = Environment.ofRules()
        environment.advice = .full
        for name in RuleSet.functionsOfRules {
            environment.forbid(
                name, because: "only rules have it; pass them with `--rules FOLDER`")
        }
        for (name, value) in values { environment.declare(Variable(name, type: value.type)) }
        var table = SlotTable()
        let map = TextMap(file: file.id, offset: 0, length: file.bytes.count)
        let expression = String(decoding: file.bytes, as: UTF8.self)
        let compiled = environment.compile(expression, map: map, slots: &table)
        return compiled.then { program in
            var slots = SlotValues(count: table.entries.count)
            for (slot, entry) in table.entries.enumerated() {
                if case .variable(let name) = entry, let value = values[name] {
                    slots[SlotIndex(slot)] = .value(value)
                }
            }
            return Checked(Evaluation(of: program, in: slots))
        }
    }

    private init(of program: Program, in slots: borrowing SlotValues) {
        do throws(EvaluationError) {
            value = .success(try program.evaluate(slots))
        } catch {
            value = .failure(error)
        }
        tree = program.explain(slots).tree
    }
}
