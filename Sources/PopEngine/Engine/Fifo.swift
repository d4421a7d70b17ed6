/// A list that is taken from at its front.
struct Fifo<Element> {
    private var elements: [Element] = []
    /// The number of elements that were taken and still occupy their places.
    private var taken = 0

    var count: Int { elements.count - taken }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[taken] }

    mutating func append(_ element: consuming Element) { elements.append(element) }

    /// Takes the first one. Moving up the others is spread over as many takings.
    mutating func popFirst() -> Element? {
        guard taken < elements.count else { return nil }
        let first = elements[taken]
        taken += 1
        if taken == elements.count {
            elements.removeAll(keepingCapacity: taken <= 64)
            taken = 0
        } else if taken > 64, taken * 2 > elements.count {
            elements.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
