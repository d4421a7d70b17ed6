internal import PopCEL

extension Translator {
    /// Returns the term of a comparison; nil if nothing is known about it.
    mutating func comparison(_ operation: Operator, left: NodeID, right: NodeID) -> TermID? {
        if let constant = constant(right) {
            if let term = comparison(operation, left, with: constant) { return term }
        } else if let constant = constant(left) {
            if let term = comparison(operation.mirrored, right, with: constant) { return term }
        }
        if let term = sameTruth(operation, left: left, right: right) { return term }
        return differenceComparison(operation, left: left, right: right)
    }

    private mutating func comparison(
        _ operation: Operator, _ node: NodeID, with constant: Value
    ) -> TermID? {
        if let other = self.constant(node) {
            return other.compared(operation, with: constant).map { terms.add(.constant($0)) }
        }
        if let read = size(node) ?? scalar(node),
            let (yes, no) = variables.split(read.variable, operation, constant: constant)
        {
            return terms.guarded(
                terms.add(.test(read.variable, yes: yes, no: no)), by: read.isThere)
        }
        return textComparison(operation, node, with: constant)
    }

    /// Returns the value that a part reads, unless it is a list or a map.
    private mutating func scalar(_ node: NodeID) -> Read? {
        guard let read = value(node) else { return nil }
        switch variables[read.variable].type {
        case .list, .map: return nil
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            return read
        }
    }

    /// Returns the term of `==` or `!=` between parts whose type is bool.
    private mutating func sameTruth(
        _ operation: Operator, left: NodeID, right: NodeID
    ) -> TermID? {
        guard operation == .equal || operation == .notEqual,
            [left, right].allSatisfy({ reading.checked.type($0) == .bool })
        else { return nil }
        let (one, other) = (term(left), term(right))
        let not = terms.not(other)
        // Both branches read the other part, so that a failure of either part is a failure of the
        // whole.
        return operation == .equal
            ? terms.add(.choice(one, then: other, otherwise: not))
            : terms.add(.choice(one, then: not, otherwise: other))
    }

    /// Returns the value of a part that is a constant.
    func constant(_ node: NodeID) -> Value? {
        let tree = reading.tree
        if case .list? = tree.literal(node) { return nil }
        if let value = tree.constant(node, knowsDays: reading.environment.knowsDays) {
            return value
        }
        guard tree.operation(node) == .negate else { return nil }
        switch tree.literal(tree.child(node, at: 0)) {
        case .int(let number)? where number != .min: return .int(-number)
        case .double(let number)?: return .double(-number)
        case nil, .null, .bool, .int, .uint, .string, .bytes, .timestamp, .duration, .version,
            .list, .map, .type, .optional:
            return nil
        }
    }

    /// Returns a list whose elements are constants; nil for other parts.
    func listOfConstants(_ node: NodeID) -> Value? { constants(node).map { .list($0) } }

    /// Returns the constants of a list.
    private func constants(_ node: NodeID) -> [Value]? {
        let tree = reading.tree
        if case .list(let values)? = tree.literal(node) { return values }
        guard tree.kind(of: node) == .list else { return nil }
        let values = tree.children(of: node).map { constant($0) }
        return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
    }

    /// Returns the term of `x in [constants]`, `constant in list`, or `"field" in map`.
    mutating func membership(_ item: NodeID, in container: NodeID) -> TermID? {
        if let values = constants(container) { return isOne(item, of: values) }
        guard let wanted = constant(item), let read = value(container),
            let place = variables[read.variable].place
        else { return nil }
        switch variables[read.variable].type {
        case .list(let type):
            return contains(wanted, read: read, place: place, type: type)
        case .map(.string, _):
            guard case .string(let name) = wanted, let field = field(name, inside: read) else {
                return nil
            }
            return terms.guarded(isPresent(field.variable), by: field.isThere)
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .map, .optional, .type, .wrapper, .opaque, .parameter:
            return nil
        }
    }

