/// How the last trigger and the last task of each popup came out, by its id, for whoever asks why
/// it does not show.
struct Outcomes: Sendable {
    /// What kept the last trigger from making a task.
    private var filtered: [String: FilteredTrigger] = [:]
    /// What kept the last task from showing when it was dropped for that.
    private var obstacles: [String: FormerObstacle] = [:]
    private var endings: [String: ReasonCode] = [:]
    /// What is told once only.
    private var told: Set<HostEvent> = []

    func filter(of id: String) -> FilteredTrigger? { filtered[id] }
    func obstacle(of id: String) -> FormerObstacle? { obstacles[id] }
    func ending(of id: String) -> ReasonCode? { endings[id] }

    mutating func note(_ filter: FilteredTrigger, of id: String) { filtered[id] = filter }
    mutating func note(_ obstacle: FormerObstacle, of id: String) { obstacles[id] = obstacle }
    mutating func note(_ ending: ReasonCode, of id: String) { endings[id] = ending }

    /// Whether the event was not told before.
    mutating func tellsFirst(_ event: HostEvent) -> Bool { told.insert(event).inserted }

    /// A trigger has made a task.
    mutating func taskMade(of id: String) {
        if !filtered.isEmpty { filtered[id] = nil }
        if !obstacles.isEmpty { obstacles[id] = nil }
    }

    /// A hand-made popup is gone.
    mutating func forget(_ id: String) { endings[id] = nil }

    /// What came out under former rules: conditions that decided were compiled against other slots.
    mutating func rulesChanged(to catalog: Catalog) {
        told = []
        // Whom a popup is for may be another matter.
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
