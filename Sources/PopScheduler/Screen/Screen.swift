internal import PopCEL

/// What holds the screen of a scheduler.
enum Screen: Sendable {
    case free
    /// A task, by its popup's index, that is not on the screen yet.
    case chosen(Chosen)
    // Apart, because the screen is looked at in every pass and its occupant seldom.
    indirect case occupied(Occupant)

    struct Chosen: Sendable {
        enum Phase: Sendable {
            /// Waiting for the end of `grace`.
            case settling(until: Duration)
            /// The host is asked.
            case asked(turn: Int)
            /// The host said yes.
            case allowed(turn: Int)
        }

        var popup: Int
        var phase: Phase
    }

    /// A task on the screen with everything that it needs, so that it lives through a reload.
    struct Occupant: Sendable {
        enum Phase: Sendable {
            case presenting(timeout: Duration)
            case showing(since: Duration)
            case dismissing(timeout: Duration)
        }

        var task: LiveTask
        let popup: PopupRule
        let isForeign: Bool
        let presentation: PresentationID
        /// Whose history it belongs to.
        let user: String
        /// The impression that this presentation made.
        var impression: Timestamp?
        var phase: Phase
        /// Whether the host has said that it is on the screen.
        var isConfirmed = false
        /// Why it goes or has to go, once something has asked for that.
        var leaving: Leaving?
        /// Whether the task ended for everyone but the screen: another user has come.
        var isDetached = false
        /// The rules that its conditions were compiled against, when others are in force now.
        var formerRules: FormerRules?
        var dismissError: EvaluationError?
        /// Whether `dismiss_when` was true when it was last looked at; nil before its presentation began.
        var dismissWasTrue: Bool?
        /// When `dismiss_when` may change by itself.
        var dismissConditionEnds: Timestamp?
    }

    /// One reference instead of seven, since what is on a screen is often copied.
    final class FormerRules: Sendable {
        let rules: RuleSet

        init(_ rules: RuleSet) { self.rules = rules }
    }

    struct Leaving: Sendable {
        var reason: ReasonCode
        /// Whether it goes without regard to `min_show`.
        var isImmediate = false
        /// Whether the task is queued again.
        var requeues = false
    }
}

extension Screen {
    var occupant: Occupant? {
        if case .occupied(let occupant) = self { occupant } else { nil }
    }

    var chosen: Chosen? {
        if case .chosen(let chosen) = self { chosen } else { nil }
    }
}

extension Screen.Occupant {
    var isDismissing: Bool {
        if case .dismissing = phase { true } else { false }
    }

    /// Since when it is visible; nil while it comes and goes.
    var visibleSince: Duration? {
        if case .showing(let since) = phase { since } else { nil }
    }

    var minShowEnds: Duration? { visibleSince.map { $0 + popup.minShow } }

    var hideDue: Duration? {
        guard let visibleSince, let hideAfter = popup.hideAfter else { return nil }
        return visibleSince + max(hideAfter - task.visibleTime, .zero)
    }
}