    private mutating func isOne(_ item: NodeID, of values: [Value]) -> TermID? {
        if let constant = constant(item) {
            return terms.add(.constant(values.contains(constant)))
        }
        if values.isEmpty {
            guard let read = scalar(item) else { return nil }
            let domain = variables[read.variable].domain
            return terms.guarded(
                terms.add(.test(read.variable, yes: .none, no: domain.present)), by: read.isThere)
        }
        var parts: [TermID] = []
        for value in values {
            guard let part = comparison(.equal, item, with: value) else { return nil }
            parts.append(part)
        }
        return joined(parts) ?? terms.add(.any(parts))
    }

    /// Joins tests for equality with one variable into one test; nil if the variables differ.
    private mutating func joined(_ parts: [TermID]) -> TermID? {
        var variable: VariableIndex?
        var ranges: [ClosedRange<Ordinal>] = []
        var failing = IntervalSet.none
        for part in parts {
            guard case .test(let tested, let set, let no) = terms[part],
                variable == nil || variable == tested
            else { return nil }
            variable = tested
            ranges += set.ranges
            failing = set.union(no).complement(in: variables[tested].domain.whole)
        }
        guard let variable else { return nil }
        let yes = IntervalSet(ranges)
        let no = yes.union(failing).complement(in: variables[variable].domain.whole)
        return terms.add(.test(variable, yes: yes, no: no))
    }

    private mutating func contains(
        _ wanted: Value, read: Read, place: Place, type: CELType
    ) -> TermID? {
        guard !place.path.contains(.element), let element = element(of: place),
            let (yes, no) = variables.split(element.variable, .equal, constant: wanted)
        else { return nil }
        let body = terms.add(.test(element.variable, yes: yes, no: no))
        let some = some(read.variable, body: body, comesTo: .yes)
        return terms.guarded(terms.guarded(some, by: needs(read.variable)), by: read.isThere)
    }
}

// Sums and differences of integers, points in time, and durations.
extension Translator {
    /// A sum of at most one variable, minus at most one other variable, plus a constant.
    fileprivate struct Sum {
        enum Unit { case int, uint, timestamp, duration }

        var unit: Unit
        var plus: VariableIndex?
        var minus: VariableIndex?
        var offset = Ordinal.zero
        /// True if durations count attoseconds. Durations between points in time count nanoseconds.
        var isFine = false
        /// The terms that fail where the sum fails.
        var guards: [TermID] = []

        var isConstant: Bool { plus == nil && minus == nil }
    }

    /// Returns the term of a comparison of sums; nil if it has more variables than a difference.
    mutating func differenceComparison(
        _ operation: Operator, left: NodeID, right: NodeID
    ) -> TermID? {
        guard let one = sum(left), let other = sum(right),
            one.unit == other.unit || one.unit.isWhole && other.unit.isWhole,
            let whole = joined(one, other, isNegative: true)
        else { return nil }
        let everything = Domain(
            .number, from: Ordinal(high: .min / 4, low: 0), to: Ordinal(high: .max / 4, low: 0))
        guard let wanted = everything.set(operation, first: .zero, last: .zero) else {
            return nil
        }
        return guarded(test(whole, in: wanted), by: whole.guards)
    }

    private mutating func guarded(_ term: TermID, by guards: [TermID]) -> TermID {
        guards.reversed().reduce(term) { terms.guarded($0, by: $1) }
    }

    private mutating func sum(_ node: NodeID) -> Sum? {
        if let value = constant(node) { return sum(of: value) }
        let tree = reading.tree
        if tree.kind(of: node) == .operation {
            guard [.add, .subtract].contains(tree.operator(of: node)),
                let left = sum(tree.child(node, at: 0)), let right = sum(tree.child(node, at: 1))
            else { return nil }
            return result(left, right, isNegative: tree.operator(of: node) == .subtract)
        }
        guard let read = value(node), let unit = Sum.Unit(variables[read.variable].type),
            variables[read.variable].hasNumericRanks
        else { return nil }
        var sum = Sum(unit: unit, plus: read.variable)
        sum.isFine = unit == .duration
        sum.guards = [read.isThere, needs(read.variable)]
        return sum
    }

