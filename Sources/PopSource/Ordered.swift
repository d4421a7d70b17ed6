// Sorting whose code is there once. `sorted(by:)` is compiled anew for each kind of element and
// order, which is four kilobytes in an app each time: it is for what is sorted often.
extension Sequence {
    /// The elements in an order; those that are equal in it stay as they came. Time: as
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
