/// What is done at a node of a plan. The fields `a`, `b` and `c` of the node mean what is said
/// here.
enum Operation: UInt8, Sendable {
    /// The constant `a`.
    case constant
    /// The value of slot `a`.
    case slot
    /// The variable `a` of a macro.
    case local
    /// Fails with message `a`.
    case fail
    /// The field of node `a` whose name is constant `b`; `flag` for `.?`.
    case select
    /// The element of node `a` at node `b`; `flag` for `[?]`.
    case index
    /// `operator` on nodes `a` and `b`.
    case arithmetic
    /// Minus node `a`.
    case negate
    /// Library function `function` on `b` operands from `a` on; of `matches` with a constant
    /// pattern, `c` is the number of the regular expression, and otherwise -1.
    case call
    /// Host function `c` on `b` operands from `a` on.
    case hostCall
    /// Of `b` operands from `a` on; those that are `optionalEntry` may be left out.
    case list
    /// Of `b` operands from `a` on: keys and values in turn.
    case map
    /// Node `a` in a list, or before the key of a map.
    case optionalEntry
    /// `macro`; the operands from `a` on are those of `Plan.Comprehension`.
    case comprehension
    /// Node `b` or `c` as node `a` is true or false.
    case conditional

    // What follows is true or false.

    /// `flag`.
    case constantTruth
    /// All, or any, of `b` operands from `a` on.
    case and, or
    /// Not node `a`.
    case not
    /// Nodes `a` and `b` are equal; not when `flag` is set.
    case equal
    /// `operator` on nodes `a` and `b`.
    case ordered
    /// Node `a` is in node `b`.
    case membership
    /// Node `a` is in the constant set `b`.
    case inSet
    /// Node `a` has the field whose name is constant `b`.
    case hasField
    /// Slot `a` has a value.
    case slotPresent
    /// Variable `a` of a macro equals the string constant `b`; not when `flag` is set. Node `c`
    /// says the same for values of any kind.
    case localEqual
}

struct PlanNode: Sendable {
    var operation: Operation
    var `operator` = Operator.and
    var function = FunctionCode.size
    var macro = Macro.all
    var flag = false
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
    /// The node of the syntax tree that it stands for.
    var source: NodeID = 0

    var isConstant: Bool { operation == .constant || operation == .constantTruth }

    /// Its value when it is a constant.
    func constant(among constants: [Value]) -> Value? {
        if operation == .constantTruth { return .bool(flag) }
        return operation == .constant ? constants[Int(a)] : nil
    }
}

/// A compiled expression: a flat tree of operations, children before parents, and as a condition
/// the branches through it.
///
/// A final class of constants, so that evaluating it retains nothing.
final class Plan: Sendable {
    /// Where the parts of a comprehension stand among the operands, counted from its first.
    enum Comprehension {
        static let range = 0
        static let body = 1
        /// -1 when there is none.
        static let filter = 2
        /// The number of its first variable.
        static let local = 3
        static let variables = 4
        /// Steps that each turn costs.
        static let cost = 5
    }

    let nodes: [PlanNode]
    let operands: [Int32]
    let constants: [Value]
    let sets: [ConstantSet]
    let messages: [String]
    let regularExpressions: [RegularExpression]
    let root: Int
    let branches: [Branch]
    /// Where a condition begins: a branch, or its end.
    let firstBranch: Int32
    /// Room for the variables of macros.
    let locals: [Value]
    /// The slots that it reads, ascending.
    let slots: [SlotIndex]
    /// How many slots there must be so that each that it reads is among them.
    let slotCount: Int
    /// One for all plans of a set, so that none has a list of its own of what its slots stand for.
    let slotTable: SlotTable
    let resultType: CELType
    /// What it was compiled from, where that was read.
    let tree: SyntaxTree
    let environment: Environment

    /// Takes the parts from the compiler, which is left without any.
    init(taking compiler: inout Compiler, root: Int, firstBranch: Int32 = Branch.no) {
        nodes = taken(&compiler.nodes)
        operands = taken(&compiler.operands)
        constants = taken(&compiler.constants)
        sets = taken(&compiler.sets)
        messages = taken(&compiler.messages)
        regularExpressions = taken(&compiler.regularExpressions)
        self.root = root
        branches = taken(&compiler.branches)
        self.firstBranch = firstBranch
        let localCount = compiler.subject.checked.localCount
        var locals: [Value] = []
        // One by one: a repetition would look its type up at run time, which takes longer.
        for _ in 0..<localCount { locals.append(.null) }
        self.locals = locals
        slots = taken(&compiler.slots)
        slotCount = (slots.last?.number ?? -1) + 1
        slotTable = compiler.slotTable
        resultType = compiler.subject.publicType(compiler.tree.root)
        tree = compiler.subject.expression.read
        environment = compiler.subject.environment
    }

    /// The value of a node that is a constant.
    func constant(_ index: Int) -> Value? {
        nodes[index].constant(among: constants)
    }

    var hostFunctions: [HostFunction] { environment.hostFunctions }
    var limits: CELLimits { environment.limits }
    var timeZones: TimeZones { environment.timeZones }
}

/// A list that is moved away: a swap retains nothing.
private func taken<Element>(_ list: inout [Element]) -> [Element] {
    var taken: [Element] = []
    swap(&taken, &list)
    return taken
}
