internal import PopCEL

/// The tasks that wait or are chosen, by the index of their popup.
///
/// The data that every examination reads is together in one row, the size of a cache line; data
/// that few tasks have is stored separately. A popup without a task has an empty row instead of
/// nil: to read one field of an optional in an array, the compiler copies all of it.
struct TaskTable: Sendable {
    fileprivate struct Row: Sendable {
        // The data that is read whenever the task is woken comes first, so that it is rarely split
        // between two cache lines.
        var order = TaskOrder.none
        /// The watched slots that wake the task; kept for the next task of the popup.
        var post = Watchers.Post()
        fileprivate var turns: Int32 = 0
        var status = LiveTask.Status.unknown
        fileprivate var flags: Flags = []
        var made = Duration.zero
    }

    /// In one byte, because a row of 48 bytes is split between two cache lines less often than a
    /// row of 56.
    fileprivate struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let isWaiting = Self(rawValue: 1)
        static let watchesCondition = Self(rawValue: 2)
        static let hasRest = Self(rawValue: 4)
    }

    private struct Rest: Sendable {
        var postponedUntil: Duration?
        var wasShown = false
        var acts: LiveTask.Acts = []
        var delay: Int?
        var arm: String?
        var isExposed = false
        var visibleTime = Duration.zero
        var errors: [ConditionRole: EvaluationError] = [:]
        var statusEnds = Deadline.never
    }

    private var rows: TypedArray<PopupIndex, Row>
    private var rests: [PopupIndex: Rest] = [:]

    init(count: Int) { rows = TypedArray(repeating: Row(), count: count) }

    var indices: Range<PopupIndex> { rows.indices }

    /// Makes room for a popup that may come after all others.
    mutating func makeRoom(for popup: PopupIndex) {
        if popup == rows.endIndex { rows.append(Row()) }
    }

    func isLive(_ popup: PopupIndex) -> Bool { rows[popup].order.isTaken }

    /// Adds a task that wasn't examined yet.
    mutating func insert(_ task: LiveTask, order: TaskOrder, of popup: PopupIndex) {
        rows[popup].order = order
        rows[popup].made = task.claim.made
        rows[popup].turn = task.turn
        rows[popup].status = .unknown
        rows[popup].isWaiting = false
        let claim = task.claim
        guard
            claim.wasShown || claim.postponedUntil != nil || claim.delay != nil
                || claim.arm != nil || !task.errors.isEmpty
        else { return }
        rows[popup].hasRest = true
        rests[popup] = Rest(
            postponedUntil: claim.postponedUntil, wasShown: claim.wasShown, acts: claim.acts,
            delay: claim.delay,
            arm: claim.arm, isExposed: claim.isExposed, visibleTime: task.visibleTime,
            errors: task.errors)
    }

    mutating func remove(_ popup: PopupIndex) {
        rows[popup].order = .none
        rows[popup].isWaiting = false
        guard rows[popup].hasRest else { return }
        rows[popup].hasRest = false
        rests[popup] = nil
    }

    /// Nil when the popup has no task here.
    subscript(popup: PopupIndex) -> LiveTask? { isLive(popup) ? task(of: popup) : nil }
}

// Tasks of popups that have one.
extension TaskTable {
    /// Returns the task of a popup; with `isShown` as it is once it is on the screen.
    func task(of popup: PopupIndex, isShown: Bool = false) -> LiveTask {
        var claim = claim(of: popup)
        if isShown { claim.wasShown = true }
        let (number, turn) = (rows[popup].order.number, rows[popup].turn)
        guard rows[popup].hasRest, let rest = rests[popup] else {
            return LiveTask(number: number, claim, turn: turn)
        }
        var task = LiveTask(number: number, claim, turn: turn)
        task.visibleTime = rest.visibleTime
        task.errors = rest.errors
        return task
    }

    func status(of popup: PopupIndex) -> LiveTask.Status { rows[popup].status }
    func order(of popup: PopupIndex) -> TaskOrder { rows[popup].order }
    func post(of popup: PopupIndex) -> Watchers.Post { rows[popup].post }

    func claim(of popup: PopupIndex) -> LiveTask.Claim {
        var claim = LiveTask.Claim(made: rows[popup].made)
        if rows[popup].hasRest, let rest = rests[popup] {
            claim.postponedUntil = rest.postponedUntil
            claim.wasShown = rest.wasShown
            claim.delay = rest.delay
            claim.arm = rest.arm
            claim.isExposed = rest.isExposed
            claim.acts = rest.acts
        }
        return claim
    }

