internal import PopCEL
internal import PopScheduler
internal import PopSource

/// Turns what a bundle says back into rules: every text is parsed and every reference checked.
struct BundleReader {
    private let bundle: BundledRules
    private let limits: BundleLimits
    private let names: BundledNames
    private var slots = SlotTable()

    init(_ bundle: BundledRules, limits: BundleLimits) throws(BundleError) {
        self.bundle = bundle
        self.limits = limits
        for count in [
            bundle.schedulers.count, bundle.keys.count, bundle.events.count,
            bundle.conditions.count, bundle.groups.count, bundle.popups.count,
        ] where count > limits.entries {
            throw .tooLarge("more than \(limits.entries) entries of a kind")
        }
        names = try BundledNames(bundle, typeDepth: limits.typeDepth)
    }

    mutating func read() throws(BundleError) -> RuleSet {
        var rules = RuleSet(keys: names.keys, events: names.events)
        rules.schedulers = []
        for scheduler in bundle.schedulers { rules.schedulers.append(try read(scheduler)) }
        guard !rules.schedulers.isEmpty else { throw .damaged("it has no scheduler") }
        for named in bundle.conditions {
            rules.conditions.append(
                NamedCondition(name: named.name, condition: try condition(named.cel)))
        }
        for group in bundle.groups {
            rules.groups.append(
                GroupRule(
                    name: group.name, when: try condition(ifAny: group.when),
                    cap: try window(ifAny: group.cap), at: .none))
        }
        for popup in bundle.popups { rules.popups.append(try read(popup)) }
        rules.slots = slots.entries.map(names.meaning)
        try checkChains(rules)
        return rules
    }

    /// Conditions that use each other in a circle would never come to an end.
    private func checkChains(_ rules: RuleSet) throws(BundleError) {
        let uses = rules.conditions.map { rule in
            rule.condition.program.slots.compactMap { slot in
                if case .condition(let used) = rules.slots[slot] { used } else { nil }
            }
        }
        var isResolved = Array(repeating: false, count: uses.count)
        for _ in 0..<limits.conditionChain {
            let resolved = uses.indices.filter { condition in
                uses[condition].allSatisfy { isResolved[$0] }
            }
            for condition in resolved { isResolved[condition] = true }
            if resolved.count == uses.count { return }
        }
        if !uses.isEmpty { throw .damaged("its conditions use each other in a circle") }
    }
}

// MARK: Parts

extension BundleReader {
    private func read(_ scheduler: BundledRules.Scheduler) throws(BundleError) -> SchedulerRule {
        guard let strategy = SchedulerRule.Strategy(rawValue: scheduler.strategy),
            let tieBreak = SchedulerRule.TieBreak(rawValue: scheduler.tieBreak)
        else { throw .damaged("an order of popups is not known") }
        var gap = Duration.zero ... .zero
        if let bounds = scheduler.gap {
            guard bounds.count == 2 else { throw .damaged("a gap has no two bounds") }
            let (lower, upper) = (try duration(bounds[0]), try duration(bounds[1]))
            guard lower <= upper else { throw .damaged("the bounds of a gap are exchanged") }
            gap = lower...upper
        }
        return SchedulerRule(
            name: scheduler.name, strategy: strategy, tieBreak: tieBreak, gap: gap,
            maxWaiting: try count(ifAny: scheduler.maxWaiting),
            cap: try window(ifAny: scheduler.cap))
    }

    private mutating func read(_ popup: BundledRules.Popup) throws(BundleError) -> PopupRule {
        var rule = PopupRule(id: popup.id, at: .none)
        rule.isEnabled = popup.isOff != true
        rule.scheduler = try position(popup.scheduler ?? 0, in: bundle.schedulers)
        if let group = popup.group { rule.group = try position(group, in: bundle.groups) }
        rule.priority = popup.priority ?? PopupRule.normalPriority
        rule.triggers = []
        for trigger in popup.triggers { rule.triggers.append(try read(trigger)) }
        rule.when = try condition(ifAny: popup.when)
        rule.untriggered = try choice(popup.untriggered, or: .await)
        rule.switch = try choice(popup.switch, or: .await)
        for other in popup.after ?? [] { rule.after.append(try position(other, in: bundle.popups)) }
        try readTimes(popup, into: &rule)
        try readCaps(popup, into: &rule)
        rule.template = popup.template
        rule.content = popup.content?.value ?? .map([:])
        rule.description = popup.description
        rule.owner = popup.owner
        rule.tags = popup.tags ?? []
        return rule
    }

    private mutating func readTimes(
        _ popup: BundledRules.Popup, into rule: inout PopupRule
    ) throws(BundleError) {
        rule.delay = try duration(ifAny: popup.delay) ?? .zero
        rule.grace = try duration(ifAny: popup.grace) ?? .zero
        rule.minShow = try duration(ifAny: popup.minShow) ?? .zero
        rule.hideAfter = try duration(ifAny: popup.hideAfter)
        rule.dismissWhen = try condition(ifAny: popup.dismissWhen)
        rule.maxWait = try duration(ifAny: popup.maxWait)
        if let schedule = popup.schedule { rule.schedule = try read(schedule) }
    }

