internal import PopCEL
internal import PopSource

// Words before a condition.
extension Mender {
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
        let mend = Mend(
            tokens[index].range, message: "unexpected `\(tokens[index].text)` in a condition",
            label: "the current time is `now`", help: "use `now` for the current time",
            changes: [(place, "now")])
        return (mend, index + 4)
    }

    /// The word goes, and nothing else.
    private func leftOut(_ index: Int, help: String) -> Found? {
        guard let next = token(index + 1) else { return nil }
        let word = tokens[index]
        let mend = Mend(
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
        let mend = Mend(
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
        let head: Mend.Change = (word.range.lowerBound..<start.range.lowerBound, "")
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
                Mend(
                    word.range, message: message, label: "conditions have no `if` and `then`",
                    help: "use `&&` to require both parts",
                    changes: [head, (tokens[then].range, "&&")],
                    isSafe: false), first
            )
        }
        var changes: [Mend.Change] = [head, (tokens[then].range, "?"), (tokens[other].range, ":")]
        if word.isWord("case"), let last = tokens.last, last.isWord("end") {
            changes.append((tokens[tokens.count - 2].range.upperBound..<last.range.upperBound, ""))
        }
        let mend = Mend(
            word.range, message: message, label: "use `? :`",
            help: "use `? :` to choose between two values",
            changes: changes)
        return (mend, first)
    }

    /// Returns the fix for `if a`, and `if (a) { b }`; the condition begins at `first`.
    private func withoutWord(
        _ word: LooseToken, message: String, head: Mend.Change, first: Int
    ) -> Mend {
        if let body = body(behind: first) {
            return Mend(
                word.range, message: message, label: "remove this word", help: body.help,
                changes: [head] + body.changes, isSafe: false)
        }
        return Mend(
            word.range, message: message, label: "remove this word",
            help: "write only the expression, without the word before it", changes: [head])
    }

    /// Returns the fix for the text after the parentheses of `if (…)`: another condition, or the
    /// action.
    private func body(behind first: Int) -> (help: String, changes: [Mend.Change])? {
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
        let mend = Mend(
            word.range, message: "unexpected `\(word.text)` in a condition", label: "use `? :`",
            help: "use `? :` to choose between two values",
            changes: [
                (word.range, ""), (tokens[commas[0]].range, " ?"), (tokens[commas[1]].range, " :"),
            ])
        return (mend, index + 2)
    }
}
