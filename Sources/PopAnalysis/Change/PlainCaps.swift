internal import PopScheduler

// Caps that mean the same have many forms: here each comes down to one.

extension Caps {
    /// All that count impressions as windows, without those that are never the first cap that keeps
    /// the popup away, whatever was shown.
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
    /// Without those that another one holds; of two that hold each other the first stays. A zone is
    /// said where it is not that of caps that name none.
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
    /// Without those that another one holds, which is about all of their popups; as they are
    /// written, where finding these takes too many steps.
    func plain(_ steps: inout PairSteps) -> [LimitRule] {
        let limits = map { limit in
            var limit = limit
            limit.cap = limit.cap.plain(zone: .utc)
            return limit
        }
        // One that covers another is about all tags, or about the first one of the other too.
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
