internal import PopCEL
internal import PopLogic

// The evaluation of cover tests with values.
extension Test {
    /// Returns true if the values at a point in time pass the test; nil if that is unknown.
    func isPassed(at moment: AudienceTrials.Moment) -> Bool? {
        switch subject {
        case .value, .size, .difference: return isPassed(by: subject.value(at: moment))
        case .text(let entry, let fields, let asked, let folding):
            guard case .string(let text)? = moment[entry]?.field(fields) else { return orMissing }
            guard let isMet = asked.isMet(by: text.folded(folding)),
                case .truth(let wanted) = values
            else { return nil }
            return isMet == wanted
        case .element(let entry, let fields, let inner):
            guard case .list(let elements)? = moment[entry]?.field(fields) else {
                return orMissing
            }
            guard case .truth(let wanted) = values else { return nil }
            return elements.contains { inner.isPassed(by: $0) == true } == wanted
        case .itself, .written: return nil
        }
    }

    /// Returns true if a value passes the test, where nil is a missing value; nil if that is
    /// unknown.
    private func isPassed(by value: Value?) -> Bool? {
        guard let value else {
            if case .missing = values { return true }
            return orMissing
        }
        switch values {
        case .truth(let truth): return value == .bool(truth)
        case .among(let listed): return listed.contains(value)
        case .except(let listed): return !listed.contains(value)
        case .ranges(let ranges):
            if case .double(let number) = value, number.isNaN { return orNaN }
            return ranges.contains { range in
                (range.lower?.admits(value, isLower: true) ?? true)
                    && (range.upper?.admits(value, isLower: false) ?? true)
            }
        case .present: return true
        case .missing: return false
        case .outcomes: return nil
        }
    }
}

extension Test.Bounds.Bound {
    /// Returns true if a value is on the required side of the bound.
    func admits(_ value: Value, isLower: Bool) -> Bool {
        switch value.order(self.value) {
        case .equal: isIncluded
        case .greater: isLower
        case .less: !isLower
        case .unordered, nil: false
        }
    }
}

extension Test.Subject {
    /// Returns the value of the subject; nil if the value is missing, or if the subject isn't a
    /// value.
    func value(at moment: AudienceTrials.Moment) -> Value? {
        switch self {
        case .value(let entry, let fields): return moment[entry]?.field(fields)
        case .size(let entry, let fields): return moment[entry]?.field(fields)?.size
        case .difference(let one, let other):
            guard let left = moment[one], let right = moment[other] else { return nil }
            return left.difference(from: right)
        case .text, .element, .itself, .written: return nil
        }
    }
}

extension Value {
    /// The number of characters, elements, or entries.
    fileprivate var size: Value? {
        switch self {
        case .string(let text): .int(Int64(text.unicodeScalars.count))
        case .list(let elements): .int(Int64(elements.count))
        case .map(let entries): .int(Int64(entries.count))
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version, .type,
            .optional:
            nil
        }
    }

    /// Returns the difference in the unit of bounds: nanoseconds between points in time,
    /// attoseconds between durations.
    fileprivate func difference(from other: Value) -> Value? {
        if case .int(let left) = self, case .int(let right) = other {
            let (difference, overflows) = left.subtractingReportingOverflow(right)
            return overflows ? nil : .int(difference)
        }
        if case .timestamp(let left) = self, case .timestamp(let right) = other {
            return .int(left.duration(since: right).count(inSecond: 1_000_000_000))
        }
        if case .duration(let left) = self, case .duration(let right) = other {
            return .int((left - right).count(inSecond: 1_000_000_000_000_000_000))
        }
        return nil
    }

    /// Returns a field inside the value; nil if the field is missing.
    fileprivate func field(_ names: [String]) -> Value? {
        var value = self
        for name in names {
            guard case .map(let entries) = value, let inner = entries[.string(name)] else {
                return nil
            }
            value = inner
        }
        return value
    }
}

extension Duration {
    /// Returns the number of units, given the units per second; the largest or smallest integer on
    /// overflow.
    fileprivate func count(inSecond units: Int64) -> Int64 {
        let (seconds, rest) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: units)
        let (sum, exceeds) = whole.addingReportingOverflow(
            rest / (1_000_000_000_000_000_000 / units))
        return overflows || exceeds ? (seconds < 0 ? .min : .max) : sum
    }
}

extension TextAutomaton.Test {
    /// Returns true if a string passes the test; nil for a pattern, which isn't evaluated here.
    fileprivate func isMet(by text: String) -> Bool? {
        switch self {
        case .contains(let part): part.isEmpty || text.utf8.contains(part.utf8)
        case .startsWith(let start): text.utf8.starts(with: start.utf8)
        case .endsWith(let end): text.utf8.reversed().starts(with: end.utf8.reversed())
        case .equals(let other): text.utf8.elementsEqual(other.utf8)
        case .isBelow(let other): text.utf8.lexicographicallyPrecedes(other.utf8)
        case .matches: nil
        }
    }
}

extension Sequence<UInt8> where Self: BidirectionalCollection {
    /// Returns true if the bytes appear in it consecutively.
    fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}

extension String {
    fileprivate func folded(_ folding: TextAutomaton.Folding) -> String {
        func changed(_ letters: ClosedRange<UInt8>) -> String {
            String(decoding: utf8.map { letters.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
        }
        switch folding {
        case .none: return self
        case .lowerASCII: return changed(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        case .upperASCII: return changed(UInt8(ascii: "a")...UInt8(ascii: "z"))
        }
    }
}
