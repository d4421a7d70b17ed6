internal import PopSource

/// The condition of a hand-made popup.
enum ForeignCondition: Sendable {
    case anywhere(@Sendable (ContextValues) -> Bool)
    case onMainActor(@MainActor @Sendable (ContextValues) -> Bool)
}

/// The conditions of the hand-made popups in the queues, each with its last result.
struct ForeignConditions {
    struct Entry {
        let id: String
        let condition: ForeignCondition
        var isTrue: Bool
        /// Distinguishes a popup from an earlier one of the same ID.
        let number: Int
    }

    private var entries: [String: Entry] = [:]
    private var count = 0

    var isEmpty: Bool { entries.isEmpty }
    /// Ordered by id.
    var all: [Entry] { entries.values.ordered { $0.id < $1.id } }

    subscript(id: String) -> Entry? { entries[id] }

    mutating func add(_ id: String, condition: ForeignCondition, isTrue: Bool) {
        count += 1
        entries[id] = Entry(id: id, condition: condition, isTrue: isTrue, number: count)
    }

    mutating func remove(_ id: String) { entries[id] = nil }

    /// Stores a result. Returns true if it changed and the popup is still in a queue.
    mutating func set(_ entry: Entry, isTrue: Bool) -> Bool {
        guard let known = entries[entry.id], known.number == entry.number, known.isTrue != isTrue
        else { return false }
        entries[entry.id]?.isTrue = isTrue
        return true
    }
}
