internal import PopCEL
internal import PopSource

// Words in the place of operators.
extension SyntaxRepairer {
    func word(at index: Int) -> Found? {
        if endsOperand(index - 1), let recent = recentness(at: index) { return recent }
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
        case (.method, let left?) where isBehindArithmetic(left),
            (.membership, let left?) where isBehindArithmetic(left),
            (.between, let left?) where isBehindArithmetic(left),
            (.like, let left?) where isBehindArithmetic(left),
            (.presence, let left?) where isBehindArithmetic(left):
            return nil
        case (.and, _?): return sign(words, ours: "&&")
        case (.or, _?): return sign(words, ours: "||")
        case (.comparison(let ours), _): return comparison(words, ours: ours, left: left)
        case (.method(let name), let left?):
            return method(name, words: words, left: left, isNegated: found.isNegated)
        case (.membership, let left?):
            return membership(at: words, left: left, isNegated: found.isNegated)
        case (.between, let left?): return between(words, left: left, isNegated: found.isNegated)
        case (.like, let left?): return like(words, left: left, isNegated: found.isNegated)
        case (.presence, let left?): return presence(words, left: left, isNegated: found.isNegated)
        case (.and, _), (.or, _), (.method, _), (.membership, _), (.between, _), (.like, _),
            (.presence, _), (.null, _):
            return nil
        }
    }

    func range(_ tokens: Range<Int>) -> Range<Int> {
        self.tokens[tokens.lowerBound].range
            .lowerBound..<self.tokens[tokens.upperBound - 1].range.upperBound
    }

    func message(_ words: Range<Int>) -> String {
        "there is no operator `\(String(decoding: bytes[range(words)], as: UTF8.self))`"
    }

    private func help(_ words: Range<Int>, ours: String) -> String {
        "use `\(ours)` instead of `\(String(decoding: bytes[range(words)], as: UTF8.self))`"
    }

    private func sign(_ words: Range<Int>, ours: String) -> Found? {
        guard token(words.upperBound) != nil else { return nil }
        return (
            SyntaxRepair(
                range(words), message: message(words), label: "use `\(ours)`",
                help: help(words, ours: ours),
                changes: [(range(words), ours)]), words.upperBound
        )
    }

    /// Returns the subject of the comparison before `and` or `or`, for a repetition after them.
    ///
    /// Empty unless that is a name or a call, and the whole left side of the comparison: for
    /// `a + 1 > 3 and < 9` or `3 <= a and < 9`, nothing can be repeated without a guess.
    func repeatedName(before index: Int) -> [SyntaxRepair.Change] {
        guard isLogical(index - 1), index >= 2 else { return [] }
        let start = comparisonStart(index - 1, stopsAtWords: true)
        guard tokens[start].kind == .word, let end = operandEnd(start), end < index - 1,
            !isArithmetic(end)
        else { return [] }
        let place = tokens[index].range.lowerBound
        return [(place..<place, "\(written(start..<end)) ")]
    }

    /// Returns the subject of the comparison that ends before a token.
    func comparedName(before index: Int) -> String? {
        let start = comparisonStart(index, stopsAtWords: false)
        guard tokens[start].kind == .word, let end = operandEnd(start),
            token(end)?.isSymbol("==") == true
        else { return nil }
        return written(start..<end)
    }

    /// Where the comparison begins that ends before a token. Brackets are passed over as a whole.
    private func comparisonStart(_ index: Int, stopsAtWords: Bool) -> Int {
        var start = index - 1
        while start > 0 {
            let closes = tokens[start].isSymbol(")") || tokens[start].isSymbol("]")
            if closes, let opening = opening(of: start), opening < start {
                start = opening
                continue
            }
            let before = start - 1
            let opens = tokens[before].isSymbol("(") || tokens[before].isSymbol(",")
            if opens || isLogical(before) || stopsAtWords && isOperatorWord(before) {
                break
            }
            start = before
        }
        return start
    }

    private func isArithmetic(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        return ["+", "-", "*", "/", "%"].contains { token.isSymbol($0) }
    }

    /// Returns true if an operand is only the last part of a sum or a product: an operator of
    /// another language after it applies to the whole.
    func isBehindArithmetic(_ left: Int) -> Bool { isArithmetic(left - 1) && endsOperand(left - 2) }

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
        if let left, isProse(behind: words.upperBound, left: left) {
            let mend = SyntaxRepair(
                range(words), message: message(words), label: "not an operator",
                help: "write a condition about a context key, such as `user.plan == \"free\"`",
                changes: [(range(words), ours)], isSafe: false)
            return (mend, words.upperBound)
        }
        let help = help(words, ours: ours)
        let value = bareWord(words.upperBound, comparedWith: left)
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "use `\(ours)`",
            help: value.isEmpty ? help : help + advice(on: tokens[words.upperBound], value),
            changes: repeated + [(range(words), ours)] + value, isSafe: value.isEmpty)
        return (mend, words.upperBound + (value.isEmpty ? 0 : 1))
    }

    /// Returns true if ordinary words surround an operator: `user is on the free plan`.
    private func isProse(behind index: Int, left: Int) -> Bool {
        guard tokens[left].kind == .word, environment?.variable(named: tokens[left].text) == nil
        else { return false }
        return [index, index + 1].allSatisfy { index in
            token(index).map {
                $0.kind == .word && environment?.variable(named: $0.text) == nil
            } == true && !isLogical(index) && !isOperatorWord(index)
        }
    }

    /// Returns the end of a help on a word for which a value is written.
    private func advice(on word: LooseToken, _ changes: [SyntaxRepair.Change]) -> String {
        changes.contains { $0.replacement.hasPrefix("\"") }
            ? ", and put `\(word.text)` in quotes" : ", and use `true` or `false`"
    }

    /// Returns the changes for a word that isn't a name, compared with a value: a string without
    /// quotes, or true or false.
    private func bareWord(_ index: Int, comparedWith left: Int?) -> [SyntaxRepair.Change] {
        guard let word = token(index), word.kind == .word, clauseEnd(index) == index + 1,
            environment?.variable(named: word.text) == nil, word.text != "true",
            word.text != "false"
        else { return [] }
        if let truth = ForeignWords.truths[word.text.lowercased()],
            type(of: left.map { tokens[$0] }) == .bool
        {
            return [(word.range, "\(truth)")]
        }
        // Names have dots; ordinary words don't.
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
            ? "remove this check, because `\(name.text)` has a default and so always has a value"
            : "use `has` to check that `\(name.text)` has \(isNegated ? "no" : "a") value"
        let mend = SyntaxRepair(
            range(words), message: message(words),
            label: isAlwaysThere ? "`\(name.text)` always has a value" : "use `has()`",
            help: help,
            changes: [
                (name.range.lowerBound..<name.range.lowerBound, has),
                (name.range.upperBound..<range(words).upperBound, ")"),
            ], isSafe: !isAlwaysThere, isOffered: !isAlwaysThere)
        return (mend, words.upperBound)
    }

    /// Returns the fix for a string key with a default: it always has a value, but that may be
    /// empty.
    private func emptyText(
        _ words: Range<Int>, name: LooseToken, isNegated: Bool
    ) -> Found? {
        guard let variable = environment?.variable(named: name.text), !variable.mayBeMissing,
            variable.type == .string, variable.canBeEmpty
        else { return nil }
        let mend = SyntaxRepair(
            range(words), message: message(words),
            label: "`\(name.text)` has a default, so it always has a value",
            help: "to check that `\(name.text)` is \(isNegated ? "" : "not ")an empty string",
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
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "use `size()`",
            help: "use `size` for the length of a string or list",
            changes: [(start..<start, "size("), (end..<range(words).upperBound, ") \(ours) 0")])
        return (mend, words.upperBound)
    }

    private func emptiness(
        ofMissing name: String, words: Range<Int>, whole: Range<Int>, ours: String
    ) -> Found? {
        var readings = [
            SyntaxRepair.Reading(
                help: "if `\(name)` must have \(ours == "==" ? "an empty value" : "a value")",
                changes: [(whole, "(has(\(name)) && size(\(name)) \(ours) 0)")])
        ]
        if ours == "==" {
            let either = "(!has(\(name)) || size(\(name)) == 0)"
            readings.insert(
                .init(help: "if a missing value also counts as empty", changes: [(whole, either)]),
                at: 0)
        }
        let mend = SyntaxRepair(
            range(words), message: message(words), label: "use `size()`", readings: readings)
        return (mend, words.upperBound)
    }

    // MARK: Lists
}

