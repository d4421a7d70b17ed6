extension Parser {
    /// Parses `condition ? … : …`; the question mark is the current token.
    mutating func conditional(
        _ condition: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let focus = token.start..<token.end
        try advance()
        let mark = pending.count
        push(condition)
        push(try binary(minimum: Operator.or.precedence))
        try expect(.colon, what: "`:` and the value when the condition is false")
        push(try expression())
        return try add(
            .operation, from: start, operator: .conditional, focus: focus,
            childrenFrom: mark)
    }

    /// Parses operators whose precedence is at least `minimum`.
    mutating func binary(minimum: Int) throws(SyntaxError) -> NodeID {
        let start = token.start
        var left = try unary()
        while let operation = token.kind.binaryOperator, operation.precedence >= minimum {
            let focus = token.start..<token.end
            if operation == .and || operation == .or {
                left = try chain(operation, on: left, from: start, focus: focus)
            } else {
                try advance()
                let right = try binary(minimum: operation.precedence + 1)
                left = try add(
                    node(.operation, from: start, operator: operation, focus: focus), on: left,
                    second: right)
            }
        }
        return left
    }

    /// Parses a chain as one node, so that its length adds no depth.
    private mutating func chain(
        _ operation: Operator, on first: NodeID, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID {
        let kind = try advance().kind
        let second = try binary(minimum: operation.precedence + 1)
        guard token.kind == kind else {
            return try add(
                node(.operation, from: start, operator: operation, focus: focus), on: first,
                second: second)
        }
        let mark = pending.count
        push(first)
        push(second)
        while try accept(kind) { push(try binary(minimum: operation.precedence + 1)) }
        return try add(
            .operation, from: start, operator: operation, focus: focus, childrenFrom: mark)
    }

    private mutating func unary() throws(SyntaxError) -> NodeID {
        guard token.kind == .not || token.kind == .minus else { return try member() }
        var operators: [Token] = []
        while token.kind == .not || token.kind == .minus { operators.append(try advance()) }
        let operand: NodeID
        if let last = operators.last, last.kind == .minus,
            token.kind == .int || token.kind == .double
        {
            operators.removeLast()
            operand = try postfix(
                try number(from: last.start, isNegative: true), from: last.start)
        } else {
            operand = try member()
        }
        return try apply(operators, to: operand)
    }

    private mutating func apply(
        _ operators: [Token], to operand: NodeID
    ) throws(SyntaxError) -> NodeID {
        var operand = operand
        for token in operators.reversed() {
            let operation = token.kind == .not ? Operator.not : .negate
            operand = try add(
                node(
                    .operation, from: token.start, operator: operation,
                    focus: token.start..<token.end), on: operand)
        }
        return operand
    }
}
