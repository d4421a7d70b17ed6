extension Value {
    /// Returns true if lists, maps and optional values are nested deeper than the limit. It
    /// examines one level after the other without recursion, so it can handle any depth.
    package func isDeeper(than limit: Int) -> Bool {
        guard isContainer else { return false }
        var level = [self]
        for _ in 0..<limit {
            level = level.flatMap { $0.parts }.filter { $0.isContainer }
            if level.isEmpty { return false }
        }
        return true
    }

    private var isContainer: Bool {
        switch self {
        case .list, .map, .optional: true
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type:
            false
        }
    }

    private var parts: [Value] {
        switch self {
        case .list(let values): values
        case .map(let map): map.keys + map.values
        case .optional(let value): value.map { [$0] } ?? []
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type:
            []
        }
    }
}
