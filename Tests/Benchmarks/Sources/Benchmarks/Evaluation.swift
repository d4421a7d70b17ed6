import Measuring
import PopCEL

/// The values and the table of conditions that a scheduler has of a crowd, without the scheduler.
struct Evaluation {
    private let table: ConditionTable
    private let places: [ConditionTable.Place]
    private var slots: SlotValues
    private var number = 0

    init(_ crowd: Crowd) {
        (table, places) = ConditionTable.holding(crowd.rules.popups.map { $0.when?.program })
        slots = SlotValues(count: crowd.rules.keys.count)
        // A slot and its key have the same number.
        for (number, key) in crowd.rules.keys.enumerated() {
            slots[SlotIndex(number)] = key.defaultValue.map { .value($0) } ?? .missing
        }
    }

    /// Writes the flag of another task, evaluates its condition, and returns the time that both
    /// took.
    mutating func next() -> Duration {
        number = (number + 7_919) % places.count
        let place = places[number]
        let slot = SlotIndex(slots.count - places.count + number)
        var isMet: Bool?
        let time = ContinuousClock().measure {
            slots[slot] = .value(.bool(true))
            isMet = table.isMet(place, in: slots)
        }
        precondition(isMet == true, "the flag is all that the condition waits for")
        slots[slot] = .value(.bool(false))
        return time
    }
}
