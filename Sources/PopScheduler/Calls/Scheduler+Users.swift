internal import PopCEL

extension Scheduler {
    /// Everything that lives ends, and the other user's history decides. The context and what is suspended stay.
    ///
    /// For the same user the history stays too: the ends of the tasks have just been added to it.
    /// What is on a screen is taken down as soon as it may; its end is kept in the history of the user who saw it.
    mutating func switchUser(_ user: String, _ history: History) {
        for lane in lanes.indices {
            for popup in queue(lane) { discard(popup, .userSwitched) }
            letGo(lane)
        }
        if user != self.user {
            away.leave(self.user, sources.history.session(rules.popups))
            keep(history, away.come(user))
        }
        self.user = user
        filtered = [:]
        endings = [:]
        refill(context: store.context)
        fireStart(triggers.start)
    }

    mutating func keep(_ history: History, _ session: [String: Int]) {
        sources.history = KeptHistory(
            history, session, count: rules.popups.count, index: popupIndex)
    }

    private mutating func letGo(_ lane: Int) {
        leave(lane, Screen.Leaving(reason: .userSwitched, isImmediate: true))
        guard var occupant = lanes[lane].screen.occupant else { return }
        vacate(occupant)
        occupant.isDetached = true
        lanes[lane].screen = .occupied(occupant)
    }

    /// Takes everything from the rules, the context and the history afresh.
    mutating func refill(context: [String: Value]) {
        let evaluations = store.evaluations
        store = SlotStore(rules, sources, context: context, now: now.date)
        store.evaluations = evaluations
        watchKeys = WatchKeys(rules, slots: store.graph.count)
        watchers = Watchers(count: watchKeys.count)
        tasks.forgetPosts()
        keepPosts()
        countImpressions()
        for lane in lanes.indices {
            lanes[lane].post = Watchers.Post()
            lanes[lane].mustCheckDismissCondition = true
        }
    }
}
