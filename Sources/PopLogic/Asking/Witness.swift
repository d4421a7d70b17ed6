public import PopCEL

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

    init(declarations: Declarations) { self.declarations = declarations }

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
        return program.isTrue(slots(for: program, isLater: isLater, depth: 0, named: &named))
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
                switch program.isTrue(slots) {
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
