package import PopCEL
internal import PopExplanations
package import PopLogic
internal import PopScenario
package import PopScheduler

/// The cases to test in the audience of a popup: its terms, and the bounds of its comparisons.
package struct AudienceTrials: Sendable {
    /// The values of entries at a time when conditions were evaluated; missing values are left out.
    package typealias Moment = [SlotTable.Entry: Value]

    /// A kind of user in the audience: a description, and the tests that must pass.
    private struct Term: Sendable {
        let text: String
        let tests: [Test]
    }

    private var terms: [Term] = []
    private var bounds: [AudienceBound] = []

    /// Creates the cases for a popup; no cases if its audience has no short description.
    package init(
        of index: PopupIndex, in rules: RuleSet, declarations: Declarations,
        limits: AnalysisLimits = .standard
    ) {
        let demand = rules.popups[index].demand(in: rules)
        if demand.isEmpty { return }
        let declarations = declarations.whileShowing()
        let words = AudienceText(rules: rules, declarations: declarations)
        var logic = Logic(
            of: demand.conditions, declarations: declarations, limits: limits.logic)
        guard let cover = logic.cover(of: demand) else { return }
        var known: Set<String> = []
        for tests in cover.lines {
            terms.append(Term(text: words.line(tests), tests: tests))
            for bound in tests.flatMap({ AudienceBound.all(of: $0, words) })
            where known.insert(bound.text).inserted {
                bounds.append(bound)
            }
        }
    }

    /// Returns the terms that matched no user at the given times. A test with an unknown result
    /// counts as passed.
    package func termsNotTried(at moments: some Sequence<Moment>) -> [String] {
        terms.filter { term in
            !moments.contains { moment in
                term.tests.allSatisfy { $0.isPassed(at: moment) ?? true }
            }
        }.map(\.text)
    }

    /// Returns the sides of bounds that were not tried. For integers, a side is the value next to
    /// the bound; for others, it is any value.
    package func boundsNotTried(at moments: some Sequence<Moment>) -> [String] {
        var found: Set<String> = []
        return bounds.flatMap { $0.sidesNotTried(at: moments) }.filter { found.insert($0).inserted }
    }
}

/// A bound of a comparison, with the values on its two sides.
private struct AudienceBound: Sendable {
    private let subject: Test.Subject
    private let name: String
    private let bound: Test.Bounds.Bound
    private let isLower: Bool

    static func all(of test: Test, _ words: AudienceText) -> [AudienceBound] {
        guard case .ranges(let ranges) = test.values else { return [] }
        let name: String
        switch test.subject {
        case .value(let entry, let fields): name = words.name(entry, fields: fields)
        case .size(let entry, let fields): name = "size of \(words.name(entry, fields: fields))"
        case .text, .difference, .element, .itself, .written: return []
        }
        return ranges.flatMap { range in
            [(range.lower, true), (range.upper, false)].compactMap { bound, isLower in
                bound.map {
                    AudienceBound(subject: test.subject, name: name, bound: $0, isLower: isLower)
                }
            }
        }
    }

    /// The name and both sides; bounds with the same text are the same.
    var text: String { "\(name) \(inner(of: bound)) \(outer(of: bound))" }

    func sidesNotTried(at moments: some Sequence<AudienceTrials.Moment>) -> [String] {
        let values = moments.compactMap { subject.value(at: $0) }
        if let inside = neighbour(isInside: true), let outside = neighbour(isInside: false) {
            return [inside, outside].filter { !values.contains($0) }
                .map { "\(name) = \($0.yaml)" }
        }
        let isInside = values.map { bound.admits($0, isLower: isLower) }
        return (isInside.contains(true) ? [] : ["\(name) \(inner(of: bound))"])
            + (isInside.contains(false) ? [] : ["\(name) \(outer(of: bound))"])
    }

    /// Returns the integer next to the bound on one of its sides; nil for other values.
    private func neighbour(isInside: Bool) -> Value? {
        let step = (bound.isIncluded == isInside ? 0 : 1) * (isLower == isInside ? 1 : -1)
        switch bound.value {
        case .int(let number):
            let (sum, overflows) = number.addingReportingOverflow(Int64(step))
            return overflows ? nil : .int(sum)
        case .uint(let number):
            let (sum, overflows) =
                step < 0
                ? number.subtractingReportingOverflow(1)
                : number.addingReportingOverflow(UInt64(step))
            return overflows ? nil : .uint(sum)
        case .null, .bool, .double, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            return nil
        }
    }

    private func inner(of bound: Test.Bounds.Bound) -> String {
        side(isUp: isLower, isIncluded: bound.isIncluded)
    }

    private func outer(of bound: Test.Bounds.Bound) -> String {
        side(isUp: !isLower, isIncluded: !bound.isIncluded)
    }

    private func side(isUp: Bool, isIncluded: Bool) -> String {
        Test.Bounds.Bound(value: bound.value, isIncluded: isIncluded)
            .text(isLower: isUp, value: bound.value.yaml)
    }
}

/// The values of context keys at which the results of conditions change, by key: bounds of
/// comparisons, and compared values.
package struct AskedValues: Sendable {
    /// Each value once, in the order in which popups use them.
    package private(set) var byKey: [String: [Value]] = [:]

    /// Collects the values for all popups of rules whose audiences have a short description.
    package init(_ rules: RuleSet, limits: AnalysisLimits = .standard) {
        var known: [String: Set<Value>] = [:]
        let declarations = Declarations(rules).whileShowing()
        let words = AudienceText(rules: rules, declarations: declarations)
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
