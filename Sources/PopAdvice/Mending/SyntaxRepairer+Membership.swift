internal import PopCEL
internal import PopSource

// Words that check whether a value is one of several, is between two, or matches a pattern.
extension SyntaxRepairer {
    /// Returns the fix for `in`, `not in`, `is one of`, with the list in any brackets.
    func membership(at words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        let start = operandStart(words.lowerBound - 1)
        guard let first = token(words.upperBound) else { return nil }
        let isPlain = tokens[words.lowerBound].text == "in" && words.count == 1
        let list = bracketedList(at: words.upperBound, beginning: first)
        if list == nil, isPlain { return nil }
        var changes: [SyntaxRepair.Change] = isPlain ? [] : [(range(words), "in")]
        changes += list?.changes ?? []
        guard let end = list?.end ?? operandEnd(words.upperBound), end > words.upperBound else {
            return nil
        }
        if isNegated {
            let (lower, upper) = (tokens[start].range.lowerBound, tokens[end - 1].range.upperBound)
            changes = [(lower..<lower, "!(")] + changes + [(upper..<upper, ")")]
        }
        let help =
            isNegated
            ? "use `!(… in […])` to check that a value is not in a list"
            : first.kind == .word
                ? "put the list in square brackets, and its strings in quotes"
                : "put the list in square brackets"
        let label =
            isPlain
            ? "the list must be in `[ ]`" : isNegated ? "use `!(… in […])`" : "use `in`"
        let text = isPlain ? "the list after `in` must be in `[ ]`" : message(words)
        // Strings inside may be in other quotes; commas between them are handled here.
        let isStraight = tokens[words.upperBound..<end].allSatisfy {
            $0.kind != .text || $0.isStraight
        }
        let next =
            first.kind == .word
            ? end
            : first.kind != .text
                ? words.upperBound + 1 : isStraight ? end : words.upperBound
        return (
            SyntaxRepair(range(words), message: text, label: label, help: help, changes: changes),
            next
        )
    }

    /// Returns the changes that put a list into square brackets, if it has others or none, and its
    /// end; nil if there is no such list.
    private func bracketedList(
        at index: Int, beginning first: LooseToken
    ) -> (changes: [SyntaxRepair.Change], end: Int)? {
        if first.isSymbol("(") || first.isSymbol("{"), let last = closing(of: index) {
            return ([(first.range, "["), (tokens[last].range, "]")], last + 1)
        }
        if first.kind == .text {
            var end = operandEnd(index) ?? index
            while token(end)?.isSymbol(",") == true, let next = operandEnd(end + 1) { end = next }
            let (lower, upper) = (first.range.lowerBound, tokens[end - 1].range.upperBound)
            return ([(lower..<lower, "["), (upper..<upper, "]")], end)
        }
        guard let last = endOfItems(index) else { return nil }
        let text = tokens[index..<last].map { written(listItem: $0) }
        return ([(range(index..<last), "[\(text.joined())]")], last)
    }

    /// Returns the notation of a list item: a word that isn't a name is a string.
    func written(listItem token: LooseToken) -> String {
        if token.kind == .symbol { return ", " }
        return environment?.variable(named: token.text) == nil ? "\"\(token.text)\"" : token.text
    }

    func between(_ words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        guard let lowest = operandEnd(words.upperBound), let and = token(lowest),
            and.isWord("and") || and.isSymbol("&&") || and.isWord("und") || and.isWord("to"),
            let end = operandEnd(lowest + 1)
        else { return nil }
        let name = written(left..<words.lowerBound)
        var changes: [SyntaxRepair.Change] = [(range(words), ">="), (and.range, "&& \(name) <=")]
        // `!x between …` means that it does not lie there.
        if isNegated || token(left - 1)?.isSymbol("!") == true {
            let (lower, upper) = (tokens[left].range.lowerBound, tokens[end - 1].range.upperBound)
            let opening = isNegated ? "!(" : "("
            changes = [(lower..<lower, opening)] + changes + [(upper..<upper, ")")]
        }
        let (low, high) = (words.upperBound..<lowest, lowest + 1..<end)
        let help =
            isDay(lowest + 1)
            ? "use `>=` and `<=`; a date means only 00:00 UTC of that day, so to include all of the"
                + " last day, write the next date"
            : "use `>= \(written(low))` and `<= \(written(high))`, so that the range includes both"
                + " limits"
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "use two comparisons", help: help,
            changes: changes, isSafe: false)
        return (mend, end)
    }

    /// Returns true if the token is a date without a time.
    private func isDay(_ index: Int) -> Bool {
        guard let token = token(index), token.kind == .date || token.kind == .text else {
            return false
        }
        return token.text.contains("-") && !token.text.contains(":")
            && token.text.allSatisfy { $0.isNumber || "-'\"".contains($0) }
    }

    // MARK: Methods of strings

    /// The changes that make a call of a method out of `left words right`.
    func methodChanges(
        _ name: String, left: Int, sign: Range<Int>, end: Int, isNegated: Bool,
        argument: String? = nil
    ) -> [SyntaxRepair.Change] {
        let start = tokens[left].range.lowerBound
        let gap =
            tokens[sign.lowerBound - 1].range.upperBound..<tokens[sign.upperBound].range.lowerBound
        let last = tokens[end - 1].range.upperBound
        var changes: [SyntaxRepair.Change] = isNegated ? [(start..<start, "!")] : []
        if let argument {
            return changes + [(gap.lowerBound..<last, ".\(name)(\(argument))")]
        }
        if tokens[sign.upperBound].isSymbol("(") { return changes + [(gap, ".\(name)")] }
        let isForeign = sign.upperBound == end - 1 && tokens[sign.upperBound].isForeignText
        if isForeign {
            changes.append((gap.lowerBound..<last, ".\(name)(\(written(tokens[sign.upperBound])))"))
        } else {
            changes += [(gap, ".\(name)("), (last..<last, ")")]
        }
        return changes
    }

    func method(
        _ name: String, words: Range<Int>, left: Int, isNegated: Bool
    ) -> Found? {
        guard let end = operandEnd(words.upperBound) else { return nil }
        if name == "contains", case .list? = type(of: tokens[left]) {
            let whole = range(left..<end)
            let asked = "\(written(words.upperBound..<end)) in \(written(left..<words.lowerBound))"
            let mend = SyntaxRepair(
                range(words), message: message(words), label: "use `in`",
                help: "use `in` to check whether a list contains a value",
                changes: [(whole, isNegated ? "!(\(asked))" : asked)])
            return (mend, end)
        }
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "use `.\(name)(…)`",
            help: "use `.\(name)(…)` after the string",
            changes: methodChanges(name, left: left, sign: words, end: end, isNegated: isNegated))
        return (mend, end)
    }

    /// Returns the fix for `like "a%"`, depending on the places of `%`.
    func like(_ words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        guard let text = token(words.upperBound), text.kind == .text else { return nil }
        if let pattern = likePattern(words, text: text) {
            let mend = SyntaxRepair(
                range(words), message: message(words), label: "not an operator",
                help: "use `matches` to check whether a string matches a pattern",
                changes: methodChanges(
                    "matches", left: left, sign: words, end: words.upperBound + 1,
                    isNegated: isNegated, argument: pattern), isSafe: false)
            return (mend, words.upperBound + 1)
        }
        let inner = text.text.hasPrefix("%") ? text.text.dropFirst() : text.text[...]
        let core = inner.hasSuffix("%") ? inner.dropLast() : inner
        guard !core.isEmpty, !core.contains("%") else { return nil }
        let end = words.upperBound + 1
        let quoted = straight(String(core))
        let changes =
            method(ofPattern: text.text).map {
                methodChanges(
                    $0, left: left, sign: words, end: end, isNegated: isNegated, argument: quoted)
            } ?? [(range(words.lowerBound..<end), "\(isNegated ? "!=" : "==") \(quoted)")]
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "not an operator",
            help: "use `contains`, `startsWith` or `endsWith` to check a part of a string",
            changes: changes, isSafe: false)
        return (mend, end)
    }
}

