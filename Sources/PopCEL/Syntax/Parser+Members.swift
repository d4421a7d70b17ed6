extension Parser {
    mutating func member() throws(SyntaxError) -> NodeID {
        let start = token.start
        return try postfix(try primary(), from: start)
    }

    /// Parses the selections, calls and indexes after an operand; `start` is the start of the
    /// operand, including its parentheses.
    mutating func postfix(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        var operand = operand
        while true {
            if token.kind == .dot {
                operand = try selection(on: operand, from: start)
            } else if token.kind == .leftBracket {
                operand = try index(operand, from: start)
            } else if token.kind == .leftBrace, tree.dottedName(operand) != nil {
                operand = try message(named: operand, from: start)
            } else {
                return operand
            }
        }
    }

    private mutating func selection(
        on operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        try advance()
        let isOptional = try accept(.question)
        let field = token
        guard field.kind == .identifier || field.kind == .quotedIdentifier else {
            throw unexpected(expecting: "a name after `.`")
        }
        try advance()
        if token.kind == .leftParenthesis, field.kind == .identifier, !isOptional {
            return try memberCall(field, on: operand, from: start)
        }
        var node = node(
            .select, from: start, flag: isOptional, focus: field.start..<field.end)
        node.payload =
            field.kind == .identifier ? SyntaxNode.plainName : SyntaxNode.quotedName
        return try add(node, on: operand)
    }

    private mutating func memberCall(
        _ field: Token, on operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let mark = pending.count
        push(operand)
        try argumentList()
        let name = text(field)
        let focus = field.start..<field.end
        if expandsMacros, let macro = try macro(name, mark: mark, from: start, focus: focus) {
            return macro
        }
        return try add(
            .memberCall, from: start, payload: Int(SyntaxNode.plainName), focus: focus,
            childrenFrom: mark)
    }

    /// Pushes the arguments; the parenthesis is the current token.
    mutating func argumentList() throws(SyntaxError) {
        try advance()
        guard token.kind != .rightParenthesis else {
            try advance()
            return
        }
        repeat {
            let argument = try expression()
            push(argument)
        } while try accept(.comma)
        try expect(.rightParenthesis, what: "`,` or `)`")
    }

    private mutating func index(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let bracket = token.start
        try advance()
        let isOptional = try accept(.question)
        let position = try expression()
        try expect(.rightBracket, what: "`]`")
        let operation = isOptional ? Operator.optionalIndex : .index
        return try add(
            node(.operation, from: start, operator: operation, focus: bracket..<previousEnd),
            on: operand, second: position)
    }

    /// Returns the macro that the pending receiver and arguments form, or nil if the call is an
    /// ordinary one.
    private mutating func macro(
        _ name: String, mark: Int, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID? {
        let arguments = pending.count - mark - 1
        let receiver = pending[mark]
        var shape = Macro.member(name, argumentCount: arguments)
        if name == "bind", arguments == 3, tree.dottedName(receiver) == "cel" {
            shape = Macro.Shape(macro: .bind, variables: 1)
            // The bound value takes the place of the range of other macros.
            movePending(from: mark + 2, to: mark)
        }
        guard let shape else { return nil }
        try checkVariables(of: name, count: shape.variables, mark: mark)
        return try add(
            .macro, from: start, payload: shape.variables, macro: shape.macro,
            flag: shape.hasFilter, focus: focus, childrenFrom: mark)
    }

    /// Checks that the variables of a macro, after its receiver, are distinct names.
    private func checkVariables(
        of macro: String, count: Int, mark: Int
    ) throws(SyntaxError) {
        for position in 1...count {
            let variable = tree.nodes[pending[mark + position]]
            guard variable.kind == .identifier, !variable.flag else {
                throw .notAVariable(macro, at: Int(variable.start)..<Int(variable.end))
            }
        }
        guard count == 2 else { return }
        let name = tree.name(pending[mark + 2])
        guard tree.name(pending[mark + 1]) == name else { return }
        let second = tree.nodes[pending[mark + 2]]
        throw .sameVariable(name, at: Int(second.start)..<Int(second.end))
    }
}
