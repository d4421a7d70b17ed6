internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
package import PopScheduler
package import PopSource

/// The parts and behaviors of rules that tests have seen while they ran.
///
/// Everything is identified by its place in the source, so that several rule sets of a workspace
/// share one value.
package struct Coverage: Sendable {
    /// The number of times that a part of a condition was true and false.
    package struct Outcomes: Sendable, Hashable {
        package var yes = 0
        package var no = 0

        mutating func add(_ isTrue: Bool) {
            if isTrue { yes += 1 } else { no += 1 }
        }
    }

    /// A part of a condition. A condition that is written as a map of keys has several parts at one
    /// place.
    package struct PartID: Sendable, Hashable {
        package var range: SourceRange
        package var text: String

        init(_ part: Explanation.Part) {
            range = part.range
            text = part.text
        }
    }

    /// The number of times that each popup became visible, by the place of its id.
    package private(set) var shown: [SourceRange: Int] = [:]
    package private(set) var parts: [PartID: Outcomes] = [:]
    /// The behaviors that were seen of each popup, by the place of its id.
    package private(set) var sights: [SourceRange: Set<Behaviour.Sight>] = [:]
    /// The values that the conditions of each popup's audience read when they were evaluated, by
    /// the place of the popup's id.
    private(set) var moments: [SourceRange: Set<AudienceTrials.Moment>] = [:]
    /// The maximum number of moments per popup: further ones add little.
    private static let mostMoments = 1_000
    /// The work of evaluating conditions part by part and of keeping what they read, measured in
    /// popups that are judged.
    private(set) var work = 0
    private static let workOfEvaluation = 12
    /// The values with which each condition was last evaluated: equal values add nothing.
    private var lastValues: [SourceRange: [SlotValue]] = [:]

    package init() {}

    /// Prepares for the next test.
    mutating func begin() { lastValues = [:] }

    mutating func sawShown(_ popup: PopupRule) { shown[popup.range, default: 0] += 1 }

    mutating func saw(_ reason: ReasonCode, of popup: PopupRule) {
        saw(.reason(reason), of: popup)
    }

    mutating func saw(_ sight: Behaviour.Sight, of popup: PopupRule) {
        sights[popup.range, default: []].insert(sight)
    }

    mutating func saw(_ moment: AudienceTrials.Moment, for popup: PopupRule) {
        if moments[popup.range]?.count ?? 0 < Self.mostMoments {
            work += 1 + moment.count
            moments[popup.range, default: []].insert(moment)
        }
    }

    /// Records that a condition was evaluated while the slots had these values.
    mutating func sawEvaluation(
        of condition: Condition, with values: borrowing SlotValues, in rules: RuleSet
    ) {
        var read: [SlotValue] = []
        for slot in condition.program.slots { read.append(values[slot]) }
        if lastValues[condition.range] == read { return }
        lastValues[condition.range] = read
        work += Self.workOfEvaluation
        guard let root = explain(condition.program, with: values) else { return }
        var seen: Set<ConditionIndex> = []
        var pending = [root]
        while let part = pending.popLast() {
            work += 2
            guard part.wasNeeded else { continue }
            if part.isCondition, case .success(.bool(let isTrue))? = part.result {
                parts[PartID(part), default: Outcomes()].add(isTrue)
            }
            pending += part.parts
            guard part.parts.isEmpty, let used = rules.condition(named: part.text),
                condition.program.reads(used, in: rules), seen.insert(used).inserted,
                let inner = explain(rules.conditions[used].condition.program, with: values)
            else { continue }
            pending.append(inner)
        }
    }

    private mutating func explain(
        _ program: Program, with values: borrowing SlotValues
    ) -> Explanation.Part? {
        let explanation = program.explain(values)
        work += explanation.steps / Scheduler.stepsPerTask
        return explanation.root
    }
}

extension RuleSet {
    fileprivate func condition(named name: String) -> ConditionIndex? {
        conditions.firstPlace { $0.name == name }
    }
}

extension Program {
    /// Returns true if the program reads a named condition, also through other conditions.
    fileprivate func reads(_ condition: ConditionIndex, in rules: RuleSet) -> Bool {
        rules.conditions(usedBy: self).contains(condition)
    }
}

/// A behavior of a popup that a key of its rule causes.
package struct Behaviour: Sendable, Hashable {
    /// The key as it is written: `cap.lifetime`.
    package var key: String
    package var sight: Sight

    /// The observation that shows the behavior.
    package enum Sight: Sendable, Hashable {
        case reason(ReasonCode)
        /// The popup is chosen and not on the screen yet.
        case settling
        /// The popup is asked to dismiss and stays.
        case kept
        /// The user is exposed to an arm of its experiment.
        case exposed(String)
        /// One of its goals is reached.
        case converted(String)

        var text: String {
            switch self {
            case .reason(let code): code.rawValue
            case .settling: "chosen, but not on the screen yet"
            case .kept: "stays until its `min_show` is over, although it was dismissed"
            case .exposed(let arm): "a user in `\(arm)`"
            case .converted: "reached in time"
            }
        }
    }
}

extension RuleSet {
    /// Returns the behaviors that a popup's rule requests, in the order of the reason codes.
    package func behaviours(of popup: PopupRule) -> [Behaviour] {
        let coded = ReasonCode.allCases.compactMap { code in
            grounds(of: code, for: popup).key.map { Behaviour(key: $0, sight: .reason(code)) }
        }
        let others: [(isAsked: Bool, key: String, sight: Behaviour.Sight)] = [
            (popup.timing.grace > .zero, "grace", .settling),
            (popup.timing.minShow > .zero, "min_show", .kept),
        ]
        return coded
            + others.filter(\.isAsked).map { Behaviour(key: $0.key, sight: $0.sight) }
            + (popup.experiment?.behaviours ?? [])
            + popup.goals.map { Behaviour(key: "goals.\($0.name)", sight: .converted($0.name)) }
    }

    /// The reason codes that these rules can cause by themselves, and those of users who close a
    /// popup.
    package var ownReasonCodes: Set<ReasonCode> {
        popups.reduce(into: []) { given, popup in
            for code in ReasonCode.allCases where !given.contains(code) {
                if grounds(of: code, for: popup).isGiven { given.insert(code) }
            }
        }
    }
}

extension Experiment {
    /// One behavior per arm that has users; control is seen by its reason code.
    fileprivate var behaviours: [Behaviour] {
        let section = name.map { "experiments.\($0)" } ?? "experiment"
        return assignment.arms.filter { $0.weight > 0 }.map {
            Behaviour(key: "\(section).variants.\($0.name)", sight: .exposed($0.name))
        }
    }
}
