// The checks of the group `hygiene`.
extension Check {
    /// P0801: the popup names no owner.
    public static let hygieneNoOwner = Check(
        "P0801", name: "hygiene/no-owner", level: .info, summary: "the popup names no owner")
    /// P0802: the popup has no description.
    public static let hygieneNoDescription = Check(
        "P0802", name: "hygiene/no-description", level: .info,
        summary: "the popup has no description")
    /// P0803: `when: false` was left over, or `where: false` at a goal or trigger.
    public static let hygieneWhenFalse = Check(
        "P0803", name: "hygiene/when-false", level: .warning,
        summary: "`when: false` was left over, or `where: false` at a goal or trigger")
    /// P0804: all popups of a scheduler have the same priority.
    public static let hygieneOnePriority = Check(
        "P0804", name: "hygiene/one-priority", level: .info,
        summary: "all popups of a scheduler have the same priority")
    /// P0805: a rollout or an experiment of 0 percent reaches nobody.
    public static let hygieneRolloutToNobody = Check(
        "P0805", name: "hygiene/rollout-to-nobody", level: .warning,
        summary: "a rollout or an experiment of 0 percent, or a holdout of 100, reaches nobody")
    /// P0806: a share of less than one percent may be meant as a part of one.
    public static let hygieneFractionOfPercent = Check(
        "P0806", name: "hygiene/fraction-of-percent", level: .warning,
        summary: "a share of less than one percent may be meant as a part of one")
    /// P0807: users are drawn by a key of few values, so that all users of a value are treated
    /// alike.
    public static let hygieneRolloutByFewValues = Check(
        "P0807", name: "hygiene/rollout-by-few-values", level: .warning,
        summary:
            "users are drawn by a key of few values, so that all users of a value are treated alike"
    )
    /// P0808: a rollout goes back to fewer users.
    public static let hygieneStepsGoDown = Check(
        "P0808", name: "hygiene/steps-go-down", level: .warning,
        summary: "a rollout goes back to fewer users")
    /// P0809: an experiment has no goal by which its arms could be compared.
    public static let hygieneNoGoal = Check(
        "P0809", name: "hygiene/no-goal", level: .info,
        summary: "an experiment has no goal by which its arms could be compared")
    /// P0810: two experiments draw the arms of users alike.
    public static let hygieneSameSalt = Check(
        "P0810", name: "hygiene/same-salt", level: .info,
        summary: "two experiments draw the arms of users alike")
    /// P0811: users are drawn by a key that is about now.
    public static let hygieneDrawnByMoment = Check(
        "P0811", name: "hygiene/drawn-by-moment", level: .warning,
        summary: "users are drawn by a key that is about now")
    /// P0812: a popup is called `defaults`, as what popups have in common is.
    public static let hygieneSectionAsPopup = Check(
        "P0812", name: "hygiene/section-as-popup", level: .warning,
        summary: "a popup is called `defaults`, as what popups have in common is")
    /// P0813: the condition of a popup with an experiment asks for its own impressions, which users
    /// in control do not have.
    public static let hygieneOwnImpressions = Check(
        "P0813", name: "hygiene/own-impressions", level: .warning,
        summary: "a popup with a control asks for its own impressions, which control does not have")
    /// P0814: priorities are numbered from 1, of which the lowest goes last.
    public static let hygieneSmallPriorities = Check(
        "P0814", name: "hygiene/small-priorities", level: .info,
        summary: "priorities are numbered from 1, and a higher number shows first")
}
