/// The functions of the math extension that take numbers of several types.
///
/// They return nil if the function doesn't accept values of these types. Rules: `math` in the
/// documentation of cel-go's extensions, version 2.
enum MathFunctions {
    /// Returns the number that isn't less than any other; the first of equal ones.
    static func greatest(_ numbers: [Value]) throws(EvaluationError) -> Value? {
        try extreme(numbers, called: "greatest", order: .greater)
    }

    /// Returns the number that isn't greater than any other; the first of equal ones.
    static func least(_ numbers: [Value]) throws(EvaluationError) -> Value? {
        try extreme(numbers, called: "least", order: .less)
    }

    private static func extreme(
        _ numbers: [Value], called name: String, order wanted: NumericOrder
    ) throws(EvaluationError) -> Value? {
        guard var best = numbers.first else { throw .noNumbers(name) }
        guard best.numericOrder(best) != nil else { return nil }
        for number in numbers.dropFirst() {
            guard let order = number.numericOrder(best) else { return nil }
            if order == .unordered { throw .unordered(name) }
            if order == wanted { best = number }
        }
        return best
    }

    static func abs(_ number: Value) throws(EvaluationError) -> Value? {
        switch number {
        case .int(.min): throw .overflow("abs")
        case .int(let number): .int(Swift.abs(number))
        case .uint: number
        case .double(let number): .double(number.magnitude)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    /// Returns -1, 0 or 1 in the type of the number; NaN for NaN.
    static func sign(_ number: Value) -> Value? {
        switch number {
        case .int(let number): .int(number.signum())
        case .uint(let number): .uint(number.signum())
        case .double(let number):
            .double(number.isNaN ? .nan : number > 0 ? 1 : number < 0 ? -1 : 0)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    /// Returns the square root as a double; NaN for a negative number.
    static func sqrt(_ number: Value) -> Value? {
        switch number {
        case .int(let number): .double(Double(number).squareRoot())
        case .uint(let number): .double(Double(number).squareRoot())
        case .double(let number): .double(number.squareRoot())
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }
}

extension MathFunctions {
    static func bitAnd(_ left: Value, _ right: Value) -> Value? {
        bitwise(left, right, ints: { $0 & $1 }, uints: { $0 & $1 })
    }

    static func bitOr(_ left: Value, _ right: Value) -> Value? {
        bitwise(left, right, ints: { $0 | $1 }, uints: { $0 | $1 })
    }

    static func bitXor(_ left: Value, _ right: Value) -> Value? {
        bitwise(left, right, ints: { $0 ^ $1 }, uints: { $0 ^ $1 })
    }

    static func bitNot(_ number: Value) -> Value? {
        switch number {
        case .int(let bits): .int(~bits)
        case .uint(let bits): .uint(~bits)
        case .null, .bool, .double, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            nil
        }
    }

    /// Shifts in zeros from the right; 64 places and more result in zero.
    static func bitShiftLeft(_ number: Value, places: Value) throws(EvaluationError) -> Value? {
        try shift(number, places: places, called: "bitShiftLeft") { $0 << $1 }
    }

    /// Shifts in zeros from the left, whatever the sign; 64 places and more result in zero.
    static func bitShiftRight(_ number: Value, places: Value) throws(EvaluationError) -> Value? {
        try shift(number, places: places, called: "bitShiftRight") { $0 >> $1 }
    }

    private static func bitwise(
        _ left: Value, _ right: Value, ints: (Int64, Int64) -> Int64,
        uints: (UInt64, UInt64) -> UInt64
    ) -> Value? {
        switch (left, right) {
        case (.int(let left), .int(let right)): .int(ints(left, right))
        case (.uint(let left), .uint(let right)): .uint(uints(left, right))
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            nil
        }
    }

    private static func shift(
        _ number: Value, places: Value, called name: String, shift: (UInt64, Int64) -> UInt64
    ) throws(EvaluationError) -> Value? {
        guard case .int(let places) = places else { return nil }
        switch number {
        case .int(let bits):
            if places < 0 { throw .negativeShift(name, places: places) }
            return .int(Int64(bitPattern: shift(UInt64(bitPattern: bits), places)))
        case .uint(let bits):
            if places < 0 { throw .negativeShift(name, places: places) }
            return .uint(shift(bits, places))
        case .null, .bool, .double, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            return nil
        }
    }
}

extension EvaluationError {
    fileprivate static func noNumbers(_ name: String) -> Self {
        EvaluationError("`math.\(name)` of an empty list has no value")
    }

    fileprivate static func unordered(_ name: String) -> Self {
        EvaluationError("`math.\(name)` cannot compare NaN with a number")
    }

    fileprivate static func overflow(_ name: String) -> Self {
        EvaluationError("the result of `math.\(name)` is too large for an int")
    }

    fileprivate static func negativeShift(_ name: String, places: Int64) -> Self {
        EvaluationError("`math.\(name)` cannot shift by \(places) places: use 0 or a larger number")
    }
}
