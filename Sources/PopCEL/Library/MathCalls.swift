extension Library {
    /// The math extension.
    func math(
        _ call: FunctionCode.MathCall, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else { return nil }
        let only = arguments.count == 1 ? first : nil
        let second = arguments.count == 2 ? arguments[1] : nil
        switch call {
        case .greatest: return try MathFunctions.greatest(numbers(arguments))
        case .least: return try MathFunctions.least(numbers(arguments))
        case .abs: return try only.flatMap(MathFunctions.abs)
        case .sign: return only.flatMap(MathFunctions.sign)
        case .sqrt: return only.flatMap(MathFunctions.sqrt)
        case .ceil: return only?.number.map { .double($0.rounded(.up)) }
        case .floor: return only?.number.map { .double($0.rounded(.down)) }
        case .round: return only?.number.map { .double($0.rounded(.toNearestOrAwayFromZero)) }
        case .trunc: return only?.number.map { .double($0.rounded(.towardZero)) }
        case .isNaN: return only?.number.map { .bool($0.isNaN) }
        case .isInf: return only?.number.map { .bool($0.isInfinite) }
        case .isFinite: return only?.number.map { .bool($0.isFinite) }
        case .bitNot: return only.flatMap(MathFunctions.bitNot)
        case .bitAnd: return second.flatMap { MathFunctions.bitAnd(first, $0) }
        case .bitOr: return second.flatMap { MathFunctions.bitOr(first, $0) }
        case .bitXor: return second.flatMap { MathFunctions.bitXor(first, $0) }
        case .bitShiftLeft:
            guard let second else { return nil }
            return try MathFunctions.bitShiftLeft(first, places: second)
        case .bitShiftRight:
            guard let second else { return nil }
            return try MathFunctions.bitShiftRight(first, places: second)
        }
    }

    /// The numbers of which one is sought: the arguments, or the list that is the only one.
    private func numbers(_ arguments: [Value]) -> [Value] {
        if arguments.count == 1, case .list(let list) = arguments[0] { return list }
        return arguments
    }
}

extension Value {
    /// The number that a double is; nil for anything else.
    fileprivate var number: Double? { if case .double(let number) = self { number } else { nil } }
}
