internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A cap that another one never lets it reach: one of the popup's own, or that of its group, its
/// scheduler or `limits`; or a trigger or a condition that lets the popup show only once.
///
/// Bad:
///
/// ```yaml
/// popups: { welcome: { cap: { windows: [{ max: 5, per: 7d }, { max: 9, per: 1d }] } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 1, per: 1d }]
/// popups: { welcome: { cap: { windows: [{ max: 5, per: 1d }] } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 2, per: 1d }, { max: 5, per: 1d, tags: [promo] }]
/// popups: { welcome: { tags: [promo] } }
/// ```
///
/// ```yaml
/// events: { delivery.completed: {} }
/// popups:
///   rate: { trigger: { event: delivery.completed, nth: 3 }, cap: { every: 90d } }
/// ```
///
/// ```yaml
/// popups:
///   tip: { trigger: session, when: popups.tip.shown_count == 0, cap: { every: 7d } }
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { welcome: { cap: { windows: [{ max: 5, per: 7d }, { max: 2, per: 1d }] } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 1, per: 1d }]
/// popups: { welcome: { essential: true, cap: { windows: [{ max: 5, per: 1d }] } } }
/// ```
///
/// ```yaml
/// events: { delivery.completed: {} }
/// popups:
///   rate: { trigger: { event: delivery.completed, every: 3 }, cap: { every: 90d } }
/// ```
public enum CapUnreachable: Lint {
    public static let check = Check.scheduleCapUnreachable

