/// What an event brings about, in order, until it is given out.
struct Effects: Sendable {
    private var list: [Effect] = []

    /// There are mostly two to four effects: room for them is asked for once.
    mutating func add(_ effect: consuming Effect) {
        if list.isEmpty { list.reserveCapacity(4) }
        list.append(effect)
    }

    /// Adds two. Mostly they are the first and all, and a list that is made of two is made in half
    /// the instructions.
    mutating func add(_ first: consuming Effect, then second: consuming Effect) {
        if list.isEmpty {
            list = [first, second]
        } else {
            list.append(first)
            list.append(second)
        }
    }

    /// Makes room for as many more: without it, what is there would be copied whenever it is used
    /// up.
    mutating func makeRoom(for count: Int) { list.reserveCapacity(list.count + count) }

    /// Gives all out.
    mutating func take() -> [Effect] {
        var given: [Effect] = []
        swap(&given, &list)
        return given
    }
}
