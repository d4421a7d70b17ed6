/// A heap of small integers by key, smallest first, that also finds and removes any of them.
///
/// Four children stand below each entry: half as many levels as with two, and so half as many entries that move.
/// Inserting and removing are logarithmic, looking at the first is constant. An item stands in it at most once.
struct IndexedHeap<Key: Comparable & Sendable>: Sendable {
    struct Entry: Sendable {
        var key: Key
        var item: Int
    }

    private static var fanOut: Int { 4 }

    /// In no particular order but for the first.
    private(set) var entries: [Entry] = []
    /// Where each item stands in `entries`, -1 when it does not.
    private var positions: [Int32] = []

    var first: Entry? { entries.first }
    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    func contains(_ item: Int) -> Bool { item < positions.count && positions[item] >= 0 }

    /// Puts an item in, or moves it to another key.
    mutating func insert(_ item: Int, key: Key) {
        if contains(item) { remove(item) }
        if item >= positions.count {
            let missing = max(item + 1, positions.count * 2) - positions.count
            positions.append(contentsOf: repeatElement(-1, count: missing))
        }
        entries.append(Entry(key: key, item: item))
        positions[item] = Int32(entries.count - 1)
        siftUp(entries.count - 1)
    }

    mutating func remove(_ item: Int) {
        guard contains(item) else { return }
        let position = Int(positions[item])
        positions[item] = -1
        let last = entries.removeLast()
        guard position < entries.count else { return }
        entries[position] = last
        positions[last.item] = Int32(position)
        siftUp(position)
        siftDown(Int(positions[last.item]))
    }

    private mutating func siftUp(_ start: Int) {
        let entry = entries[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / Self.fanOut
            guard entry.key < entries[parent].key else { break }
            put(entries[parent], position)
            position = parent
        }
        put(entry, position)
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        let count = entries.count
        var position = start
        while true {
            let first = Self.fanOut * position + 1
            guard first < count else { break }
            var child = first
            for other in first + 1..<max(first + 1, min(first + Self.fanOut, count))
            where entries[other].key < entries[child].key {
                child = other
            }
            guard entries[child].key < entry.key else { break }
            put(entries[child], position)
            position = child
        }
        put(entry, position)
    }

    private mutating func put(_ entry: Entry, _ position: Int) {
        entries[position] = entry
        positions[entry.item] = Int32(position)
    }
}
