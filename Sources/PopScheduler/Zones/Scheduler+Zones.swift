internal import PopCEL

// Calendars and clocks of time zones.
extension Scheduler {
    /// Returns the calendar of a zone; the host's calendar if the value of a key isn't the name of
    /// a zone.
    ///
    /// An unknown name counts as UTC; rule files with such a name are refused before they get here.
    func calendar(of zone: Zone) -> LocalCalendar {
        switch zone {
        case .named(let name): LocalCalendar(zone: name, zones: timeZones) ?? .utc
        case .local: hostCalendar
        case .key(let key): self.calendar(named: conditions.value(ofKey: key)) ?? hostCalendar
        }
    }

    /// Returns the calendar of a zone that former rules name.
    func calendar(of zone: Zone, under former: RuleSet?) -> LocalCalendar {
        guard let former, case .key(let index) = zone else { return calendar(of: zone) }
        let key = former.keys[index]
        return calendar(named: conditions.context[key.name] ?? key.defaultValue) ?? hostCalendar
    }

    /// Returns the calendar that a cap counts in; the calendar of `zone` if the cap itself names
    /// none.
    func calendar(of cap: WindowCap, in zone: Zone? = nil) -> LocalCalendar {
        guard case .calendar = cap.per else { return .utc }
        return calendar(of: cap.zone ?? zone ?? .utc)
    }

    private var hostCalendar: LocalCalendar {
        LocalCalendar(zone: hostZone, zones: timeZones) ?? .utc
    }

    private func calendar(named value: Value?) -> LocalCalendar? {
        guard case .string(let name)? = value, !name.isEmpty else { return nil }
        return LocalCalendar(zone: name, zones: timeZones)
    }

    /// Handles a change of the host's zone.
    mutating func zoneChanged(_ zone: String) {
        guard LocalCalendar(zone: zone, zones: timeZones) != nil else {
            return emit(.rejected(.unknownZone(zone)))
        }
        if zone == hostZone { return }
        hostZone = zone
        clocksChanged()
    }

    /// Handles a change of a key that may name a zone.
    mutating func keyChanged(_ key: KeyIndex) {
        guard catalog.movingZones.keys.contains(key) else { return }
        clocksChanged()
        reportZones()
    }

    /// Examines again everything that depends on the zone of the host or of a key.
    private mutating func clocksChanged() {
        quietSpan = nil
        for popup in catalog.movingZones.popups where queues.tasks.isLive(popup) {
            wake(popup)
            scheduleDeadlines(popup)
        }
        for lane in lanes.indices where lanes[lane].isOccupied {
            lanes[lane].recheckDismissCondition()
        }
    }

    /// Reports, once for each value, that the value of a key isn't the name of a zone.
    mutating func reportZones() {
        guard hasStarted else { return }
        for key in catalog.movingZones.keys {
            let value = conditions.value(ofKey: key)
            let name = catalog.rules.keys[key].name
            let text: String? = if case .string(let text)? = value { text } else { nil }
            if calendar(named: value) != nil {
                reportedZones[name] = nil
            } else if reportedZones.updateValue(text, forKey: name) != .some(text) {
                emit(.zoneUnknown(key: name, text))
            }
        }
    }
}
