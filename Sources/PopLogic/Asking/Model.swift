internal import PopCEL

/// Values for the entries that conditions read; nil for an entry without a value.
struct Model: Sendable {
    var values: [Place: Value?] = [:]

    /// Adds the values of another model, which replace existing ones.
    mutating func merge(_ other: Model) {
        for (place, value) in other.values { values[place] = value }
    }
}

/// The verdict of a theory about literals.
enum TheoryVerdict {
    case possible(Model)
    /// They can't hold together. The list is as short as the theory can determine.
    case clash([Literal])
    case notKnown
}

extension Logic {
    /// Finds values for a path through a diagram. `attempt` 0 uses usual values, others use any.
    mutating func model(of path: [Literal], attempt: Int) -> TheoryVerdict {
        let verdict = theories(on: path, attempt: attempt)
        guard case .possible(var model) = verdict,
            takeTheorySteps(variables.all.count * StepCost.variable)
        else { return verdict }
        var ranks: [VariableIndex: ClosedRange<Ordinal>] = [:]
        for literal in path { ranks[literal.variable] = self.ranks(literal) }
        for variable in variables.all.indices {
            guard let place = variables[variable].place, !place.path.contains(.element),
                model.values[place] == nil
            else { continue }
            // A key that the app need not set has its default.
            if ranks[variable] == nil, attempt == 0, variables[variable].domain.usual != nil {
                model.values[place] = .some(nil)
                continue
            }
            model.values[place] = usualValue(
                of: variable, in: ranks[variable], attempt: attempt)
        }
        return .possible(model)
    }

    /// Restricts a literal that allows both a value and a missing value to the values.
    private func ranks(_ literal: Literal) -> ClosedRange<Ordinal> {
        let domain = variables[literal.variable].domain
        return literal.ranks.overlaps(domain.values)
            ? literal.ranks.clamped(to: domain.values) : literal.ranks
    }

    /// Finds values for the variables on a path that theories are responsible for.
    mutating func theories(on path: [Literal], attempt: Int) -> TheoryVerdict {
        guard takeTheorySteps(path.count * StepCost.literal) else { return .notKnown }
        var literals: [VariableIndex: Literal] = [:]
        for literal in path {
            literals[literal.variable] = Literal(
                variable: literal.variable, ranks: ranks(literal))
        }
        var model = Model()
        for theory in Theory.allCases {
            let verdict = verdict(of: theory, literals, attempt: attempt)
            guard case .possible(let part) = verdict else { return verdict }
            model.merge(part)
        }
        return .possible(model)
    }

    private enum Theory: CaseIterable { case numbers, texts, lists }

    private mutating func verdict(
        of theory: Theory, _ literals: [VariableIndex: Literal], attempt: Int
    ) -> TheoryVerdict {
        switch theory {
        case .numbers: numbers(literals, attempt: attempt)
        case .texts: texts(literals)
        case .lists: lists(literals)
        }
    }

    /// Returns true if a variable has no value according to the literals.
    func isAbsent(_ variable: VariableIndex, _ literals: [VariableIndex: Literal]) -> Bool {
        let domain = variables[variable].domain
        guard domain.hasAbsence, let ranks = literals[variable]?.ranks else { return false }
        return ranks.upperBound == domain.absence
    }

    /// Drops literals as long as the remaining ones still clash.
    mutating func smallestClash(
        _ literals: [Literal], isClash: (inout Logic, [Literal]) -> Bool
    ) -> [Literal] {
        smallest(literals.indices.map { $0 }) { logic, left in
            isClash(&logic, left.map { literals[$0] })
        }.map { literals[$0] }
    }

    /// Drops numbers, starting at the front, as long as the remaining ones are enough; at least one
    /// remains. If some numbers are enough, more numbers must be enough too. Many numbers are
    /// dropped together, so that a small result takes few questions.
    mutating func smallest(
        _ numbers: [Int], isEnough: (inout Logic, [Int]) -> Bool
    ) -> [Int] {
        var kept: [Int] = []
        var rest = numbers[...]
        var size = 1
        while let first = rest.first, kept.count + rest.count > 1 {
            size = min(size, rest.count, kept.count + rest.count - 1)
            let left = kept + rest.dropFirst(size)
            if isEnough(&self, left) {
                rest = rest.dropFirst(size)
                size *= 2
            } else if size == 1 {
                kept.append(first)
                rest = rest.dropFirst()
            } else {
                size /= 2
            }
        }
        return kept + rest
    }

