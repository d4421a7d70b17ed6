/// A type with a value that most instances have.
@usableFromInline package protocol Defaultable: Sendable {
    /// The usual value.
    init()
}

/// A value in one reference, which copies share until one of them is set; the usual value takes no
/// memory. Inlinable, so that a module that reads one field of a value copies only that field.
@usableFromInline package struct Shared<Value: Defaultable>: Sendable {
    @usableFromInline final class Box: Sendable {
        @usableFromInline let value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    @inlinable package init() {}

    @inlinable package var value: Value {
        get { box?.value ?? Value() }
        set { box = Box(newValue) }
    }

    /// The value; nil if it was never set.
    @inlinable package var valueIfAny: Value? { box?.value }

    /// True if the value was never set.
    @inlinable package var isUsual: Bool { box == nil }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline package static func == (left: Self, right: Self) -> Bool {
        left.value == right.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