    /// No hand-written popup has as many windows; all pairs of them are compared.
    private static let mostWindows = 32

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let names = subject.model.popups.entries.map(\.name.range).sorted { $0.lower < $1.lower }
        let starts = Dictionary(grouping: names, by: \.file).mapValues { $0.map(\.lower) }
        let popups = zip(subject.model.popups.entries, subject.rules.popups).flatMap {
            popup, rule -> [Diagnostic] in
            guard let cap = popup.limits.cap?.value else { return [] }
            let nth = onceInALifetime(of: popup, rule: rule)
            let first = nth == nil ? firstImpression(neededBy: rule) : nil
            let bounds = Bound.all(
                of: cap, hasSchedule: !rule.timing.schedule.isEmpty, mostWindows: mostWindows)
            if nth != nil || first != nil {
                // A cap of `defaults` is meant for the other popups.
                let place = Place(after: popup.name.range, starts: starts)
                let reached = bounds.first { $0.isReachedBySecond && place.holds($0.range) }
                if let reached, let nth { return [.afterOnly(nth, reached, of: popup.name.value)] }
                if let reached, let first {
                    return [.afterFirst(first, reached, of: popup.name.value)]
                }
                return []
            }
            let shared = sharedBounds(of: popup, rule: rule, subject: subject)
            return findings(
                bounds, beside: shared, of: "popup `\(popup.name.value)`")
        }
        return popups + findingsInShared(subject)
    }

    /// The `nth` of the only trigger of a popup, which fires once for a user; nil if the popup may
    /// be triggered again.
    private static func onceInALifetime(of popup: PopupModel, rule: PopupRule) -> Located<Int>? {
        guard rule.triggers.count == 1, case .event(let event) = rule.triggers[0],
            case .nth = event.occurrence
        else { return nil }
        return (popup.trigger?.value ?? []).lazy.compactMap { trigger in
            if case .event(let model) = trigger.value { model.nth } else { nil }
        }.first
    }

    /// The part of a popup's condition that is true only until its first impression; nil if the
    /// popup may show again.
    ///
    /// The caps of an experiment also count users who see nothing.
    private static func firstImpression(neededBy rule: PopupRule) -> Located<String>? {
        guard rule.experiment == nil, let condition = rule.when?.program.expression,
            condition.mentions("shown_count") || condition.mentions("last_shown")
        else { return nil }
        let tree = condition.tree
        return tree.conjuncts.first { isFirstImpression($0, of: rule.id, in: tree) }
            .map { Located(condition.text(of: $0), at: tree.range($0)) }
    }

    /// Returns true for `popups.ID.shown_count == 0` and `!has(popups.ID.last_shown)`.
    private static func isFirstImpression(
        _ node: NodeID, of popup: String, in tree: SyntaxTree
    ) -> Bool {
        guard let sign = tree.operation(node) else { return false }
        let sides = tree.children(of: node)
        if sign == .not {
            return tree.kind(of: sides[0]) == .presence
                && tree.dottedName(tree.child(sides[0], at: 0)) == "popups.\(popup).last_shown"
        }
        guard sides.count == 2 else { return false }
        return [(0, 1, sign), (1, 0, sign.mirrored)].contains { name, number, sign in
            guard tree.dottedName(sides[name]) == "popups.\(popup).shown_count",
                case .int(let count)? = tree.literal(sides[number])
            else { return false }
            return count == (sign == .less ? 1 : 0)
                && [.equal, .less, .lessOrEqual].contains(sign)
        }
    }

    /// Returns findings about bounds that hold together: those that are never reached because of
    /// another one, or of one in `shared`.
    private static func findings(
        _ own: [Bound], beside shared: [Bound], of subject: String
    ) -> [Diagnostic] {
        own.indices.compactMap { index in
            let others = own.indices.filter { $0 != index }.map { (own[$0], $0 > index) }
            return own[index].finding(
                among: others + shared.map { ($0, false) }, subject: subject)
        }
    }

    /// Returns the findings about groups, schedulers and `limits`. Essential popups count in none
    /// of them.
    private static func findingsInShared(_ subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let limits = zip(model.limits, subject.rules.limits).prefix(mostWindows).map {
            (selection: $1.popups, bound: Bound($0.value.window, of: "`limits`"))
        }
        func bounds(where holds: (PopupSelection) -> Bool) -> [Bound] {
            limits.filter { holds($0.selection) }.compactMap(\.bound)
        }
        let groups = model.groups.entries.flatMap { group in
            findings(
                (group.caps?.value ?? []).prefix(mostWindows).compactMap {
                    Bound($0.value, of: nil)
                },
                beside: bounds { $0 == PopupSelection() }, of: "group `\(group.name.value)`")
        }
        let schedulers = zip(model.schedulers.entries, subject.rules.schedulers.places).flatMap {
            scheduler, lane in
            findings(
                [Bound(scheduler.cap?.value, of: nil)].compactMap(\.self),
                beside: bounds { $0.tags.isEmpty && $0.includes(lane, tags: []) },
                of: "scheduler `\(scheduler.name.value)`")
        }
        return groups + schedulers + findings(inLimits: limits)
    }

    /// Finds entries of `limits` that are never reached because of another entry that applies to
    /// all of their popups.
    private static func findings(
        inLimits limits: [(selection: PopupSelection, bound: Bound?)]
    ) -> [Diagnostic] {
        limits.indices.compactMap { index in
            let (selection, bound) = limits[index]
            let others = limits.indices.filter { $0 != index }.compactMap { other in
                limits[other].selection.covers(selection)
                    ? limits[other].bound.map { bound in
                        // If two entries of the same popups block each other, only the second one
                        // is reported.
                        (
                            bound.asOwn,
                            other > index && selection.covers(limits[other].selection)
                        )
                    } : nil
            }
            return bound?.asOwn.finding(among: others, subject: "`limits`")
        }
    }

    /// Returns the caps of its group, its scheduler and `limits`; none for an essential popup,
    /// which these caps don't count.
    private static func sharedBounds(
        of popup: PopupModel, rule: PopupRule, subject: LintSubject
    ) -> [Bound] {
        if rule.isEssential { return [] }
        let model = subject.model
        let group = popup.place.group.flatMap { model.groups[$0.value] }
        let scheduler = model.schedulers[popup.place.scheduler?.value ?? RuleModel.mainScheduler]
        let groups = (group?.caps?.value ?? []).map { Bound($0.value, of: "the group") }
        let limits = zip(model.limits, subject.rules.limits).prefix(mostWindows)
            .filter { $1.popups.includes(rule.scheduler, tags: rule.texts.tags) }
            .map { Bound($0.0.value.window, of: "`limits`") }
        return (groups + [Bound(scheduler?.cap?.value, of: "the scheduler")] + limits)
            .compactMap(\.self)
    }
}

/// Where a popup is written: from its name to the name of the next one in the file.
private struct Place {
    private let name: SourceRange
    private let end: Int

    /// `starts` are where the names of popups begin in each file, in order.
    init(after name: SourceRange, starts: [FileID: [Int]]) {
        self.name = name
        let all = starts[name.file] ?? []
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle] <= name.lower { low = middle + 1 } else { high = middle }
        }
        end = low < all.count ? all[low] : .max
    }

    func holds(_ range: SourceRange) -> Bool {
        range.file == name.file && range.lower > name.lower && range.lower < end
    }
}

/// The most impressions in a period.
private struct Bound {
    enum Period {
        case lifetime, session
        case calendar(CalendarUnit)
        /// In milliseconds.
        case rolling(Int64)
        /// All of the time, for each value of the context key of that name.
        case value(of: String)
    }

