/// The part of a slot that fits into plain bits.
///
/// A scalar is stored entirely. For a string of up to 15 bytes, all bytes are stored, so that two
/// cells with the same bits are the same string; for a longer string, the first bytes and the
/// length, so that most comparisons end there.
struct SlotCell: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case missing
        case error
        case bool
        case int
        case uint
        case double
        case shortString
        case longString
        /// `low` is the number of elements.
        case list
        /// `low` is the number of entries.
        case map
        /// Anything else: the bits have no meaning.
        case other

        /// True if a cell of this kind contains everything that its slot contains.
        var isWhole: Bool {
            switch self {
            case .missing, .bool, .int, .uint, .double: true
            case .error, .shortString, .longString, .list, .map, .other: false
            }
        }
    }

    // The most aligned field comes first, so that a type that contains a cell has room after its
    // kind.
    var low: UInt64 = 0
    /// In a string, the top byte is 0x80 or the length when it is short.
    var high: UInt64 = 0
    var kind: Kind

    init(kind: Kind, low: UInt64 = 0) {
        self.kind = kind
        self.low = low
    }

    static let shortStringLimit = 15
}

extension SlotCell {
    /// The content of the slot, if the cell contains all of it; nil otherwise.
    var whole: SlotValue? {
        switch kind {
        case .missing: .missing
        case .bool: .value(.bool(low != 0))
        case .int: .value(.int(Int64(bitPattern: low)))
        case .uint: .value(.uint(low))
        case .double: .value(.double(Double(bitPattern: low)))
        case .error, .shortString, .longString, .list, .map, .other: nil
        }
    }

    /// Returns true if two whole cells are the same value of the same type: 0.0 and -0.0 are.
    func isSame(as other: SlotCell) -> Bool {
        if kind == .double, other.kind == .double {
            return Double(bitPattern: low) == Double(bitPattern: other.low)
        }
        return self == other
    }

    init(_ slot: SlotValue) {
        switch slot {
        case .missing: self.init(kind: .missing)
        case .error: self.init(kind: .error)
        case .value(let value): self.init(value)
        }
    }

    init(_ value: Value) {
        switch value {
        case .bool(let value): self.init(kind: .bool, low: value ? 1 : 0)
        case .int(let value): self.init(kind: .int, low: UInt64(bitPattern: value))
        case .uint(let value): self.init(kind: .uint, low: value)
        case .double(let value): self.init(kind: .double, low: value.bitPattern)
        case .string(let value): self.init(value)
        case .list(let value): self.init(kind: .list, low: UInt64(value.count))
        case .map(let value): self.init(kind: .map, low: UInt64(value.count))
        case .null, .bytes, .timestamp, .duration, .version, .type, .optional:
            self.init(kind: .other)
        }
    }

    private init(_ string: String) {
        let count = string.utf8.count
        let isShort = count <= Self.shortStringLimit
        self.init(kind: isShort ? .shortString : .longString)
        var shift: UInt64 = 0
        for byte in string.utf8 {
            if shift < 64 {
                low |= UInt64(byte) &<< shift
            } else {
                high |= UInt64(byte) &<< (shift - 64)
            }
            shift += 8
            if shift == 8 * UInt64(Self.shortStringLimit) { break }
        }
        high |= (isShort ? UInt64(count) : 0x80) << 56
    }
}
