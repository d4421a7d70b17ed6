extension Library {
    /// Evaluates a function of the math extension.
    func math(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else { return nil }
        switch (code, arguments.count) {
        case (.greatest, _), (.least, _):
            var numbers = arguments
            if case .list(let list) = first, arguments.count == 1 { numbers = list }
            return code == .greatest
                ? try MathFunctions.greatest(numbers) : try MathFunctions.least(numbers)
        case (.abs, 1): return try MathFunctions.abs(first)
        case (.sign, 1): return MathFunctions.sign(first)
        case (.sqrt, 1): return MathFunctions.sqrt(first)
        case (.bitNot, 1): return MathFunctions.bitNot(first)
        case (.bitAnd, 2): return MathFunctions.bitAnd(first, arguments[1])
        case (.bitOr, 2): return MathFunctions.bitOr(first, arguments[1])
        case (.bitXor, 2): return MathFunctions.bitXor(first, arguments[1])
        case (.bitShiftLeft, 2): return try MathFunctions.bitShiftLeft(first, places: arguments[1])
        case (.bitShiftRight, 2):
            return try MathFunctions.bitShiftRight(first, places: arguments[1])
        case (_, 1):
            guard case .double(let number) = first else { return nil }
            return ofDouble(code, number: number)
        default: return nil
        }
    }

    private func ofDouble(_ code: FunctionCode, number: Double) -> Value? {
        switch code {
        case .ceil: .double(number.rounded(.up))
        case .floor: .double(number.rounded(.down))
        case .round: .double(number.rounded(.toNearestOrAwayFromZero))
        case .trunc: .double(number.rounded(.towardZero))
        case .isNaN: .bool(number.isNaN)
        case .isInf: .bool(number.isInfinite)
        case .isFinite: .bool(number.isFinite)
        default: nil
        }
    }
}
