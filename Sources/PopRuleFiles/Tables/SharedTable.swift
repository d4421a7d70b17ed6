internal import Synchronization

/// A table that several cores look things up in and add to.
///
/// In parts with a lock each: cores that wait for one lock have the kernel put them to sleep and wake them up, which took
/// 7 % of the processor time of loading 10,000 popups. What one core reads alone needs one part: tables of sixteen took 5 % of
/// the instructions of loading 20, and one part takes 2.
final class SharedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Part: Sendable {
        let entries: Mutex<Entries>

        init(capacity: Int) { entries = Mutex(Entries(capacity: capacity)) }
    }

    /// Few keys are compared one by one.
    private struct Entries {
        private var few: [(key: Key, value: Value)] = []
        private var many: [Key: Value] = [:]

        init(capacity: Int) { few.reserveCapacity(capacity) }

        subscript(key: Key) -> Value? {
            if !many.isEmpty { return many[key] }
            for index in few.indices where few[index].key == key { return few[index].value }
            return nil
        }

        mutating func note(_ value: Value, for key: Key) -> Value? {
            if !many.isEmpty { return Self.fill(&many[key], with: value) }
            if let first = self[key] { return first }
            few.append((key, value))
            if few.count > SharedTable.fewKeys {
                many = Dictionary(uniqueKeysWithValues: few.map { ($0.key, $0.value) })
                few = []
            }
            return nil
        }

        /// By reference, so that the key is hashed once.
        private static func fill(_ place: inout Value?, with value: Value) -> Value? {
            if let first = place { return first }
            place = value
            return nil
        }
    }

    private static var fewKeys: Int { 24 }

    private let parts: [Part]

    init(forSeveralCores isShared: Bool = true) {
        parts =
            isShared
            ? (0..<16).map { _ in Part(capacity: 0) } : [Part(capacity: Self.fewKeys)]
    }

    subscript(key: Key) -> Value? { part(of: key).entries.withLock { $0[key] } }

    /// Adds a value, or answers the one that was there first.
    func note(_ value: Value, for key: Key) -> Value? {
        part(of: key).entries.withLock { $0.note(value, for: key) }
    }

    private func part(of key: Key) -> Part {
        parts.count == 1 ? parts[0] : parts[key.hashValue & (parts.count - 1)]
    }
}
