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
