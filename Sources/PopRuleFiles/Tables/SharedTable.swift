internal import Synchronization

/// A table that several cores look things up in and add to.
///
/// In parts with a lock each: cores that wait for one lock have the kernel put them to sleep and wake them up, which took
/// 7 % of the processor time of loading 10,000 popups.
final class SharedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Part: Sendable {
        let values = Mutex<[Key: Value]>([:])
    }

    private let parts = (0..<16).map { _ in Part() }

    subscript(key: Key) -> Value? { part(of: key).values.withLock { $0[key] } }

    /// Adds a value, or answers the one that was there first.
    func note(_ value: Value, for key: Key) -> Value? {
        part(of: key).values.withLock { Self.fill(&$0[key], with: value) }
    }

    /// By reference, so that the key is hashed once.
    private static func fill(_ place: inout Value?, with value: Value) -> Value? {
        if let first = place { return first }
        place = value
        return nil
    }

    private func part(of key: Key) -> Part { parts[key.hashValue & (parts.count - 1)] }
}
