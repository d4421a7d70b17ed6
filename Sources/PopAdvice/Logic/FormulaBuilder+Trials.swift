internal import PopCEL

extension FormulaBuilder {
    /// Returns the results of a formula for all values of the keys that it tests at least `times`
    /// times, or for enough values to find `until`. Other keys may have any value: tested once,
    /// they conflict with nothing.
    mutating func outcomes(
        _ formula: Formula, testedAtLeast times: Int, until: PossibleOutcomes
    ) -> PossibleOutcomes {
        var tests: [Int: [Formula.Test]] = [:]
        formula.forEachTest(&steps) { tests[$0, default: []].append($1) }
        let tested = tests.filter { $0.value.count >= times }.map { $0.key }.sorted()
        if tested.isEmpty { return .any }
        let choices = tested.map {
            keys[$0].cells(tests[$0, default: []].flatMap { $0.constants })
        }
        steps = max(0, steps - choices.reduce(keys.count) { $0 + $1.count })
        var cells = [Cell](repeating: .open, count: keys.count)
        var places = [Int](repeating: 0, count: tested.count)
        var all: PossibleOutcomes = []
        while true {
            for (position, key) in tested.enumerated() {
                cells[key] = choices[position][places[position]]
            }
            all.formUnion(formula.outcomes(cells, steps: &steps))
            if all.isSuperset(of: until) { return all }
            // Advances to the next combination, like a counter.
            var position = 0
            while position < tested.count, places[position] == choices[position].count - 1 {
                places[position] = 0
                position += 1
            }
            guard position < tested.count else { return all }
            places[position] += 1
        }
    }
}
