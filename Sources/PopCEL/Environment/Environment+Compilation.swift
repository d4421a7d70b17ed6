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
                diagnostics: UnparsedSource(
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
            .unexpectedType(
                subject.publicType(tree.root), phrase: phrase(found), expected: type,
                at: tree.range(tree.root)),
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

/// Returns an example of a comparison with a value of a type; nil for types without a simple one.
private func comparison(of type: CELType) -> String? {
    if [.int, .uint].contains(type) { return "> 0" }
    if type == .double { return "> 0.0" }
    if type == .duration { return "> duration(\"24h\")" }
    if type == .timestamp { return "< timestamp(\"2027-01-01T00:00:00Z\")" }
    if type == .version { return ">= version(\"1.2.0\")" }
    return type == .string ? "== \"pro\"" : nil
}

extension Diagnostic {
    fileprivate static func unexpectedType(
        _ type: CELType, phrase found: String, expected: CELType, at range: SourceRange
    ) -> Self {
        guard expected == .bool else {
            return Diagnostic(
                .conditionTypeMismatch, message: "expected \(expected.phrase), found \(found)",
                at: range,
                label: "this is \(found)")
        }
        return Diagnostic(
            .conditionNotBool, message: "a condition must be true or false, not \(found)",
            at: range,
            label: "this is \(found)",
            help: [
                comparison(of: type).map { "add a comparison, such as `\($0)`" }
                    ?? "compare the value with another one, with `==` or `!=`"
            ])
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
            at: tree.range(tree.root),
            label: "the patterns of this condition are too many or too large",
            help: [
                "use smaller repetition counts, because `.{0,1000}` counts as 1000 copies, and"
                    + " smaller classes, because `\\pL` counts as hundreds of states"
            ])
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

/// Additional help on mistakes: the probable meaning, the correct spelling, and parts that are
/// likely to fail.
///
/// Its messages are in the target PopAdvice, as `Advice.full`, so that a program in which nobody
/// writes expressions doesn't contain them. It is a class: environments are copied, and each copy
/// counts one reference for all of it.
public final class Advice: Sendable {
    /// Returns all findings about a text that can't be parsed.
    package let unread: @Sendable (UnparsedSource) -> Diagnostics
    /// Reports a call or an operation that is written as in other languages, and returns the type
    /// to continue with; nil if it isn't one.
    package let foreign: @Sendable (inout Checker, NodeID) -> TypeID?
    /// Adds advice to a diagnostic about a mistake.
    package let mistake: @Sendable (borrowing Checker, CheckerIssue, inout Diagnostic) -> Void
    /// Returns all findings about an expression that has errors.
    package let broken: @Sendable (consuming CheckedExpression, Diagnostics) -> Diagnostics
    /// Returns all findings about an expression without errors, given its constant parts that fail.
    package let sound:
        @Sendable (consuming CheckedExpression, Diagnostics, [ConstantFailure]) -> Diagnostics

    package init(
        unread: @escaping @Sendable (UnparsedSource) -> Diagnostics,
        foreign: @escaping @Sendable (inout Checker, NodeID) -> TypeID?,
        mistake: @escaping @Sendable (borrowing Checker, CheckerIssue, inout Diagnostic) -> Void,
        broken: @escaping @Sendable (consuming CheckedExpression, Diagnostics) -> Diagnostics,
        sound:
            @escaping @Sendable (consuming CheckedExpression, Diagnostics, [ConstantFailure]) ->
            Diagnostics
    ) {
        self.unread = unread
        self.foreign = foreign
        self.mistake = mistake
        self.broken = broken
        self.sound = sound
    }
}

/// A constant part of an expression that always fails.
package typealias ConstantFailure = (node: NodeID, message: String)

/// A text that can't be parsed.
package struct UnparsedSource {
    /// The first syntax error.
    package let error: SyntaxError
    package let bytes: [UInt8]
    package let map: TextMap
    package let limits: CELLimits
    /// The declared names, if they are known.
    package let environment: Environment?
    package let expected: CELType?
}

/// A mistake for which advice on the intended meaning may exist.
package enum CheckerIssue {
    /// A name that is not declared.
    case unknownName(String, at: NodeID)
    /// The name of a function that doesn't exist.
    case unknownFunction(String, isMember: Bool, at: NodeID)
    /// A field of a value that doesn't have this field.
    case unknownField(String, at: NodeID)
    /// An operand of the operation is neither true nor false.
    case notBool(operand: NodeID, of: NodeID)
    /// The operand types of the operation don't match.
    case mismatch(at: NodeID)
    /// The left operand of `in` is never in the right one.
    case neverInside(at: NodeID)
    /// The right operand of `in` isn't a container.
    case notAContainer(at: NodeID)
    /// An argument that the function doesn't accept, or a receiver that it can't be called on; the
    /// strings are the types that it accepts.
    case wrongArgument(NodeID, of: NodeID, expected: [String])
    /// A call with too many arguments, or too few.
    case wrongCount(of: NodeID)
    /// A function called as a method, or a method called as a function, with that many arguments.
    case wrongCallStyle(at: NodeID, isMember: Bool, count: Int)
    /// An argument of a slot function that is not constant.
    case notConstant(NodeID)
}
