package import PopCEL
package import PopScheduler

/// What is known of an app at a moment: all that words about its popups are made of.
package struct Situation: Sendable {
    package var scheduler: Scheduler
    package var now: Moment
    /// The rules that are in force.
    package var rules: RuleSet
    /// What the app has set; keys at their defaults need not be in it.
    package var context: [String: Value]
    /// Who says what the user is in, in place of what would be drawn: such as `the test`.
    package var speaker: String
    /// By popup with a `rollout`, whether the user is said to be in it.
    package var rollouts: [String: Bool] = [:]
    /// By popup with an `experiment`, the arm that the user is said to be in.
    package var arms: [String: String] = [:]
    /// Whether the user is said to be in the `holdout`.
    package var isHeldOut: Bool?
    /// How each popup's last task ended, as far as that is known.
    package var endings: [String: HostEvent] = [:]
    /// Who waits, where several questions are answered about the moment; nil where it is judged
    /// when one asks.
    package var lines: WaitingLines?

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

    /// The popup of an id; nil if the rules have none.
    func rule(of popup: String) -> PopupRule? { scheduler.rule(of: popup) }
}
