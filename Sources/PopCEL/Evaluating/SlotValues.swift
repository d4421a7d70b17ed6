/// The content of a slot while an expression is evaluated.
public enum SlotValue: Sendable, Hashable {
    /// No value: reading it is an error, `has()` of it is false.
    case missing
    /// The value that a program reads; its type isn't checked again.
    case value(Value)
    /// The producer of the value has failed: reading it results in that error.
    indirect case error(EvaluationError)
}

/// The values of all slots at one time: the input of an evaluation.
///
/// A value is packed into a cell of plain bits, so that typical conditions are evaluated without
/// touching any reference count. A value that doesn't fit into a cell is stored in a parallel
/// array.
public struct SlotValues: Sendable {
    private(set) var cells: [SlotCell]
    /// The values of slots whose cells aren't whole; for the others the entry is missing and never
    /// read.
    private var values: [SlotValue]

    /// Creates values in which all slots are missing.
    public init(count: Int) {
        cells = Array(repeating: SlotCell(kind: .missing), count: count)
        values = Array(repeating: .missing, count: count)
    }

    /// The number of slots, which are numbered from 0.
    public var count: Int { cells.count }

    /// Precondition: the slot is less than the count.
    public subscript(slot: SlotIndex) -> SlotValue {
        get { cells[slot.number].whole ?? values[slot.number] }
        set { put(newValue, cell: SlotCell(newValue), slot: slot) }
    }

    /// Returns the list in a slot, or nil if the slot contains no list.
    func list(at slot: SlotIndex) -> [Value]? {
        if case .value(.list(let list)) = values[slot.number] { list } else { nil }
    }

    /// Sets a slot, and returns true if its content differs from before: `1` and `1.0` differ here.
    package mutating func replace(_ slot: SlotIndex, by value: SlotValue) -> Bool {
        let (former, cell) = (cells[slot.number], SlotCell(value))
        if former.kind.isWhole, cell.kind.isWhole {
            cells[slot.number] = cell
            return !former.isSame(as: cell)
        }
        let isOther = !isSame(self[slot], value)
        put(value, cell: cell, slot: slot)
        return isOther
    }

    /// Most slots contain scalars: then the values aren't touched, which avoids waiting for memory.
    private mutating func put(_ value: SlotValue, cell: SlotCell, slot: SlotIndex) {
        if !cell.kind.isWhole {
            values[slot.number] = value
        } else if !cells[slot.number].kind.isWhole {
            values[slot.number] = .missing
        }
        cells[slot.number] = cell
    }

    private func isSame(_ left: SlotValue, _ right: SlotValue) -> Bool {
        if case (.value(let left), .value(let right)) = (left, right) {
            return left == right && left.type == right.type
        }
        return left == right
    }

    /// Returns the first `kept` values, as far as they exist, filled up with missing values to a
    /// count.
    func resized(to count: Int, keeping kept: Int = .max) -> SlotValues {
        var resized = SlotValues(count: count)
        for slot in SlotIndex(0)..<SlotIndex(min(self.count, kept, count)) {
            resized[slot] = self[slot]
        }
        return resized
    }
}

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
