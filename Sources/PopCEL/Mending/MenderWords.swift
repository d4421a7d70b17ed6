internal import PopSource

// Words where operators stand.
extension Mender {
    func word(at index: Int) -> Found? {
        if endsOperand(index - 1) || isLogical(index - 1), let found = phrase(at: index) {
            return found
        }
        if tokens[index].isWord("unless"), endsOperand(index - 1) {
            return exception(behind: index)
        }
        if tokens[index].isWord("in"), endsOperand(index - 1) {
            return membership(at: index..<index + 1, left: index - 1, isNegated: false)
        }
        return endsOperand(index - 1) ? nil : prefix(at: index)
    }

    private func phrase(at index: Int) -> Found? {
        let found = ForeignWords.phrases.first { phrase in
            phrase.words.indices.allSatisfy { offset in
                token(index + offset)?.isWord(phrase.words[offset]) == true
            }
        }
        guard let found else { return nil }
        let words = index..<index + found.words.count
        let left = endsOperand(index - 1) ? operandStart(index - 1) : nil
        switch (found.meaning, left) {
        case (.and, _?): return sign(words, ours: "&&", help: "and is written `&&`")
        case (.or, _?): return sign(words, ours: "||", help: "or is written `||`")
        case (.comparison(let ours), _): return comparison(words, ours: ours, left: left)
        case (.method(let name), let left?):
            return method(name, words: words, left: left, isNegated: found.isNegated)
        case (.membership, let left?):
            return membership(at: words, left: left, isNegated: found.isNegated)
        case (.between, let left?): return between(words, left: left, isNegated: found.isNegated)
        case (.like, let left?): return like(words, left: left, isNegated: found.isNegated)
        case (.presence, let left?): return presence(words, left: left, isNegated: found.isNegated)
        default: return nil
        }
    }

    func range(_ tokens: Range<Int>) -> Range<Int> {
        self.tokens[tokens.lowerBound].range
            .lowerBound..<self.tokens[tokens.upperBound - 1].range.upperBound
    }

    private func message(_ words: Range<Int>) -> String {
        "there is no operator `\(String(decoding: bytes[range(words)], as: UTF8.self))`"
    }

    private func sign(_ words: Range<Int>, ours: String, help: String) -> Found? {
        guard token(words.upperBound) != nil else { return nil }
        return (
            Mend(
                range(words), message: message(words), label: "written `\(ours)`", help: help,
                changes: [(range(words), ours)]), words.upperBound
        )
    }

    /// What the comparison before `and` or `or` compares, where nothing stands behind them.
    func repeatedName(before index: Int) -> [Mend.Change] {
        guard isLogical(index - 1), index >= 2 else { return [] }
        var start = index - 2
        while start > 0, !isLogical(start - 1), !tokens[start - 1].isSymbol("(") { start -= 1 }
        guard let end = operandEnd(start), end < index - 1 else { return [] }
        let place = tokens[index].range.lowerBound
        return [(place..<place, "\(written(start..<end)) ")]
    }

    /// What the comparison that ends before a token compares.
    func comparedName(before index: Int) -> String? {
        var start = index - 1
        while start > 0, !isLogical(start - 1), !tokens[start - 1].isSymbol("("),
            !tokens[start - 1].isSymbol(",")
        {
            start -= 1
        }
        guard let end = operandEnd(start), token(end)?.isSymbol("==") == true else { return nil }
        return written(start..<end)
    }

    private func comparison(_ words: Range<Int>, ours: String, left: Int?) -> Found? {
        if let left, ours == "==" || ours == "!=", let next = token(words.upperBound) {
            let whole = words.lowerBound..<words.upperBound + 1
            if next.kind == .word, ForeignWords.nulls.contains(next.text.lowercased()) {
                return presence(whole, left: left, isNegated: ours == "==")
            }
            if next.isWord("empty") { return emptiness(whole, left: left, ours: ours) }
        }
        guard operandEnd(words.upperBound) != nil else { return nil }
        let repeated = left == nil ? repeatedName(before: words.lowerBound) : []
        if left == nil, repeated.isEmpty { return nil }
        if let past = comparison(words, ours: ours, withPast: repeated) { return past }
        let help =
            switch ours {
            case "==": "values are compared with `==`"
            case "!=": "different from is written `!=`"
            case ">=": "at least is written `>=`"
            case "<=": "at most is written `<=`"
            case ">": "more than is written `>`"
            default: "less than is written `<`"
            }
        let value = bareWord(words.upperBound, comparedWith: left)
        let mend = Mend(
            range(words), message: message(words), label: "written `\(ours)`",
            help: value.isEmpty ? help : "\(help), and a text is written in quotes",
            changes: repeated + [(range(words), ours)] + value, isSafe: value.isEmpty)
        return (mend, words.upperBound + (value.isEmpty ? 0 : 1))
    }

