internal import PopCEL
internal import PopScheduler
internal import PopSource

extension EngineCore {
    /// A status that ends by the calendar is looked at no sooner than this.
    private static let shortestLook = Duration.milliseconds(10)

    /// Begins to report popup statuses, because the app subscribed to one.
    func beginTellingStatuses() {
        state.withLock { state in
            state.tellsStatuses = true
            put(.tellStatuses, state: &state)
        }
    }

    /// Schedules a status report after a change, because any change can alter a status.
    func tellStatuses(_ state: inout State) {
        guard state.tellsStatuses else { return }
        state.statusDue = nil
        put(.tellStatuses, state: &state)
    }

    /// Stops the status reports once no subscriber is left.
    func endTellingStatuses(to statuses: StatusBroadcast) {
        state.withLock { if statuses.popups.isEmpty { $0.tellsStatuses = false } }
    }

    /// Returns the statuses of the popups. Wakes the stage when the next status ends by itself.
    func statuses(of popups: Set<String>) -> [String: PopupStatus] {
        let now = clock.now
        let explanations = scheduler.explanations(of: popups.ordered(), at: now)
        var statuses: [String: PopupStatus] = [:]
        for popup in popups { statuses[popup] = PopupStatus(nil) }
        for explanation in explanations {
            statuses[explanation.popup] = PopupStatus(explanation)
        }
        let dates = statuses.values.compactMap(\.until).filter { $0 > now.date }
        if let next = dates.min() {
            let rest = max(next.duration(since: now.date), Self.shortestLook)
            state.withLock { state in
                state.statusDue = now.instant + rest
                armWake(&state)
            }
        }
        return statuses
    }
}
