internal import PopCEL

// Values to try for parts that nothing is known about: the constants in these parts, and their
// neighbors.
extension Logic {
    /// Returns a value in a range of ranks, a different one at each attempt.
    func hint(
        for subject: LogicVariable, in range: ClosedRange<Rank>, attempt: Int,
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
                return range.contains(Rank(elements.count))
            }
        case .presence: candidates = mapHints(for: subject.type)
        case .version: candidates = versionHints(in: range, of: subject)
        case .constants, .outcome: return nil
        }
        return candidates.isEmpty ? nil : candidates[Int(mixed % UInt64(candidates.count))]
    }

    private func scalarHints(
        for subject: LogicVariable, in range: ClosedRange<Rank>, withEnds: Bool
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
