/// The tasks that wait or are chosen, by the index of their popup.
///
/// A popup without a task has an empty entry instead of nil: to read one field of an optional in an array, the compiler
/// copies all of it and counts its references, which was an eighth of the cost of a change.
struct TaskTable: Sendable {
    private var entries: [LiveTask]

    init(count: Int) { entries = Array(repeating: .none, count: count) }

    var indices: Range<Int> { entries.indices }

    mutating func makeRoom() { entries.append(.none) }

    subscript(popup: Int) -> LiveTask? {
        get { isLive(popup) ? entries[popup] : nil }
        set { entries[popup] = newValue ?? .none }
    }

    func isLive(_ popup: Int) -> Bool { entries[popup].isLive }

    // Each of a popup that has a task.
    func status(of popup: Int) -> LiveTask.Status { entries[popup].status }
    func statusEnds(of popup: Int) -> Deadline { entries[popup].statusEnds }
    func order(of popup: Int) -> TaskOrder { entries[popup].order }
    func claim(of popup: Int) -> LiveTask.Claim { entries[popup].claim }
    func watched(by popup: Int) -> [Int] { entries[popup].watched }
    func hasErrors(_ popup: Int) -> Bool { !entries[popup].errors.isEmpty }

    /// Changes the task of a popup that has one, where it stands.
    mutating func change(_ popup: Int, _ body: (inout LiveTask) -> Void) { body(&entries[popup]) }
}
