public import PopSource

extension Environment {
    /// Checks and compiles an expression. `expecting` nil accepts any type.
    ///
    /// The result has a program unless the expression breaks the rules of the language; advice,
    /// such as that it may fail when it is evaluated, is returned together with the program. The
    /// slots that it reads are added to the table.
    public func compile(
        _ expression: Expression, expecting: CELType? = nil, slots: inout SlotTable
    ) -> Checked<Program> {
        let tree = expression.tree
        if let problem = Diagnostic.beyond(limits, in: tree) {
            return Checked(nil, diagnostics: Diagnostics([problem]))
        }
        if slots.patternStates >= limits.regexStatesTogether, tree.hasPatterns {
            return Checked(nil, diagnostics: Diagnostics([.tooManyPatterns(limits, in: tree)]))
        }
        var checker = Checker(expression, tree: tree, in: self)
        checker.check()
        if let expecting { checker.expect(expecting) }
        var diagnostics = checking == .none ? Diagnostics() : checker.diagnostics
        if diagnostics.hasErrors {
            guard checking == .strict, let advice else {
                return Checked(nil, diagnostics: diagnostics)
            }
            return Checked(nil, diagnostics: advice.broken(checker.subject, diagnostics))
        }
        var compiler = Compiler(checker.subject, slots: consume slots)
        let plan = compiler.compile()
        slots = plan.slotTable
        if compiler.hasTooManyPatterns {
            return Checked(nil, diagnostics: Diagnostics([.tooManyPatterns(limits, in: tree)]))
        }
        if checking == .none { return Checked(Program(plan, at: expression.place)) }
        let failures = compiler.constantFailures
        let analysis = CostAnalysis(of: plan, compiler.subject)
        if let node = analysis.excessive {
            diagnostics.report(.tooExpensive(limits, at: tree.range(node)))
            return Checked(nil, diagnostics: diagnostics)
        }
        if checking == .strict, let advice {
            let messages = failures.messages(in: expression)
            diagnostics = advice.sound(analysis.subject, diagnostics, messages)
        }
        return Checked(Program(plan, at: expression.place), diagnostics: diagnostics)
    }

    /// Parses, checks and compiles an expression with slots of its own, which `Program.evaluate`
    /// fills by name.
    public func compile(_ text: String, expecting: CELType? = nil) -> Checked<Program> {
        var slots = SlotTable()
        let map = TextMap(file: FileID(index: 0), offset: 0, length: text.utf8.count)
        return compile(text, map: map, expecting: expecting, slots: &slots)
    }

    /// Parses, checks and compiles a text; `map` leads from its bytes to the file. Advice about a
    /// text that can't be parsed uses the declared names.
    public func compile(
        _ text: String, map: TextMap, expecting: CELType? = nil, slots: inout SlotTable
    ) -> Checked<Program> {
        let bytes = Array(text.utf8)
        do throws(SyntaxError) {
            let tree = try Parser.parse(bytes, map: map, limits: limits, expandsMacros: true)
            return compile(Expression(tree: tree), expecting: expecting, slots: &slots)
        } catch {
            return Checked(
                nil,
                diagnostics: UnreadSource(
                    error: error, bytes: bytes, map: map, limits: limits, environment: self,
                    expected: expecting
                ).findings(advice))
        }
    }
}

extension Checker {
    /// Reports an expression whose type isn't the expected one.
    mutating func expect(_ type: CELType) {
        let found = subject.checked.nodes[tree.root].type
        let expected = subject.checked.typeTable.id(of: type)
        guard !subject.checked.typeTable.isAssignable(found, to: expected) else { return }
        report(
            .unexpectedType(describe(found), expected: type, at: tree.range(tree.root)),
            unless: found)
    }
}

extension SyntaxTree {
    /// Returns true if the expression calls `matches`.
    fileprivate var hasPatterns: Bool {
        nodes.indices.contains { node in
            switch kind(of: node) {
            case .call, .memberCall: name(node) == "matches"
            case .literal, .identifier, .select, .list, .map, .message, .optionalEntry, .macro,
                .operation, .presence:
                false
            }
        }
    }
}

extension [(node: NodeID, failure: Failure)] {
    /// Returns the messages of failures. An exceeded budget is omitted, since it says nothing about
    /// a single part.
    fileprivate func messages(in expression: Expression) -> [ConstantFailure] {
        compactMap { node, failure in
            if case .tooExpensive = failure { return nil }
            return (node, failure.evaluationError(in: expression).message)
        }
    }
}

extension Diagnostic {
    fileprivate static func unexpectedType(
        _ found: String, expected: CELType, at range: SourceRange
    ) -> Self {
        guard expected == .bool else {
            return Diagnostic(
                .conditionTypeMismatch, message: "expected \(expected), found \(found)", at: range,
                label: "this is \(found)")
        }
        return Diagnostic(
            .conditionNotBool, message: "a condition must be true or false, not \(found)",
            at: range,
            label: "this is \(found)",
            help: ["compare the value, such as with `==`, `!=` or `>`"])
    }

    fileprivate static func tooExpensive(_ limits: CELLimits, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionCost, message: "evaluating this may take more than \(limits.cost) steps",
            at: range,
            label: "too much work",
            help: ["use shorter lists or fewer loops; nested loops multiply the steps"])
    }

    fileprivate static func tooManyPatterns(_ limits: CELLimits, in tree: SyntaxTree) -> Self {
        Diagnostic(
            .conditionCost,
            message: "the patterns of all conditions together have more than"
                + " \(limits.regexStatesTogether) states",
            at: tree.range(tree.root), label: "its patterns are too many or too large",
            help: ["repeat less in patterns; each repetition, as in `.{0,1000}`, is a copy"])
    }

    /// Returns a diagnostic for a tree beyond the limits. Trees that weren't parsed haven't been
    /// measured yet.
    fileprivate static func beyond(_ limits: CELLimits, in tree: SyntaxTree) -> Diagnostic? {
        if tree.nodes.count > limits.nodes {
            return Diagnostic(
                .conditionCost, message: "the expression has more than \(limits.nodes) parts",
                at: tree.range(tree.root))
        }
        guard tree.nodes[tree.root].height > limits.nesting else { return nil }
        return Diagnostic(
            .conditionCost,
            message: "the expression is nested deeper than \(limits.nesting) levels",
            at: tree.range(tree.root))
    }
}
