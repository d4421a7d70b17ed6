/// Has a value that most have.
package protocol HasUsualValue: Sendable {
    /// The usual value.
    init()
}

/// A value behind one reference, which copies share until one of them is set; the usual value takes
/// no room.
package struct Shared<Value: HasUsualValue>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    package init() {}

    package var value: Value {
        get { box?.value ?? Value() }
        set { box = Box(newValue) }
    }

    /// Whether the value was never set.
    package var isUsual: Bool { box == nil }
}
