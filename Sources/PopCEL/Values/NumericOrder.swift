/// The order of two numbers.
package enum NumericOrder: Sendable {
    case less
    case equal
    case greater
    /// One of them is NaN.
    case unordered
}

extension Value {
    /// Returns the order of two numbers of any types on the real line; nil if one isn't a number.
    package func numericOrder(_ other: Value) -> NumericOrder? {
        switch (self, other) {
        case (.int(let a), .int(let b)): orderOf(a, b)
        case (.uint(let a), .uint(let b)): orderOf(a, b)
        case (.double(let a), .double(let b)): orderOf(a, b)
        case (.int(let a), .uint(let b)): a < 0 ? .less : orderOf(UInt64(a), b)
        case (.uint(let a), .int(let b)): b < 0 ? .greater : orderOf(a, UInt64(b))
        case (.int(let a), .double(let b)): orderAsDoubles(a, right: b)
        case (.double(let a), .int(let b)): orderAsDoubles(b, right: a).reversed
        case (.uint(let a), .double(let b)): orderAsDoubles(a, right: b)
        case (.double(let a), .uint(let b)): orderAsDoubles(b, right: a).reversed
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            nil
        }
    }
}

extension NumericOrder {
    var reversed: NumericOrder {
        switch self {
        case .less: .greater
        case .greater: .less
        case .equal: .equal
        case .unordered: .unordered
        }
    }
}

private func orderOf<Number: Comparable>(_ left: Number, _ right: Number) -> NumericOrder {
    if left < right { return .less }
    if left == right { return .equal }
    return left > right ? .greater : .unordered
}

private func orderAsDoubles<Integer: FixedWidthInteger>(
    _ left: Integer, right: Double
) -> NumericOrder {
    orderOf(Double(left), right)
}
