internal import PopSource

/// The slots that programs read, numbered from 0 in the order of compilation.
///
/// Every program keeps the table in its state when the program was compiled. Therefore a table that
/// grew out of another shares its storage: a copy costs nothing, and a thousand programs don't keep
/// a thousand lists.
public struct SlotTable: Sendable {
    /// The meaning of a slot.
    public enum Entry: Sendable, Hashable {
        /// The value of a variable, by its identity.
        case variable(identity: String)
        /// The result of a function that the host declared, for these constants.
        case call(function: String, arguments: [Value])
    }

    private var storage = Storage()
    /// The number of slots. The storage may contain more, which belong to later tables.
    public private(set) var count = 0

    /// The number of states in the patterns of all programs that were compiled with this table.
    private(set) var patternStates = 0

    /// A table without slots.
    public init() {}

    /// Adds the states of a compiled pattern to the count.
    mutating func addPattern(states: Int) { patternStates += states }

    /// The meaning of each slot; the index is the slot's number.
    public var entries: [Entry] { storage.entries(count) }

    /// Returns the meanings of some slots, which must be less than the count; the others aren't
    /// read.
    func entries(at slots: [SlotIndex]) -> [Entry] { storage.entries(at: slots) }

    /// Returns the slot of an entry, and adds a slot if the entry has none yet.
    public mutating func slot(for entry: Entry) -> SlotIndex {
        while true {
            if let slot = storage.slot(of: entry, among: count) {
                count = max(count, slot + 1)
                return SlotIndex(slot)
            }
            storage = Storage(entries)
        }
    }
}

/// Entries that are only ever added, so that tables of any length can share them.
private final class Storage: Sendable {
    private struct State {
        var entries: [SlotTable.Entry]
        /// Empty while the entries are few.
        var index: [SlotTable.Entry: Int] = [:]

        init(_ entries: [SlotTable.Entry]) {
            self.entries = entries
            indexIfMany()
        }

        func slot(of entry: SlotTable.Entry) -> Int? {
            index.isEmpty ? entries.firstIndex(of: entry) : index[entry]
        }

        mutating func append(_ entry: SlotTable.Entry) {
            if entries.isEmpty { entries.reserveCapacity(4) }
            entries.append(entry)
            if index.isEmpty {
                indexIfMany()
            } else {
                index[entry] = entries.count - 1
            }
        }

        private mutating func indexIfMany() {
            guard entries.count > Storage.smallCount else { return }
            for (slot, entry) in entries.enumerated() where index[entry] == nil {
                index[entry] = slot
            }
        }
    }

    /// Up to this many entries are compared one by one.
    private static let smallCount = 8

    private let state: LockedValue<State>

    init(_ entries: [SlotTable.Entry] = []) { state = LockedValue(State(entries)) }

    func entries(_ count: Int) -> [SlotTable.Entry] {
        state.withLock { $0.entries.count == count ? $0.entries : Array($0.entries.prefix(count)) }
    }

    func entries(at slots: [SlotIndex]) -> [SlotTable.Entry] {
        state.withLock { state in slots.map { state.entries[$0.number] } }
    }

    /// Returns the slot of an entry among the first `count`, or assigns the next slot to it; nil if
    /// another table has already used that slot.
    func slot(of entry: SlotTable.Entry, among count: Int) -> Int? {
        state.withLock { state in
            if let slot = state.slot(of: entry), slot < count { return slot }
            guard state.entries.count == count else { return nil }
            state.append(entry)
            return count
        }
    }
}

/// The index of a slot in a `SlotTable`, and of its value in `SlotValues`.
public struct SlotIndex: ListIndex {
    /// The number, counted from 0.
    public let number: Int

    /// Creates the index with that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}
