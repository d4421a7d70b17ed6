/// The maximum size of a value, as far as it is known before the evaluation.
enum Extent: Sendable {
    /// A value of a fixed size: a number, a Boolean value, a timestamp.
    case scalar
    /// A string, or bytes, of at most that many bytes.
    case text(StepBound)
    /// At most that many elements, each of at most the given extent.
    indirect case list(StepBound, of: Extent)
    /// At most that many entries, with keys and values of at most the given extents.
    indirect case map(StepBound, keys: Extent, values: Extent)
    indirect case optional(Extent)
    /// Anything.
    case any

    init(_ value: Value) {
        switch value {
        case .string(let text): self = .text(StepBound(text.utf8.count))
        case .bytes(let bytes): self = .text(StepBound(bytes.count))
        case .list(let list):
            self = .list(StepBound(list.count), of: .joined(list.map { Extent($0) }))
        case .map(let map):
            self = .map(
                StepBound(map.count), keys: .joined(map.map { Extent($0.0) }),
                values: .joined(map.map { Extent($0.1) }))
        case .optional(let wrapped): self = .optional(wrapped.map { Extent($0) } ?? .scalar)
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type:
            self = .scalar
        }
    }

    /// Creates the extent of any value of a type, whose strings, lists and maps are at most of the
    /// given size.
    init(_ type: TypeID, in table: TypeTable, atMost size: StepBound) {
        let type = table.resolved(type)
        if let builtIn = Extent(builtIn: type, atMost: size) {
            self = builtIn
            return
        }
        func part(_ type: TypeID) -> Extent { Extent(type, in: table, atMost: size) }
        switch table[type] {
        case .list(let element): self = .list(size, of: part(element))
        case .map(let key, let value): self = .map(size, keys: part(key), values: part(value))
        case .optional(let wrapped): self = .optional(part(wrapped))
        case .type, .wrapper, .opaque, .parameter, .variable, .primitive: self = .any
        }
    }

    /// Does the same for types that need no table; nil for others.
    init?(builtIn type: TypeID, atMost size: StepBound) {
        switch type {
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type:
            self = .scalar
        case .string, .bytes: self = .text(size)
        default: return nil
        }
    }

    /// Returns the extent of a value that is one of several; that of no value is `scalar`.
    static func joined(_ extents: [Extent]) -> Extent {
        guard let first = extents.first else { return .scalar }
        return extents.dropFirst().reduce(first) { $0.joined($1) }
    }

    func joined(_ other: Extent) -> Extent {
        switch (self, other) {
        case (.scalar, .scalar): .scalar
        case (.text(let a), .text(let b)): .text(.larger(a, b))
        case (.list(let a, let element), .list(let b, let otherElement)):
            .list(
                .larger(a, b),
                of: a == .zero ? otherElement : b == .zero ? element : element.joined(otherElement))
        case (.map(let a, let key, let value), .map(let b, let otherKey, let otherValue)):
            a == .zero
                ? other
                : b == .zero
                    ? self
                    : .map(
                        .larger(a, b), keys: key.joined(otherKey), values: value.joined(otherValue))
        case (.optional(let a), .optional(let b)): .optional(a.joined(b))
        case (.scalar, _), (.text, _), (.list, _), (.map, _), (.optional, _), (.any, _): .any
        }
    }
}

// MARK: Parts and what they cost

extension Extent {
    /// The elements of a list, or the values of a map; for an optional container, an optional
    /// element.
    var element: Extent {
        switch self {
        case .list(_, let element): element
        case .map(_, _, let value): value
        case .optional(let wrapped): .optional(wrapped.element)
        case .scalar, .text, .any: .any
        }
    }

    /// The wrapped value of an optional value.
    var unwrapped: Extent {
        if case .optional(let wrapped) = self { return wrapped }
        return .any
    }

    /// The number of elements or entries.
    var count: StepBound {
        switch self {
        case .list(let count, _), .map(let count, _, _): count
        // Iterating over anything else fails.
        case .scalar, .text, .optional: .zero
        case .any: .none
        }
    }

    /// The number of bytes of a string.
    var bytes: StepBound {
        switch self {
        case .text(let bytes): bytes
        case .scalar, .list, .map, .optional: .zero
        case .any: .none
        }
    }

    /// The steps of creating or reading the value.
    var weight: StepBound {
        if case .text(let bytes) = self {
            bytes.stepsOfBytes
        } else {
            count
        }
    }

    /// The steps of measuring a result including all nested values.
    var depthCost: StepBound {
        switch self {
        case .scalar, .text: .zero
        case .list(let count, let element): count + count * element.depthCost
        case .map(let count, _, let value): count + count * value.depthCost
        case .optional(let wrapped): StepBound(1) + wrapped.depthCost
        case .any: .none
        }
    }

    /// Returns the steps of comparing two values: at most those of the smaller one.
    func equalityCost(_ other: Extent) -> StepBound {
        switch (self, other) {
        case (.any, .any): .none
        case (.scalar, _), (_, .scalar): .zero
        case (.text(let a), .text(let b)): StepBound.smaller(a, b).stepsOfBytes
        case (.text(let bytes), .any), (.any, .text(let bytes)): bytes.stepsOfBytes
        case (.list(let count, let element), .any), (.any, .list(let count, let element)),
            (.map(let count, _, let element), .any), (.any, .map(let count, _, let element)):
            count * (StepBound(1) + element.equalityCost(.any))
        case (.list(let a, let element), .list(let b, let otherElement)),
            (.map(let a, _, let element), .map(let b, _, let otherElement)):
            .smaller(a, b) * (StepBound(1) + element.equalityCost(otherElement))
        case (.optional(let a), .optional(let b)): a.equalityCost(b)
        case (.optional(let wrapped), .any), (.any, .optional(let wrapped)):
            wrapped.equalityCost(.any)
        case (.text, _), (.list, _), (.map, _), (.optional, _): .zero
        }
    }
}

/// An upper bound of a number of steps, elements or bytes.
struct StepBound: Sendable, Hashable {
    /// Nil if the number is unbounded; sums and products too large for an `Int` stay at its largest
    /// value.
    let limit: Int?

    static let zero = StepBound(0)
    static let none = StepBound(nil)

    init(_ limit: Int?) { self.limit = limit }

    static func + (left: StepBound, right: StepBound) -> StepBound {
        guard let a = left.limit, let b = right.limit else { return .none }
        let sum = a.addingReportingOverflow(b)
        return StepBound(sum.overflow ? .max : sum.partialValue)
    }

    static func += (left: inout StepBound, right: StepBound) { left = left + right }

    /// Zero times anything is zero, even if the other bound is unlimited.
    static func * (left: StepBound, right: StepBound) -> StepBound {
        if left == .zero || right == .zero { return .zero }
        guard let a = left.limit, let b = right.limit else { return .none }
        let product = a.multipliedReportingOverflow(by: b)
        return StepBound(product.overflow ? .max : product.partialValue)
    }

    /// The steps for a string or bytes of that many bytes: one for 16 bytes.
    var stepsOfBytes: StepBound { StepBound(limit.map { $0 >> 4 }) }

    static func larger(_ left: StepBound, _ right: StepBound) -> StepBound {
        guard let a = left.limit, let b = right.limit else { return .none }
        return StepBound(max(a, b))
    }

    static func smaller(_ left: StepBound, _ right: StepBound) -> StepBound {
        guard let a = left.limit else { return right }
        return StepBound(min(a, right.limit ?? a))
    }
}
