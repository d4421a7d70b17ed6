package import PopCEL
package import PopScheduler
package import PopSource
internal import PopWire

extension Event {
    /// The input in the form that `replay` reads, without its time.
    package var wire: JSON { WireForm<Event>.input.write(self) }
}

extension History {
    /// The history in the form that `replay` reads.
    package var wire: JSON { WireForm<History>.history.write(self) }
}

/// Returns the values of a context or a payload in the form that `replay` reads.
package func wireValues(_ values: [String: Value]) -> JSON {
    WireForm<[String: Value]>.values.write(values)
}
