/// A set whose elements were added a number of times, and are in it until they were taken out as
/// often: what is known in one part of an expression and not in the next one.
struct CountedSet<Element: Hashable> {
    private var counts: [Element: Int] = [:]

    init(_ elements: Set<Element> = []) { add(elements) }

    /// The elements, each once.
    var elements: Set<Element> { Set(counts.keys) }

    func contains(_ element: Element) -> Bool { counts[element] != nil }

    func contains(where isWanted: (Element) -> Bool) -> Bool {
        counts.keys.contains(where: isWanted)
    }

    mutating func add(_ elements: Set<Element>) {
        for element in elements { counts[element, default: 0] += 1 }
    }

    mutating func remove(_ elements: Set<Element>) {
        for element in elements {
            let count = (counts[element] ?? 0) - 1
            counts[element] = count > 0 ? count : nil
        }
    }
}
