// The checks of the group `schedule`.
extension Check {
    /// P0501: a popup never shows, because another popup always shows instead.
    public static let scheduleShadowed = Check(
        "P0501", name: "schedule/shadowed", level: .warning,
        summary: "a popup never shows, because another popup always shows instead")
    /// P0502: popups of the same priority show in the order of their file names.
    public static let scheduleTie = Check(
        "P0502", name: "schedule/tie", level: .info,
        summary: "popups of the same priority show in the order of their file names")
    /// P0506: a popup with `untriggered: discard` is dropped when the app starts, before its
    /// condition can be true.
    public static let scheduleDiscardBeforeTrue = Check(
        "P0506", name: "schedule/discard-before-true", level: .warning,
        summary:
            "a popup with `untriggered: discard` is dropped when the app starts, before its"
            + " condition can be true")
    /// P0507: a popup waits for another popup that never shows.
    public static let scheduleAwaitForever = Check(
        "P0507", name: "schedule/await-forever", level: .warning,
        summary: "a popup waits for another popup that never shows")
    /// P0509: `switch`, `urgent` or `priority` of a popup has no effect on its scheduler.
    public static let scheduleSwitchIgnored = Check(
        "P0509", name: "schedule/switch-ignored", level: .warning,
        summary: "`switch`, `urgent` or `priority` of a popup has no effect on its scheduler")
    /// P0510: a time of zero, such as `grace: 0s`, has no effect.
    public static let scheduleZeroTiming = Check(
        "P0510", name: "schedule/zero-timing", level: .warning,
        summary: "a time of zero, such as `grace: 0s`, has no effect")
    /// P0511: `min_show` is longer than `hide_after`, so the popup stays longer than `hide_after`.
    public static let scheduleMinShowOverHideAfter = Check(
        "P0511", name: "schedule/min-show-over-hide-after", level: .warning,
        summary:
            "`min_show` is longer than `hide_after`, so the popup stays longer than `hide_after`")
    /// P0512: a popup with `switch: latent` does not come back if a popup of the same priority
    /// replaces it.
    public static let scheduleLatentEqualPriority = Check(
        "P0512", name: "schedule/latent-equal-priority", level: .warning,
        summary:
            "a popup with `switch: latent` does not come back if a popup of the same priority"
            + " replaces it")
    /// P0513: a cap can never be reached because of another cap.
    public static let scheduleCapUnreachable = Check(
        "P0513", name: "schedule/cap-unreachable", level: .warning,
        summary: "a cap can never be reached because of another cap")
    /// P0514: `dismiss_when` is true whenever the popup could show, so the popup never shows.
    public static let scheduleDismissedAtOnce = Check(
        "P0514", name: "schedule/dismissed-at-once", level: .warning,
        summary: "`dismiss_when` is true whenever the popup could show, so the popup never shows")
    /// P0515: `max_wait` ends before the popup can show.
    public static let scheduleMaxWaitTooShort = Check(
        "P0515", name: "schedule/max-wait-too-short", level: .warning,
        summary: "`max_wait` ends before the popup can show")
    /// P0516: an event that the popup needs in order to show also matches a goal that ends the
    /// popup.
    public static let scheduleEndedByTrigger = Check(
        "P0516", name: "schedule/ended-by-trigger", level: .warning,
        summary:
            "an event that the popup needs in order to show also matches a goal that ends the"
            + " popup")
    /// P0517: an entry of a schedule has no effect, because another entry includes all its times.
    public static let scheduleContainedEntry = Check(
        "P0517", name: "schedule/contained-entry", level: .warning,
        summary:
            "an entry of a schedule has no effect, because another entry includes all its times")
    /// P0518: a schedule is open only in quiet hours, or quiet hours last the whole day.
    public static let scheduleAlwaysQuiet = Check(
        "P0518", name: "schedule/always-quiet", level: .warning,
        summary: "a schedule is open only in quiet hours, or quiet hours last the whole day")
    /// P0519: `dismiss_when` checks whether the popup's schedule is over, but the popup has no
    /// schedule.
    public static let scheduleNoSchedule = Check(
        "P0519", name: "schedule/no-schedule", level: .warning,
        summary:
            "`dismiss_when` checks whether the popup's schedule is over, but the popup has no"
            + " schedule")
    /// P0520: a popup has a cap per session, but its trigger `start` fires only once for several
    /// sessions.
    public static let scheduleStartOrSession = Check(
        "P0520", name: "schedule/start-or-session", level: .info,
        summary:
            "a popup has a cap per session, but its trigger `start` fires only once for several"
            + " sessions")
    /// P0521: a waiting popup is lost if the app ends before its long `delay` is over.
    public static let scheduleLongDelay = Check(
        "P0521", name: "schedule/long-delay", level: .warning,
        summary: "a waiting popup is lost if the app ends before its long `delay` is over")
    /// P0522: a trigger of a popup is an action of the same popup, so this trigger has no effect.
    public static let scheduleOwnTrigger = Check(
        "P0522", name: "schedule/own-trigger", level: .warning,
        summary:
            "a trigger of a popup is an action of the same popup, so this trigger has no effect")
    /// P0523: a cap can delay a popup until the fields of its event are outdated.
    public static let scheduleStaleEvent = Check(
        "P0523", name: "schedule/stale-event", level: .info,
        summary: "a cap can delay a popup until the fields of its event are outdated")
    /// P0524: an action such as `later` does not start the pause that `after_close` sets.
    public static let scheduleUncountedActions = Check(
        "P0524", name: "schedule/uncounted-actions", level: .info,
        summary: "an action such as `later` does not start the pause that `after_close` sets")
    /// P0525: a popup has a cap per calendar day, but only the start of the app triggers the popup.
    public static let scheduleOnceADayAtStart = Check(
        "P0525", name: "schedule/once-a-day-at-start", level: .info,
        summary:
            "a popup has a cap per calendar day, but only the start of the app triggers the popup")
    /// P0526: quiet hours cover the daytime, when popups usually show.
    public static let scheduleQuietByDay = Check(
        "P0526", name: "schedule/quiet-by-day", level: .info,
        summary: "quiet hours cover the daytime, when popups usually show")
    /// P0527: one entry of a schedule has only dates, and another one only hours or days.
    public static let scheduleSeparateEntries = Check(
        "P0527", name: "schedule/separate-entries", level: .info,
        summary: "one entry of a schedule has only dates, and another one only hours or days")
}

