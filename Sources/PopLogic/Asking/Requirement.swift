public import PopCEL
public import PopSource

/// Conditions that are examined together: all of some must be true, one of some must be true, and
/// none of some may be true. They belong to the rules, or to the later of two rule sets.
public struct Requirement: Sendable {
    /// The conditions that must be true.
    public var met: [Program]
    /// The conditions that must not be true; they may be false, or fail.
    public var unmet: [Program]
    /// The conditions of which one must be true; if the list is empty, nothing is required.
    public var either: [Program] = []
    /// The users to consider for the demand, from what is known of another demand.
    package var among: People?
    /// True if the conditions belong to the later of two rule sets.
    public var isLater: Bool

    /// Creates a demand from conditions that must be true, and conditions that must not be.
    public init(_ met: [Program], unmet: [Program] = [], isLater: Bool = false) {
        self.met = met
        self.unmet = unmet
        self.isLater = isLater
    }

    /// Returns the demand that combines two. Precondition: both belong to the same rules, and at
    /// most one of them requires that one of several conditions is true.
    public func joined(_ other: Requirement) -> Requirement {
        var joined = Requirement(met + other.met, unmet: unmet + other.unmet, isLater: isLater)
        joined.either = either.isEmpty ? other.either : either
        return joined
    }

    /// All of its conditions.
    public var conditions: [Program] { met + unmet + either }
    /// True if the demand requires nothing, so that all users meet it.
    public var isEmpty: Bool { conditions.isEmpty && among == nil }
    /// True if evaluating the conditions that must be true never takes too many steps.
    var isBounded: Bool { (met + either).allSatisfy { $0.isBounded } }

    /// Returns true if a witness meets the demand, according to the conditions themselves.
    public func isMet(by witness: Witness) -> Bool {
        met.allSatisfy { witness.truth(of: $0, isLater: isLater).isYes }
            && !unmet.contains { witness.truth(of: $0, isLater: isLater).isYes }
            && (either.isEmpty
                || either.contains { witness.truth(of: $0, isLater: isLater).isYes })
    }
}

/// The users who meet a demand, as far as this is known without a look at values. Two values of one
/// `Logic` are equal only if the same users meet both demands.
public struct People: Sendable, Hashable {
    let diagram: DecisionDiagram
}

/// A user at a point in time: the value, or lack of one, of every entry that conditions read.
///
/// Claims about a witness have been evaluated by the conditions themselves.
public struct Witness: Sendable {
    /// An entry that conditions read, and its value.
    public struct Fact: Sendable, Hashable {
        /// The entry as programs name it.
        public let entry: SlotTable.Entry
        /// The value; nil if it is missing.
        public let value: Value?
        /// The value that counts if the value is missing, for a key with a default.
        public let usual: Value?

        /// Creates a fact about a user.
        package init(entry: SlotTable.Entry, value: Value?, usual: Value?) {
            (self.entry, self.value, self.usual) = (entry, value, usual)
        }
    }

    /// The facts, in the order in which conditions read them.
    public private(set) var facts: [Fact] = []
    private var places: [SlotTable.Entry: Int] = [:]
    private let declarations: Declarations
    /// The budget that evaluations for the witness are charged to.
    private let budget: WorkBudget

    init(declarations: Declarations, within budget: WorkBudget) {
        self.declarations = declarations
        self.budget = budget
    }

    mutating func add(_ entry: SlotTable.Entry, value: Value?, usual: Value?) {
        places[entry] = facts.count
        facts.append(Fact(entry: entry, value: value, usual: usual))
    }

    /// Returns the witness with other values for some entries; nil for no value.
    package func replacing(_ values: [SlotTable.Entry: Value?]) -> Witness {
        var witness = self
        for (place, fact) in facts.enumerated() {
            guard let value = values[fact.entry] else { continue }
            witness.facts[place] = Fact(entry: fact.entry, value: value, usual: fact.usual)
        }
        return witness
    }

    /// Returns the result of a condition for the witness.
    public func truth(of program: Program) -> Truth { truth(of: program, isLater: false) }

    /// Returns the result of a condition that may belong to the later of two rule sets.
    func truth(of program: Program, isLater: Bool) -> Truth {
        var named: [SlotTable.Entry: SlotValue] = [:]
        let slots = slots(for: program, isLater: isLater, depth: 0, named: &named)
        return evaluate(program, with: slots)
    }

    /// Evaluates a condition whatever is left of the budget: a refused charge ends the question,
    /// not this evaluation, whose result must be true.
    private func evaluate(_ program: Program, with slots: borrowing SlotValues) -> Truth {
        var steps = 0
        let truth = program.isTrue(slots, steps: &steps)
        if steps > 0 { _ = budget.charge(.logicSteps, steps * StepCost.evaluation) }
        return truth
    }

    /// Returns the values of a program's slots. `named` has the values of the named conditions that
    /// were evaluated so far: each is evaluated once, however many others use it.
    private func slots(
        for program: Program, isLater: Bool, depth: Int, named: inout [SlotTable.Entry: SlotValue]
    ) -> SlotValues {
        let entries = program.slotEntries
        var slots = SlotValues(count: (entries.map { $0.slot.number }.max() ?? -1) + 1)
        for (slot, entry) in entries {
            slots[slot] = value(of: entry, isLater: isLater, depth: depth, named: &named)
        }
        return slots
    }

    private func value(
        of entry: SlotTable.Entry, isLater: Bool, depth: Int,
        named: inout [SlotTable.Entry: SlotValue]
    ) -> SlotValue {
        if case .variable(let identity) = entry,
            let program = declarations.definition(identity, isLater: isLater), depth < Self.depth
        {
            if let known = named[entry] { return known }
            let slots = slots(for: program, isLater: isLater, depth: depth + 1, named: &named)
            let value: SlotValue =
                switch evaluate(program, with: slots) {
                case .yes: .value(.bool(true))
                case .no: .value(.bool(false))
                case .error(let error): .error(error)
                }
            named[entry] = value
            return value
        }
        let common = declarations.commonEntry(entry, isLater: isLater)
        guard let place = places[common], let value = facts[place].value ?? facts[place].usual
        else { return .missing }
        return .value(value)
    }

    /// The maximum nesting depth of named conditions. They form no cycle, and no chain of them is
    /// longer.
    private static let depth = 1_000
}

extension Truth {
    /// True if the condition is met.
    var isYes: Bool { self == .yes }
}

/// Parts of conditions that can't be true together, and none of which can be left out.
public struct UnsatCore: Sendable {
    /// A part: a whole condition, or an operand of `&&`, also inside named conditions.
    public struct Part: Sendable {
        /// The condition that contains the part.
        public let condition: Program
        /// The named conditions through which the part was reached, outermost first.
        public let names: [String]
        /// The index of the condition in question that contains the part. Conditions that must not
        /// be true follow the others.
        public let place: Int
        /// True if the part must be false instead of true. A `!` in the part's own source doesn't
        /// set it.
        public let isNegated: Bool
        /// True if the part belongs to a condition that must not be true.
        public let isForbidden: Bool
        /// The place of the part, or of the first name through which it was reached.
        public let use: SourceRange
        package let node: NodeID

        /// The place of the part.
        public var range: SourceRange { condition.expression.tree.range(node) }
        /// The source of the part as its author wrote it.
        public var text: String { condition.expression.text(of: node) }
    }

    /// The parts, in the order of the conditions.
    public let parts: [Part]
    /// True if fewer parts certainly don't clash.
    public let isSmallest: Bool
}