    private func sum(of value: Value) -> Sum? {
        switch value {
        case .int(let number): Sum(unit: .int, offset: Ordinal(number))
        case .uint(let number): Sum(unit: .uint, offset: Ordinal(number))
        case .timestamp(let instant): Sum(unit: .timestamp, offset: Domain.rank(instant))
        case .duration(let duration):
            Sum(unit: .duration, offset: Domain.rank(duration), isFine: true)
        case .null, .bool, .double, .string, .bytes, .version, .list, .map, .type, .optional: nil
        }
    }

    /// Returns `left + right` or `left - right` as the language computes it, which fails out of
    /// range.
    private mutating func result(_ left: Sum, _ right: Sum, isNegative: Bool) -> Sum? {
        let unit: Sum.Unit
        switch (left.unit, right.unit) {
        case (.int, .int), (.uint, .uint), (.duration, .duration): unit = left.unit
        case (.timestamp, .timestamp) where isNegative: unit = .duration
        case (.timestamp, .duration): unit = .timestamp
        case (.duration, .timestamp) where !isNegative: unit = .timestamp
        case (.int, _), (.uint, _), (.timestamp, _), (.duration, _): return nil
        }
        guard var sum = joined(left, right, isNegative: isNegative) else { return nil }
        sum.unit = unit
        if unit == .duration, left.unit == .duration {
            for part in [left, right] { sum.guards.append(isInRange(part)) }
        }
        sum.guards.append(isInRange(sum))
        return sum
    }

    private func joined(_ left: Sum, _ right: Sum, isNegative: Bool) -> Sum? {
        guard let (left, right) = inOneScale(left, right) else { return nil }
        var sum = left
        sum.guards += right.guards
        sum.offset = isNegative ? left.offset - right.offset : left.offset + right.offset
        let (plus, minus) = isNegative ? (right.minus, right.plus) : (right.plus, right.minus)
        var ups = [left.plus, plus].compactMap { $0 }
        var downs = [left.minus, minus].compactMap { $0 }
        for variable in ups where downs.contains(variable) {
            ups.remove(at: ups.firstIndex(of: variable) ?? 0)
            downs.remove(at: downs.firstIndex(of: variable) ?? 0)
        }
        guard ups.count <= 1, downs.count <= 1 else { return nil }
        (sum.plus, sum.minus) = (ups.first, downs.first)
        return sum
    }

    /// Converts durations to nanoseconds if they are joined with points in time.
    private func inOneScale(_ left: Sum, _ right: Sum) -> (Sum, Sum)? {
        if left.isFine == right.isFine || left.unit.isWhole { return (left, right) }
        if left.isFine { return coarse(left).map { ($0, right) } }
        return coarse(right).map { (left, $0) }
    }

    private func coarse(_ sum: Sum) -> Sum? {
        guard sum.isConstant, let (whole, rest) = sum.offset.divided(by: Domain.nanoseconds),
            rest == 0
        else { return nil }
        var coarse = sum
        coarse.offset = Ordinal(whole)
        coarse.isFine = false
        return coarse
    }

    /// Returns a term that fails if a sum is out of the range of its type.
    private mutating func isInRange(_ sum: Sum) -> TermID {
        let domain: Domain
        switch sum.unit {
        case .int: domain = Domain(.int, minimum: nil, maximum: nil)
        case .uint: domain = Domain(.uint, minimum: nil, maximum: nil)
        case .timestamp: domain = Domain(.timestamp, minimum: nil, maximum: nil)
        case .duration:
            let scale: Int64 = sum.isFine ? Domain.nanoseconds : 1
            let slack = Ordinal(scale - 1)
            domain = Domain(
                .number, from: Ordinal(Int64.min, times: scale) - slack,
                to: Ordinal(Int64.max, times: scale) + slack)
        }
        if declarations.hasOnlyLikelyDates, contains(sum, in: domain) {
            return terms.add(.constant(true))
        }
        let isIn = test(sum, in: IntervalSet([domain.values]))
        if case .constant(true) = terms[isIn] { return isIn }
        let failure = terms.add(.failure)
        return terms.add(
            .choice(isIn, then: terms.add(.constant(true)), otherwise: failure))
    }

