package import PopCEL
package import PopScheduler
package import PopSource
internal import PopWire

extension Event {
    /// As `replay` reads an input, without its time.
    package var wire: JSON { WireForm<Event>.input.write(self) }
}

extension History {
    /// As `replay` reads it.
    package var wire: JSON { WireForm<History>.history.write(self) }
}

/// The values of a context or a payload, as `replay` reads them.
package func wireValues(_ values: [String: Value]) -> JSON {
    WireForm<[String: Value]>.values.write(values)
}