    /// A word that is no name, compared with something: a text without quotes, or true or false.
    private func bareWord(_ index: Int, comparedWith left: Int?) -> [Mend.Change] {
        guard let word = token(index), word.kind == .word, clauseEnd(index) == index + 1,
            environment?.variable(named: word.text) == nil, word.text != "true",
            word.text != "false"
        else { return [] }
        if let truth = ForeignWords.truths[word.text.lowercased()],
            type(of: left.map { tokens[$0] }) == .bool
        {
            return [(word.range, "\(truth)")]
        }
        // Names have dots; words of people have none.
        return word.text.contains(".") ? [] : [(word.range, "\"\(word.text)\"")]
    }

    private func presence(_ words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        guard tokens[left].kind == .word, left == words.lowerBound - 1 else { return nil }
        let name = tokens[left]
        if let empty = emptyText(words, name: name, isNegated: isNegated) { return empty }
        let has = isNegated ? "!has(" : "has("
        let isAlwaysThere =
            environment?.variable(named: name.text).map { !$0.mayBeMissing } ?? false
        let help =
            isAlwaysThere
            ? "`\(name.text)` has a default, and so always a value: this is"
                + " \(isNegated ? "never" : "always") true"
            : "whether `\(name.text)` has \(isNegated ? "no" : "a") value is asked with `has`"
        let mend = Mend(
            range(words), message: message(words), label: "asked with `has()`", help: help,
            changes: [
                (name.range.lowerBound..<name.range.lowerBound, has),
                (name.range.upperBound..<range(words).upperBound, ")"),
            ], isSafe: !isAlwaysThere)
        return (mend, words.upperBound)
    }

    /// A text that has a default always has a value, but that may be empty.
    private func emptyText(
        _ words: Range<Int>, name: LooseToken, isNegated: Bool
    ) -> Found? {
        guard let variable = environment?.variable(named: name.text), !variable.mayBeMissing,
            variable.type == .string, variable.canBeEmpty
        else { return nil }
        let mend = Mend(
            range(words), message: message(words), label: "it always has a value",
            help: "`\(name.text)` has a default, and so always a value; whether that is empty is"
                + " asked so",
            changes: [(range(words), "\(isNegated ? "==" : "!=") \"\"")], isSafe: false)
        return (mend, words.upperBound)
    }

    private func emptiness(_ words: Range<Int>, left: Int, ours: String) -> Found? {
        let start = tokens[left].range.lowerBound
        let end = tokens[words.lowerBound - 1].range.upperBound
        let name = written(left..<words.lowerBound)
        if environment?.variable(named: name)?.mayBeMissing == true {
            return emptiness(
                ofMissing: name, words: words, whole: start..<range(words).upperBound, ours: ours)
        }
        let mend = Mend(
            range(words), message: message(words), label: "asked with `size()`",
            help: "how long a text or list is, is asked with `size`",
            changes: [(start..<start, "size("), (end..<range(words).upperBound, ") \(ours) 0")])
        return (mend, words.upperBound)
    }

    private func emptiness(
        ofMissing name: String, words: Range<Int>, whole: Range<Int>, ours: String
    ) -> Found? {
        var readings = [
            Mend.Reading(
                help: "if it must have \(ours == "==" ? "an empty value" : "a value")",
                changes: [(whole, "(has(\(name)) && size(\(name)) \(ours) 0)")])
        ]
        if ours == "==" {
            let either = "(!has(\(name)) || size(\(name)) == 0)"
            readings.insert(
                .init(help: "if no value counts as empty too", changes: [(whole, either)]), at: 0)
        }
        let mend = Mend(
            range(words), message: message(words), label: "asked with `size()`", readings: readings)
        return (mend, words.upperBound)
    }

    // MARK: Lists

    /// `in`, `not in`, `is one of`, with the list in whatever brackets.
    func membership(at words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        let start = operandStart(words.lowerBound - 1)
        guard let first = token(words.upperBound) else { return nil }
        var changes: [Mend.Change] = []
        let isPlain = tokens[words.lowerBound].text == "in" && words.count == 1
        if !isPlain { changes.append((range(words), "in")) }
        var end = operandEnd(words.upperBound) ?? words.upperBound
        if first.isSymbol("(") || first.isSymbol("{"), let last = closing(of: words.upperBound) {
            changes += [(first.range, "["), (tokens[last].range, "]")]
            end = last + 1
        } else if first.kind == .text {
            while token(end)?.isSymbol(",") == true, let next = operandEnd(end + 1) { end = next }
            let (lower, upper) = (first.range.lowerBound, tokens[end - 1].range.upperBound)
            changes += [(lower..<lower, "["), (upper..<upper, "]")]
        } else if let last = endOfWords(words.upperBound) {
            let text = tokens[words.upperBound..<last].map { written(listItem: $0) }
            changes.append((range(words.upperBound..<last), "[\(text.joined())]"))
            end = last
        } else if isPlain {
            return nil
        }
        guard end > words.upperBound else { return nil }
        if isNegated {
            let (lower, upper) = (tokens[start].range.lowerBound, tokens[end - 1].range.upperBound)
            changes = [(lower..<lower, "!(")] + changes + [(upper..<upper, ")")]
        }
        let help =
            isNegated
            ? "that a value is not in a list is written `!(… in […])`"
            : "a list is written in square brackets"
        let label = isPlain ? "its list stands in `[ ]`" : "written `in`"
        let text = isPlain ? "the list of `in` is not written as one" : message(words)
        // Texts inside may stand in other quotes; commas between them are seen to here.
        let isStraight = tokens[words.upperBound..<end].allSatisfy {
            $0.kind != .text || $0.isStraight
        }
        let next =
            first.kind == .word
            ? end
            : first.kind != .text
                ? words.upperBound + 1 : isStraight ? end : words.upperBound
        return (Mend(range(words), message: text, label: label, help: help, changes: changes), next)
    }