// Words before a condition.
extension SyntaxRepairer {
    func prefix(at index: Int) -> Found? {
        switch tokens[index].text.lowercased() {
        case "not", "nicht": return negation(at: index)
        case "unless": return exception(at: index)
        case "where" where closure(at: index) != nil: return closure(at: index)
        case "if", "when", "wenn", "case", "where": return question(at: index)
        case "interval": return interval(at: index)
        case "duration", "timedelta": return namedLength(at: index)
        case "typeof": return typeQuestion(at: index)
        case "exists", "defined", "isset", "has": return presence(at: index)
        case "return": return leftOut(index, help: "write only the expression, without `return`")
        case "new":
            guard token(index + 1)?.isWord("date") == true else { return nil }
            return newDate(at: index)
        default: return nil
        }
    }

    /// `new Date()` is the moment; of another date the word goes.
    private func newDate(at index: Int) -> Found? {
        guard token(index + 2)?.isSymbol("(") == true, token(index + 3)?.isSymbol(")") == true
        else { return leftOut(index, help: "use `now` for the current time") }
        let place = range(index..<index + 4)
        let mend = SyntaxRepair(
            tokens[index].range, message: "unexpected `\(tokens[index].text)` in a condition",
            label: "the current time is `now`", help: "use `now` for the current time",
            changes: [(place, "now")])
        return (mend, index + 4)
    }

