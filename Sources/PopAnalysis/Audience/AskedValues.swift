package import PopCEL
internal import PopLogic
package import PopScheduler

/// The values of context keys at which the results of conditions change, by key: bounds of
/// comparisons, and compared values.
package struct AskedValues: Sendable {
    /// Each value once, in the order in which popups use them.
    package private(set) var byKey: [String: [Value]] = [:]

    /// Collects the values for all popups of rules whose audiences have a short description.
    package init(_ rules: RuleSet, limits: AnalysisLimits = .standard) {
        var known: [String: Set<Value>] = [:]
        let declarations = Declarations(rules).whileShowing()
        let words = TestWords(rules: rules, declarations: declarations)
        for place in rules.popups.places {
            let demand = rules.popups[place].demand(in: rules)
            if demand.isEmpty { continue }
            var logic = Logic(
                of: demand.conditions, declarations: declarations, limits: limits.logic)
            for test in logic.cover(of: demand)?.lines.flatMap({ $0 }) ?? [] {
                guard case .value(let entry, let fields) = test.subject, fields.isEmpty,
                    case .key? = declarations.slotMeaning(entry)
                else { continue }
                let name = words.name(entry)
                for value in test.values.named
                where known[name, default: []].insert(value).inserted {
                    byKey[name, default: []].append(value)
                }
            }
        }
    }
}

extension Test.Values {
    /// The values that the test names.
    fileprivate var named: [Value] {
        switch self {
        case .among(let values), .except(let values): values
        case .ranges(let ranges):
            ranges.flatMap { [$0.lower?.value, $0.upper?.value].compactMap { $0 } }
        case .truth, .present, .missing, .outcomes: []
        }
    }
}
