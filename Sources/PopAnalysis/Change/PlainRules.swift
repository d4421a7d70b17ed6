internal import PopCEL
internal import PopScheduler

// Rules that mean the same have many forms: here each comes down to one.

extension PopupRule {
    /// The same without what says nothing. What conditions say is not looked at.
    func plain(in rules: RuleSet) -> PopupRule {
        var popup = self
        popup.caps = caps.plain(zone: timing.commonZone ?? .utc)
        if let rollout = audience.rollout { popup.audience.rollout = rollout.plain }
        if let experiment = audience.experiment { popup.audience.experiment = experiment.plain }
        if dismissWhen?.program.expression.description == "false" { popup.dismissWhen = nil }
        popup.triggers = triggers.map { trigger in
            guard case .event(var event) = trigger, event.occurrence == .every(1) else {
                return trigger
            }
            event.occurrence = .any
            return .event(event)
        }
        // No other strategy looks at it.
        if rules.schedulers[scheduler].strategy != .priority { popup.switch = .await }
        return popup
    }
}

// MARK: Who is drawn

extension Rollout {
    /// Nil where it is for everybody.
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
    /// What its names are is seen by nobody; its salts and its arms decide.
    fileprivate var plain: Experiment {
        var experiment = self
        experiment.name = nil
        experiment.assignment.layer?.layer = ""
        experiment.assignment.arms = assignment.arms.inLowestTerms
        return experiment
    }
}

extension [Assignment.Arm] {
    /// By name, with the smallest weights that divide the users in the same way.
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
    /// Nil where it is for nobody.
    var plain: Holdout? { percent == 0 ? nil : self }
}

// MARK: Caps

extension Caps {
    /// Without windows that are never the first cap that keeps the popup away, whatever was shown.
    fileprivate func plain(zone: Zone) -> Caps {
        var caps = self
        caps.windows = windows.plain(zone: zone).filter { !isHeld($0) }
        if let lifetime, let perSession, lifetime <= perSession { caps.perSession = nil }
        // Who has seen it once is asked for no time since.
        if lifetime == 1 { caps.every = nil }
        return caps
    }

    /// Whether another key keeps the popup away whenever a window does, and is looked at before.
    private func isHeld(_ window: WindowCap) -> Bool {
        if let lifetime, lifetime <= window.max { return true }
        if let perSession, window.per == .session, perSession <= window.max { return true }
        guard let every else { return false }
        return WindowCap(max: 1, per: .rolling(every)).holds(window, zone: .utc)
    }
}

extension [WindowCap] {
    /// Without those that another one holds; of two that hold each other the first stays.
    func plain(zone: Zone) -> [WindowCap] {
        var kept = self
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
    /// Whether it is used up whenever another one is, whatever was shown; `zone` is that of caps
    /// that name none.
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
    /// Without those that another one holds, which is about all of their popups.
    var plain: [LimitRule] {
        var kept = self
        for position in kept.indices.reversed() {
            let isHeld = kept.indices.contains { other in
                other != position && kept[other].popups.covers(kept[position].popups)
                    && kept[other].cap.holds(kept[position].cap, zone: .utc)
            }
            if isHeld { kept.remove(at: position) }
        }
        return kept
    }
}
