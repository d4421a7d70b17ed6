internal import PopCEL
internal import PopSource

/// The place of a variable in a `VariableTable`.
struct VariableIndex: ListIndex {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// Something that has a value at a point in time: a key or another entry that conditions read, a
/// field of a map, or the elements of a list.
struct Place: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case field(ExactText)
        case element
    }

    let entry: SlotTable.Entry
    var path: [Step] = []

    func appending(_ step: Step) -> Place {
        var place = self
        place.path.append(step)
        return place
    }
}

/// A variable that diagrams branch on.
struct LogicVariable: Sendable {
    enum Kind: Hashable, Sendable {
        /// The value of a place; for a list, its size.
        case value(Place)
        /// The truth of a test of a string.
        case text(VariableIndex, TextAutomaton.Test, TextAutomaton.Folding)
        /// The number of characters of a string.
        case size(VariableIndex)
        /// The difference of two values.
        case difference(VariableIndex, VariableIndex)
        /// The existence of a list element for which a term has this outcome.
        case some(VariableIndex, TermID, Outcome)
        /// The result of a part that nothing is known about, identified by its source and what it
        /// reads.
        case free(ExactText)
    }

    let kind: Kind
    var domain: Domain
    /// The type of a place.
    var type = CELType.dyn
    /// The values that something was compared with; the rank is the position.
    fileprivate(set) var constants: [Value] = []
    /// The positions of the constants; -1 for a value that equals several listed ones.
    fileprivate var places: [Value: Int] = [:]
    /// The same for versions, ascending, with their ranks.
    fileprivate(set) var versions: [(version: Version, rank: Ordinal)] = []
    /// The variables that an unknown part reads.
    var read: [VariableIndex] = []
    /// The source of that part as its author wrote it.
    var written = ""

    /// Returns the rank of a constant that a comparison uses.
    func rank(of constant: Value) -> Ordinal? {
        guard domain.form == .constants else { return nil }
        return places[constant].map { Ordinal($0) }
    }

    /// The place whose value the variable represents.
    var place: Place? {
        if case .value(let place) = kind { place } else { nil }
    }
}

/// The result of a condition.
enum Outcome: UInt8, Hashable, Sendable {
    case no
    case yes
    case failure
}

/// The variables that conditions are about.
struct VariableTable: Sendable {
    private(set) var all: TypedArray<VariableIndex, LogicVariable> = []
    private var numbers: [LogicVariable.Kind: VariableIndex] = [:]

    subscript(index: VariableIndex) -> LogicVariable { all[index] }

    func index(of kind: LogicVariable.Kind) -> VariableIndex? { numbers[kind] }

    mutating func add(
        _ kind: LogicVariable.Kind, domain: Domain, type: CELType = .dyn,
        read: [VariableIndex] = [], written: String = ""
    ) -> VariableIndex {
        if let known = numbers[kind] { return known }
        var variable = LogicVariable(kind: kind, domain: domain, type: type)
        variable.read = read
        variable.written = written
        if let usual = domain.usual, domain.form == .constants {
            variable.constants = [usual]
            variable.places = [usual: 0]
        }
        if case .listed(let values) = domain.form {
            for (place, value) in values.enumerated() {
                // A value equal to several listed values has no rank of its own.
                variable.places[value] = variable.places[value] == nil ? place : -1
            }
        }
        all.append(variable)
        let index = VariableIndex(all.count - 1)
        numbers[kind] = index
        return index
    }

    /// Returns the values for which a comparison is true, and those for which it is false; nil if
    /// ranks don't determine them.
    mutating func split(
        _ variable: VariableIndex, _ operation: Operator, constant: Value
    ) -> (yes: IntervalSet, no: IntervalSet)? {
        let domain = all[variable].domain
        switch domain.form {
        case .constants:
            guard operation == .equal || operation == .notEqual,
                let rank = rank(of: constant, in: variable)
            else { return nil }
            let equal = IntervalSet(rank)
            let other = equal.complement(in: domain.values)
            let (yes, no) = operation == .equal ? (equal, other) : (other, equal)
            return domain.withUsual(yes: yes, no: no) { $0.compared(operation, with: constant) }
        case .version:
            guard case .version(let version) = constant, let rank = mark(version, in: variable),
                let yes = domain.set(operation, first: rank, last: rank)
            else { return nil }
            let no = yes.complement(in: domain.values)
            return domain.withUsual(yes: yes, no: no) { $0.compared(operation, with: constant) }
        case .listed where operation == .equal || operation == .notEqual:
            let place = all[variable].places[constant]
            guard place != -1, constant == constant else {
                return domain.split(operation, constant: constant)
            }
            let equal = place.map { IntervalSet(Ordinal($0)) } ?? .none
            let other = equal.complement(in: domain.values)
            let (yes, no) = operation == .equal ? (equal, other) : (other, equal)
            return domain.withUsual(yes: yes, no: no) { $0.compared(operation, with: constant) }
        case .truth, .outcome, .int, .uint, .double, .timestamp, .duration, .listed, .presence,
            .number:
            return domain.split(operation, constant: constant)
        }
    }

