public import PopCEL
internal import PopSource

/// A change after which a user meets conditions.
public struct Change: Sendable {
    /// The entries with another value after the change, and that value; nil if they have none.
    public let changed: [Witness.Fact]
    /// The user after the change.
    public let after: Witness
}

/// Changes, each of which is sufficient.
public struct Changes: Sendable {
    /// The changes found. All of them change the same number of values.
    public fileprivate(set) var found: [Change] = []
    /// True if fewer changes are certainly not enough.
    public fileprivate(set) var isSmallest = true
}

extension Logic {
    /// The entries that the translated conditions read, in the order in which they are read.
    public var readEntries: [SlotTable.Entry] {
        var seen: Set<SlotTable.Entry> = []
        return variables.all.compactMap { $0.place?.entry }.filter { seen.insert($0).inserted }
    }

    /// Returns the smallest changes, among some entries that conditions read, after which a demand
    /// is met.
    ///
    /// All other entries keep the given values; an entry that isn't given has no value. Changes
    /// that `isEnough` rejects are left out.
    public mutating func changes(
        of values: [SlotTable.Entry: Value], toMeet demand: Requirement,
        among entries: [SlotTable.Entry], isEnough: (Change) -> Bool
    ) -> Changes {
        var changes = Changes()
        let everybody = people(meeting: demand).diagram
        var sets = limits.changeSets
        for count in 0...min(limits.changes, entries.count) where changes.found.isEmpty {
            var isRefuted = true
            for chosen in entries.subsets(count, atMost: sets) {
                sets -= 1
                guard changes.found.count < limits.answers else { break }
                let search = change(
                    within: everybody, of: values, only: chosen,
                    isEnough: { demand.isMet(by: $0.after) && isEnough($0) })
                switch search {
                case .found(let change): changes.found.append(change)
                case .none: break
                case .notKnown: isRefuted = false
                }
            }
            if changes.found.isEmpty, !isRefuted { changes.isSmallest = false }
            if sets <= 0 { break }
        }
        return changes
    }

    private enum ChangeSearch {
        case found(Change)
        case none
        case notKnown
    }

    private mutating func change(
        within everybody: DecisionDiagram, of values: [SlotTable.Entry: Value],
        only chosen: [SlotTable.Entry], isEnough: (Change) -> Bool
    ) -> ChangeSearch {
        theorySteps = limits.theorySteps
        let chosen = Set(chosen)
        let same = diagram(of: facts(values, but: chosen))
        var diagram = arena.and(everybody, same)
        var (isCertain, tried, clashes) = (true, 0, 0)
        while diagram != .never {
            guard !isExhausted, theorySteps > 0, clashes < limits.lemmas else {
                cutShort()
                return .notKnown
            }
            guard tried < limits.paths else { return .notKnown }
            let path = path(through: diagram)
            var excluded = path
            switch model(of: path, attempt: 0) {
            case .clash(let literals):
                clashes += 1
                lemmas.append(Lemma(literals: literals))
                excluded = literals
            case .possible(let model):
                tried += 1
                isCertain = false
                for candidate in candidates(model, on: path, values, chosen) {
                    let change = change(to: candidate, of: values)
                    if isEnough(change) { return .found(change) }
                }
            case .notKnown:
                tried += 1
                isCertain = false
            }
            let clash = self.diagram(of: excluded)
            diagram = arena.subtracting(clash, from: diagram)
        }
        return isCertain && !isExhausted ? .none : .notKnown
    }

    private mutating func change(to model: Model, of values: [SlotTable.Entry: Value]) -> Change {
        let after = witness(of: model)
        let changed = after.facts.compactMap { fact -> Witness.Fact? in
            let value = fact.value ?? fact.usual
            guard value != values[fact.entry] else { return nil }
            return Witness.Fact(entry: fact.entry, value: value, usual: fact.usual)
        }
        return Change(changed: changed, after: after)
    }
}

// MARK: Unchanged values

extension Logic {
    /// Returns the facts about all entries that keep their values, as far as ranks express them.
    private mutating func facts(
        _ values: [SlotTable.Entry: Value], but chosen: Set<SlotTable.Entry>
    ) -> [Literal] {
        guard takeTheorySteps(order.count * StepCost.variable) else { return [] }
        var literals: [Literal] = []
        for variable in order {
            guard let place = variables[base(of: variable)].place, !chosen.contains(place.entry),
                let ranks = ranks(of: variable, values)
            else { continue }
            literals.append(Literal(variable: variable, ranks: ranks))
        }
        return literals
    }