    /// Takes steps of the current question. Returns true if they may be done.
    mutating func takeTheorySteps(_ count: Int) -> Bool {
        theorySteps -= count
        allTheorySteps -= count
        guard theorySteps >= 0, meter.take(count), allTheorySteps >= 0 else {
            cutShort()
            return false
        }
        return true
    }
}

// Usual values.
extension Logic {
    /// Returns a value in a range of ranks; nil for no value.
    func usualValue(
        of variable: VariableIndex, in ranks: ClosedRange<Ordinal>?, attempt: Int
    ) -> Value? {
        let subject = variables[variable]
        let domain = subject.domain
        let ranks = ranks ?? domain.values
        guard !domain.isAbsent, ranks.overlaps(domain.values) else { return nil }
        let range = ranks.clamped(to: domain.values)
        if attempt > 0, let hint = hint(for: subject, in: range, attempt: attempt, variable) {
            return hint
        }
        switch domain.form {
        case .presence: return .map([:])
        case .version: return version(in: range, of: subject)
        case .constants: return constant(in: range, of: subject)
        case .number:
            guard case .list(let type) = subject.type, let size = range.lowerBound.int else {
                return nil
            }
            return .list(
                Array(repeating: Self.anyValue(type), count: min(Int(size), limits.size)))
        case .truth, .outcome, .int, .uint, .double, .timestamp, .duration, .listed:
            return domain.value(at: domain.usualRank(in: range))
        }
    }

    private func constant(in range: ClosedRange<Ordinal>, of subject: LogicVariable) -> Value? {
        if let first = range.lowerBound.int, Int(first) < subject.constants.count {
            return subject.constants[Int(first)]
        }
        return Self.other(than: subject.constants, type: subject.type)
    }

    static func anyValue(_ type: CELType) -> Value { other(than: [], type: type) }

    /// Returns a value of a type that differs from some values.
    static func other(than constants: [Value], type: CELType) -> Value {
        switch type {
        case .bool: return .bool(!constants.contains(.bool(false)) ? false : true)
        case .int, .uint, .double:
            let known = Set(constants)
            let number = (0...Int64(constants.count)).first { !known.contains(.int($0)) }
            let free = number ?? 0
            return type == .int
                ? .int(free) : type == .uint ? .uint(UInt64(free)) : .double(Double(free))
        case .timestamp: return .timestamp(Timestamp(seconds: 0))
        case .duration: return .duration(.zero)
        case .bytes:
            let known = Set(constants)
            let count = (0...constants.count).first { count in
                !known.contains(.bytes(Array(repeating: 1, count: count)))
            }
            return .bytes(Array(repeating: 1, count: count ?? 0))
        case .list: return .list([])
        case .map: return .map([:])
        case .null: return .null
        case .version: return Version("1").map(Value.version) ?? .null
        case .string, .dyn, .optional, .type, .wrapper, .opaque, .parameter:
            for name in ["other", "another"] where !constants.contains(.string(name)) {
                return .string(name)
            }
            let known = Set(constants)
            let free = (0...constants.count).first { !known.contains(.string("other\($0)")) }
            return .string(free.map { "other\($0)" } ?? "")
        }
    }

    /// Returns a version in a range of ranks; nil if none is found.
    private func version(in range: ClosedRange<Ordinal>, of subject: LogicVariable) -> Value? {
        let marks = versions(near: range, of: subject)
        var candidates: [String] = []
        for mark in marks {
            let text = mark.version.shortest
            candidates += [text] + mark.version.neighbours
        }
        candidates += ["1", "0-0"]
        for mark in marks {
            let text = mark.version.shortest
            let zeros = String(repeating: ".0", count: text.utf8.count { $0 == 46 } + 1)
            candidates.append(text.contains("-") ? "\(text).0" : "\(text)\(zeros).1")
            candidates.append("\(text)-0")
        }
        for text in candidates {
            guard let version = Version(text) else { continue }
            if isVersion(version, in: range, of: subject) { return .version(version) }
        }
        return nil
    }

    /// Returns versions to try for a part that nothing is known about.
    func versionHints(in range: ClosedRange<Ordinal>, of subject: LogicVariable) -> [Value] {
        var texts = ["1.0", "1.1", "2.0"]
        for case .version(let version) in translator.hints {
            texts += [version.shortest] + version.neighbours
        }
        for mark in versions(near: range, of: subject) {
            texts += [mark.version.shortest] + mark.version.neighbours
        }
        return texts.compactMap { Version($0) }
            .filter { isVersion($0, in: range, of: subject) }.map { .version($0) }
    }

