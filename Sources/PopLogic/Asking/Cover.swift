package import PopCEL

/// A short description of users: each line is a conjunction of tests, and the lines together
/// describe exactly these users.
public struct Cover: Sendable {
    /// The lines. Users match a line if they pass all of its tests.
    package let lines: [[Test]]

    /// The number of tests in all lines, where an empty line counts as 1.
    package var size: Int { lines.reduce(0) { $0 + max($1.count, 1) } }
}

/// Sets of ranks of some variables, all of which must hold.
private struct Product {
    var sets: [VariableIndex: IntervalSet] = [:]
}

extension Logic {
    /// Returns a few lines that describe exactly the users who meet a demand; nil if that takes too
    /// many lines or if no lines are known to be exact.
    public mutating func cover(of demand: Requirement) -> Cover? {
        let diagram = diagram(of: demand)
        return cover(of: diagram)
    }

    /// Returns the cover of all users who don't meet a demand.
    public mutating func cover(ofAllBut demand: Requirement) -> Cover? {
        let diagram = arena.not(diagram(of: demand))
        return cover(of: diagram)
    }

    /// Returns the cover of the users who meet one demand and not another.
    public mutating func cover(of one: Requirement, without other: Requirement) -> Cover? {
        let (first, second) = (diagram(of: one), diagram(of: other))
        let rest = arena.subtracting(second, from: first)
        return cover(of: rest)
    }

    /// Returns a few lines for the requirements of a second demand that the first one doesn't have.
    /// Users who meet the first demand and match the lines are exactly those who meet the first
    /// demand and not the second. Returns nil if the second demand has no such parts, or if they
    /// take too many lines.
    package mutating func cover(ofThoseIn one: Requirement, leftOutBy other: Requirement) -> Cover?
    {
        guard let outside = parts(of: other, besides: one) else { return nil }
        return cover(of: outside)
    }

    /// Returns true if users meet the first demand and not the second, provided that they can meet
    /// the parts that both demands share and that nothing is known about. False if a part that
    /// nothing is known about belongs to only one of the demands: it may be true for nobody.
    package mutating func differs(_ one: Requirement, from other: Requirement) -> Bool {
        guard let outside = parts(of: other, besides: one), !isExhausted else { return false }
        let isFree: (Logic, VariableIndex) -> Bool = { logic, variable in
            if case .free = logic.variables[variable].kind { true } else { false }
        }
        guard !support(of: outside).contains(where: { isFree(self, $0) }) else { return false }
        let first = diagram(of: one)
        let rest = arena.and(first, outside)
        let unknown = support(of: rest).filter { isFree(self, $0) }
        let shared = support(of: first).intersection(support(of: diagram(of: other)))
        guard !unknown.isEmpty, unknown.isSubset(of: shared) else { return false }
        let free = Set(unknown.map { level(of: $0) })
        let open = withoutLevels(free, rest)
        if case .found = search(open, accepts: { _ in true }) { return true }
        return false
    }

    /// Returns the users who don't meet those parts of a demand that another one doesn't already
    /// require.
    private mutating func parts(of other: Requirement, besides one: Requirement) -> DecisionDiagram?
    {
        guard other.either.isEmpty, other.among == nil else { return nil }
        let first = diagram(of: one)
        var outside = DecisionDiagram.never
        for (part, isMet) in meanings(ofPartsOf: other) {
            let left = isMet ? arena.not(part) : part
            let missing = arena.and(first, left)
            if isExhausted { return nil }
            if isNobody(missing) { continue }
            outside = arena.or(outside, left)
        }
        return isExhausted || outside.isLeaf ? nil : outside
    }

    private mutating func cover(of diagram: DecisionDiagram) -> Cover? {
        var products: [Product] = []
        guard !isExhausted, collect(diagram, Product(), into: &products) else { return nil }
        let ranges = products.reduce(0) { $0 + $1.sets.values.reduce(0) { $0 + $1.ranges.count } }
        guard ranges <= limits.coverRanges else { return nil }
        for index in products.indices { expand(&products[index], in: diagram) }
        products = irredundant(products)
        let union = union(of: products)
        guard !isExhausted, isNobody(arena.difference(union, diagram)) else { return nil }
        if isNobody(union) { return Cover(lines: []) }
        var lines: [[Test]] = []
        for product in products {
            let sets = product.sets.sorted { level(of: $0.key) < level(of: $1.key) }
            var line: [Test] = []
            for (variable, set) in sets {
                guard let test = words(for: variable, set) else { return nil }
                line.append(test)
            }
            lines.append(line)
        }
        return Cover(lines: lines)
    }