    /// Returns the ranks of a variable's current value; nil if ranks don't determine them.
    private mutating func ranks(
        of variable: VariableIndex, _ values: [SlotTable.Entry: Value]
    ) -> ClosedRange<Ordinal>? {
        let subject = variables[variable]
        switch subject.kind {
        case .value(let place):
            guard !place.path.contains(.element) else { return nil }
            guard let value = place.value(in: values) else {
                return subject.domain.hasAbsence
                    ? subject.domain.absence...subject.domain.absence : nil
            }
            return subject.ranks(of: value)
        case .text(let base, let test, let folding):
            guard case .string(let text)? = variables[base].place?.value(in: values),
                let isPassed = passes(text, variable, test, folding)
            else { return nil }
            let rank = Ordinal(isPassed ? 1 : 0)
            return rank...rank
        case .size(let base):
            guard case .string(let text)? = variables[base].place?.value(in: values) else {
                return nil
            }
            let rank = Ordinal(text.unicodeScalars.count)
            return rank...rank
        case .some(let base, let term, let outcome):
            guard case .list(let elements)? = variables[base].place?.value(in: values),
                takeTheorySteps(elements.count),
                case .test(let element, let yes, let no) = translator.terms[term],
                variables[element].place?.path == [.element], outcome != .failure
            else { return nil }
            let ranks = elements.map { variables[element].ranks(of: $0)?.lowerBound }
            guard !ranks.contains(nil) else { return nil }
            let wanted = outcome == .yes ? yes : no
            let rank = Ordinal(ranks.contains { $0.map { wanted.contains($0) } ?? false } ? 1 : 0)
            return rank...rank
        case .difference, .free: return nil
        }
    }
}

extension Place {
    /// Returns the value at the place; nil if it is missing.
    fileprivate func value(in values: [SlotTable.Entry: Value]) -> Value? {
        var value = values[entry]
        for step in path {
            guard case .field(let name) = step, case .map(let map)? = value else { return nil }
            value = map[.string(name.text)]
        }
        return value
    }
}

extension LogicVariable {
    /// Returns the ranks of a value; nil if ranks don't determine them.
    fileprivate func ranks(of value: Value) -> ClosedRange<Ordinal>? {
        func only(_ rank: Ordinal?) -> ClosedRange<Ordinal>? { rank.map { $0...$0 } }
        switch domain.form {
        case .constants:
            return only(
                rank(of: value) ?? domain.values.upperBound)
        case .listed(let listed): return only(listed.firstIndex(of: value).map { Ordinal($0) })
        case .presence: return only(.zero)
        case .number:
            guard case .list(let elements) = value else { return nil }
            return only(Ordinal(elements.count))
        case .double:
            if case .double(let number) = value, number.isNaN { return only(Domain.nan) }
            return only(domain.exactRank(of: value))
        case .truth, .int, .uint, .timestamp, .duration: return only(domain.exactRank(of: value))
        case .version:
            guard case .version(let version) = value else { return nil }
            if let mark = versions.first(where: { $0.version == version }) {
                return only(mark.rank)
            }
            let below = versions.last { $0.version < version }?.rank.next
            let above = versions.first { $0.version > version }?.rank.previous
            let (first, last) = (
                below ?? domain.values.lowerBound, above ?? domain.values.upperBound
            )
            return first <= last ? first...last : nil
        case .outcome: return nil
        }
    }
}

// MARK: Changed values

extension Logic {
    /// Returns values on a path, the most natural first: near the current values, and round.
    private mutating func candidates(
        _ model: Model, on path: [Literal], _ values: [SlotTable.Entry: Value],
        _ chosen: Set<SlotTable.Entry>
    ) -> [Model] {
        let models = [model] + (isAnyFree(path) ? otherModels(of: path) : [])
        meter.take(models.count * variables.all.count * StepCost.variable)
        var candidates: [Model] = []
        for model in models {
            let kept = model.keeping(values, but: chosen)
            let near = nearer(kept, on: path, values, chosen)
            candidates += Rounding.all.map { rounded(near, $0, chosen) } + [near]
            candidates += shorterLists(kept, values, chosen)
            candidates += otherListed(kept, on: path, chosen)
            candidates += Rounding.all.map { rounded(kept, $0, chosen) } + [kept]
        }
        return candidates
    }

    private func isAnyFree(_ path: [Literal]) -> Bool {
        path.contains { if case .free = variables[$0.variable].kind { true } else { false } }
    }

    private mutating func otherModels(of path: [Literal]) -> [Model] {
        var models: [Model] = []
        for attempt in 1...Self.otherAttempts {
            guard case .possible(let model) = model(of: path, attempt: attempt) else { continue }
            models.append(model)
        }
        return models
    }

    /// The number of attempts to find values for parts that nothing is known about.
    private static let otherAttempts = 8

