internal import PopCEL
internal import PopLogic
internal import PopScheduler
internal import PopSource

// Rules with the same meaning can be written in many ways. Here each is converted to a normal form.

extension PopupRule {
    /// Returns the popup without parts that have no effect. The meaning of conditions isn't
    /// examined, except for the sources `true` and `false`.
    func plain(in rules: RuleSet, refusals: Refusals) -> PopupRule {
        var popup = self
        popup.timing.schedule = timing.schedule.map { entry in
            var entry = entry
            entry.zone = entry.zone.plain
            return entry
        }
        popup.caps = caps.plain(
            zone: popup.timing.commonZone ?? .utc,
            refusals: templates.reduce(into: []) { $0.formUnion(refusals[$1] ?? []) })
        if let rollout = audience.rollout { popup.audience.rollout = rollout.plain }
        popup.audience.experiment = audience.experiment?.plain(in: self)
        if dismissWhen?.program.expression.description == "false" { popup.dismissWhen = nil }
        popup.triggers = triggers.plain
        popup.after = after.plain
        // Other strategies ignore them.
        if rules.schedulers[scheduler].strategy != .priority {
            popup.switch = .await
            popup.isUrgent = false
        }
        return popup
    }
}

/// By template, the names of the actions that count as a refusal.
typealias Refusals = [String: Set<String>]

extension RuleSet {
    var refusals: Refusals {
        templates.reduce(into: [:]) { refusals, template in
            for action in template.actions where action.isRefusal {
                refusals[template.name, default: []].insert(action.name)
            }
        }
    }
}

extension Zone {
    /// The common name of all zones whose clocks always show the same time.
    var plain: Zone {
        guard case .named(let name) = self else { return self }
        let plain = TimeZones.commonName(of: name)
        return plain == TimeZones.nameOfUTC ? .utc : .named(plain)
    }
}

// MARK: Triggers and predecessors

extension [Trigger] {
    /// The triggers without those that create a task only if another trigger does too.
    fileprivate var plain: [Trigger] {
        let triggers = map { $0.plain }
        guard count <= AnalysisLimits.comparedEntries else { return triggers }
        return triggers.enumerated().filter { place, trigger in
            guard case .event(let event) = trigger else { return true }
            return !triggers.enumerated().contains { other, candidate in
                guard other != place, case .event(let wider) = candidate else { return false }
                return wider.holds(event) && (other < place || !event.holds(wider))
            }
        }.map { $0.element }
    }
}

extension Trigger {
    fileprivate var plain: Trigger {
        guard case .event(var event) = self else { return self }
        if event.occurrence == .every(1) { event.occurrence = .any }
        if event.where?.program.expression.description == "true" { event.where = nil }
        return .event(event)
    }
}

extension EventTrigger {
    /// Returns true if it creates a task whenever another trigger of the same event does.
    fileprivate func holds(_ other: EventTrigger) -> Bool {
        guard event == other.event else { return false }
        if self.where == nil, occurrence == .any { return true }
        guard self.where == other.where else { return false }
        return switch (occurrence, other.occurrence) {
        case (.any, _): true
        case (.every(let own), .every(let number)), (.every(let own), .nth(let number)):
            number.isMultiple(of: own)
        case (.nth(let own), .nth(let number)): own == number
        case (.nth, .every), (.nth, .any), (.every, .any): false
        }
    }
}

extension [Predecessor] {
    /// The predecessors without those that are met whenever another one is.
    fileprivate var plain: [Predecessor] {
        guard count <= AnalysisLimits.comparedEntries else { return self }
        return enumerated().filter { place, entry in
            !enumerated().contains { other, candidate in
                other != place && candidate.holds(entry)
                    && (other < place || !entry.holds(candidate))
            }
        }.map { $0.element }
    }
}

extension Predecessor {
    /// Returns true if another predecessor is met whenever this one is.
    fileprivate func holds(_ other: Predecessor) -> Bool {
        guard popup == other.popup else { return false }
        if other.action == nil, other.since == .zero { return true }
        return action == other.action && since >= other.since
    }
}

// MARK: Assignments

extension Rollout {
    /// The rollout without steps that change nothing; nil if it includes all users.
    fileprivate var plain: Rollout? {
        if share == .range(0..<100) { return nil }
        guard case .steps(let steps) = share else { return self }
        var rollout = self
        var percent = 0.0
        rollout.share = .steps(
            steps.filter { step in
                defer { percent = step.percent }
                return step.percent != percent
            })
        return rollout
    }
}

extension Experiment {
    /// Returns the experiment without names, which have no effect: its salts and arms determine the
    /// assignment. Returns nil if no users take part.
    fileprivate func plain(in popup: PopupRule) -> Experiment? {
        if assignment.share == 0 { return nil }
        var experiment = self
        experiment.name = nil
        experiment.assignment.layer?.layer = ""
        if assignment.layer?.range == 0..<100 { experiment.assignment.layer = nil }
        let arms = assignment.arms.filter { $0.weight > 0 }
        experiment.assignment.arms = (arms.isEmpty ? assignment.arms : arms).inLowestTerms
        for place in variants.indices {
            if variants[place].template == popup.template {
                experiment.variants[place].template = nil
            }
            if variants[place].content == popup.content {
                experiment.variants[place].content = nil
            }
        }
        return experiment
    }
}

