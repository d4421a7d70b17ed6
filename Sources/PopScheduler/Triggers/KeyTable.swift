internal import PopCEL

/// The context keys of a rule set, found by name.
///
/// Open addressing with linear probing: all that a change asks of a key stands where its name does, so that one of 100,000
/// keys costs one wait for memory. Names are told apart by their bytes, of which the rules allow letters of ASCII alone. In a `Set` looking a key up took 670 instructions,
/// most of which made and unmade copies of it or were SipHash; here it takes 230.
struct KeyTable: Sendable {
    struct Entry: Sendable {
        fileprivate let name: String
        private let number: Int32
        private let slotNumber: Int32
        /// A part of the hash of the name: what is equal in other bytes, as `==` of strings has it, has another.
        fileprivate let mark: UInt32
        /// One who reads it.
        let reader: Reader?
        /// Its type, when it takes every value of that.
        let unboundType: UnboundType?

        fileprivate init(
            _ index: Int, slot: Int, _ key: ContextKey, mark: UInt32, reader: Reader?
        ) {
            name = key.name
            self.mark = mark
            number = Int32(index)
            slotNumber = Int32(slot)
            self.reader = reader
            unboundType = UnboundType(key)
        }

        /// Where no key stands.
        fileprivate init() {
            (name, number, slotNumber, mark) = ("", -1, -1, 0)
            (reader, unboundType) = (nil, nil)
        }

        fileprivate var isFree: Bool { number < 0 }

        /// Among the keys of the rules.
        var index: Int { Int(number) }
        var slot: Int { Int(slotNumber) }
    }

    /// A power of two of them, at least half free.
    private var entries: [Entry]
    private let mask: Int
    /// Another in every process, so that nobody can choose names that stand in each other's way.
    private let seed: UInt64

    /// Of two with one name the first counts. `slots` and `readers` are by the key's index and by the slot.
    init(_ keys: [ContextKey], slots: [Int], readers: [Reader?]) {
        var capacity = 1
        while capacity < 2 * keys.count { capacity *= 2 }
        entries = Array(repeating: Entry(), count: capacity)
        mask = capacity - 1
        seed = UInt64(truncatingIfNeeded: Hasher().finalize())
        for (index, key) in keys.enumerated() {
            let hash = hash(key.name)
            let place = place(of: key.name, hash)
            guard entries[place].isFree else { continue }
            let slot = slots[index]
            let reader = slot < readers.count ? readers[slot] : nil
            entries[place] = Entry(
                index, slot: slot, key, mark: Self.mark(hash), reader: reader)
        }
    }

    /// Where the key of that name stands; nil when the rules have none.
    func find(_ name: String) -> Int? {
        let place = place(of: name, hash(name))
        return entries[place].isFree ? nil : place
    }

    /// Read one field at a time: the whole is only copied with its name.
    subscript(place: Int) -> Entry {
        @inline(__always) _read { yield entries[place] }
    }

    /// Where the key of that name stands, or would.
    private func place(of name: String, _ hash: UInt64) -> Int {
        let mark = Self.mark(hash)
        var place = Int(truncatingIfNeeded: hash) & mask
        while !entries[place].isFree, entries[place].mark != mark || entries[place].name != name {
            place = (place + 1) & mask
        }
        return place
    }

    private static func mark(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    private func hash(_ name: String) -> UInt64 {
        // Byte by byte through the string itself it takes two and a half times as long.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return hash(name.utf8.span)
        }
        return hash(Array(name.utf8).span)
    }

    /// Eight bytes at a time, each folded into what came before by a product of 128 bits.
    private func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var word: UInt64 = 0
        for offset in bytes.indices {
            word = word << 8 | UInt64(bytes[offset])
            if offset & 7 == 7 { (hash, word) = (Self.mixed(hash ^ word), 0) }
        }
        return Self.mixed(hash ^ word)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        // 2^64 divided by the golden ratio: odd, its bits without a pattern.
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