extension SyntaxRepairer {
    /// Returns the method for the part of a string outside of its `%`; nil if it has none.
    private func method(ofPattern pattern: String) -> String? {
        switch (pattern.hasPrefix("%"), pattern.hasSuffix("%")) {
        case (true, true): "contains"
        case (false, true): "startsWith"
        case (true, false): "endsWith"
        case (false, false): nil
        }
    }

    /// Returns a regex for a `like` with `_`, with `%` inside, or without case sensitivity; nil if
    /// it has none of these.
    private func likePattern(_ words: Range<Int>, text: LooseToken) -> String? {
        let isFolding = tokens[words].contains { $0.isWord("ilike") }
        let inner = text.text.drop { $0 == "%" }.reversed().drop { $0 == "%" }.reversed()
        guard isFolding || inner.contains("_") || inner.contains("%"), !inner.isEmpty,
            !inner.contains("\""), !inner.contains("\\")
        else { return nil }
        let pattern = inner.map { character in
            switch character {
            case "%": ".*"
            case "_": "."
            case ".", "+", "*", "?", "(", ")", "[", "]", "{", "}", "^", "$", "|": "\\\(character)"
            default: String(character)
            }
        }.joined()
        let start = text.text.hasPrefix("%") ? "" : "^"
        let end = text.text.hasSuffix("%") ? "" : "$"
        return "r\"\(isFolding ? "(?i)" : "")\(start)\(pattern)\(end)\""
    }
}

extension LooseToken {
    /// Indicates whether it is a string that the language writes in another way.
    fileprivate var isForeignText: Bool { kind == .pattern || kind == .text && !isStraight }
}

// Words that say that something does not hold.
extension SyntaxRepairer {
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
                SyntaxRepair(
                    tokens[index].range, message: message, label: "use `!`",
                    help: "use `!` instead of `\(tokens[index].text)`", changes: near,
                    isSafe: clause == end), index + 1
            )
        }
        let mend = SyntaxRepair(
            tokens[index].range, message: message, label: "use `!`",
            readings: [
                .init(help: "to negate only the next part", changes: near),
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
        let mend = SyntaxRepair(
            tokens[index].range, message: "there is no operator `\(tokens[index].text)`",
            label: "use `!`",
            readings: [
                .init(
                    help: isOr
                        ? "if the list must contain neither value"
                        : "if the list must not contain both values",
                    changes: [(whole, "!(\(first) \(sign) \(second))")]),
                .init(
                    help: "if only the first value must not be in the list",
                    changes: [(whole, "(!(\(first)) \(sign) \(second))")]),
            ])
        return (mend, end)
    }

    /// Returns the fix for `unless a or b`: all that follows must be false.
    func exception(at index: Int) -> Found? {
        guard let end = operandEnd(index + 1) else { return nil }
        let whole = groupEnd(index + 1)
        let mend = SyntaxRepair(
            tokens[index].range, message: "there is no operator `\(tokens[index].text)`",
            label: "use `!`",
            help: "use `!` to negate the part after `\(tokens[index].text)`",
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
        let mend = SyntaxRepair(
            found.mend.range, message: found.mend.message, label: "use `&& !`",
            help: "use `&& !` instead of `\(tokens[index].text)`", changes: changes,
            isSafe: false)
        return (mend, index + 1)
    }

    private func negated(_ index: Int, until end: Int) -> [SyntaxRepair.Change] {
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
