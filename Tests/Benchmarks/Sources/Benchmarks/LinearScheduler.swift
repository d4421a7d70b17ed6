/// A scheduler that works like the predecessors: a list in order, and every condition evaluated
/// whenever anything changes.
struct LinearScheduler {
    struct Task {
        var id: Int
        var priority: Int
        var condition: ([Bool]) -> Bool
    }

    var flags: [Bool]
    private(set) var tasks: [Task] = []

    init(flags count: Int, tasks: [Task] = []) {
        flags = Array(repeating: false, count: count)
        self.tasks = tasks
    }

    /// The task that may show first.
    mutating func add(_ task: Task) -> Int? {
        let position = tasks.firstIndex { $0.priority < task.priority } ?? tasks.count
        tasks.insert(task, at: position)
        return next()
    }

    mutating func set(_ flag: Int, _ value: Bool) -> Int? {
        flags[flag] = value
        return next()
    }

    private func next() -> Int? {
        tasks.filter { $0.condition(flags) }.first?.id
    }
}
