// What hosts ask about a popup that they follow.
extension Scheduler {
    /// What the host was given to show of a popup; nil when the popup is on no screen, or is being
    /// taken off it.
    package func presentation(onScreen id: String) -> Presentation? {
        guard let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant,
            !occupant.isDismissing
        else { return nil }
        return occupant.subject.whole
    }

    /// Whether there is a popup of that id, be it only on a screen still.
    package func knows(_ id: String) -> Bool {
        catalog.place(of: id) != nil || lanes.occupied(by: id) != nil
    }

    /// Whether the live task of a popup was visible, and the action by which it is ending.
    package func progress(of id: String) -> (wasShown: Bool, action: String?) {
        if let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant {
            if case .presenting = occupant.phase { return (false, occupant.subject.endingAction) }
            return (true, occupant.subject.endingAction)
        }
        let task = catalog.place(of: id).flatMap { queues.tasks[$0] }
        return (task?.claim.wasShown == true, nil)
    }
}
