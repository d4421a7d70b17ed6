package import PopExplanations
internal import PopScheduler

extension Simulation {
    /// All that words about its popups are made of.
    package var situation: Situation {
        var situation = Situation(
            scheduler, at: now, rules: rules, context: context, speaker: "the test")
        situation.rollouts = draws.rollouts
        situation.arms = draws.arms
        situation.isHeldOut = draws.isHeldOut
        situation.endings = endings
        return situation
    }

    /// Why a popup is not on the screen, as facts beside a failure.
    package func whyNot(_ popup: String) -> [String] { situation.whyNot(popup) }

    /// How long the simulation has been running, such as `4.5s`.
    package var timeText: String { PopScheduler.timeText(now.instant) }
}