    var count: Int64
    var period: Period
    /// Such as `per_session: 3`.
    var text: String
    var range: SourceRange
    /// The owner of the cap, if it isn't the popup's own.
    var owner: String?
    /// The zone of its calendar; nil for UTC, or for the zone of the schedule.
    var zone: ZoneModel?
    /// True for a cap of a popup with a schedule, whose zone such a cap uses if it has none itself.
    var mayUseScheduleZone = false

    /// The same next to others of its owner.
    var asOwn: Bound {
        var bound = self
        bound.owner = nil
        return bound
    }

    /// Returns the caps of a popup.
    static func all(of cap: CapModel, hasSchedule: Bool, mostWindows: Int) -> [Bound] {
        var bounds: [Bound] = []
        if let lifetime = cap.lifetime {
            bounds.append(
                Bound(
                    count: lifetime.value, period: .lifetime, text: "lifetime: \(lifetime.value)",
                    range: lifetime.range))
        }
        if let session = cap.perSession {
            bounds.append(
                Bound(
                    count: session.value, period: .session, text: "per_session: \(session.value)",
                    range: session.range))
        }
        if let every = cap.every {
            bounds.append(
                Bound(
                    count: 1, period: .rolling(milliseconds(every.value)), text: "every",
                    range: every.range))
        }
        let windows = (cap.windows?.value ?? []).prefix(mostWindows)
        return bounds
            + windows.compactMap { window in
                var bound = Bound(window.value, of: nil)
                bound?.mayUseScheduleZone = hasSchedule && window.value.zone == nil
                return bound
            }
    }

    /// The bound of a cap per period; nil when it cannot be read.
    init?(_ cap: WindowCapModel?, of owner: String?) {
        guard let cap, let max = cap.max, let per = cap.per else { return nil }
        self.init(
            count: max.value, period: Period(per.value), text: "max: \(max.value)",
            range: max.range, owner: owner)
        zone = cap.zone?.value
    }

    private init(
        count: Int, period: Period, text: String, range: SourceRange, owner: String? = nil
    ) {
        (self.count, self.period, self.text) = (Int64(count), period, text)
        (self.range, self.owner) = (range, owner)
    }

    /// True if only something shown a second time can reach it.
    fileprivate var isReachedBySecond: Bool {
        switch period {
        case .lifetime: count > 1
        case .session, .calendar, .rolling, .value: true
        }
    }

    /// Returns true if the calendars of the two may differ.
    private func mayShift(beside other: Bound) -> Bool {
        other.mayUseScheduleZone != mayUseScheduleZone || other.zone != zone
    }

    /// Returns the finding about a bound that is never reached because of one of the others; if two
    /// of them block each other, the first stays.
    func finding(among others: [(bound: Bound, isLater: Bool)], subject: String) -> Diagnostic? {
        for (other, isLater) in others {
            guard let most = other.most(in: period, isShifted: mayShift(beside: other)),
                most <= count
            else { continue }
            let isMutual =
                self.most(in: other.period, isShifted: mayShift(beside: other))
                .map { $0 <= other.count } ?? false
            if isMutual, isLater { continue }
            return .never(self, other: other, most: most, of: subject)
        }
        return nil
    }

    /// Returns how to change the bound so that another one, of which it allows fewer impressions,
    /// has an effect.
    fileprivate func loosened(for other: Bound) -> String {
        guard text == "every" else {
            return "raise `\(text)`" + (owner.map { " of \($0)" } ?? "")
        }
        let length = other.period.longest / other.count
        // Rounded down, so that few units are left.
        let unit: Int64 = length >= 86_400_000 ? 3_600_000 : length >= 60_000 ? 60_000 : 1
        let most = durationText(.milliseconds(length / unit * unit))
        return "shorten `every` to less than `\(most)` (the period of `\(other.text)` divided by"
            + " \(other.count))"
    }

    /// Returns why the bound allows another number of impressions in the period of another bound.
    fileprivate func reason(for other: Bound, most: Int64) -> String {
        other.period.phrase == period.phrase
            ? "the two limits may use different time zones: a period of one limit then overlaps two"
                + " periods of the other limit"
            : (text == "every" ? "1 impression" : "`\(text)`") + " \(period.phrase) means at most"
                + " \(most) impressions \(other.period.phrase)"
    }

    /// The most impressions that the bound allows in a period; nil if it does not bound that.
    ///
    /// The calendars of two zones do not begin their days together.
    private func most(in period: Period, isShifted: Bool) -> Int64? {
        switch (self.period, period) {
        case (.lifetime, _): return count
        case (.session, .session): return count
        case (.value(let key), .value(let other)): return key == other ? count : nil
        case (.session, _), (_, .session), (_, .lifetime), (.value, _), (_, .value): return nil
        case (.rolling(let own), _): return count * ((period.longest + own - 1) / own)
        case (.calendar, .rolling): return count * (period.longest / self.period.shortest + 2)
        case (.calendar(let own), .calendar(let unit)):
            return count * Int64(own.most(in: unit) + (isShifted ? 1 : 0))
        }
    }
}

