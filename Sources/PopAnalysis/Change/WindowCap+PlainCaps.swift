internal import PopScheduler

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