    /// Collects the paths through a diagram, with edges to the same child as one. Returns false if
    /// there are too many.
    private mutating func collect(
        _ diagram: DecisionDiagram, _ product: Product, into products: inout [Product]
    ) -> Bool {
        if diagram == .never { return true }
        meter.take(StepCost.literal + arena.edges(diagram).count)
        if diagram == .always {
            products.append(product)
            return products.count <= limits.coverTerms
        }
        let variable = order[arena.level(diagram)]
        var start = variables[variable].domain.whole.lowerBound
        var children: [(child: DecisionDiagram, ranges: [ClosedRange<Ordinal>])] = []
        var places: [DecisionDiagram: Int] = [:]
        for edge in arena.edges(diagram) {
            let range = start...edge.last
            start = edge.last.next
            if let place = places[edge.child] {
                children[place].ranges.append(range)
            } else {
                places[edge.child] = children.count
                children.append((edge.child, [range]))
            }
        }
        for (child, ranges) in children {
            var next = product
            next.sets[variable] = IntervalSet(ranges)
            guard collect(child, next, into: &products) else { return false }
        }
        return true
    }

    private mutating func isNobody(_ diagram: DecisionDiagram) -> Bool {
        if diagram == .never { return true }
        if isExhausted { return false }
        if case .none = search(diagram, accepts: { _ in true }) { return true }
        return false
    }

    /// Returns the variables of a product in the order of their levels.
    private mutating func variables(of product: Product) -> [VariableIndex] {
        product.sets.keys.map { (variable: $0, level: level(of: $0)) }
            .sorted { $0.level < $1.level }.map { $0.variable }
    }

    /// Returns the diagram of a product. `order` has its variables in order, including variables
    /// that the product may have lost.
    private mutating func diagram(of product: Product, order: [VariableIndex]) -> DecisionDiagram {
        var diagram = DecisionDiagram.always
        guard meter.take(order.count * StepCost.literal) else { return .never }
        for variable in order.reversed() {
            guard let set = product.sets[variable] else { continue }
            let test = test(variable, is: set)
            diagram = arena.and(test, diagram)
        }
        return diagram
    }

    private mutating func union(of products: [Product]) -> DecisionDiagram {
        var union = DecisionDiagram.never
        for product in products {
            if isExhausted { return .never }
            let part = diagram(of: product, order: variables(of: product))
            union = arena.or(union, part)
        }
        return union
    }

    private mutating func isInside(
        _ product: Product, _ diagram: DecisionDiagram, order: [VariableIndex]
    ) -> Bool {
        let part = self.diagram(of: product, order: order)
        return !isExhausted && isNobody(arena.subtracting(diagram, from: part))
    }

    /// Drops tests and widens the others as long as the product stays inside the diagram.
    private mutating func expand(_ product: inout Product, in diagram: DecisionDiagram) {
        let order = variables(of: product)
        for variable in order {
            if isExhausted { return }
            var wider = product
            wider.sets[variable] = nil
            if isInside(wider, diagram, order: order) { product = wider }
        }
        for variable in order {
            guard let set = product.sets[variable] else { continue }
            let domain = variables[variable].domain
            for range in set.complement(in: domain.whole).ranges {
                var wider = product
                wider.sets[variable] = (product.sets[variable] ?? set).union(IntervalSet([range]))
                if isInside(wider, diagram, order: order) { product = wider }
            }
        }
    }

    private mutating func irredundant(_ products: [Product]) -> [Product] {
        var kept = products
        for index in products.indices.reversed() where kept.count > 1 {
            let others = kept.indices.filter { $0 != index }.map { kept[$0] }
            let union = union(of: others)
            let order = variables(of: kept[index])
            if isInside(kept[index], union, order: order) { kept.remove(at: index) }
        }
        return kept
    }
}

// MARK: Names

extension Logic {
    /// Returns a named condition that exactly the users meet who meet one demand and not another,
    /// or that all other users meet. Only conditions that the demand reads are considered.
    package mutating func name(
        of one: Requirement, without other: Requirement? = nil
    ) -> (name: String, isMet: Bool)? {
        var wanted = diagram(of: one)
        if let other {
            let second = diagram(of: other)
            wanted = arena.subtracting(second, from: wanted)
        }
        if wanted.isLeaf || isExhausted { return nil }
        let all = one.isLater ? translator.laterDefinitions : translator.definitions
        for (name, term) in all.sorted(by: { $0.key < $1.key }) {
            let yes = meaning(of: term).yes
            if yes == wanted { return (name, true) }
            if arena.not(yes) == wanted { return (name, false) }
        }
        return nil
    }
}

// MARK: Just outside