extension Bound.Period {
    private static var hour: Int64 { 3_600_000 }

    init(_ period: PeriodModel) {
        switch period {
        case .rolling(let duration): self = .rolling(milliseconds(duration))
        case .calendar(let unit): self = .calendar(unit)
        case .session: self = .session
        case .value(let key): self = .value(of: key)
        }
    }

    /// The longest that it lasts.
    var longest: Int64 {
        switch self {
        case .rolling(let length): length
        case .calendar(let unit): Int64(unit.hours.upperBound) * Self.hour
        case .lifetime, .session, .value: .max
        }
    }

    /// The period in words, after a number of impressions.
    var phrase: String {
        switch self {
        case .lifetime: "in total"
        case .session: "per session"
        case .calendar(let unit): "per calendar \(unit.noun)"
        case .rolling(let length): "per `\(durationText(.milliseconds(length)))`"
        case .value(let key): "per value of `\(key)`"
        }
    }

    var shortest: Int64 {
        switch self {
        case .rolling(let length): length
        case .calendar(let unit): Int64(unit.hours.lowerBound) * Self.hour
        case .lifetime, .session, .value: 1
        }
    }
}

extension CalendarUnit {
    /// The most of these that a longer or shorter unit overlaps.
    fileprivate func most(in unit: CalendarUnit) -> Int {
        if self == unit || unit == .day { return 1 }
        return self == .day ? unit.days.upperBound : unit.hours.upperBound / hours.lowerBound + 2
    }
}

private func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
}

extension Diagnostic {
    /// Returns the finding that a popup is triggered once for a user, so that the cap has no
    /// effect.
    fileprivate static func afterOnly(
        _ nth: Located<Int>, _ bound: Bound, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleCapUnreachable,
            message: "`nth: \(nth.value)` fires once per user, so the cap is never reached",
            at: bound.range, label: "this cap has no effect", subject: "popup `\(popup)`",
            secondary: [
                Label("triggers only on event number \(nth.value) of each user", at: nth.range)
            ],
            help: [
                "if the popup may show again, write `every: \(nth.value)` in the trigger instead"
                    + " of `nth: \(nth.value)`",
                "if the popup may show only once, remove the cap",
            ])
    }

    /// Returns the finding that a popup shows only to users who have not seen it, so that the cap
    /// has no effect.
    fileprivate static func afterFirst(
        _ part: Located<String>, _ bound: Bound, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleCapUnreachable,
            message: "the `when` of `\(popup)` lets the popup show only once, so the cap is never"
                + " reached",
            at: bound.range, label: "this cap has no effect", subject: "popup `\(popup)`",
            secondary: [Label("true only until the first impression", at: part.range)],
            help: [
                "if the popup may show again, remove the condition `\(part.value)`",
                "if the popup may show only once, remove the cap",
            ])
    }

    fileprivate static func never(
        _ bound: Bound, other: Bound, most: Int64, of subject: String
    ) -> Self {
        let isLifetime = if case .lifetime = other.period { true } else { false }
        let name = bound.text.prefix { $0 != ":" }
        let cap = name == "max" ? "the cap `\(bound.text)`" : "`\(name)`"
        let times = most == 1 ? "1 impression" : "\(most) impressions"
        let removal =
            "remove \(cap)" + (most > 1 ? ", or lower `\(bound.text)` to less than \(most)" : "")
        let who =
            other.owner.map { $0.hasSuffix("`") ? "\($0) allow" : "\($0) allows" }
            ?? "this limit allows"
        return Diagnostic(
            .scheduleCapUnreachable, message: "the cap `\(bound.text)` has no effect",
            at: bound.range,
            label: "another limit is at least as strict as this cap", subject: subject,
            secondary: [
                Label(
                    isLifetime
                        ? "the popup shows at most \(most == 1 ? "once" : "\(most) times") in total"
                        : "\(who) at most \(times) \(bound.period.phrase)", at: other.range)
            ],
            notes: isLifetime
                || most == other.count && other.period.phrase == bound.period.phrase
                ? [] : [other.reason(for: bound, most: most)],
            help: isLifetime
                ? ["remove \(cap), or raise `lifetime`"]
                : most < bound.count
                    ? [
                        "if you mean up to \(bound.count) impressions \(bound.period.phrase),"
                            + " \(other.loosened(for: bound))",
                        "if `\(other.text)` is right, \(removal)",
                    ] : [removal])
    }
}
