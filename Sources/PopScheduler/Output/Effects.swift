/// The effects of an event, in order, until they are returned.
struct Effects: Sendable {
    private var list: [Effect] = []

    /// Adds an effect. Usually there are two to four effects, so space for four is reserved in one
    /// step.
    mutating func add(_ effect: consuming Effect) {
        if list.isEmpty { list.reserveCapacity(4) }
        list.append(effect)
    }

    /// Adds two effects. Usually they are the first and only ones, and a list made of two takes
    /// half the instructions.
    mutating func add(_ first: consuming Effect, then second: consuming Effect) {
        if list.isEmpty {
            list = [first, second]
        } else {
            list.append(first)
            list.append(second)
        }
    }

    /// Reserves space for more effects; without it, the list would be copied whenever its space is
    /// used up.
    mutating func makeRoom(for count: Int) { list.reserveCapacity(list.count + count) }

    /// Returns all effects and empties the list.
    mutating func take() -> [Effect] {
        var given: [Effect] = []
        swap(&given, &list)
        return given
    }
}
