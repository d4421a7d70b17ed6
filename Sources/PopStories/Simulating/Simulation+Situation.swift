package import PopExplanations
internal import PopScheduler

extension Simulation {
    /// The state from which descriptions of its popups are written.
    package var situation: Situation {
        var situation = Situation(
            scheduler, at: now, rules: rules, context: context, speaker: "the test")
        situation.rollouts = draws.rollouts
        situation.arms = draws.arms
        situation.isHeldOut = draws.isHeldOut
        situation.endings = endings
        situation.budget = budget
        return situation
    }

    /// Returns the reasons why a popup isn't on the screen, as notes on a failure.
    package func whyNot(_ popup: String) -> [String] { situation.whyNot(popup) }

    /// The time that the simulation has been running, such as `4.5s`.
    package var timeText: String { PopScheduler.timeText(now.instant) }
}
