/// The operation of a plan node. The comments of the cases define the meaning of the fields `a`,
/// `b` and `c` of the node.
enum Operation: UInt8, Sendable {
    /// Returns the constant `a`.
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
    /// Library function `function` on `b` operands from `a` on; for `matches` with a constant
    /// pattern, `c` is the number of the regular expression, otherwise -1.
    case call
    /// Host function `c` on `b` operands from `a` on.
    case hostCall
    /// A list of `b` operands from `a` on; those that are `optionalEntry` may be left out.
    case list
    /// A map of `b` operands from `a` on: keys and values in turn.
    case map
    /// Node `a` in a list, or before the key of a map.
    case optionalEntry
    /// `macro`; the operands from `a` on are those of `Plan.Comprehension`.
    case comprehension
    /// Node `b` if node `a` is true, node `c` if it is false.
    case conditional

    // The following operations result in true or false.

    /// `flag`.
    case constantTruth
    /// All, or any, of `b` operands from `a` on.
    case and, or
    /// Not node `a`.
    case not
    /// Nodes `a` and `b` are equal; negated if `flag` is set.
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
    /// Variable `a` of a macro equals the string constant `b`; negated if `flag` is set. Node `c`
    /// computes the same for values of any kind.
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
    /// The node of the syntax tree that it was compiled from.
    var source: NodeID = 0

    var isConstant: Bool { operation == .constant || operation == .constantTruth }

    /// Returns its value if it is a constant.
    func constant(among constants: [Value]) -> Value? {
        if operation == .constantTruth { return .bool(flag) }
        return operation == .constant ? constants[Int(a)] : nil
    }
}

/// A compiled expression: a flat tree of operations, children before parents, and for a condition
/// the branches through it.
///
/// It is a final class of constants, so that an evaluation retains nothing.
final class Plan: Sendable {
    /// The offsets of the parts of a comprehension among the operands, counted from the first.
    enum Comprehension {
        static let range = 0
        static let body = 1
        /// -1 if there is no filter.
        static let filter = 2
        /// The number of its first variable.
        static let local = 3
        static let variables = 4
        /// The cost of each iteration in steps.
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
    /// The entry of a condition: a branch, or an end.
    let firstBranch: Int32
    /// The initial values of the macro variables.
    let locals: [Value]
    /// The slots that it reads, in ascending order.
    let slots: [SlotIndex]
    /// The number of slots that is needed so that each slot it reads exists.
    let slotCount: Int
    /// One table for all plans of a set, so that no plan needs a list of its own for the meanings
    /// of its slots.
    let slotTable: SlotTable
    let resultType: CELType
    /// The tree that it was compiled from.
    let tree: SyntaxTree
    let environment: Environment

    /// Moves the parts out of the compiler, which is left without any.
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

    /// Returns the value of a node that is a constant.
    func constant(_ index: Int) -> Value? {
        nodes[index].constant(among: constants)
    }

    var hostFunctions: [HostFunction] { environment.hostFunctions }
    var limits: CELLimits { environment.limits }
    var timeZones: TimeZones { environment.timeZones }
}

/// Returns a list that is moved out: a swap retains nothing.
private func taken<Element>(_ list: inout [Element]) -> [Element] {
    var taken: [Element] = []
    swap(&taken, &list)
    return taken
}

extension Plan {
    /// True if the bound is certainly 0, as for most conditions, which compare slots with numbers
    /// and short strings. Saves a sixth of the instructions of compiling such a condition; false
    /// means unknown.
    var costsNothing: Bool {
        nodes[root].operation.isTest && nodes.indices.allSatisfy { costsNothing(nodes[$0]) }
    }

    private func costsNothing(_ node: PlanNode) -> Bool {
        switch node.operation {
        case .constant, .slot: true
        case .equal: isComparedFreely(Int(node.a)) || isComparedFreely(Int(node.b))
        case .local, .fail, .select, .index, .arithmetic, .negate, .call, .hostCall, .list, .map,
            .optionalEntry, .comprehension, .conditional, .constantTruth, .and, .or, .not, .ordered,
            .membership, .inSet, .hasField, .slotPresent, .localEqual:
            node.operation.isTest
        }
    }

    /// Returns true if a node is a constant that can be compared with anything in less than a step.
    private func isComparedFreely(_ node: Int) -> Bool {
        guard let value = constant(node) else { return false }
        switch value {
        case .string(let text): return StepBound(text.utf8.count).stepsOfBytes == .zero
        case .bytes, .list, .map, .optional: return false
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type: return true
        }
    }
}

extension Operation {
    /// True if the operation results in true or false and costs no more than its operands; for
    /// `equal` this depends on the operands.
    fileprivate var isTest: Bool {
        switch self {
        case .constantTruth, .slotPresent, .and, .or, .not, .ordered, .inSet, .equal: true
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
            .hostCall, .list, .map, .optionalEntry, .comprehension, .conditional, .membership,
            .hasField, .localEqual:
            false
        }
    }
}

/// The values of a constant list on the right of `in`.
struct ConstantSet: Sendable {
    private let list: [Value]
    /// Empty when the list is short.
    private let set: Set<Value>
    /// The cells of a short list, if all of its values are of one kind whose equality is decided by
    /// the bits.
    let exactCells: [SlotCell]?

    /// Up to this many values are compared one by one.
    private static let smallCount = 8

    init(_ list: [Value]) {
        self.list = list
        set = list.count <= Self.smallCount ? [] : Set(list)
        exactCells = list.count <= Self.smallCount ? Self.exactCells(list) : nil
    }

    func contains(_ value: Value) -> Bool {
        set.isEmpty ? list.contains(value) : set.contains(value)
    }

    private static func exactCells(_ list: [Value]) -> [SlotCell]? {
        let cells = list.map { SlotCell($0) }
        guard let kind = cells.first?.kind, kind.isExact,
            cells.allSatisfy({ $0.kind == kind })
        else { return nil }
        return cells
    }
}

extension SlotCell.Kind {
    /// True if two cells of this kind are equal exactly if their bits are equal.
    var isExact: Bool {
        switch self {
        case .bool, .int, .uint, .shortString: true
        case .missing, .error, .double, .longString, .list, .map, .other: false
        }
    }
}
