internal import PopCEL
internal import PopScheduler
public import PopSource
internal import PopYAML

extension PopupModel {
    /// The times in which the popup shows and is dismissed.
    public struct Timing: HasUsualValue {
        /// The least and the longest wait after its trigger; equal when one duration is written,
        /// nil for none.
        public var delay: Located<ClosedRange<Duration>>?
        /// The time for which it stays chosen before anything is on the screen; nil is zero.
        public var grace: Located<Duration>?
        /// The least time on the screen, unless a user closes it; nil is zero.
        public var minShow: Located<Duration>?
        /// The longest time on the screen; nil is without end.
        public var hideAfter: Located<Duration>?
        /// The longest wait; nil is without end.
        public var maxWait: Located<Duration>?
        /// The dates, days and hours in which it may show: while one of them is open.
        public var schedule: Located<[Located<ScheduleModel>]>?

        @usableFromInline package init() {}
    }
}

extension PopupRule.Timing {
    /// Without the schedule, since its zones must be known first.
    init(_ model: PopupModel.Timing) {
        self.init()
        delay = model.delay?.value ?? .zero ... .zero
        grace = model.grace?.value ?? .zero
        minShow = model.minShow?.value ?? .zero
        hideAfter = model.hideAfter?.value
        maxWait = model.maxWait?.value
    }
}

extension Table<PopupModel> {
    static var timing: [Key<PopupModel>] {
        [
            Key(
                "delay", format: .span, default: "0s", store: { $0.timing.delay = $1 },
                alsoCalled: ["show_after", "start_after", "initial_delay"],
                summary: "how long it waits after its trigger, or bounds for a random time"),
            Key(
                "grace", format: .duration(), default: "0s", store: { $0.timing.grace = $1 },
                alsoCalled: ["grace_period"],
                summary: "how long it stays selected before it appears on screen"
            ).formerly("grace_time").comes { .duration($0.timing.grace) },
            Key(
                "min_show", format: .duration(), default: "0s",
                store: { $0.timing.minShow = $1 },
                alsoCalled: ["min_duration", "minimum_time", "min_display", "min_visible"],
                summary: "the minimum time on screen, unless the user closes it"
            ).formerly("min_show_time").comes { .duration($0.timing.minShow) },
            Key(
                "hide_after", format: .duration(atLeast: 1), store: { $0.timing.hideAfter = $1 },
                alsoCalled: [
                    "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
                    "auto_close", "auto_hide", "close_after", "display_time", "max_duration",
                    "max_show",
                ],
                summary: "the maximum time on screen"
            ).such(as: [
                "ttl": "\nuse `hide_after: $` for the maximum time on screen"
                    + "\nuse `max_wait: $` for the maximum time in the queue"
            ]).comes { $0.timing.hideAfter.map { .duration($0) } },
            Key(
                "max_wait", format: .duration(atLeast: 1), store: { $0.timing.maxWait = $1 },
                alsoCalled: ["wait", "expires_after", "give_up_after", "max_age"],
                summary: "the maximum time in the queue"
            ).such(as: [
                "wait": "\nuse `delay: $` for the minimum time to wait after the trigger"
                    + "\nuse `max_wait: $` for the maximum time in the queue"
            ]).comes { $0.timing.maxWait.map { .duration($0) } },
            Key(
                "schedule", format: .schedules, store: { $0.timing.schedule = $1 },
                alsoCalled: [
                    "dates", "calendar", "time", "window", "active", "availability", "period",
                    "validity",
                ] + ends.keys,
                holds: ["from", "until", "days", "hours", "zone"],
                summary: "the dates, days and hours in which it may show, or a list of them"
            ).such(as: ends),
        ]
    }
}

/// Common names for the ends of a time, with their form in rule files; `$` is the written value.
private let ends: [String: String] = {
    var ends: [String: String] = [:]
    for name in ["start", "starts", "start_date", "start_at", "starts_at", "valid_from", "begin"] {
        ends[name] = "{ from: $ }"
    }
    for name in [
        "end", "ends", "end_date", "end_at", "ends_at", "valid_until", "expires", "expires_at",
        "expiry", "expiration",
    ] {
        ends[name] =
            "{ until: $ }\nwrite the day after the last day: a day in `until` is not included"
    }
    return ends
}()
