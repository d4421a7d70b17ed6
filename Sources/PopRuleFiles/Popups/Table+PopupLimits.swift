public import PopScheduler
public import PopSource
internal import PopYAML

extension PopupModel {
    /// The caps of the popup, and the users it is shown to.
    public struct Limits: Defaultable {
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
                summary: "how often the popup may be shown"
            ).such(as: "{ windows: [{ max: 1, per: 1d }] }").such(as: counts),
            Key(
                "rollout", format: .rollout, store: { $0.limits.rollout = $1 },
                alsoCalled: Array(shares.keys),
                summary: "the share of users who see the popup"
            ).such(as: shares),
            Key(
                "experiment", format: .experiment,
                store: { $0.limits.experiment = $1 },
                alsoCalled: [
                    "ab_test", "abtest", "split", "split_test", "variant", "variants", "variations",
                    "test",
                    "control_group",
                ], holds: ["variants", "control"],
                summary: "which users see variants of the popup, and which users see nothing"
            ).such(
                as: "{ by: user.id, control: 10, variants: { short: { content: { title: Hi } } } }"),
            Key(
                "goals", format: .goals, store: { $0.limits.goals = $1 },
                alsoCalled: [
                    "goal", "conversion", "conversions", "conversion_event", "success",
                    "success_event", "converts_on", "metric", "metrics", "outcome", "kpi",
                ], holds: ["within", "ends"],
                summary: "the events that count as success of the popup"
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
            "\nuse `holdout` at the top level of a file, next to `popups`, such as"
            + " `holdout: { percent: 5, by: user.id }`; users in the holdout see only popups that"
            + " are `essential`"
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

/// The part of the users that a popup is shown to.
public struct RolloutModel: Sendable {
    /// The percentage of users who see it, 0 to 100.
    public var percent: Located<Double>?
    /// The range of percentages of users who see it, its upper bound not included; never together
    /// with `percent`.
    public var range: Located<Range<Double>>?
    /// The percentages of users who see it from dates on; never together with `percent` and
    /// `range`.
    public var steps: Located<[RolloutStepModel]>?
    /// The IANA zone or the offset in which the days of `steps` begin; nil is UTC.
    public var zone: Located<String>?
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides which users are chosen; nil is the popup's id.
    public var salt: Located<String>?
}

extension RolloutModel {
    /// The place of the share of users who see the popup.
    public var shareRange: SourceRange? { percent?.range ?? range?.range ?? steps?.range }
}

/// A part of the users from a date on.
public struct RolloutStepModel: Sendable {
    /// When it begins.
    public var begins: Located<Schedule.Bound>
    /// The percentage of users who see the popup from then on, 0 to 100.
    public var percent: Located<Double>
}

private let helpOnPercentage =
    "\nwrite `rollout: { percent: $, by: user.id }`; `by` is the context key that identifies users"

extension Table<RolloutModel> {
    static let rollout = Table(
        "a rollout",
        keys: [
            Key(
                "percent", format: .number(0...100), store: { $0.percent = $1 },
                alsoCalled: ["percentage", "share"],
                summary: "the percentage of users who see the popup"
            ).such(as: ["percentage": helpOnPercentage, "share": helpOnPercentage]),
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                summary: "the context key that identifies users"
            ).required,
            Key(
                "range", format: .partOfHundred, store: { $0.range = $1 },
                alsoCalled: ["part", "between", "bucket", "buckets"],
                summary: "the range of users who see the popup, in percent, such as `[50, 100]` for"
                    + " the second half"
            ),
            Key(
                "steps", format: .rolloutSteps, store: { $0.steps = $1 },
                alsoCalled: ["stages", "ramp", "phases", "schedule"],
                summary: "the percentage of users who see the popup, starting at each date"
            ).such(as: "{ 2027-01-10: 5, 2027-01-20: 100 }"),
            Key(
                "zone", format: .zoneOfAllUsers, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone in which the days of `steps` start, by default UTC"),
            Key(
                "salt", format: .nameOrWord, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary:
                    "a word for the random selection, by default the id of the popup; if you"
                    + " change the word, other users are selected"),
        ],
        rules: [
            .oneOf(["percent", "range", "steps"]), .with("zone", "steps"),
        ])
}

extension Format<Range<Double>> {
    /// Two numbers from 0 to 100, the smaller one first; the second is not included.
    static var partOfHundred: Self {
        let schema = Schema.list(.number(0...100), count: 2...2)
        return Format(schema) { node, decoder in
            guard node.kind == .sequence, node.items.count == 2 else {
                return decoder.mismatch(
                    schema, at: node,
                    help: ["write the start and the end of the range, such as `[50, 100]`"])
            }
            let bounds = decoder.read(.list(of: .number(0...100)), at: node)?.value ?? []
            guard bounds.count == 2 else { return nil }
            guard bounds[0].value < bounds[1].value else {
                decoder.report(.emptyPart(bounds[0], bounds[1], at: node.range))
                return nil
            }
            return bounds[0].value..<bounds[1].value
        }
    }
}

private let helpOnSteps =
    "write dates with percentages, such as `{ 2027-01-10: 5, 2027-01-20: 100 }`"

extension Format<[RolloutStepModel]> {
    /// A map of dates to numbers from 0 to 100.
    static var rolloutSteps: Self {
        let schema = Schema.map(.number(0...100))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(schema, at: node, help: [helpOnSteps])
            }
            if node.entries.isEmpty {
                decoder.report(.noSteps(of: decoder.subjectOfValue, at: node.range))
                return nil
            }
            return node.entries.compactMap { entry in
                let begins = decoder.insideItem { $0.read(.bound, at: entry.key) }
                let percent = decoder.inside(key: entry.key) {
                    $0.read(.number(0...100), at: entry.value)
                }
                guard let begins, let percent else { return nil }
                return RolloutStepModel(begins: begins, percent: percent)
            }
        }
    }
}