    /// Returns the deadline at which the status may change by itself.
    func statusEnds(of popup: PopupIndex) -> Deadline {
        rows[popup].hasRest ? rests[popup]?.statusEnds ?? .never : .never
    }

    /// Returns true if it was switched out.
    func wasShown(_ popup: PopupIndex) -> Bool {
        rows[popup].hasRest && rests[popup]?.wasShown == true
    }

    /// Returns true if only its order and the instant at which it was made are stored.
    func isPlain(_ popup: PopupIndex) -> Bool { !rows[popup].hasRest }

    /// Returns its arm; nil if the arm isn't fixed.
    func arm(of popup: PopupIndex) -> String? {
        rows[popup].hasRest ? rests[popup]?.arm : nil
    }

    /// Returns true if its user was exposed to its arm.
    func isExposed(_ popup: PopupIndex) -> Bool {
        rows[popup].hasRest && rests[popup]?.isExposed == true
    }

    func errors(of popup: PopupIndex) -> [ConditionRole: EvaluationError] {
        rows[popup].hasRest ? rests[popup]?.errors ?? [:] : [:]
    }

    /// Returns true if it is in a queue, not chosen; false for a popup without a task.
    func isWaiting(_ popup: PopupIndex) -> Bool { rows[popup].isWaiting }

    mutating func setWaiting(_ isWaiting: Bool, of popup: PopupIndex) {
        rows[popup].isWaiting = isWaiting
    }

    /// Counts another choice of the task. Returns how often it was chosen, including this time.
    mutating func nextTurn(_ popup: PopupIndex) -> Int {
        rows[popup].turn += 1
        return rows[popup].turn
    }

    /// Stores the result of an examination.
    mutating func know(_ popup: PopupIndex, status: LiveTask.Status, until ends: Deadline) {
        rows[popup].status = status
        if rows[popup].hasRest || !ends.isNever { changeRest(popup) { $0.statusEnds = ends } }
    }

    /// Resets the status, because something that it depends on has changed.
    mutating func forget(_ popup: PopupIndex) {
        rows[popup].status = .unknown
        if rows[popup].hasRest { changeRest(popup) { $0.statusEnds = .never } }
    }

    mutating func postpone(_ popup: PopupIndex, until end: Duration) {
        changeRest(popup) { $0.postponedUntil = end }
        forget(popup)
    }

    mutating func setArm(_ arm: String, of popup: PopupIndex) {
        changeRest(popup) { $0.arm = arm }
    }

    mutating func setExposed(_ popup: PopupIndex) {
        changeRest(popup) { $0.isExposed = true }
    }

    mutating func setError(_ error: EvaluationError?, role: ConditionRole, of popup: PopupIndex) {
        changeRest(popup) { $0.errors[role] = error }
    }

    /// Watches the slots that the status depends on, which may be the slots of the popup's
    /// condition.
    mutating func watch(
        _ popup: PopupIndex, keys: ArraySlice<SlotIndex>, areOfCondition: Bool,
        with conditions: inout Conditions
    ) {
        conditions.watch(keys, as: .popup(popup), at: &rows[popup].post)
        rows[popup].watchesCondition = areOfCondition
    }

    func watchesCondition(_ popup: PopupIndex) -> Bool { rows[popup].watchesCondition }

    /// Resets all posts, because new watchers don't know posts of former watchers.
    mutating func forgetPosts() {
        for popup in rows.indices {
            rows[popup].post = Watchers.Post()
            rows[popup].watchesCondition = false
        }
    }

    private mutating func changeRest(_ popup: PopupIndex, body: (inout Rest) -> Void) {
        rows[popup].hasRest = true
        body(&rests[popup, default: Rest()])
    }
}

extension TaskTable.Row {
    /// After two billion attempts it starts again from the smallest integer.
    var turn: Int {
        get { Int(turns) }
        set { turns = Int32(truncatingIfNeeded: newValue) }
    }

    var isWaiting: Bool {
        get { flags.contains(.isWaiting) }
        set { set(.isWaiting, isSet: newValue) }
    }

    /// True if the post is for the slots of the popup's condition.
    var watchesCondition: Bool {
        get { flags.contains(.watchesCondition) }
        set { set(.watchesCondition, isSet: newValue) }
    }

    var hasRest: Bool {
        get { flags.contains(.hasRest) }
        set { set(.hasRest, isSet: newValue) }
    }

    private mutating func set(_ flag: TaskTable.Flags, isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }
}