// The checks of the group `time`.
extension Check {
    /// P0601: the popup's schedule is over.
    public static let timeExpired = Check(
        "P0601", name: "time/expired", level: .warning, summary: "the popup's schedule is over")
    /// P0602: the schedule leaves no time at which the popup may show.
    public static let timeEmptyWindow = Check(
        "P0602", name: "time/empty-window", level: .error,
        summary: "the schedule leaves no time at which the popup may show")
    /// P0603: `hours`, `days`, a date, or a cap per calendar day, week or month has no time zone.
    public static let timeNoZone = Check(
        "P0603", name: "time/no-zone", level: .warning,
        summary:
            "`hours`, `days`, a date, or a cap per calendar day, week or month has no time zone")
    /// P0604: `hours` start or end at a time that is skipped when the clocks are set forward.
    public static let timeDSTGap = Check(
        "P0604", name: "time/dst-gap", level: .warning,
        summary: "`hours` start or end at a time that is skipped when the clocks are set forward")
    /// P0605: the schedule starts but never ends.
    public static let timeNoEnd = Check(
        "P0605", name: "time/no-end", level: .info, summary: "the schedule starts but never ends")
    /// P0606: a time zone does not exist.
    public static let timeUnknownZone = Check(
        "P0606", name: "time/unknown-zone", level: .error,
        summary: "a time zone does not exist")
    /// P0607: the name of a time zone is easily misread, such as `CET` or `Etc/GMT+5`.
    public static let timeZoneLetters = Check(
        "P0607", name: "time/zone-letters", level: .warning,
        summary: "the name of a time zone is easily misread, such as `CET` or `Etc/GMT+5`")
}
