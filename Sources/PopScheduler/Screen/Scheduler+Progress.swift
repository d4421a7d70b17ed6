// Queries of hosts about a popup that they follow.
extension Scheduler {
    /// Returns the presentation that the host was given for a popup; nil if the popup is on no
    /// screen, or is being dismissed.
    package func presentation(onScreen id: String) -> Presentation? {
        guard let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant,
            !occupant.isDismissing
        else { return nil }
        return occupant.subject.whole
    }

    /// Returns true if a popup with that id exists, even if only on a screen.
    package func knows(_ id: String) -> Bool {
        catalog.place(of: id) != nil || lanes.occupied(by: id) != nil
    }

    /// Returns if the live task of a popup was visible, and the action by which it is ending.
    package func progress(of id: String) -> (wasShown: Bool, action: String?) {
        if let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant {
            if case .presenting = occupant.phase { return (false, occupant.subject.endingAction) }
            return (true, occupant.subject.endingAction)
        }
        let task = catalog.place(of: id).flatMap { queues.tasks[$0] }
        return (task?.claim.wasShown == true, nil)
    }
}
