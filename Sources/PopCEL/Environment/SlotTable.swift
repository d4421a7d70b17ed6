internal import PopSource

/// The slots that programs read, numbered from 0 as the programs were compiled.
///
/// Every program keeps the table as it was when it was compiled. So a table that grew out of
/// another shares its storage: a copy costs nothing, and a thousand programs do not keep a thousand
/// lists.
public struct SlotTable: Sendable {
    /// What a slot stands for.
    public enum Entry: Sendable, Hashable {
        /// The value of a variable, by its identity.
        case variable(identity: String)
        /// What a function that the host declared gives for these constants.
        case call(function: String, arguments: [Value])
    }

    private var storage = Storage()
    /// How many slots there are. The storage may hold more, which belong to later tables.
    public private(set) var count = 0

    /// The number of states in the patterns of all programs that were compiled with this table.
    private(set) var patternStates = 0

    /// A table without slots.
    public init() {}

    /// Counts the states of a pattern that was compiled.
    mutating func addPattern(states: Int) { patternStates += states }

    /// What each slot stands for; the index is the slot's number.
    public var entries: [Entry] { storage.entries(count) }

    /// What some slots stand for, which are less than the count; the others are not looked at.
    func entries(at slots: [SlotIndex]) -> [Entry] { storage.entries(at: slots) }

    /// The slot of an entry, a new one when it has none yet.
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

    private let state: Guarded<State>

    init(_ entries: [SlotTable.Entry] = []) { state = Guarded(State(entries)) }

    func entries(_ count: Int) -> [SlotTable.Entry] {
        state.withLock { $0.entries.count == count ? $0.entries : Array($0.entries.prefix(count)) }
    }

    func entries(at slots: [SlotIndex]) -> [SlotTable.Entry] {
        state.withLock { state in slots.map { state.entries[$0.number] } }
    }

    /// The slot of an entry among the first `count`, or the next one, which is the entry's from now
    /// on; nil when another table has gone on from there.
    func slot(of entry: SlotTable.Entry, among count: Int) -> Int? {
        state.withLock { state in
            if let slot = state.slot(of: entry), slot < count { return slot }
            guard state.entries.count == count else { return nil }
            state.append(entry)
            return count
        }
    }
}
