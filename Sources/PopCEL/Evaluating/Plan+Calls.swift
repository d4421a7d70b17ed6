extension Plan {
    /// Calls a library function. The common functions are evaluated directly, without an array of
    /// arguments.
    @inline(never)
    func call(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        let code = node.function
        switch code.kind {
        case .size where node.b == 1:
            return .int(
                try size(
                    try argument(0, at: node, in: slots, state: &state), at: node, state: &state))
        case .textTest:
            return .bool(try textTest(code, at: node, in: slots, state: &state))
        case .alternative: return try alternative(code, at: node, in: slots, state: &state)
        case .size, .conversion, .calendar, .optional, .text, .math, .encoding:
            return try apply(code, at: node, in: slots, state: &state)
        }
    }

    private func argument(
        _ position: Int, at node: PlanNode, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        try value(Int(operands[Int(node.a) + position]), in: slots, state: &state)
    }

    private func size(
        _ value: Value, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Int64 {
        switch value {
        case .string(let text):
            try state.charge(text.utf8.count >> 4, at: node)
            return Int64(text.unicodeScalars.count)
        case .bytes(let bytes): return Int64(bytes.count)
        case .list(let list): return Int64(list.count)
        case .map(let map): return Int64(map.count)
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type, .optional:
            throw .noOverload(.size, arguments: [value], at: node)
        }
    }

    func textTest(
        _ code: FunctionCode, at node: PlanNode, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Bool {
        guard node.b == 2 else { throw .noOverload(node) }
        let receiver = try argument(0, at: node, in: slots, state: &state)
        if node.c >= 0, case .string(let text) = receiver {
            let compiled = regularExpressions[Int(node.c)]
            try state.charge(compiled.cost(of: text), at: node)
            return compiled.isMatch(text)
        }
        let other = try argument(1, at: node, in: slots, state: &state)
        guard case .string(let text) = receiver, case .string(let part) = other else {
            throw .noOverload(code, arguments: [receiver, other], at: node)
        }
        // At the start and the end of a string, no more bytes are read than the part has.
        let read = code == .startsWith || code == .endsWith ? 0 : text.utf8.count
        try state.charge((read + part.utf8.count) >> 4, at: node)
        if code == .contains { return SubstringSearch(part).occurs(in: text.utf8) }
        if code == .startsWith { return text.utf8.starts(with: part.utf8) }
        if code == .endsWith {
            return text.utf8.count >= part.utf8.count
                && text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
        }
        return try matches(text, pattern: part, at: node, state: &state)
    }

    /// Matches a pattern that isn't a constant.
    private func matches(
        _ text: String, pattern: String, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        try state.charge(Self.patternCost, at: node)
        let compiled: RegularExpression
        do throws(RegularExpressionError) {
            compiled = try RegularExpression(pattern, limits: limits)
        } catch {
            throw .failed("invalid regular expression: \(error.message)", source: node.source)
        }
        try state.charge(compiled.cost(of: text), at: node)
        return compiled.isMatch(text)
    }

    /// The cost of compiling a regular expression in steps: the largest ones take some 20 ms.
    static let patternCost = 20_000

    /// Evaluates `a.or(b)` or `a.orValue(b)`: `b` is evaluated only if `a` is absent.
    private func alternative(
        _ code: FunctionCode, at node: PlanNode, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        let first = try argument(0, at: node, in: slots, state: &state)
        guard case .optional(let wrapped) = first, node.b == 2 else {
            throw .noOverload(code, arguments: [first], at: node)
        }
        if let wrapped { return code == .or ? first : wrapped }
        let second = try argument(1, at: node, in: slots, state: &state)
        if code == .or, case .optional = second { return second }
        if code == .orValue { return second }
        throw .noOverload(code, arguments: [first, second], at: node)
    }

    private func apply(
        _ code: FunctionCode, at node: PlanNode, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        var arguments: [Value] = []
        arguments.reserveCapacity(Int(node.b))
        for position in 0..<Int(node.b) {
            arguments.append(try argument(position, at: node, in: slots, state: &state))
        }
        try state.charge(arguments.reduce(1) { $0 + $1.weight }, at: node)
        if code == .replace, arguments.count > 1 {
            try state.charge(Self.mostPlaces(of: arguments[1], in: arguments[0]), at: node)
        }
        let result: Value?
        do throws(EvaluationError) {
            result = try Library(
                limits: limits, timeZones: timeZones, knowsDays: environment.knowsDays
            ).apply(code, arguments: arguments)
        } catch {
            throw .failed(error.message, source: node.source)
        }
        guard let result else { throw .noOverload(code, arguments: arguments, at: node) }
        try state.charge(result.weight, at: node)
        return result
    }
}

extension Plan {
    /// Returns the maximum number of places at which a string occurs in another one, each of which
    /// takes a step to replace.
    private static func mostPlaces(of part: Value, in text: Value) -> Int {
        guard case .string(let part) = part, case .string(let text) = text else { return 0 }
        return text.utf8.count / max(1, part.utf8.count)
    }
}

extension Value {
    /// The cost of creating or reading the value, in steps; each element counts one.
    fileprivate var weight: Int {
        switch self {
        case .string(let text): text.utf8.count >> 4
        case .bytes(let bytes): bytes.count >> 4
        case .list(let list): list.count
        case .map(let map): map.count
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type, .optional:
            0
        }
    }
}

extension Failure {
    fileprivate static func noOverload(
        _ code: FunctionCode, arguments: [Value], at node: PlanNode
    ) -> Failure {
        let types = CELType.phrase(arguments.map { $0.type.description }, joinedBy: "and")
        return .failed("`\(code.name)` cannot be called with \(types)", source: node.source)
    }

    fileprivate static func noOverload(_ node: PlanNode) -> Failure {
        .failed("wrong number of arguments", source: node.source)
    }
}