extension [Assignment.Arm] {
    /// The arms by name, with the smallest weights that divide the users in the same way.
    var inLowestTerms: [Assignment.Arm] {
        func divisor(_ one: Int, _ other: Int) -> Int {
            other == 0 ? one : divisor(other, one % other)
        }
        let common = Swift.max(reduce(0) { divisor($1.weight, $0) }, 1)
        return sorted { $0.name < $1.name }.map {
            Assignment.Arm($0.name, weight: $0.weight / common)
        }
    }
}

extension Holdout {
    /// Returns the holdout; nil if it includes no users, or if all popups are essential.
    func plain(in rules: RuleSet) -> Holdout? {
        percent == 0 || rules.popups.allSatisfy { $0.isEssential } ? nil : self
    }
}

extension QuietRule {
    /// Returns the quiet hours. If they select all schedulers, no schedulers are named.
    func plain(in rules: RuleSet) -> QuietRule {
        var quiet = self
        quiet.zone = zone.plain
        if Set(popups.schedulers).count == rules.schedulers.count { quiet.popups.schedulers = [] }
        return quiet
    }
}

// Caps with the same meaning can be written in many ways. Here each is converted to a normal form.

extension Caps {
    /// Returns the caps with `perSession` and `every` as windows, without windows that are never
    /// the first cap to suppress the popup, whatever was shown.
    func plain(zone: Zone, refusals: Set<String>) -> Caps {
        var caps = self
        caps.windows += perSession.map { [WindowCap(max: $0, per: .session)] } ?? []
        caps.windows += every.map { [WindowCap(max: 1, per: .rolling($0))] } ?? []
        (caps.perSession, caps.every) = (nil, nil)
        caps.windows = caps.windows.plain(zone: zone).filter { window in
            lifetime.map { $0 > window.max } ?? true
        }
        if let pause = afterClose {
            caps.afterClose?.actions = pause.actions.filter { action, time in
                time != pause.close || !refusals.contains(action)
            }
        }
        return caps
    }
}

extension [WindowCap] {
    /// Returns the caps without those that another one implies; of two equivalent caps the first
    /// remains. A cap names its zone only if it differs from the given one, which applies to caps
    /// without a zone.
    func plain(zone: Zone) -> [WindowCap] {
        var kept = map { $0.plain(zone: zone) }
        guard count <= AnalysisLimits.comparedEntries else { return kept }
        for position in kept.indices.reversed() {
            let isHeld = kept.indices.contains {
                $0 != position && kept[$0].holds(kept[position], zone: zone)
            }
            if isHeld { kept.remove(at: position) }
        }
        return kept
    }
}

extension WindowCap {
    func plain(zone usual: Zone) -> WindowCap {
        var cap = self
        let zone = (zone ?? usual).plain
        guard case .calendar = per, zone != usual.plain else {
            cap.zone = nil
            return cap
        }
        cap.zone = zone
        return cap
    }

    /// Returns true if the cap is used up whenever another one is, whatever was shown. `zone`
    /// applies to caps without a zone.
    func holds(_ other: WindowCap, zone: Zone) -> Bool {
        guard max <= other.max else { return false }
        switch (per, other.per) {
        case (.rolling(let own), .rolling(let time)): return own >= time
        case (.rolling(let own), .calendar(let unit)):
            return own >= .seconds(3_600 * unit.hours.upperBound)
        case (.calendar(let own), .calendar(let unit)):
            let isSame = (self.zone ?? zone) == (other.zone ?? zone)
            return isSame && (own == unit || unit == .day)
        case (.session, .session): return true
        case (.value(let key), .value(let second)): return key == second
        case (.rolling, _), (.calendar, _), (.session, _), (.value, _): return false
        }
    }
}

extension [LimitRule] {
    /// Returns the limits without those that another limit for all of their popups implies;
    /// unchanged if finding these takes too many steps.
    func plain(_ steps: inout PairSteps) -> [LimitRule] {
        let limits = map { limit in
            var limit = limit
            limit.cap = limit.cap.plain(zone: .utc)
            return limit
        }
        // A limit that covers another one selects all tags, or also selects the other's first tag.
        var ofTag: [String: [Int]] = [:]
        var ofAllTags: [Int] = []
        for (place, limit) in limits.enumerated() {
            if limit.popups.tags.isEmpty { ofAllTags.append(place) }
            for tag in Set(limit.popups.tags) { ofTag[tag, default: []].append(place) }
        }
        var isKept = limits.map { _ in true }
        for (place, limit) in limits.enumerated().reversed() {
            let alike = limit.popups.tags.first.flatMap { ofTag[$0] } ?? []
            for other in ofAllTags + alike where other != place && isKept[other] {
                guard steps.take(1 + limit.popups.tags.count) else { return limits }
                let holder = limits[other]
                guard holder.cap.holds(limit.cap, zone: .utc),
                    holder.popups.covers(limit.popups)
                else { continue }
                isKept[place] = false
                break
            }
        }
        return zip(limits, isKept).filter { $0.1 }.map { $0.0 }
    }
}