extension Format<RolloutModel> {
    static var rollout: Self {
        let table = Self.table(.rollout, startingWith: RolloutModel())
        return Format(table.schema) { node, decoder in
            guard let text = node.scalar?.text else { return table.read(node, &decoder) }
            let number = Double(text.replacing("%", with: ""))
            let percent = number.flatMap { (0...100).contains($0) ? $0 : nil } ?? 25
            let written = percent.rounded() == percent ? "\(Int(percent))" : "\(percent)"
            let needed =
                "write a percentage and the context key that identifies users, such as"
            guard percent > 0, percent < 1 else {
                return decoder.mismatch(
                    table.schema, at: node,
                    help: ["\(needed) `rollout: { percent: \(written), by: user.id }`"])
            }
            let hundredfold = (percent * 10_000).rounded() / 100
            let share =
                hundredfold == hundredfold.rounded() ? "\(Int(hundredfold))" : "\(hundredfold)"
            return decoder.mismatch(
                table.schema, at: node,
                help: [
                    "\(needed) `rollout: { percent: \(share), by: user.id }` for"
                        + " \(share) percent of users",
                    "if you mean \(written) percent of users:"
                        + " `rollout: { percent: \(written), by: user.id }`",
                ])
        }
    }
}

extension Diagnostic {
    fileprivate static func noSteps(of subject: String, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "\(subject) is an empty map", at: range, label: "no dates",
            help: [helpOnSteps])
    }

    fileprivate static func emptyPart(
        _ from: Located<Double>, _ until: Located<Double>, at range: SourceRange
    ) -> Self {
        let isEqual = from.value == until.value
        return Diagnostic(
            .schemaRange,
            message: isEqual
                ? "the range of users is empty"
                : "the bounds of the range are in the wrong order",
            at: range, label: isEqual ? "contains no users" : "the smaller bound must come first",
            help: ["write a number and then a larger number, such as `[50, 100]`"])
    }
}

/// The goal of a popup: the event that it should lead to.
public struct GoalModel: Sendable {
    /// Its name; nil if it is invalid.
    public var name: Located<String>?
    /// The name of an entry of `events`; nil if it is invalid.
    public var event: Located<String>?
    /// The condition that the event must meet; it may read `event`.
    public var `where`: Located<ConditionModel>?
    /// The time after an exposure in which the event converts it; nil if it is invalid.
    public var within: Located<Duration>?
    /// The effect of a matching event on the popup; nil for none.
    public var ends: Located<Goal.Ending?>?
}

extension Table<GoalModel> {
    static let goal = Table(
        "a goal",
        keys: [
            Key(
                "name", format: .goalName, store: { $0.name = $1 }, alsoCalled: ["id", "goal"],
                summary: "the name of the goal in conversion reports"
            ).required.such(as: "buy"),
            Key(
                "event", format: .reference(to: "event"), store: { $0.event = $1 },
                alsoCalled: ["on", "trigger", "events"],
                summary: "the event that the app sends when the user reaches the goal"
            ).required,
            Key(
                "where", format: .condition, store: { $0.where = $1 },
                alsoCalled: ["when", "condition", "if", "filter"],
                summary:
                    "the condition that the event must meet; the condition can read the fields of"
                    + " the event, such as `event.total`"),
            Key(
                "within", format: .within, store: { $0.within = $1 },
                alsoCalled: ["window", "in", "for", "attribution_window", "lookback", "period"],
                summary:
                    "how long after an impression the event still counts; for users in the control"
                    + " group, the time begins when the popup would have shown"
            ).required.such(as: "7d"),
            Key(
                "ends", format: .goalEnding, default: "false", store: { $0.ends = $1 },
                alsoCalled: ["end", "stops", "stop", "ends_popup", "final", "exit"],
                summary:
                    "how long users who reach the goal no longer see the popup: `true` means"
                    + " permanently; a duration such as `30d` means for that time"),
        ])
}

