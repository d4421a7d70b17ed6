internal import PopCEL

extension Scheduler {
    /// Ends all live tasks and continues with the other user's history. The context and the
    /// suspensions stay.
    ///
    /// For the same user the history stays too: the ends of the tasks have just been added to it.
    /// Popups on a screen are dismissed as soon as they may be; each end is kept in the history of
    /// the user who saw the popup.
    mutating func switchUser(_ user: String, history: History, context: [String: Value]?) {
        endAll()
        if user != memory.user {
            memory.switchUser(user, history: history, in: catalog)
            holdReservations()
            if hasStarted { countSession() }
        }
        outcomes = Outcomes()
        let values = if let context { takeContext(context) } else { conditions.context }
        refill(context: values)
        if hasStarted { fire(catalog.triggers.popups(at: [.start])) }
    }

    private mutating func endAll() {
        for lane in lanes.indices {
            for popup in queue(lane) { discard(popup, for: .userSwitched) }
            letGo(lane)
        }
    }

    /// Returns the values that fit their keys, and values for keys that the rules don't have.
    /// Reports the others as rejected.
    private mutating func takeContext(_ values: [String: Value]) -> [String: Value] {
        var fitting = values.filter { catalog.triggers.keys[$0.key] == nil }
        for key in catalog.rules.keys {
            guard let value = values[key.name] else { continue }
            switch key.check(value) {
            case .success(let value): fitting[key.name] = value
            case .failure(let problem):
                emit(.rejected(.badValue(key: key.name, message: problem.message)))
            }
        }
        return fitting
    }

    /// Forgets a user. Popups on a screen stay there, but belong to no user whose history could
    /// record them.
    mutating func forget(_ user: String) {
        if user == memory.user { endAll() }
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.subject.user == user else {
                continue
            }
            occupant.subject = occupant.subject.ofNobody()
            lanes[lane].update(occupant)
        }
        memory.forget(user, in: catalog)
        guard user == memory.user else { return }
        outcomes = Outcomes()
        refill(context: conditions.context)
        if hasStarted { fire(catalog.triggers.popups(at: [.start])) }
    }

    /// Replaces the history. Tasks are judged again as under other rules.
    mutating func historyChanged(_ history: History) {
        memory.replaceHistory(by: history, in: catalog)
        holdReservations()
        reload(catalog.rules, context: [:])
    }

    /// Forgets the history of a popup. Tasks are judged again as under other rules. A popup that is
    /// about to be visible keeps its place, as though its user had not been exposed.
    mutating func forgetPopup(_ id: String) {
        let popup = catalog.ruledPlace(of: id)
        let isKnown = popup != nil || memory.history[id, at: nil] != nil
        guard isKnown else { return reportIfUnknown(id) }
        memory.forgetPopup(id, in: catalog)
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.popup.id == id,
                occupant.subject.user == memory.user, case .reserved(let date) = occupant.place
            else { continue }
            occupant.subject = occupant.subject.unexposed()
            lanes[lane].update(occupant)
            record(.reservation(popup: id, date: date), at: popup)
        }
        reload(catalog.rules, context: [:])
    }

    /// Marks the reservations of popups that are still on the screens as not left behind.
    mutating func holdReservations() {
        for lane in lanes.indices {
            guard let occupant = lanes[lane].screen.occupant, occupant.subject.user == memory.user,
                case .reserved(let date) = occupant.place
            else { continue }
            let id = occupant.popup.id
            memory.hold(
                id, reserved: date, isExposed: occupant.isExposed, at: catalog.ruledPlace(of: id))
        }
    }

    private mutating func letGo(_ lane: LaneIndex) {
        forgetRemembered(on: lane, for: .userSwitched)
        leave(lane, leaving: Screen.Leaving(reason: .userSwitched, isImmediate: true))
        guard var occupant = lanes[lane].screen.occupant else { return }
        vacate(occupant)
        occupant.isDetached = true
        lanes[lane].update(occupant)
    }

    /// Fills everything again from the rules, the context and the history.
    mutating func refill(context: [String: Value]) {
        defer { reportZones() }
        quietSpan = nil
        conditions.refill(from: catalog, history: memory.history, context: context)
        queues.forgetPosts()
        countImpressions()
        for lane in lanes.indices { lanes[lane].watchAfresh() }
    }
}