    private func readCaps(
        _ popup: BundledRules.Popup, into rule: inout PopupRule
    ) throws(BundleError) {
        rule.caps = Caps(
            lifetime: try count(ifAny: popup.lifetimeCap),
            perSession: try count(ifAny: popup.sessionCap), every: try duration(ifAny: popup.every))
        for cap in popup.windows ?? [] { rule.caps.windows.append(try window(cap)) }
        guard let rollout = popup.rollout else { return }
        guard (0...100).contains(rollout.percent) else {
            throw .damaged("a rollout is no percentage")
        }
        rule.rollout = Rollout(
            percent: rollout.percent, key: try position(rollout.key, in: bundle.keys),
            salt: rollout.salt)
    }

    private mutating func read(_ trigger: BundledRules.Trigger) throws(BundleError) -> Trigger {
        switch trigger.kind {
        case .start: return .start
        case .manual: return .manual
        case .changed: return .changed(key: try position(trigger.key ?? -1, in: bundle.keys))
        case .event:
            let event = try position(trigger.event ?? -1, in: bundle.events)
            let condition = try trigger.where.map { text throws(BundleError) in
                try self.condition(text, inside: event)
            }
            let occurrence: EventTrigger.Occurrence =
                if let nth = try count(ifAny: trigger.nth) {
                    .nth(nth)
                } else if let every = try count(ifAny: trigger.every) { .every(every) } else {
                    .any
                }
            return .event(EventTrigger(event: event, where: condition, occurrence: occurrence))
        }
    }

    private func read(_ schedule: BundledRules.Schedule) throws(BundleError) -> Schedule {
        var read = Schedule(
            from: try date(ifAny: schedule.from), until: try date(ifAny: schedule.until),
            zone: schedule.zone)
        if let days = schedule.days {
            read.days = Set(days.compactMap { Schedule.Weekday(rawValue: $0) })
            guard read.days?.count == days.count else { throw .damaged("a day is none of a week") }
        }
        if let hours = schedule.hours {
            guard hours.count == 2, (0..<1440).contains(hours[0]), (1...1440).contains(hours[1])
            else { throw .damaged("hours are none of a day") }
            read.hours = Schedule.Hours(from: hours[0], until: hours[1])
        }
        return read
    }
}

// MARK: Texts and references

extension BundleReader {
    private mutating func condition(
        _ text: String, inside event: Int? = nil
    ) throws(BundleError) -> Condition {
        let environment = names.environment(inside: event)
        let program = Expression.parse(text).then {
            environment.compile($0, expecting: .bool, slots: &slots)
        }
        do {
            return Condition(try program.get(), at: .none)
        } catch {
            throw .damaged("the condition `\(text)` is none: \(error)")
        }
    }

    private mutating func condition(ifAny text: String?) throws(BundleError) -> Condition? {
        guard let text else { return nil }
        return try condition(text)
    }

    private func duration(_ text: String) throws(BundleError) -> Duration {
        guard let duration = DurationText.parse(text), duration >= .zero else {
            throw .damaged("`\(text)` is no duration")
        }
        return duration
    }

    private func duration(ifAny text: String?) throws(BundleError) -> Duration? {
        guard let text else { return nil }
        return try duration(text)
    }

    private func date(ifAny text: String?) throws(BundleError) -> Timestamp? {
        guard let text else { return nil }
        guard let date = Timestamp(parsing: text) else { throw .damaged("`\(text)` is no date") }
        return date
    }

    private func count(ifAny number: Int?) throws(BundleError) -> Int? {
        if let number, number < 1 { throw .damaged("\(number) is no count") }
        return number
    }

    private func window(_ cap: BundledRules.Window) throws(BundleError) -> WindowCap {
        guard cap.max >= 1 else { throw .damaged("\(cap.max) is no count") }
        return switch cap.per {
        case "calendar_day": WindowCap(max: cap.max, per: .calendarDay)
        case "calendar_week": WindowCap(max: cap.max, per: .calendarWeek)
        default: WindowCap(max: cap.max, per: .rolling(try duration(cap.per)))
        }
    }

    private func window(ifAny cap: BundledRules.Window?) throws(BundleError) -> WindowCap? {
        guard let cap else { return nil }
        return try window(cap)
    }

    private func choice<Choice: RawRepresentable<String>>(
        _ text: String?, or standard: Choice
    ) throws(BundleError) -> Choice {
        guard let text else { return standard }
        guard let choice = Choice(rawValue: text) else { throw .damaged("`\(text)` is not known") }
        return choice
    }

    private func position(_ position: Int, in list: [some Any]) throws(BundleError) -> Int {
        guard list.indices.contains(position) else {
            throw .damaged("a part that it refers to is missing")
        }
        return position
    }
}

extension SourceRange {
    /// A bundle has no files that a person could look at.
    static let none = SourceRange(file: FileID(index: 0), 0..<0)
}