extension Format<[Located<GoalModel>]> {
    /// A list of goals with different names.
    static var goals: Self {
        let goal = Format<GoalModel>.table(.goal, startingWith: GoalModel())
        let list = Self.list(of: goal, minimum: 1)
        return Format(list.schema) { node, decoder in
            // That there are goals is known of those that cannot be read too.
            if let named = decoder.goalsByName(node) {
                return decoder.mismatch(list.schema, at: node, readings: [Reading(named)]) ?? []
            }
            return list.read(node, &decoder).map { decoder.eachOnce($0) } ?? []
        }
    }
}

extension Format<String> {
    fileprivate static var goalName: Self {
        let schema = Schema.pattern(
            phrase: "the name of a goal such as `buy`", expression: "^[A-Za-z_][A-Za-z0-9_]*$")
        return Format(schema) { node, decoder in
            guard case .string? = node.coreValue else { return decoder.mismatch(schema, at: node) }
            return decoder.name(node, of: "goal", form: .id)?.value
        }
    }
}

extension Format<Duration> {
    /// The time in which an event counts: it is required, and has an end.
    fileprivate static var within: Self {
        let time = duration(atLeast: 1)
        return Format(time.schema) { node, decoder in
            guard let text = node.scalar?.text.lowercased(),
                Double(text) == 0 || wordsForEnding[text] != nil
            else { return time.read(node, &decoder) }
            return decoder.mismatch(time.schema, at: node, help: [helpWithWithin])
        }
    }
}

private let helpWithWithin =
    "write how long the event counts after the popup was seen, such as `within: 7d`; the maximum"
    + " is `36500d`"

extension Format<Goal.Ending?> {
    /// True if it ends the popup permanently, or the length of a pause.
    fileprivate static var goalEnding: Self {
        let schema = Schema.either([.bool, .duration(minimum: 1)])
        return Format(schema) { node, decoder in
            if case .bool(let isOver)? = node.coreValue { return .some(isOver ? .forGood : nil) }
            if let text = node.scalar?.text, let flag = wordsForEnding[text.lowercased()] {
                return decoder.mismatch(schema, at: node, readings: [Reading(flag)])
            }
            return decoder.duration(node, atLeast: 1, schema: schema).map { .pause($0) }
        }
    }
}

/// Common words for permanently and for not at all.
private let wordsForEnding = wordTable([
    ("yes on always forever for_good permanently ever unlimited infinite", "true"),
    ("no off never not none", "false"),
])

extension Decoder {
    /// The list that is meant by a map of names to goals; nil for anything else.
    fileprivate func goalsByName(_ node: YAMLNode) -> String? {
        guard node.kind == .mapping, !node.entries.isEmpty else { return nil }
        var items: [String] = []
        for entry in node.entries {
            let text = source.text(in: entry.value.range)
            guard entry.value.kind == .mapping, entry.value["name"] == nil, text.hasPrefix("{"),
                !entry.value.entries.isEmpty
            else { return nil }
            items.append(
                "{ name: \(entry.key.nameForMessages), \(text.dropFirst().drop { $0 == " " })")
        }
        let list = "[\(items.joined(separator: ", "))]"
        return list.utf8.count > 160 || list.contains("\n") ? nil : list
    }

    /// The first of those with one name; reports the others.
    fileprivate mutating func eachOnce(_ goals: [Located<GoalModel>]) -> [Located<GoalModel>] {
        var first: [String: SourceRange] = [:]
        return goals.filter { goal in
            guard let name = goal.value.name else { return true }
            guard let place = first[name.value] else {
                first[name.value] = name.range
                return true
            }
            report(.goalTwice(name, first: place))
            return false
        }
    }
}

extension Diagnostic {
    fileprivate static func goalTwice(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .refDuplicateID, message: "the popup has two goals named `\(name.value)`",
            at: name.range, label: "declared again",
            secondary: [Label("first declared here", at: first)],
            help: ["rename one of the goals; only the first is used"])
    }
}
