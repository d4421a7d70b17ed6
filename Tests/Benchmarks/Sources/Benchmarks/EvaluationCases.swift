import CountedAllocation
import Foundation
import Measuring
import PopAdvice
import PopCEL

/// Compares a compiled program with a closure and a predicate; then measures the cost of compiling.
func measureConditions() throws -> [Figure] {
    let environment = Values.environment
    var results: [Figure] = []
    for (condition, predicate) in zip(measuredConditions, predicates) {
        let program = try environment.compile(condition.text, expecting: .bool).get()
        results += measure(evaluationCases(of: condition, program, predicate))
        results.append(
            Figure(
                "eval \(condition.name): allocations", .times,
                exactly: allocationsOfEvaluating(program)))
    }
    results += measure(
        measuredConditions.map { condition in
            Case("compile \(condition.name)", .microseconds) { compile(condition, environment) }
        })
    return results
}

private func evaluationCases(
    of condition: MeasuredCondition, _ program: Program, _ predicate: Predicate<Values>
) -> [Case] {
    let values = Values()
    let context = values.context
    let slots = program.slotValues(context)
    let closure = condition.closure
    return [
        Case("eval \(condition.name)", .nanoseconds) { use(isMet(program, slots)) },
        Case("eval \(condition.name): closure", .nanoseconds) { use(closure(values)) },
        Case("eval \(condition.name): from a dictionary", .nanoseconds) {
            use(try? program.evaluate(context))
        },
        Case("eval \(condition.name): #Predicate", .nanoseconds) {
            use(try? predicate.evaluate(values))
        },
    ]
}

/// Evaluates a condition as an app does.
func isMet(_ program: Program, _ slots: borrowing SlotValues) -> Bool {
    if case .yes = program.isTrue(slots) { true } else { false }
}

/// Returns how many times one evaluation requests memory.
func allocationsOfEvaluating(_ program: Program) -> Double {
    let slots = program.slotValues(Values().context)
    use(isMet(program, slots))
    let before = allocations_so_far()
    for _ in 0..<1_000 { use(isMet(program, slots)) }
    return Double(allocations_so_far() - before) / 1_000
}

func compile(_ condition: MeasuredCondition, _ environment: Environment) {
    var slots = SlotTable()
    let expression = PopCEL.Expression.parse(condition.text, advice: .full)
    guard let tree = expression.value else { return }
    use(environment.compile(tree, expecting: .bool, slots: &slots))
}