    /// Returns the versions that conditions name in a range and next to it; all of them if they are
    /// few.
    private func versions(
        near range: ClosedRange<Ordinal>, of subject: LogicVariable
    ) -> ArraySlice<(version: Version, rank: Ordinal)> {
        let marks = subject.versions
        guard marks.count > Self.mostVersions else { return marks[...] }
        let first = marks.firstPlace(after: { $0.rank < range.lowerBound })
        let end = marks.firstPlace(after: { $0.rank <= range.upperBound })
        let start = max(first - Self.versionsBeside, 0)
        return marks[start..<min(end + Self.versionsBeside, start + Self.mostVersions, marks.count)]
    }

    private static let mostVersions = 64
    private static let versionsBeside = 4

    private func isVersion(
        _ version: Version, in range: ClosedRange<Ordinal>, of subject: LogicVariable
    ) -> Bool {
        let marks = subject.versions
        let place = marks.firstPlace(after: { $0.version < version })
        let above = place < marks.count ? marks[place] : nil
        let below =
            above?.version == version ? above : place > 0 ? marks[place - 1] : nil
        if let above, above.version == version { return range.contains(above.rank) }
        return (below?.rank.next).map { $0 <= range.upperBound } ?? true
            && (above?.rank.previous).map { $0 >= range.lowerBound } ?? true
            && Self.overlaps(range, from: below?.rank, to: above?.rank)
    }

    /// Returns true if a range has ranks between two others.
    private static func overlaps(
        _ range: ClosedRange<Ordinal>, from lower: Ordinal?, to upper: Ordinal?
    ) -> Bool {
        let first = max(range.lowerBound, lower?.next ?? range.lowerBound)
        let last = min(range.upperBound, upper?.previous ?? range.upperBound)
        return first <= last
    }
}

extension Domain {
    /// Returns the most natural rank in a range.
    func usualRank(in range: ClosedRange<Ordinal>) -> Ordinal {
        if let rank = usual.flatMap({ rank(of: $0) }), range.contains(rank) { return rank }
        let nearest = min(max(smallRank(0), range.lowerBound), range.upperBound)
        if form == .double { return roundRank(beside: nearest, in: range) }
        // For times, use a value that files can contain: whole seconds, or milliseconds.
        let units: [Int64] =
            switch form {
            case .duration: [Self.attoseconds, Self.attoseconds / 1_000]
            case .timestamp: [Self.nanoseconds, Self.nanoseconds / 1_000]
            case .truth, .outcome, .int, .uint, .double, .version, .constants, .listed,
                .presence, .number:
                []
            }
        for unit in units {
            guard let (_, rest) = nearest.divided(by: unit), rest != 0 else { continue }
            let below = nearest + -Ordinal(rest)
            for rank in [below, below + Ordinal(unit)] where range.contains(rank) { return rank }
        }
        return nearest
    }

    private func rank(of value: Value) -> Ordinal? {
        guard case .listed(let values) = form else { return exactRank(of: value) }
        return values.firstIndex(of: value).map { Ordinal($0) }
    }

    /// Returns the rank of a number with as few decimals as possible next to another one.
    private func roundRank(beside rank: Ordinal, in range: ClosedRange<Ordinal>) -> Ordinal {
        guard case .double(let number)? = value(at: rank), number.isFinite else { return rank }
        for scale in [1, 10, 100, 1_000] as [Double] {
            for rule in [.up, .down] as [FloatingPointRoundingRule] {
                let other = Self.rank((number * scale).rounded(rule) / scale)
                if range.contains(other) { return other }
            }
        }
        return rank
    }

    /// Returns the rank of a small number; for timestamps, that many days after the beginning of
    /// 2026.
    func smallRank(_ number: Int) -> Ordinal {
        switch form {
        case .double: Self.rank(Double(number))
        case .timestamp: Self.rank(Timestamp(seconds: 1_767_225_600 + Int64(number) * 86_400))
        case .duration: Self.rank(Duration.seconds(number))
        case .truth, .outcome, .int, .uint, .version, .constants, .listed, .presence, .number:
            Ordinal(number)
        }
    }
}