    /// The word goes, and nothing else.
    private func leftOut(_ index: Int, help: String) -> Found? {
        guard let next = token(index + 1) else { return nil }
        let word = tokens[index]
        let mend = SyntaxRepair(
            word.range, message: "unexpected `\(word.text)` in a condition",
            label: "remove this word",
            help: help,
            changes: [(word.range.lowerBound..<next.range.lowerBound, "")])
        return (mend, index + 1)
    }

    private func presence(at index: Int) -> Found? {
        guard let name = token(index + 1), name.kind == .word, clauseEnd(index + 1) == index + 2
        else { return nil }
        let word = tokens[index]
        let end = name.range.upperBound
        let mend = SyntaxRepair(
            word.range, message: "there is no operator `\(word.text)`", label: "use `has()`",
            help: "use `has` to check whether `\(name.text)` has a value",
            changes: [(word.range.lowerBound..<name.range.lowerBound, "has("), (end..<end, ")")])
        return (mend, index + 2)
    }

    /// Returns the fix for `if a then b else c`, `case when a then b else c end`, `if (a, b, c)`,
    /// or only `if a`.
    private func question(at index: Int) -> Found? {
        if let call = callOfIf(at: index) { return call }
        let word = tokens[index]
        var first = index + 1
        if word.isWord("case"), token(first)?.isWord("when") == true { first += 1 }
        guard let start = token(first) else { return nil }
        let head: SyntaxRepair.Change = (word.range.lowerBound..<start.range.lowerBound, "")
        let then = tokens.indices.dropFirst(first).first { tokens[$0].isWord("then") }
        let other = then.flatMap { then in
            tokens.indices.dropFirst(then).first { tokens[$0].isWord("else") }
        }
        let message = "unexpected `\(word.text)` in a condition"
        guard let then else {
            return (withoutWord(word, message: message, head: head, first: first), first)
        }
        guard let other else {
            return (
                SyntaxRepair(
                    word.range, message: message, label: "conditions have no `if` and `then`",
                    help: "use `&&` to require both parts",
                    changes: [head, (tokens[then].range, "&&")],
                    isSafe: false), first
            )
        }
        var changes: [SyntaxRepair.Change] = [
            head, (tokens[then].range, "?"), (tokens[other].range, ":"),
        ]
        if word.isWord("case"), let last = tokens.last, last.isWord("end") {
            changes.append((tokens[tokens.count - 2].range.upperBound..<last.range.upperBound, ""))
        }
        let mend = SyntaxRepair(
            word.range, message: message, label: "use `? :`",
            help: "use `? :` to choose between two values",
            changes: changes)
        return (mend, first)
    }

    /// Returns the fix for `if a`, and `if (a) { b }`; the condition begins at `first`.
    private func withoutWord(
        _ word: LooseToken, message: String, head: SyntaxRepair.Change, first: Int
    ) -> SyntaxRepair {
        if let body = body(behind: first) {
            return SyntaxRepair(
                word.range, message: message, label: "remove this word", help: body.help,
                changes: [head] + body.changes, isSafe: false)
        }
        return SyntaxRepair(
            word.range, message: message, label: "remove this word",
            help: "write only the expression, without the word before it", changes: [head])
    }

    /// Returns the fix for the text after the parentheses of `if (…)`: another condition, or the
    /// action.
    private func body(behind first: Int) -> (help: String, changes: [SyntaxRepair.Change])? {
        guard tokens[first].isSymbol("("), let close = closing(of: first),
            let next = token(close + 1), let last = tokens.last
        else { return nil }
        let end = tokens[close].range.upperBound
        if next.isSymbol("{"), closing(of: close + 1) == tokens.count - 1 {
            return (
                "write only the expression, without the action after it",
                [(end..<last.range.upperBound, "")]
            )
        }
        guard next.kind != .symbol || next.isSymbol("!") || next.isSymbol("("),
            !isLogical(close + 1), !next.isWord("in")
        else { return nil }
        return ("use `&&` to require both parts", [(end..<end, " &&")])
    }

    private func callOfIf(at index: Int) -> Found? {
        guard tokens[index].isWord("if"), token(index + 1)?.isSymbol("(") == true,
            let close = closing(of: index + 1)
        else { return nil }
        var commas: [Int] = []
        var position = index + 2
        while position < close {
            if tokens[position].isSymbol(",") { commas.append(position) }
            let isOpening =
                tokens[position].kind == .symbol && "([{".contains(tokens[position].text)
            position = (isOpening ? closing(of: position) ?? position : position) + 1
        }
        guard commas.count == 2 else { return nil }
        let word = tokens[index]
        let mend = SyntaxRepair(
            word.range, message: "unexpected `\(word.text)` in a condition", label: "use `? :`",
            help: "use `? :` to choose between two values",
            changes: [
                (word.range, ""), (tokens[commas[0]].range, " ?"), (tokens[commas[1]].range, " :"),
            ])
        return (mend, index + 2)
    }
}
