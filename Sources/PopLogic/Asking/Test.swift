package import PopCEL
internal import PopSource

/// A requirement in a line of a `Cover`.
package struct Test: Sendable {
    /// The subject of the test.
    package indirect enum Subject: Sendable {
        /// A value: the entry, and the names of the fields inside it.
        case value(SlotTable.Entry, fields: [String])
        /// The number of elements of a list, or of characters of a string.
        case size(SlotTable.Entry, fields: [String])
        /// The result of a string test.
        case text(SlotTable.Entry, fields: [String], TextAutomaton.Test, TextAutomaton.Folding)
        /// The difference of two values.
        case difference(SlotTable.Entry, SlotTable.Entry)
        /// The existence of a list element that passes a test.
        case element(SlotTable.Entry, fields: [String], Test)
        /// An element of a list.
        case itself
        /// The source of a part as its author wrote it.
        case written(String)
    }

    /// The values that pass the test.
    package enum Values: Sendable {
        case truth(Bool)
        /// One of some values.
        case among([Value])
        /// A value that isn't one of these.
        case except([Value])
        /// A value in one of some ranges.
        case ranges([Bounds])
        /// Any value.
        case present
        /// No value.
        case missing
        /// One of these results of a written part.
        case outcomes(yes: Bool, no: Bool, failure: Bool)
    }

    /// The bounds of a range; nil for no bound.
    package struct Bounds: Sendable {
        package struct Bound: Sendable {
            package let value: Value
            package let isIncluded: Bool

            package init(value: Value, isIncluded: Bool) {
                (self.value, self.isIncluded) = (value, isIncluded)
            }
        }

        package let lower: Bound?
        package let upper: Bound?

        package init(lower: Bound?, upper: Bound?) { (self.lower, self.upper) = (lower, upper) }
    }

    package let subject: Subject
    package let values: Values
    /// True if the value may also be missing.
    package var orMissing = false
    /// True if NaN passes too, while the other values are bounded.
    package var orNaN = false
}

extension Logic {
    /// Returns the test in terms of the rules; nil if it can't be expressed.
    mutating func words(for variable: VariableIndex, _ set: IntervalSet) -> Test? {
        let subject = variables[variable]
        guard let what = what(variable) else { return nil }
        let domain = subject.domain
        let present = set.intersection(IntervalSet([domain.values]))
        let orMissing =
            domain.hasAbsence && domain.usual == nil && set.contains(domain.absence)
        if present.isEmpty { return Test(subject: what, values: .missing) }
        if present == IntervalSet([domain.values]), !orMissing {
            return Test(subject: what, values: .present)
        }
        if case .some(_, let term, let outcome) = subject.kind {
            guard let (list, fields) = listPlace(variable), outcome == .yes,
                present.ranges.count == 1, let first = present.ranges.first,
                case .bool(let hasOne)? = domain.value(at: first.lowerBound),
                let inner = elementTest(term)
            else { return nil }
            return Test(
                subject: .element(list, fields: fields, inner), values: .truth(hasOne))
        }
        guard let values = values(of: subject, present) else { return nil }
        var test = Test(subject: what, values: values, orMissing: orMissing)
        if domain.form == .double, domain.values.upperBound == Domain.nan {
            test.orNaN = present.contains(Domain.nan)
        }
        return test
    }

    private func listPlace(_ variable: VariableIndex) -> (SlotTable.Entry, [String])? {
        guard case .some(let list, _, _) = variables[variable].kind,
            let place = variables[list].place
        else { return nil }
        return fields(of: place).map { (place.entry, $0) }
    }

    private func fields(of place: Place) -> [String]? {
        var names: [String] = []
        for step in place.path {
            guard case .field(let name) = step else { return nil }
            names.append(name.text)
        }
        return names
    }

    private func what(_ variable: VariableIndex) -> Test.Subject? {
        let subject = variables[variable]
        func place(_ index: VariableIndex) -> (SlotTable.Entry, [String])? {
            guard let place = variables[index].place else { return nil }
            return fields(of: place).map { (place.entry, $0) }
        }
        switch subject.kind {
        case .value(let place):
            if place.path == [.element] { return .itself }
            guard let names = fields(of: place) else { return nil }
            if case .list = subject.type { return .size(place.entry, fields: names) }
            return .value(place.entry, fields: names)
        case .text(let base, let test, let folding):
            if variables[base].place?.path == [.element] { return nil }
            return place(base).map { .text($0.0, fields: $0.1, test, folding) }
        case .size(let base): return place(base).map { .size($0.0, fields: $0.1) }
        case .difference(let plus, let minus):
            guard let one = variables[plus].place, let other = variables[minus].place,
                one.path.isEmpty, other.path.isEmpty
            else { return nil }
            return .difference(one.entry, other.entry)
        case .some(let list, _, _): return place(list).map { .value($0.0, fields: $0.1) }
        case .free: return .written(subject.written)
        }
    }

