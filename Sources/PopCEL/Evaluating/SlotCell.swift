/// The part of a slot that fits into plain bits.
///
/// Scalars are held entirely. Of a string of up to 15 bytes all bytes are held, so that two cells with the same bits are
/// the same string; of a longer one the first bytes and the length, so that most comparisons end there.
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
        /// Anything else: the bits say nothing.
        case other

        /// Whether two cells of this kind are the same value when their bits are the same, and only then.
        var isScalar: Bool { self == .bool || self == .int || self == .uint }
    }

    var kind: Kind
    var low: UInt64 = 0
    /// In a string, the top byte is 0x80 or the length when it is short.
    var high: UInt64 = 0

    static let shortStringLimit = 15
}

extension SlotCell {
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
        default: self.init(kind: .other)
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
