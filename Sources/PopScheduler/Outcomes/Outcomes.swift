/// The results of the last trigger and the last task of each popup, by its id, to explain why it
/// doesn't show.
struct Outcomes: Sendable {
    /// The reasons why the last trigger made no task.
    private var filtered: [String: FilteredTrigger] = [:]
    /// The obstacles for which the last task was dropped.
    private var obstacles: [String: FormerObstacle] = [:]
    private var endings: [String: ReasonCode] = [:]
    /// The events that were reported and are reported only once.
    private var told: Set<HostEvent> = []

    func filter(of id: String) -> FilteredTrigger? { filtered[id] }
    func obstacle(of id: String) -> FormerObstacle? { obstacles[id] }
    func ending(of id: String) -> ReasonCode? { endings[id] }

    mutating func note(_ filter: FilteredTrigger, of id: String) { filtered[id] = filter }
    mutating func note(_ obstacle: FormerObstacle, of id: String) { obstacles[id] = obstacle }
    mutating func note(_ ending: ReasonCode, of id: String) { endings[id] = ending }

    /// Returns true if the event wasn't reported before.
    mutating func tellsFirst(_ event: HostEvent) -> Bool { told.insert(event).inserted }

    /// Removes the former reasons after a trigger has made a task.
    mutating func taskMade(of id: String) {
        if !filtered.isEmpty { filtered[id] = nil }
        if !obstacles.isEmpty { obstacles[id] = nil }
    }

    /// Removes the ending of a hand-made popup that is gone.
    mutating func forget(_ id: String) { endings[id] = nil }

    /// Adapts results to new rules: conditions that decided were compiled against other slots.
    mutating func rulesChanged(to catalog: Catalog) {
        told = []
        // The new rules may assign the popup to other users.
        filtered =
            filtered
            .filter { $0.value.reason != .notInRollout && $0.value.reason != .heldOut }
            .filter { catalog.place(of: $0.key) != nil }
            .mapValues { FilteredTrigger(reason: $0.reason, event: nil) }
        obstacles = obstacles.filter { catalog.place(of: $0.key) != nil }
            .mapValues { FormerObstacle(reason: $0.reason, date: $0.date) }
        endings = endings.filter { catalog.place(of: $0.key) != nil }
    }
}
