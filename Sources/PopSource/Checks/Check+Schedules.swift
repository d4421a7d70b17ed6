// The checks of the group `schedule`.
extension Check {
    /// P0501: a popup never shows while another one can.
    public static let scheduleShadowed = Check(
        "P0501", name: "schedule/shadowed", level: .warning,
        summary: "a popup never shows while another one can")
    /// P0502: popups of the same priority are ordered by the names of their files.
    public static let scheduleTie = Check(
        "P0502", name: "schedule/tie", level: .info,
        summary: "popups of the same priority go in the order of the names of their files")
    /// P0506: a popup with `untriggered: discard` is dropped at the start, before its condition can
    /// be true.
    public static let scheduleDiscardBeforeTrue = Check(
        "P0506", name: "schedule/discard-before-true", level: .warning,
        summary:
            "a popup with `untriggered: discard` is dropped at the start, before its condition can be"
            + " true")
    /// P0507: a popup waits for one that never shows.
    public static let scheduleAwaitForever = Check(
        "P0507", name: "schedule/await-forever", level: .warning,
        summary: "a popup waits for one that never shows")
    /// P0509: `switch` has no effect on a scheduler that does not order by priority.
    public static let scheduleSwitchIgnored = Check(
        "P0509", name: "schedule/switch-ignored", level: .warning,
        summary: "`switch` has no effect on a scheduler that does not order by priority")
    /// P0510: a time of zero has no effect.
    public static let scheduleZeroTiming = Check(
        "P0510", name: "schedule/zero-timing", level: .warning,
        summary: "a time of zero has no effect")
    /// P0511: `min_show` is longer than `hide_after`, so that `hide_after` is never kept.
    public static let scheduleMinShowOverHideAfter = Check(
        "P0511", name: "schedule/min-show-over-hide-after", level: .warning,
        summary: "`min_show` is longer than `hide_after`, so that `hide_after` is never kept")
    /// P0512: `switch: latent` has no effect on a popup of the same priority.
    public static let scheduleLatentEqualPriority = Check(
        "P0512", name: "schedule/latent-equal-priority", level: .warning,
        summary: "`switch: latent` does not hold against a popup of the same priority")
    /// P0513: another cap never lets this one be reached.
    public static let scheduleCapUnreachable = Check(
        "P0513", name: "schedule/cap-unreachable", level: .warning,
        summary: "another cap never lets this one be reached")
    /// P0514: the condition that dismisses the popup is met whenever it may show.
    public static let scheduleDismissedAtOnce = Check(
        "P0514", name: "schedule/dismissed-at-once", level: .warning,
        summary: "what takes the popup down is met whenever it may show")
    /// P0515: `max_wait` ends before the popup can show.
    public static let scheduleMaxWaitTooShort = Check(
        "P0515", name: "schedule/max-wait-too-short", level: .warning,
        summary: "`max_wait` ends before the popup can show")
    /// P0516: the event that triggers the popup is a goal that ends it.
    public static let scheduleEndedByTrigger = Check(
        "P0516", name: "schedule/ended-by-trigger", level: .warning,
        summary: "the event that triggers the popup is a goal that ends it")
    /// P0517: an entry of a schedule has no effect because another entry contains it.
    public static let scheduleContainedEntry = Check(
        "P0517", name: "schedule/contained-entry", level: .warning,
        summary: "an entry of a schedule changes nothing beside another")
    /// P0518: a schedule is only open in quiet hours, or quiet hours are the whole day.
    public static let scheduleAlwaysQuiet = Check(
        "P0518", name: "schedule/always-quiet", level: .warning,
        summary: "a schedule is open in quiet hours alone, or these are the whole day")
    /// P0519: a popup without a schedule checks whether the schedule is over.
    public static let scheduleNoSchedule = Check(
        "P0519", name: "schedule/no-schedule", level: .warning,
        summary: "a popup without a schedule asks whether the schedule is over")
    /// P0520: a popup has a cap per session, and a trigger that occurs once for several sessions.
    public static let scheduleStartOrSession = Check(
        "P0520", name: "schedule/start-or-session", level: .info,
        summary: "a popup has a cap for each session, and a trigger that comes once for several")
    /// P0521: a waiting popup is lost if the app ends before its `delay` is over.
    public static let scheduleLongDelay = Check(
        "P0521", name: "schedule/long-delay", level: .warning,
        summary: "what waits is lost when the app ends before its `delay` is over")
    /// P0522: an action of the popup itself triggers it, before it is dismissed.
    public static let scheduleOwnTrigger = Check(
        "P0522", name: "schedule/own-trigger", level: .warning,
        summary: "an action of the popup itself triggers it, before it is gone")
    /// P0523: a popup that a cap holds back shows with old fields of its event.
    public static let scheduleStaleEvent = Check(
        "P0523", name: "schedule/stale-event", level: .info,
        summary: "a popup that a cap holds back shows with old fields of its event")
    /// P0524: `after_close` does not begin with an action such as `later`.
    public static let scheduleUncountedActions = Check(
        "P0524", name: "schedule/uncounted-actions", level: .info,
        summary: "`after_close` does not begin with an action such as `later`")
    /// P0525: a popup has a cap for each calendar day, and only the start of the app triggers it.
    public static let scheduleOnceADayAtStart = Check(
        "P0525", name: "schedule/once-a-day-at-start", level: .info,
        summary:
            "a popup has a cap for each calendar day, and only the start of the app triggers it")
    /// P0526: quiet hours are the day, in which popups usually show.
    public static let scheduleQuietByDay = Check(
        "P0526", name: "schedule/quiet-by-day", level: .info,
        summary: "quiet hours are the day, in which popups usually show")
}