    /// Returns the model with changed values as near to the current ones as the path allows.
    private func nearer(
        _ model: Model, on path: [Literal], _ values: [SlotTable.Entry: Value],
        _ chosen: Set<SlotTable.Entry>
    ) -> Model {
        var model = model
        var onPath: [VariableIndex: ClosedRange<Ordinal>] = [:]
        for literal in path { onPath[literal.variable] = literal.ranks }
        for variable in variables.all.indices {
            let subject = variables[variable]
            guard let place = subject.place, place.path.isEmpty, chosen.contains(place.entry),
                let current = values[place.entry]
            else { continue }
            let ranks = onPath[variable]
            if case .list(let elements) = current,
                case .list(let others)? = model.values[place] ?? nil
            {
                let more = others.filter { !elements.contains($0) }
                model.values[place] = .list(elements + more)
            } else if let ranks, let rank = subject.ranks(of: current)?.lowerBound,
                ranks.overlaps(subject.domain.values)
            {
                let range = ranks.clamped(to: subject.domain.values)
                let nearest = min(max(rank, range.lowerBound), range.upperBound)
                if let value = subject.domain.value(at: nearest) { model.values[place] = value }
            }
        }
        return model
    }

    private func rounded(
        _ model: Model, _ rounding: Rounding, _ chosen: Set<SlotTable.Entry>
    ) -> Model {
        var model = model
        for variable in variables.all.indices {
            guard let place = variables[variable].place, place.path.isEmpty,
                chosen.contains(place.entry), let value = model.values[place] ?? nil,
                let rounded = rounding.rounded(value)
            else { continue }
            let isAllowed = declarations.declared(place.entry)?.isWithinBounds(rounded) ?? true
            if isAllowed { model.values[place] = rounded }
        }
        return model
    }

    /// Returns models with the other values on the path, for entries with a list of allowed values.
    private func otherListed(
        _ model: Model, on path: [Literal], _ chosen: Set<SlotTable.Entry>
    ) -> [Model] {
        var models: [Model] = []
        for literal in path {
            let subject = variables[literal.variable]
            guard let place = subject.place, place.path.isEmpty, chosen.contains(place.entry),
                case .listed(let values) = subject.domain.form
            else { continue }
            for (rank, value) in values.enumerated().prefix(Self.mostListed)
            where literal.ranks.contains(Ordinal(rank)) {
                var other = model
                other.values[place] = value
                models.append(other)
            }
        }
        return models
    }

    /// The maximum number of listed values that are tried per entry.
    private static let mostListed = 64

    /// Returns models whose list has one element less.
    private func shorterLists(
        _ model: Model, _ values: [SlotTable.Entry: Value], _ chosen: Set<SlotTable.Entry>
    ) -> [Model] {
        guard chosen.count == 1, let entry = chosen.first, case .list(let list)? = values[entry]
        else { return [] }
        return list.indices.prefix(limits.paths).map { index in
            var (model, shorter) = (model, list)
            shorter.remove(at: index)
            model.values[Place(entry: entry)] = .list(shorter)
            return model
        }
    }
}

extension Model {
    /// Returns the model with the given values for all entries that don't change.
    fileprivate func keeping(
        _ values: [SlotTable.Entry: Value], but chosen: Set<SlotTable.Entry>
    ) -> Model {
        var model = self
        for place in self.values.keys where !chosen.contains(place.entry) {
            model.values[place] = nil
            model.values[Place(entry: place.entry)] = .some(values[place.entry])
        }
        return model
    }
}

/// A way to round values that are next to a bound.
private struct Rounding {
    /// The number of parts into which a whole is divided.
    let parts: Double
    let rule: FloatingPointRoundingRule

    static let all = [1, 10, 100].flatMap { parts in
        [Rounding(parts: parts, rule: .up), Rounding(parts: parts, rule: .down)]
    }

    /// Returns the rounded value; nil if there is nothing to round.
    func rounded(_ value: Value) -> Value? {
        let isUp = rule == .up
        switch value {
        case .double(let number):
            let rounded = (number * parts).rounded(rule) / parts
            return rounded.isFinite ? .double(rounded) : nil
        case .timestamp(let instant):
            guard parts == 1, instant.nanoseconds != 0 else { return nil }
            let seconds = instant.seconds + (isUp ? 1 : 0)
            return .timestamp(Timestamp(seconds: seconds))
        case .duration(let duration):
            let (seconds, rest) = duration.components
            guard parts == 1, rest != 0 else { return nil }
            let whole = rest < 0 ? seconds - 1 : seconds
            return .duration(.seconds(isUp ? whole + 1 : whole))
        case .null, .bool, .int, .uint, .string, .bytes, .version, .list, .map, .type, .optional:
            return nil
        }
    }
}

extension [SlotTable.Entry] {
    /// Returns the subsets with `count` entries, at most `limit` of them.
    fileprivate func subsets(_ count: Int, atMost limit: Int) -> [[SlotTable.Entry]] {
        var sets: [[SlotTable.Entry]] = []
        func add(_ chosen: [SlotTable.Entry], from start: Int) {
            guard sets.count < limit else { return }
            if chosen.count == count { return sets.append(chosen) }
            for index in indices.dropFirst(start) { add(chosen + [self[index]], from: index + 1) }
        }
        add([], from: 0)
        return sets
    }
}