    private mutating func elementTest(_ term: TermID) -> Test? {
        guard case .test(let variable, let yes, _) = translator.terms[term],
            variables[variable].place?.path == [.element]
        else { return nil }
        return words(for: variable, yes)
    }

    private func values(of subject: LogicVariable, _ set: IntervalSet) -> Test.Values? {
        let domain = subject.domain
        switch domain.form {
        case .truth:
            guard set.ranges.count == 1,
                case .bool(let truth)? =
                    domain.value(at: set.ranges[0].lowerBound)
            else { return nil }
            return .truth(truth)
        case .outcome:
            func has(_ outcome: Outcome) -> Bool {
                set.contains(Ordinal(Int(outcome.rawValue)))
            }
            return .outcomes(yes: has(.yes), no: has(.no), failure: has(.failure))
        case .listed(let listed):
            let among = listed.indices.filter { set.contains(Ordinal($0)) }.map { listed[$0] }
            let others = listed.indices.filter { !set.contains(Ordinal($0)) }.map { listed[$0] }
            return others.count < among.count ? .except(others) : .among(among)
        case .constants:
            let known = subject.constants.indices
            let isOpen = set.contains(domain.values.upperBound)
            let chosen = known.filter { set.contains(Ordinal($0)) != isOpen }
            let values = chosen.map { subject.constants[$0] }
            return isOpen ? .except(values) : .among(values)
        case .presence: return .present
        case .version:
            var ranges: [Test.Bounds] = []
            for range in set.ranges {
                guard let bounds = versionBounds(range, subject) else { return nil }
                ranges.append(bounds)
            }
            return .ranges(ranges)
        case .int, .uint, .double, .timestamp, .duration, .number:
            var ranges: [Test.Bounds] = []
            for range in set.ranges {
                guard let bounds = bounds(range, domain) else { return nil }
                if let bounds = bounds.known { ranges.append(bounds) }
            }
            return ranges.isEmpty ? .present : .ranges(ranges)
        }
    }

    /// Returns the bounds of a range; no bounds for a range that is only NaN.
    private func bounds(
        _ range: ClosedRange<Ordinal>, _ domain: Domain
    ) -> (known: Test.Bounds?, Void)? {
        var (first, last) = (domain.values.lowerBound, domain.values.upperBound)
        if domain.form == .double, last == Domain.nan {
            last = last.previous
            if range.lowerBound == Domain.nan { return (nil, ()) }
            first = domain.values.lowerBound
        }
        var lower: Test.Bounds.Bound?
        var upper: Test.Bounds.Bound?
        if range.lowerBound > first {
            guard let bound = bound(range.lowerBound, range.lowerBound.previous, domain) else {
                return nil
            }
            lower = bound
        }
        if range.upperBound < last {
            guard let bound = bound(range.upperBound, range.upperBound.next, domain) else {
                return nil
            }
            upper = bound
        }
        return (Test.Bounds(lower: lower, upper: upper), ())
    }

    /// Returns the value at a rank, or the value next to it if that one is shorter to write.
    private func bound(_ rank: Ordinal, _ beside: Ordinal, _ domain: Domain) -> Test.Bounds.Bound? {
        let (inner, outer) = (domain.value(at: rank), domain.value(at: beside))
        guard let inner else { return nil }
        switch domain.form {
        case .int, .uint, .number: return .init(value: inner, isIncluded: true)
        case .duration:
            // No value that a file can contain lies between a bound of a condition and the value
            // next to it.
            let isWhole = rank.divided(by: Domain.attoseconds / 1_000)?.remainder == 0
            if let outer, !isWhole { return .init(value: outer, isIncluded: false) }
            return .init(value: inner, isIncluded: true)
        case .double, .timestamp:
            if let outer, outer.description.utf8.count < inner.description.utf8.count {
                return .init(value: outer, isIncluded: false)
            }
            return .init(value: inner, isIncluded: true)
        case .truth, .outcome, .version, .constants, .listed, .presence: return nil
        }
    }

    private func versionBounds(
        _ range: ClosedRange<Ordinal>, _ subject: LogicVariable
    ) -> Test.Bounds? {
        func bound(_ rank: Ordinal, _ beside: Ordinal) -> Test.Bounds.Bound? {
            for mark in subject.versions {
                if mark.rank == rank {
                    return .init(value: .version(mark.version), isIncluded: true)
                }
                if mark.rank == beside {
                    return .init(value: .version(mark.version), isIncluded: false)
                }
            }
            return nil
        }
        let lower = bound(range.lowerBound, range.lowerBound.previous)
        let upper = bound(range.upperBound, range.upperBound.next)
        let whole = subject.domain.values
        guard lower != nil || range.lowerBound == whole.lowerBound,
            upper != nil || range.upperBound == whole.upperBound
        else { return nil }
        return Test.Bounds(lower: lower, upper: upper)
    }
}
