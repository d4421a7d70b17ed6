internal import PopCEL

/// What holds the screen of a scheduler.
enum Screen: Sendable {
    case free
    /// A task, by its popup's index, that is not on the screen yet.
    case chosen(Chosen)
    case occupied(Occupant)

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
        var subject: Subject
        /// How long it was visible before it went off the screen the last time.
        var visibleTime: Duration
        var phase: Phase
        /// Whether the host has said that it is on the screen.
        var isConfirmed = false
        /// Why it goes or has to go, once something has asked for that.
        var leaving: Leaving?
        /// Whether the task ended for everyone but the screen: another user has come.
        var isDetached = false
        var dismissError: EvaluationError?
        /// Whether `dismiss_when` was true when it was last looked at; nil before its presentation began.
        var dismissWasTrue: Bool?
        /// When `dismiss_when` may change by itself.
        var dismissConditionEnds: Timestamp?

        enum Phase: Sendable {
            case presenting(timeout: Duration)
            case showing(since: Duration)
            case dismissing(timeout: Duration)
        }
    }

    /// What of an occupant stays as it is. One reference instead of a dozen, since what is on a screen is often copied:
    /// presenting one takes half the instructions so.
    final class Subject: Sendable {
        private let whole: Presentation
        /// As it was when it was chosen, but that it makes its impression.
        let task: LiveTask
        let isForeign: Bool
        /// Whose history it belongs to; nil when that user was forgotten.
        let user: String?
        /// The impression that this presentation made.
        let impression: Timestamp?
        /// The rules that its conditions were compiled against, when others are in force now.
        let formerRules: RuleSet?

        init(
            _ presentation: Presentation, _ task: LiveTask, isForeign: Bool, user: String?,
            impression: Timestamp?, formerRules: RuleSet? = nil
        ) {
            whole = presentation
            self.task = task
            self.isForeign = isForeign
            self.user = user
            self.impression = impression
            self.formerRules = formerRules
        }

        func under(_ rules: RuleSet) -> Subject {
            Subject(
                whole, task, isForeign: isForeign, user: user, impression: impression,
                formerRules: rules)
        }

        func ofNobody() -> Subject {
            Subject(
                whole, task, isForeign: isForeign, user: nil, impression: impression,
                formerRules: formerRules)
        }

        var presentation: PresentationID { whole.id }
        var popup: PopupRule { whole.popup }
    }

    struct Leaving: Sendable {
        var reason: ReasonCode
        /// Whether it goes without regard to `min_show`.
        var isImmediate = false
        /// Whether the task is queued again.
        var requeues = false
    }
}

// Each looks at one part of what is on the screen: the whole would be copied.
extension Screen {
    var phase: Occupant.Phase? {
        if case .occupied(let occupant) = self { occupant.phase } else { nil }
    }

    var dismissConditionEnds: Timestamp? {
        if case .occupied(let occupant) = self { occupant.dismissConditionEnds } else { nil }
    }

    var subject: Subject? {
        if case .occupied(let occupant) = self { occupant.subject } else { nil }
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
    var popup: PopupRule { subject.popup }
    var presentation: PresentationID { subject.presentation }

    /// With the time for which it was visible.
    var task: LiveTask {
        var task = subject.task
        task.visibleTime = visibleTime
        return task
    }

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
        return visibleSince + max(hideAfter - visibleTime, .zero)
    }
}
