// Sorting with shared code. `sorted(by:)` is compiled for each kind of element and order, which
// takes four kilobytes in an app each time: use it for data that is sorted often.
extension Sequence {
    /// Returns the elements in an order; equal elements keep their order. Takes the time of
    /// `sorted(by:)`, and a call for each comparison.
    package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        let places = orderedPlaces(elements.count) { isBefore(elements[$0], elements[$1]) }
        return places.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order; as `ordered(by:)`.
    package func ordered() -> [Element] { ordered { $0 < $1 } }
}

@inline(never)
private func orderedPlaces(_ count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)
}