    /// Behind words with commas between, of which a list is made; nil where there are no several.
    private func endOfWords(_ first: Int) -> Int? {
        var end = first
        while token(end)?.kind == .word, token(end + 1)?.isSymbol(",") == true,
            token(end + 2)?.kind == .word
        {
            end += 2
        }
        return end > first ? end + 1 : nil
    }

    /// A word that is no name is a text.
    private func written(listItem token: LooseToken) -> String {
        if token.kind == .symbol { return ", " }
        return environment?.variable(named: token.text) == nil ? "\"\(token.text)\"" : token.text
    }

    private func between(_ words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        guard let lowest = operandEnd(words.upperBound), let and = token(lowest),
            and.isWord("and") || and.isSymbol("&&") || and.isWord("und") || and.isWord("to"),
            let end = operandEnd(lowest + 1)
        else { return nil }
        let name = written(left..<words.lowerBound)
        var changes: [Mend.Change] = [(range(words), ">="), (and.range, "&& \(name) <=")]
        if isNegated {
            let (lower, upper) = (tokens[left].range.lowerBound, tokens[end - 1].range.upperBound)
            changes = [(lower..<lower, "!(")] + changes + [(upper..<upper, ")")]
        }
        let mend = Mend(
            range(words), message: message(words), label: "two comparisons",
            help: "both ends included, between is written with two comparisons", changes: changes,
            isSafe: false)
        return (mend, end)
    }

    // MARK: Methods of texts

    /// The changes that make a call of a method out of `left words right`.
    func methodChanges(
        _ name: String, left: Int, sign: Range<Int>, end: Int, isNegated: Bool,
        argument: String? = nil
    ) -> [Mend.Change] {
        let start = tokens[left].range.lowerBound
        let gap =
            tokens[sign.lowerBound - 1].range.upperBound..<tokens[sign.upperBound].range.lowerBound
        let last = tokens[end - 1].range.upperBound
        var changes: [Mend.Change] = isNegated ? [(start..<start, "!")] : []
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

    private func method(
        _ name: String, words: Range<Int>, left: Int, isNegated: Bool
    ) -> Found? {
        guard let end = operandEnd(words.upperBound) else { return nil }
        if name == "contains", case .list? = type(of: tokens[left]) {
            let whole = range(left..<end)
            let asked = "\(written(words.upperBound..<end)) in \(written(left..<words.lowerBound))"
            let mend = Mend(
                range(words), message: message(words), label: "asked with `in`",
                help: "whether a list holds a value is asked with `in`",
                changes: [(whole, isNegated ? "!(\(asked))" : asked)])
            return (mend, end)
        }
        let mend = Mend(
            range(words), message: message(words), label: "written `.\(name)(…)`",
            help: "`\(name)` is called on the text",
            changes: methodChanges(name, left: left, sign: words, end: end, isNegated: isNegated))
        return (mend, end)
    }

    /// `like "a%"` by where the `%` stand.
    private func like(_ words: Range<Int>, left: Int, isNegated: Bool) -> Found? {
        guard let text = token(words.upperBound), text.kind == .text else { return nil }
        if let pattern = likePattern(words, text: text) {
            let mend = Mend(
                range(words), message: message(words), label: "not an operator",
                help: "whether a text fits a pattern is asked with `matches`",
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
        let name =
            switch (text.text.hasPrefix("%"), text.text.hasSuffix("%")) {
            case (true, true): "contains"
            case (false, true): "startsWith"
            case (true, false): "endsWith"
            case (false, false): ""
            }
        let changes =
            name.isEmpty
            ? [(range(words.lowerBound..<end), "\(isNegated ? "!=" : "==") \(quoted)")]
            : methodChanges(
                name, left: left, sign: words, end: end, isNegated: isNegated, argument: quoted)
        let mend = Mend(
            range(words), message: message(words), label: "not an operator",
            help: "a part of a text is asked for with `contains`, `startsWith` or `endsWith`",
            changes: changes, isSafe: false)
        return (mend, end)
    }
}

extension Mender {
    /// A pattern for what `like` says with `_`, with `%` inside, or of large and small letters
    /// alike; nil when nothing of the kind is said.
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
    /// A text that the language writes in another way.
    fileprivate var isForeignText: Bool { kind == .pattern || kind == .text && !isStraight }
}
