package import PopCEL
package import PopScheduler
package import PopSource

/// The known state of an app at one point in time, from which texts about its popups are made.
package struct Situation: Sendable {
    package var scheduler: Scheduler
    package var now: Moment
    /// The rules that are in force.
    package var rules: RuleSet
    /// The context keys that the app has set; keys at their defaults may be left out.
    package var context: [String: Value]
    /// The source of assignments that replace the computed ones, such as `the test`.
    package var speaker: String
    /// The given rollout results: by popup with a `rollout`, true if the user is in it.
    package var rollouts: [String: Bool] = [:]
    /// The given arms: by popup with an `experiment`, the user's arm.
    package var arms: [String: String] = [:]
    /// True if the user is in the `holdout`, false if not; nil if this isn't given.
    package var isHeldOut: Bool?
    /// The events that ended each popup's last task, where they are known.
    package var endings: [String: HostEvent] = [:]
    /// The waiting popups, if several questions are answered for this point in time; nil if they
    /// are computed for each question.
    package var lines: WaitingLines?
    /// The budget of the answers; each popup that is judged for them is charged.
    package var budget = WorkBudget()

    package init(
        _ scheduler: Scheduler, at now: Moment, rules: RuleSet, context: [String: Value],
        speaker: String
    ) {
        self.scheduler = scheduler
        self.now = now
        self.rules = rules
        self.context = context
        self.speaker = speaker
    }

    /// The history of the user.
    var history: History { lines?.history ?? scheduler.history }

    /// Returns the popup with an id; nil if the rules have none.
    func rule(of popup: String) -> PopupRule? { scheduler.rule(of: popup) }
}
