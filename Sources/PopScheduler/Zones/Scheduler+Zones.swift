internal import PopCEL

// Whose clocks and calendar a time is read by.
extension Scheduler {
    /// The calendar of a zone; that of the host where the value of a key names no zone.
    ///
    /// An unknown name counts as UTC; rule files with one are refused before they come here.
    func calendar(of zone: Zone) -> LocalCalendar {
        switch zone {
        case .named(let name): LocalCalendar(zone: name, zones: timeZones) ?? .utc
        case .local: hostCalendar
        case .key(let key): self.calendar(named: conditions.value(ofKey: key)) ?? hostCalendar
        }
    }

    /// The same of a zone that former rules name.
    func calendar(of zone: Zone, under former: RuleSet?) -> LocalCalendar {
        guard let former, case .key(let index) = zone else { return calendar(of: zone) }
        let key = former.keys[index]
        return calendar(named: conditions.context[key.name] ?? key.defaultValue) ?? hostCalendar
    }

    /// The calendar that a cap counts in; that of a zone where the cap itself names none.
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

    /// The host is in another zone.
    mutating func zoneChanged(_ zone: String) {
        guard LocalCalendar(zone: zone, zones: timeZones) != nil else {
            return emit(.rejected(.unknownZone(zone)))
        }
        if zone == hostZone { return }
        hostZone = zone
        clocksChanged()
    }

    /// A key that names a zone may have another value.
    mutating func keyChanged(_ key: KeyIndex) {
        guard catalog.movingZones.keys.contains(key) else { return }
        clocksChanged()
        reportZones()
    }

    /// Whatever hangs on the clocks of the host or of a key is looked at anew.
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

    /// Reports, once for each value, that the value of a key names no zone.
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
