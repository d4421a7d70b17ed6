internal import PopScheduler
public import PopSource
internal import PopYAML

extension PopupModel {
    /// The caps of the popup, and the users it is shown to.
    public struct Limits: HasUsualValue {
        /// The frequency cap.
        public var cap: Located<CapModel>?
        /// The part of the users that it is shown to.
        public var rollout: Located<RolloutModel>?
        /// The experiment: which users see which variant of the popup.
        public var experiment: Located<ExperimentModel>?
        /// The goals of the popup.
        public var goals: Located<[Located<GoalModel>]>?

        @usableFromInline package init() {}
    }
}

extension Caps {
    /// Without the windows, since their zones must be known first, and the key of `closes`.
    init(_ model: CapModel) {
        self.init(
            lifetime: model.lifetime?.value, perSession: model.perSession?.value,
            every: model.every?.value, closes: model.closes?.value.max?.value,
            afterClose: (model.afterClose?.value).map { PauseAfterClose($0) })
    }
}

extension Table<PopupModel> {
    static var limits: [Key<PopupModel>] {
        [
            Key(
                "cap", format: .cap, store: { $0.limits.cap = $1 },
                alsoCalled: Array(counts.keys),
                holds: ["lifetime", "per_session", "every", "closes", "after_close", "windows"],
                summary: "how often it is shown"
            ).such(as: "{ windows: [{ max: 1, per: 1d }] }").such(as: counts),
            Key(
                "rollout", format: .rollout, store: { $0.limits.rollout = $1 },
                alsoCalled: Array(shares.keys),
                summary: "the share of users who see it"
            ).such(as: shares),
            Key(
                "experiment", format: .experiment,
                store: { $0.limits.experiment = $1 },
                alsoCalled: [
                    "ab_test", "abtest", "split", "split_test", "variant", "variants", "variations",
                    "test",
                    "control_group",
                ], holds: ["variants", "control"],
                summary: "which users see variants of it, and which see nothing"
            ).such(
                as: "{ by: user.id, control: 10, variants: { short: { content: { title: Hi } } } }"),
            Key(
                "goals", format: .goals, store: { $0.limits.goals = $1 },
                alsoCalled: [
                    "goal", "conversion", "conversions", "conversion_event", "success",
                    "success_event", "converts_on", "metric", "metrics", "outcome", "kpi",
                ], holds: ["within", "ends"],
                summary: "the events that count as its success"
            ).such(as: "[{ name: buy, event: order.paid, within: 7d }]"),
        ]
    }
}

/// Common names of user shares, and of the users who are left out.
private let shares: [String: String] = {
    var shares: [String: String] = [:]
    for name in ["percentage", "percent", "sample", "ramp"] {
        shares[name] = "{ percent: #, by: user.id }"
    }
    for name in ["holdout", "hold_out", "holdback"] {
        shares[name] =
            "\nuse `holdout` at the top level of a file, next to `popups`: a share of the users"
            + " sees only popups that are `essential`"
    }
    return shares
}()

/// Common names for numbers and times of impressions.
private let counts: [String: String] = {
    var counts = [
        "cooldown": "{ every: $ }", "limit": "{ lifetime: $ }",
    ]
    for name in ["once", "show_once", "only_once", "once_only", "one_time", "single_use"] {
        counts[name] = "{ lifetime: 1 }"
    }
    // The meaning of these keys is in their value.
    for name in ["frequency", "frequency_cap", "caps", "limits"] { counts[name] = "" }
    for name in ["max_shows", "max_times", "times", "impressions", "max_impressions", "max_views"] {
        counts[name] = "{ lifetime: $ }"
    }
    for (name, period) in periods {
        counts[name] = "{ windows: [{ max: #, per: \(period) }] }" + noteOnPeriod(period)
    }
    return counts
}()