extension Logic {
    /// Returns a user who fails a demand because of one of the tests of its cover.
    ///
    /// - Parameter readers: The number of popups that read each entry. The tests that the fewest
    ///   popups share are tried first. For example, if all popups require a consent, a user without
    ///   it is just outside of every popup, and so shows nothing about any single popup.
    package mutating func witness(
        justOutside demand: Requirement, readers: [SlotTable.Entry: Int] = [:]
    ) -> Witness? {
        let diagram = diagram(of: demand)
        var products: [Product] = []
        guard !isExhausted, collect(diagram, Product(), into: &products),
            var product = products.first
        else { return nil }
        expand(&product, in: diagram)
        let outside = arena.not(diagram)
        // A history that no user has is less near than any other test.
        updateFacts()
        for isUsual in facts.hasUnusual ? [true, false] : [false] {
            let order = variables(of: product)
            let counts = order.map { numberOfReaders(of: $0, among: readers) }
            for place in order.indices.sorted(by: { (counts[$0], $0) < (counts[$1], $1) }) {
                let variable = order[place]
                guard let set = product.sets[variable] else { continue }
                for other in neighbours(of: set, of: variable) {
                    var beside = product
                    beside.sets[variable] = other
                    let part = self.diagram(of: beside, order: order)
                    let search = search(arena.and(part, outside), isUsual: isUsual) {
                        !demand.isMet(by: $0)
                    }
                    if case .found(let witness) = search { return witness }
                }
            }
        }
        guard case .found(let witness) = search(outside, accepts: { !demand.isMet(by: $0) }) else {
            return nil
        }
        return witness
    }

    /// Returns the number of popups that read the entry of a variable; the smallest number if the
    /// variable is about several entries.
    private func numberOfReaders(
        of variable: VariableIndex, among readers: [SlotTable.Entry: Int]
    ) -> Int {
        let about: [VariableIndex]
        switch variables[variable].kind {
        case .value(let place): return readers[place.entry] ?? 0
        case .text(let text, _, _), .size(let text): about = [text]
        case .difference(let one, let other): about = [one, other]
        case .some(let list, _, _): about = [list]
        case .free: about = variables[variable].read
        }
        return about.map { numberOfReaders(of: $0, among: readers) }.min() ?? 0
    }

    /// Returns ranks outside of a set, the nearest first and the missing value last.
    private func neighbours(of set: IntervalSet, of variable: VariableIndex) -> [IntervalSet] {
        let domain = variables[variable].domain
        let values = IntervalSet([domain.values])
        let second = second(of: variable)
        var near: [IntervalSet] = []
        for range in set.intersection(values).ranges {
            near += domain.beside(range.lowerBound, isAbove: false, second: second)
            near += domain.beside(range.upperBound, isAbove: true, second: second)
        }
        // Users have no numbers below 0 unless a condition requires them.
        let isSigned = set.intersection(values).ranges.contains { $0.lowerBound < .zero }
        if !isSigned, [.int, .double, .duration].contains(domain.form) {
            let natural = IntervalSet([Ordinal.zero...max(.zero, domain.values.upperBound)])
            let isNatural = { (set: IntervalSet) in !set.intersection(natural).isEmpty }
            near = near.filter(isNatural) + near.filter { !isNatural($0) }
        }
        let others = [
            set.complement(in: domain.values).intersection(values),
            set.union(values).complement(in: domain.whole),
        ]
        return (near.map { $0.intersection(values) } + others).filter { !$0.isEmpty }
    }

    /// The number of ranks in a second, for kinds of time; nil for other kinds.
    private func second(of variable: VariableIndex) -> Int64? {
        if case .difference(let plus, _) = variables[variable].kind { return second(of: plus) }
        return switch variables[variable].domain.form {
        case .timestamp: Domain.nanoseconds
        case .duration: Domain.attoseconds
        case .truth, .outcome, .int, .uint, .double, .version, .constants, .listed, .presence,
            .number:
            nil
        }
    }
}

extension Domain {
    /// Returns the ranks next to a value, the roundest first: for doubles the next hundredth, and
    /// for times the next whole second.
    fileprivate func beside(_ rank: Ordinal, isAbove: Bool, second: Int64?) -> [IntervalSet] {
        let next = isAbove ? rank.next : rank.previous
        if let second, let (_, rest) = rank.divided(by: second) {
            // The remainder is never negative.
            let whole = rank - Ordinal(rest)
            let near =
                isAbove
                ? whole + Ordinal(second) : rest == 0 ? whole - Ordinal(second) : whole
            return [IntervalSet(near), IntervalSet(next)]
        }
        guard form == .double, case .double(let number)? = value(at: rank) else {
            return [IntervalSet(next)]
        }
        if case .double(let beside)? = value(at: next), (beside * 100).rounded() / 100 == beside {
            return [IntervalSet(next)]
        }
        let hundredths =
            isAbove ? (number * 100).rounded(.down) + 1 : (number * 100).rounded(.up) - 1
        let near = exactRank(of: .double(hundredths / 100)).map { IntervalSet($0) }
        return [near, IntervalSet(next)].compactMap { $0 }
    }
}
