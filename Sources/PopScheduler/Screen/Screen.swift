internal import PopCEL

/// What holds the screen of a scheduler.
enum Screen: Sendable {
    case free
    case occupied(Occupant)

    /// A task on the screen with everything that it needs, so that it lives through a reload.
    struct Occupant: Sendable {
        var subject: Subject
        /// How long it was visible before it went off the screen the last time.
        var visibleTime: Duration
        var phase: Phase
        var place: Place
        /// Whether the host has said that it is on the screen.
        var isConfirmed = false
        /// Why it goes or has to go, once something has asked for that.
        var leaving: Leaving?
        /// Whether the task ended for everyone but the screen: another user has come.
        var isDetached = false
        /// What people did with its task.
        var acts: LiveTask.Acts = []
        var dismissError: EvaluationError?
        /// Whether `dismiss_when` was true when it was last looked at. It was not when the
        /// presentation began.
        var dismissWasTrue = false
        /// When `dismiss_when` may change by itself.
        var dismissConditionEnds: Timestamp?

        enum Phase: Sendable {
            case presenting(timeout: Duration)
            case showing(since: Duration)
            case dismissing(timeout: Duration)
        }

        /// What this presentation takes under the caps.
        enum Place: Sendable {
            /// Its task made its impression before, or makes none.
            case none
            /// It is not visible yet; since that date a place is kept for it.
            case reserved(Timestamp)
            /// It made its impression then, in the session of that number.
            case impression(Timestamp, session: UInt32)
        }
    }

    /// What of an occupant stays as it is. One reference instead of a dozen, since what is on a
    /// screen is often copied: presenting one takes half the instructions so.
    final class Subject: Sendable {
        let whole: Presentation
        /// As it was when it was chosen, but that it comes on the screen.
        let task: LiveTask
        let isForeign: Bool
        /// Whose history it belongs to; nil when that user was forgotten.
        let user: String?
        let hasDismissCondition: Bool
        // Asked at every input: beside the rule, which would be copied for them.
        let minShow: Duration
        let hideAfter: Duration?
        /// The rules that its conditions were compiled against, when others are in force now.
        let formerRules: RuleSet?
        /// The action by which its task ends; nil when it does not end by one.
        let endingAction: String?

        init(
            _ presentation: Presentation, task: LiveTask, minShow: Duration, hideAfter: Duration?,
            isForeign: Bool, user: String?, hasDismissCondition: Bool, formerRules: RuleSet? = nil,
            endingAction: String? = nil
        ) {
            whole = presentation
            self.task = task
            self.minShow = minShow
            self.hideAfter = hideAfter
            self.isForeign = isForeign
            self.user = user
            self.hasDismissCondition = hasDismissCondition
            self.formerRules = formerRules
            self.endingAction = endingAction
        }

        func under(_ rules: RuleSet) -> Subject {
            copy(user: user, formerRules: rules, endingAction: endingAction)
        }

        func ofNobody() -> Subject {
            copy(user: nil, formerRules: formerRules, endingAction: endingAction)
        }

        func ending(by action: String) -> Subject {
            copy(user: user, formerRules: formerRules, endingAction: action)
        }

        func unexposed() -> Subject {
            var task = task
            task.claim.isExposed = false
            return copy(
                user: user, formerRules: formerRules, endingAction: endingAction, task: task)
        }

        private func copy(
            user: String?, formerRules: RuleSet?, endingAction: String?, task: LiveTask? = nil
        ) -> Subject {
            Subject(
                whole, task: task ?? self.task, minShow: minShow, hideAfter: hideAfter,
                isForeign: isForeign,
                user: user, hasDismissCondition: hasDismissCondition, formerRules: formerRules,
                endingAction: endingAction)
        }

        var presentation: PresentationID { whole.id }
        var popup: PopupRule { whole.popup }
        /// What kind of popup its user sees: that of the variant, if it has its own.
        var template: String? { whole.template }
    }

    struct Leaving: Sendable {
        var reason: ReasonCode
        /// Whether it goes without regard to `min_show`.
        var isImmediate = false
        /// Whether the task is queued again.
        var requeues = false
        /// Whether it makes room for a better one: no gap follows.
        var isSwitch = false
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

    /// Whether something has asked for it to go.
    var isLeaving: Bool {
        if case .occupied(let occupant) = self { occupant.leaving != nil } else { false }
    }

    /// True while the popup leaves for good: it isn't requeued and doesn't give way to another.
    var isLeavingForGood: Bool {
        guard case .occupied(let occupant) = self, let leaving = occupant.leaving else {
            return false
        }
        return !leaving.requeues && !leaving.isSwitch
    }

    var subject: Subject? {
        if case .occupied(let occupant) = self { occupant.subject } else { nil }
    }
}

extension Screen {
    var occupant: Occupant? {
        if case .occupied(let occupant) = self { occupant } else { nil }
    }
}

extension Screen.Occupant {
    var popup: PopupRule { subject.popup }
    var presentation: PresentationID { subject.presentation }
    /// Whether its user was exposed to an arm of its experiment.
    var isExposed: Bool { subject.task.claim.isExposed }

    /// With the time for which it was visible, and what people did.
    var task: LiveTask {
        var task = subject.task
        task.visibleTime = visibleTime
        task.claim.acts = acts
        task.errors[.dismissWhen] = dismissError
        return task
    }

    /// Whether something that asks for it to go changes why it does, or when.
    func heeds(_ leaving: Screen.Leaving) -> Bool {
        switch phase {
        // A task that was to be queued again ends instead.
        case .dismissing: self.leaving?.requeues == true
        case .presenting, .showing:
            self.leaving.map { !$0.isImmediate && leaving.isImmediate } ?? true
        }
    }

    var isDismissing: Bool {
        if case .dismissing = phase { true } else { false }
    }

    /// Since when it is visible; nil while it comes and goes.
    var visibleSince: Duration? {
        if case .showing(let since) = phase { since } else { nil }
    }

    var minShowEnds: Duration? { visibleSince.map { $0 + subject.minShow } }

    var hideDue: Duration? {
        guard let visibleSince, let hideAfter = subject.hideAfter else { return nil }
        return visibleSince + max(hideAfter - visibleTime, .zero)
    }

    /// When it goes by itself: its `hide_after` is over and its `min_show` too.
    var goesByItself: Duration? {
        guard let hideDue, let minShowEnds else { return nil }
        return max(hideDue, minShowEnds)
    }
}