    /// Returns the rank of a value that a comparison uses; nil for a value that equals nothing.
    private mutating func rank(of constant: Value, in variable: VariableIndex) -> Ordinal? {
        guard constant == constant else { return nil }
        if let known = all[variable].places[constant] { return Ordinal(known) }
        let place = all[variable].constants.count
        all[variable].constants.append(constant)
        all[variable].places[constant] = place
        return Ordinal(place)
    }

    /// Returns the rank of a version, between the ranks of its neighbors. Returns nil if there is
    /// no room left.
    private mutating func mark(_ version: Version, in variable: VariableIndex) -> Ordinal? {
        let marks = all[variable].versions
        let position = marks.firstPlace(after: { $0.version < version })
        if position < marks.count, marks[position].version == version {
            return marks[position].rank
        }
        let step = Ordinal(high: 1, low: 0)
        let rank: Ordinal
        if marks.isEmpty {
            rank = .zero
        } else if position == marks.count {
            rank = marks[position - 1].rank + step
        } else if position == 0 {
            rank = marks[0].rank - step
        } else {
            let (before, after) = (marks[position - 1].rank, marks[position].rank)
            rank = .middle(before, after)
            // Other versions lie between neighbors.
            guard rank.previous > before, rank.next < after else { return nil }
        }
        all[variable].versions.insert((version, rank), at: position)
        return rank
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first position at which a test is false, where the test holds only for the
    /// elements before it. Logarithmic.
    func firstPlace(after isBefore: (Element) -> Bool) -> Int {
        var (position, end) = (startIndex, endIndex)
        while position < end {
            let middle = position + (end - position) / 2
            if isBefore(self[middle]) { position = middle + 1 } else { end = middle }
        }
        return position
    }
}

/// The place of a term in a `TermTable`.
struct TermID: ListIndex {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// A condition, or a part of one, as far as it is understood.
enum Term: Hashable, Sendable {
    case constant(Bool)
    /// A term that fails for all values.
    case failure
    /// True for the `yes` values of a variable and false for the `no` values; it fails for others.
    case test(VariableIndex, yes: IntervalSet, no: IntervalSet)
    /// False if a part is false; if not, it fails if a part fails.
    case all([TermID])
    /// True if a part is true; if not, it fails if a part fails.
    case any([TermID])
    case not(TermID)
    /// A term that fails if its condition fails.
    case choice(TermID, then: TermID, otherwise: TermID)
}

/// The terms. Each occurs once, so that equal terms are shared.
struct TermTable: Sendable {
    private(set) var all: TypedArray<TermID, Term> = []
    private var numbers: [Term: TermID] = [:]

    subscript(id: TermID) -> Term { all[id] }

    var count: Int { all.count }

    mutating func add(_ term: Term) -> TermID {
        if let known = numbers[term] { return known }
        all.append(term)
        let id = TermID(all.count - 1)
        numbers[term] = id
        return id
    }

    mutating func all(_ parts: [TermID]) -> TermID {
        parts.count == 1 ? parts[0] : add(.all(parts))
    }

    mutating func not(_ term: TermID) -> TermID {
        if case .not(let inner) = all[term] { return inner }
        return add(.not(term))
    }

    /// Returns a term that equals the given one, but fails unless a condition is true.
    mutating func guarded(_ term: TermID, by condition: TermID) -> TermID {
        if case .constant(true) = all[condition] { return term }
        let failure = add(.failure)
        return add(.choice(condition, then: term, otherwise: failure))
    }

    /// Returns the variables that a term tests, each once, in the order of the source.
    func variables(of term: TermID) -> [VariableIndex] {
        var found: [VariableIndex] = []
        var seen: Set<VariableIndex> = []
        var visited: Set<TermID> = []
        var pending = [term]
        while let next = pending.popLast() {
            guard visited.insert(next).inserted else { continue }
            switch all[next] {
            case .constant, .failure: break
            case .test(let variable, _, _):
                if seen.insert(variable).inserted { found.append(variable) }
            case .all(let parts), .any(let parts): pending += parts.reversed()
            case .not(let part): pending.append(part)
            case .choice(let condition, let then, let otherwise):
                pending += [otherwise, then, condition]
            }
        }
        return found
    }
}