    /// Returns true if the sum of dates is in the range for all real users.
    private func contains(_ sum: Sum, in domain: Domain) -> Bool {
        let dates = [sum.plus, sum.minus].compactMap { $0 }
        guard !dates.isEmpty, dates.allSatisfy({ variables[$0].domain.form == .timestamp })
        else { return false }
        let ups = sum.plus.map { variables[$0].likelyBounds } ?? Ordinal.zero...Ordinal.zero
        let downs = sum.minus.map { variables[$0].likelyBounds } ?? Ordinal.zero...Ordinal.zero
        return ups.lowerBound - downs.upperBound + sum.offset >= domain.values.lowerBound
            && ups.upperBound - downs.lowerBound + sum.offset <= domain.values.upperBound
    }

    /// Returns a term that tests whether a sum is in a set of numbers.
    private mutating func test(_ sum: Sum, in wanted: IntervalSet) -> TermID {
        var wanted = wanted.shifted(by: -sum.offset)
        switch (sum.plus, sum.minus) {
        case (nil, nil): return terms.add(.constant(wanted.contains(.zero)))
        case (let plus?, nil): return test(plus, in: wanted)
        case (nil, let minus?): return test(minus, in: wanted.negated)
        case (var plus?, var minus?):
            if plus > minus {
                (plus, minus) = (minus, plus)
                wanted = wanted.negated
            }
            return test(difference(plus, minus), in: wanted)
        }
    }

    private mutating func difference(
        _ plus: VariableIndex, _ minus: VariableIndex
    ) -> VariableIndex {
        let (ups, downs) = (variables[plus].bounds, variables[minus].bounds)
        let domain = Domain(
            .number, from: ups.lowerBound - downs.upperBound,
            to: ups.upperBound - downs.lowerBound)
        return variables.add(.difference(plus, minus), domain: domain)
    }

    private mutating func test(_ variable: VariableIndex, in wanted: IntervalSet) -> TermID {
        let domain = variables[variable].domain
        var yes = wanted.intersection(IntervalSet([domain.values]))
        var no = yes.complement(in: domain.values)
        if let usual = domain.usual.flatMap({ domain.exactRank(of: $0) }) {
            let absence = IntervalSet(domain.absence)
            if wanted.contains(usual) { yes = yes.union(absence) } else { no = no.union(absence) }
        }
        if no.isEmpty, !domain.hasAbsence { return terms.add(.constant(true)) }
        return terms.add(.test(variable, yes: yes, no: no))
    }
}

extension Translator.Sum.Unit {
    fileprivate init?(_ type: CELType) {
        switch type {
        case .int: self = .int
        case .uint: self = .uint
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .dyn, .null, .bool, .double, .string, .bytes, .version, .list, .map, .optional, .type,
            .wrapper, .opaque, .parameter:
            return nil
        }
    }

    fileprivate var isWhole: Bool { self == .int || self == .uint }
}

extension LogicVariable {
    /// True if the ranks are the numbers that arithmetic uses.
    var hasNumericRanks: Bool {
        switch domain.form {
        case .int, .uint, .timestamp, .duration: true
        case .truth, .outcome, .double, .version, .constants, .listed, .presence, .number: false
        }
    }

    /// The bounds of a date of a user or of a point in time. A usual value outside of the likely
    /// dates represents no date, and the full bounds apply.
    fileprivate var likelyBounds: ClosedRange<Ordinal> {
        let likely =
            Domain.rank(
                LogicLimits.firstLikelyDate)...Domain.rank(
                LogicLimits.lastLikelyDate)
        if let usual = domain.usual.flatMap({ domain.exactRank(of: $0) }), !likely.contains(usual) {
            return bounds
        }
        return likely.overlaps(domain.values) ? likely.clamped(to: domain.values) : bounds
    }

    /// The bounds of the values, including the usual value.
    var bounds: ClosedRange<Ordinal> {
        guard let usual = domain.usual.flatMap({ domain.exactRank(of: $0) }) else {
            return domain.values
        }
        return min(usual, domain.values.lowerBound)...max(usual, domain.values.upperBound)
    }
}
