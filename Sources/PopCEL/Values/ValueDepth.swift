extension Value {
    /// Whether lists, maps and optional values stand inside each other deeper than that. Looks at
    /// one level after the other and not into itself, so that no depth is too much for it.
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
