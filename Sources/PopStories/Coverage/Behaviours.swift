package import PopScheduler

/// Something that a popup does because a key of its rule says so.
package struct Behaviour: Sendable, Hashable {
    /// As it is written: `cap.lifetime`.
    package var key: String
    package var sight: Sight

    /// What it is seen by.
    package enum Sight: Sendable, Hashable {
        case reason(ReasonCode)
        /// The popup is chosen and not on the screen yet.
        case settling
        /// The popup is asked to go and stays.
        case kept

        var text: String {
            switch self {
            case .reason(let code): code.rawValue
            case .settling: "chosen, not on the screen yet"
            case .kept: "asked to go, stays"
            }
        }
    }
}

extension RuleSet {
    /// What a popup's rule asks for, in the order of the reason codes.
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
    }

    /// The reason codes that these rules give by themselves, and the closing of a popup by a
    /// person.
    package var ownReasonCodes: Set<ReasonCode> {
        popups.reduce(into: []) { given, popup in
            for code in ReasonCode.allCases where !given.contains(code) {
                if grounds(of: code, for: popup).isGiven { given.insert(code) }
            }
        }
    }
}
