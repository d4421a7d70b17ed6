internal import PopCEL

/// The state of the screen of a scheduler.
enum Screen: Sendable {
    case free
    case occupied(Occupant)

    /// A task on the screen with everything that it needs, so that it survives a reload.
    struct Occupant: Sendable {
        var subject: Subject
        /// The time for which it was visible before it last left the screen.
        var visibleTime: Duration
        var phase: Phase
        var place: Place
        /// True if the host has reported that it is on the screen.
        var isConfirmed = false
        /// The reason and manner of its dismissal, once it was requested; nil before.
        var leaving: Leaving?
        /// True if only the screen still has the task, because the user was switched.
        var isDetached = false
        /// The uses of its task by the user.
        var acts: LiveTask.Acts = []
        var dismissError: EvaluationError?
        /// True if `dismiss_when` was true at the last check. It wasn't true when the presentation
        /// began.
        var dismissWasTrue = false
        /// The date at which `dismiss_when` may change by itself.
        var dismissConditionEnds: Timestamp?

        enum Phase: Sendable {
            case presenting(timeout: Duration)
            case showing(since: Duration)
            case dismissing(timeout: Duration)
        }

        /// The use of the caps by this presentation.
        enum Place: Sendable {
            /// Its task made its impression earlier, or makes none.
            case none
            /// It isn't visible yet; a place has been reserved for it since that date.
            case reserved(Timestamp)
            /// It made its impression on that date, in the session with that number.
            case impression(Timestamp, session: UInt32)
        }
    }

    /// The constant part of an occupant. One reference instead of a dozen, because the content of a
    /// screen is often copied: presenting then takes half the instructions.
    final class Subject: Sendable {
        let whole: Presentation
        /// The task as it was when chosen, marked as shown.
        let task: LiveTask
        let isForeign: Bool
        /// The user to whose history it belongs; nil if that user was forgotten.
        let user: String?
        let hasDismissCondition: Bool
        // Read at every input: stored outside of the rule, which would be copied to read them.
        let minShow: Duration
        let hideAfter: Duration?
        /// The rules that its conditions were compiled against, if other rules are in force now.
        let formerRules: RuleSet?
        /// The action by which its task ends; nil if it ends differently.
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
        /// The template of the popup that its user sees: that of the variant, if it has its own.
        var template: String? { whole.template }
    }

    struct Leaving: Sendable {
        var reason: ReasonCode
        /// True if it is dismissed regardless of `min_show`.
        var isImmediate = false
        /// True if the task is queued again.
        var requeues = false
        /// True if it gives way to a task that outranks it: no gap follows.
        var isSwitch = false
    }
}

// Each property reads one part of the screen's content: the whole would be copied.
extension Screen {
    var phase: Occupant.Phase? {
        if case .occupied(let occupant) = self { occupant.phase } else { nil }
    }

    var dismissConditionEnds: Timestamp? {
        if case .occupied(let occupant) = self { occupant.dismissConditionEnds } else { nil }
    }

    /// True if its dismissal was requested.
    var isLeaving: Bool {
        if case .occupied(let occupant) = self { occupant.leaving != nil } else { false }
    }

    /// True while the popup leaves permanently: it isn't requeued and doesn't give way to another.
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
    /// True if its user was exposed to an arm of its experiment.
    var isExposed: Bool { subject.task.claim.isExposed }

    /// The task with the time for which it was visible, and its uses by the user.
    var task: LiveTask {
        var task = subject.task
        task.visibleTime = visibleTime
        task.claim.acts = acts
        task.errors[.dismissWhen] = dismissError
        return task
    }

    /// Returns true if a request for its dismissal changes the reason or the time of it.
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

    /// The instant since which it is visible; nil while it is being presented or dismissed.
    var visibleSince: Duration? {
        if case .showing(let since) = phase { since } else { nil }
    }

    var minShowEnds: Duration? { visibleSince.map { $0 + subject.minShow } }

    var hideDue: Duration? {
        guard let visibleSince, let hideAfter = subject.hideAfter else { return nil }
        return visibleSince + max(hideAfter - visibleTime, .zero)
    }

    /// The instant at which it is dismissed by itself: its `hide_after` and its `min_show` are
    /// over.
    var goesByItself: Duration? {
        guard let hideDue, let minShowEnds else { return nil }
        return max(hideDue, minShowEnds)
    }
}

/// A task, by its popup's index, that is to come on a screen next. Another popup may still be on
/// that screen.
struct Chosen: Sendable {
    enum Phase: Sendable {
        /// Waiting for the end of `grace`.
        case settling(until: Duration)
        /// The host is being asked.
        case asked(turn: Int)
        /// The host allowed it, on that date.
        case allowed(turn: Int, since: Timestamp)
    }

    var popup: PopupIndex
    var phase: Phase
    /// The date at which a place under each cap was reserved for it; nil while it settles, and if
    /// it makes no impression.
    var reserved: Timestamp?

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
