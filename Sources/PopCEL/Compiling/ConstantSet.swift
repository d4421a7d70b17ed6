/// The values of a constant list on the right of `in`.
struct ConstantSet: Sendable {
    private let list: [Value]
    /// Empty when the list is short.
    private let set: Set<Value>
    /// The cells of the values when all are of one kind that is told apart by its bits.
    let cells: [SlotCell]
    let kind: SlotCell.Kind

    /// Up to this many values are compared one by one.
    private static let smallCount = 8

    init(_ list: [Value]) {
        self.list = list
        set = list.count <= Self.smallCount ? [] : Set(list)
        let all = list.map { SlotCell($0) }
        let kind = all.first?.kind ?? .other
        let isUniform =
            all.count <= Self.smallCount && kind.isExact && all.allSatisfy { $0.kind == kind }
        cells = isUniform ? all : []
        self.kind = isUniform ? kind : .other
    }

    func contains(_ value: Value) -> Bool {
        set.isEmpty ? list.contains(value) : set.contains(value)
    }

    /// Whether the set holds a slot's value; nil when the bits do not tell.
    @inline(__always)
    func contains(_ cell: SlotCell) -> Bool? {
        guard cell.kind == kind else {
            // A long string is never equal to a short one.
            return kind == .shortString && cell.kind == .longString ? false : nil
        }
        for candidate in cells where candidate.low == cell.low && candidate.high == cell.high {
            return true
        }
        return false
    }
}

extension SlotCell.Kind {
    /// Whether two cells of this kind are equal exactly when their bits are.
    @inline(__always)
    var isExact: Bool {
        switch self {
        case .bool, .int, .uint, .shortString: true
        default: false
        }
    }
}
