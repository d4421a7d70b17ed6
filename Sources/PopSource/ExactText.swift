/// A string that equals another one only if both have the same Unicode scalars.
///
/// Swift's own `==` also treats canonical equivalents as equal, such as `é` and an `e` with a
/// combining accent; rules and file systems tell them apart.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.count == right.text.utf8.count
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
