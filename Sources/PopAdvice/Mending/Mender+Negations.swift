internal import PopCEL

// Words that say that something does not hold.
extension Mender {
    /// Returns the fix for `not a`; `not a or b` has two possible meanings.
    func negation(at index: Int) -> Found? {
        guard let end = operandEnd(index + 1) else { return nil }
        if let texts = negatedTexts(at: index) { return texts }
        let clause = clauseEnd(index + 1)
        let whole = groupEnd(index + 1)
        let near = negated(index, until: clause)
        let message = "there is no operator `\(tokens[index].text)`"
        guard whole > clause, isAlternative(clause) else {
            return (
                Mend(
                    tokens[index].range, message: message, label: "use `!`",
                    help: "use `!` for not", changes: near, isSafe: clause == end), index + 1
            )
        }
        let mend = Mend(
            tokens[index].range, message: message, label: "use `!`",
            readings: [
                .init(help: "to negate only the part next to it", changes: near),
                .init(
                    help: "to negate everything that follows",
                    changes: negated(index, until: whole)),
            ])
        return (mend, index + 1)
    }

    /// Returns the fix for `not "a" or "b" in list`: the list is checked for both.
    private func negatedTexts(at index: Int) -> Found? {
        guard token(index + 1)?.kind == .text, isLogical(index + 2),
            token(index + 3)?.kind == .text, token(index + 4)?.isWord("in") == true,
            let end = operandEnd(index + 5)
        else { return nil }
        let isOr = isAlternative(index + 2)
        let sign = isOr ? "||" : "&&"
        let list = written(index + 5..<end)
        let (first, second) = (
            "\(written(tokens[index + 1])) in \(list)", "\(written(tokens[index + 3])) in \(list)"
        )
        let whole = range(index..<end)
        let mend = Mend(
            tokens[index].range, message: "there is no operator `\(tokens[index].text)`",
            label: "use `!`",
            readings: [
                .init(
                    help: isOr
                        ? "if the list must contain neither" : "if the list must not contain both",
                    changes: [(whole, "!(\(first) \(sign) \(second))")]),
                .init(
                    help: "if only the first must not be in the list",
                    changes: [(whole, "(!(\(first)) \(sign) \(second))")]),
            ])
        return (mend, end)
    }

    /// Returns the fix for `unless a or b`: all that follows must be false.
    func exception(at index: Int) -> Found? {
        guard let end = operandEnd(index + 1) else { return nil }
        let whole = groupEnd(index + 1)
        let mend = Mend(
            tokens[index].range, message: "there is no operator `\(tokens[index].text)`",
            label: "use `!`", help: "use `!` to negate what follows",
            changes: negated(index, until: whole), isSafe: whole == end)
        return (mend, index + 1)
    }

    /// `a unless b`: the one holds, and the other does not.
    func exception(behind index: Int) -> Found? {
        guard let found = exception(at: index) else { return nil }
        let start = groupStart(index - 1)
        let before = tokens[start].range.lowerBound
        let end = tokens[index - 1].range.upperBound
        let needsBrackets = (start..<index).contains { isAlternative($0) }
        var changes = found.mend.readings[0].changes
        changes[0].replacement = "&& " + changes[0].replacement
        if needsBrackets { changes = [(before..<before, "("), (end..<end, ")")] + changes }
        let mend = Mend(
            found.mend.range, message: found.mend.message, label: "use `&& !`",
            help: "use `&& !` to exclude what follows", changes: changes,
            isSafe: false)
        return (mend, index + 1)
    }

    private func negated(_ index: Int, until end: Int) -> [Mend.Change] {
        let gap = tokens[index].range.lowerBound..<tokens[index + 1].range.lowerBound
        if operandEnd(index + 1) == end { return [(gap, "!")] }
        let last = tokens[end - 1].range.upperBound
        return [(gap, "!("), (last..<last, ")")]
    }

    private func isAlternative(_ index: Int) -> Bool {
        guard let token = token(index), isLogical(index) else { return false }
        return token.kind == .word
            ? wordsForOr.contains(token.text.lowercased()) : token.text.hasPrefix("|")
    }

    /// Returns the place after all that follows in the same brackets.
    private func groupEnd(_ first: Int) -> Int {
        var end = clauseEnd(first)
        while isLogical(end) { end = clauseEnd(end + 1) }
        return end
    }

    /// The first token in the same brackets.
    private func groupStart(_ last: Int) -> Int {
        var start = operandStart(last)
        while start > 0, !isOpening(start - 1) { start = operandStart(start - 1) }
        return start
    }

    private func isOpening(_ index: Int) -> Bool {
        tokens[index].kind == .symbol
            && ["(", "[", "{", ",", "?", ":"].contains(tokens[index].text)
    }
}

private let wordsForOr: Set<String> = ["or", "oder", "ou", "o"]
