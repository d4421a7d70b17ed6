internal import PopCEL

/// A trigger that fired while its popup was leaving the screen.
struct RememberedTrigger: Sendable {
    /// The payload of the event, if the content of the popup names it.
    var payload: [String: Value]?
}

// Triggers that fire while their popup leaves permanently. Each is tried when the popup is gone,
// with the caps at that time: `queued` or `notMade` reports the result.
extension Scheduler {
    /// Remembers a trigger of a popup that is leaving. Returns true if it did: one trigger per
    /// popup is enough.
    mutating func remember(_ popup: PopupIndex, payload: [String: Value]?) -> Bool {
        let id = catalog.traits[popup].id
        guard !queues.tasks.isLive(popup), let lane = lanes.showing(id),
            lanes[lane].screen.isLeavingForGood, remembered[id] == nil
        else { return false }
        let isNeeded = catalog.traits[popup].needs.contains(.payload)
        remembered[id] = RememberedTrigger(payload: isNeeded ? payload : nil)
        return true
    }

    /// Tries the trigger that was remembered for a popup that is gone now. A popup that gave way to
    /// another one isn't shown again for it.
    mutating func tryRemembered(after occupant: Screen.Occupant) {
        if remembered.isEmpty || occupant.isDetached { return }
        let id = occupant.popup.id
        guard let trigger = remembered.removeValue(forKey: id) else { return }
        guard let popup = catalog.place(of: id) else {
            return emit(.notMade(popup: id, .removedByReload))
        }
        if occupant.leaving?.isSwitch == true {
            emit(.notMade(popup: id, .preempted))
        } else {
            fire(popup, payload: trigger.payload)
        }
        if !queues.tasks.isLive(popup) { vacate(popup) }
    }

    /// Drops the trigger that was remembered for the popup on a screen.
    mutating func forgetRemembered(on lane: LaneIndex, for reason: ReasonCode) {
        if remembered.isEmpty { return }
        guard let occupant = lanes[lane].screen.occupant, !occupant.isDetached,
            remembered.removeValue(forKey: occupant.popup.id) != nil
        else { return }
        emit(.notMade(popup: occupant.popup.id, reason))
    }
}
