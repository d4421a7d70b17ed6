/// The values of a constant list on the right of `in`.
struct ConstantSet: Sendable {
    private let list: [Value]
    /// Empty when the list is short.
    private let set: Set<Value>
    /// The cells of a short list, if all of its values are of one kind whose equality is decided by
    /// the bits.
    let exactCells: [SlotCell]?

    /// Up to this many values are compared one by one.
    private static let smallCount = 8

    init(_ list: [Value]) {
        self.list = list
        set = list.count <= Self.smallCount ? [] : Set(list)
        exactCells = list.count <= Self.smallCount ? Self.exactCells(list) : nil
    }

    func contains(_ value: Value) -> Bool {
        set.isEmpty ? list.contains(value) : set.contains(value)
    }

    private static func exactCells(_ list: [Value]) -> [SlotCell]? {
        let cells = list.map { SlotCell($0) }
        guard let kind = cells.first?.kind, kind.isExact,
            cells.allSatisfy({ $0.kind == kind })
        else { return nil }
        return cells
    }
}

extension SlotCell.Kind {
    /// True if two cells of this kind are equal exactly if their bits are equal.
    var isExact: Bool {
        switch self {
        case .bool, .int, .uint, .shortString: true
        case .missing, .error, .double, .longString, .list, .map, .other: false
        }
    }
}
