// The checks of the group `hygiene`.
extension Check {
    /// P0801: the popup names no owner.
    public static let hygieneNoOwner = Check(
        "P0801", name: "hygiene/no-owner", level: .info, summary: "the popup names no owner")
    /// P0802: the popup has no description.
    public static let hygieneNoDescription = Check(
        "P0802", name: "hygiene/no-description", level: .info,
        summary: "the popup has no description")
    /// P0803: the `when` of a popup, or the `where` of a trigger or goal, is `false`.
    public static let hygieneWhenFalse = Check(
        "P0803", name: "hygiene/when-false", level: .warning,
        summary: "the `when` of a popup, or the `where` of a trigger or goal, is `false`")
    /// P0804: all popups of a scheduler have the same priority.
    public static let hygieneOnePriority = Check(
        "P0804", name: "hygiene/one-priority", level: .info,
        summary: "all popups of a scheduler have the same priority")
    /// P0805: a rollout or experiment includes no user, a holdout includes all users, or ranges
    /// leave out some users or overlap.
    public static let hygieneRolloutToNobody = Check(
        "P0805", name: "hygiene/rollout-to-nobody", level: .warning,
        summary:
            "a rollout or experiment includes no user, a holdout includes all users, or ranges"
            + " leave out some users or overlap")
    /// P0806: a share below one percent may be meant as a fraction, such as 0.2 for 20 percent.
    public static let hygieneFractionOfPercent = Check(
        "P0806", name: "hygiene/fraction-of-percent", level: .warning,
        summary: "a share below one percent may be meant as a fraction, such as 0.2 for 20 percent")
    /// P0807: users are selected by a key with few values, so all users with the same value are
    /// treated alike.
    public static let hygieneRolloutByFewValues = Check(
        "P0807", name: "hygiene/rollout-by-few-values", level: .warning,
        summary: "users are selected by a key with few values, so all users with the same value are"
            + " treated alike"
    )
    /// P0808: a later step of a rollout shows the popup to fewer users than the step before.
    public static let hygieneStepsGoDown = Check(
        "P0808", name: "hygiene/steps-go-down", level: .warning,
        summary: "a later step of a rollout shows the popup to fewer users than the step before")
    /// P0809: an experiment has no goal, so you cannot compare its variants.
    public static let hygieneNoGoal = Check(
        "P0809", name: "hygiene/no-goal", level: .info,
        summary: "an experiment has no goal, so you cannot compare its variants")
    /// P0810: two experiments assign users in the same way, by the same key and the same salt.
    public static let hygieneSameSalt = Check(
        "P0810", name: "hygiene/same-salt", level: .info,
        summary: "two experiments assign users in the same way, by the same key and the same salt")
    /// P0811: users are selected by a key that does not describe the user, such as the current
    /// screen.
    public static let hygieneDrawnByMoment = Check(
        "P0811", name: "hygiene/drawn-by-moment", level: .warning,
        summary:
            "users are selected by a key that does not describe the user, such as the current"
            + " screen")
    /// P0812: a popup is called `defaults`, like the key for values that popups share.
    public static let hygieneSectionAsPopup = Check(
        "P0812", name: "hygiene/section-as-popup", level: .warning,
        summary: "a popup is called `defaults`, like the key for values that popups share")
    /// P0813: a condition reads the popup's own impressions, which users in the control group do
    /// not have.
    public static let hygieneOwnImpressions = Check(
        "P0813", name: "hygiene/own-impressions", level: .warning,
        summary:
            "a condition reads the popup's own impressions, which users in the control group do"
            + " not have")
    /// P0814: priorities are numbered from 1, but the popup with the highest number shows first.
    public static let hygieneSmallPriorities = Check(
        "P0814", name: "hygiene/small-priorities", level: .info,
        summary:
            "priorities are numbered from 1, but the popup with the highest number shows first")
    /// P0815: the users of an experiment all see the same popup.
    public static let hygieneSameVariants = Check(
        "P0815", name: "hygiene/same-variants", level: .warning,
        summary: "an experiment compares nothing, because its users see the same popup")
    /// P0816: most users are in a holdout or a control group, where they do not see popups.
    public static let hygieneLargeControl = Check(
        "P0816", name: "hygiene/large-control", level: .warning,
        summary: "most users are in a holdout or a control group, where they do not see popups")
    /// P0817: a popup replaces a default that the author may want to keep.
    public static let hygieneDefaultReplaced = Check(
        "P0817", name: "hygiene/default-replaced", level: .info,
        summary: "`when` or `cap` of a popup replaces the default of its file or group")
}
