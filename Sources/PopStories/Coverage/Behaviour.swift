internal import PopExplanations
package import PopScheduler

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
            case .settling: "chosen, not on the screen yet"
            case .kept: "stays after a dismissal request"
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