extension Version {
    /// The nearest versions before and after it in common notation.
    fileprivate var neighbours: [String] {
        let text = shortest
        guard text.utf8.allSatisfy({ $0 == 46 || (48...57).contains($0) }) else { return [] }
        var parts = text.split(separator: ".").compactMap { Int($0) }
        // A version such as 3 equals 3.0.
        if parts.count == 1 { parts.append(0) }
        guard let last = parts.lastIndex(where: { $0 > 0 }) else { return [] }
        var before = parts
        before[last] -= 1
        for place in before.indices where place > last { before[place] = 9 }
        var after = parts
        after[after.count - 1] = min(after[after.count - 1], .max - 1) + 1
        return [before, after].map { $0.map { String($0) }.joined(separator: ".") }
    }
}

// Values to try for parts that nothing is known about: the constants in these parts, and their
// neighbors.
extension Logic {
    /// Returns a value in a range of ranks, a different one at each attempt.
    func hint(
        for subject: LogicVariable, in range: ClosedRange<Ordinal>, attempt: Int,
        _ variable: VariableIndex
    ) -> Value? {
        var mixed = UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(variable.number) &* 31
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 32
        let candidates: [Value]
        switch subject.domain.form {
        case .int, .uint, .double, .timestamp, .duration, .listed, .truth:
            let isLate = attempt > Self.attemptsWithoutEnds
            candidates = scalarHints(for: subject, in: range, withEnds: isLate)
        case .constants where range.upperBound == subject.domain.values.upperBound:
            candidates = textHints.filter {
                subject.type == .string && !subject.constants.contains($0)
            }
        case .number:
            candidates = listHints(for: subject.type).filter { hint in
                guard case .list(let elements) = hint else { return false }
                return range.contains(Ordinal(elements.count))
            }
        case .presence: candidates = mapHints(for: subject.type)
        case .version: candidates = versionHints(in: range, of: subject)
        case .constants, .outcome: return nil
        }
        return candidates.isEmpty ? nil : candidates[Int(mixed % UInt64(candidates.count))]
    }

    private func scalarHints(
        for subject: LogicVariable, in range: ClosedRange<Ordinal>, withEnds: Bool
    ) -> [Value] {
        // No user has the least possible number, but a user may have a bound that an author wrote.
        let ends = subject.domain.values
        var ranks = [range.lowerBound, range.upperBound].filter {
            withEnds || $0 != ends.lowerBound && $0 != ends.upperBound
        }
        for hint in translator.hints {
            guard let rank = subject.domain.bounds(of: hint)?.first else { continue }
            ranks += [rank.previous, rank, rank.next]
        }
        for small in -3...3 { ranks.append(subject.domain.smallRank(small)) }
        return ranks.filter { range.contains($0) }.compactMap { subject.domain.value(at: $0) }
    }

    /// The number of attempts that don't try the ends of the possible values.
    private static let attemptsWithoutEnds = 16

    private var textHints: [Value] {
        var texts = ["", "0", "1"]
        for hint in translator.hints {
            switch hint {
            case .string(let text): texts += [text, text + "x"]
            case .int(let number): texts += [String(number), String(number &+ 1)]
            case .null, .bool, .uint, .double, .bytes, .timestamp, .duration, .version, .list, .map,
                .type, .optional:
                break
            }
        }
        return texts.map { .string($0) }
    }

    /// Returns lists of a few constants.
    private func listHints(for type: CELType) -> [Value] {
        guard case .list(let element) = type else { return [] }
        var lists: [Value] = [.list([])]
        for hint in translator.hints {
            if case .list = hint {
                lists.append(hint)
            } else if hint.type == element {
                let next = Self.other(than: [hint], type: element)
                lists += [.list([hint]), .list([hint, next]), .list([hint, hint]), .list([next])]
                if case .int(let number) = hint {
                    lists += [.list([.int(number &+ 1)]), .list([.int(number &- 1)])]
                }
            }
        }
        return lists
    }

    /// Returns maps with one constant, or with a neighbor of a constant.
    private func mapHints(for type: CELType) -> [Value] {
        guard case .map(let keyType, let valueType) = type else { return [] }
        let hints = translator.hints
        let keys = hints.filter { $0.type == keyType } + [Self.anyValue(keyType)]
        var values = hints.filter { $0.type == valueType }
        for case .int(let number) in values {
            values += [.int(number &+ 1), .int(number &- 1)]
        }
        values.append(Self.anyValue(valueType))
        return keys.prefix(Self.mapHints).flatMap { key in
            values.prefix(Self.mapHints).map { value in
                var map = ValueMap()
                map[key] = value
                return .map(map)
            }
        }
    }

    /// The maximum number of keys, and of values for each key.
    private static let mapHints = 8
}
