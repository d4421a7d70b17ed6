internal import PopCEL
internal import PopSource

// Forms that have their own syntax in other languages.
extension SyntaxRepairer {
    /// `INTERVAL 30 DAY` and `INTERVAL '30 days'`.
    func interval(at index: Int) -> Found? {
        guard let number = token(index + 1) else { return nil }
        let unit = number.kind == .number ? token(index + 2) : nil
        let text = number.text + (unit?.text ?? "")
        guard number.kind == .number || number.kind == .text,
            let length = DurationText.advice(on: text, knowsDays: environment?.knowsDays ?? false)
        else { return nil }
        let next = index + (unit == nil ? 2 : 3)
        let mend = SyntaxRepair(
            tokens[index].range, message: "unexpected `\(tokens[index].text)` in a condition",
            label: "not available in conditions",
            help: "use `duration(\"\(length)\")` for a duration",
            changes: [(range(index..<next), "duration(\"\(length)\")")])
        return (mend, next)
    }

    /// `duration(minutes=90)` and `timedelta(days=30)`.
    func namedLength(at index: Int) -> Found? {
        guard token(index + 1)?.isSymbol("(") == true, let unit = token(index + 2),
            unit.kind == .word, let sign = token(index + 3),
            sign.isSymbol("=") || sign.isSymbol(":"), let number = token(index + 4),
            number.kind == .number, token(index + 5)?.isSymbol(")") == true,
            let length = DurationText.advice(
                on: number.text + unit.text, knowsDays: environment?.knowsDays ?? false)
        else { return nil }
        let place = range(index..<index + 6)
        let mend = SyntaxRepair(
            place, message: "an argument cannot have a name such as `\(unit.text)`",
            label: "a duration is written as one string, such as `\"\(length)\"`",
            help: "use `duration(\"\(length)\")` for a duration",
            changes: [(place, "duration(\"\(length)\")")])
        return (mend, index + 6)
    }

    /// Returns the fix for `(context) => …`: only the result of the function remains.
    func arrowFunction(at index: Int) -> Found? {
        guard index > 0, let next = token(index + 1) else { return nil }
        let isBare = index == 1 && tokens[0].kind == .word
        guard isBare || tokens[0].isSymbol("(") && closing(of: 0) == index - 1,
            tokens[..<index].allSatisfy({ token in
                token.kind == .word
                    ? environment?.variable(named: token.text) == nil && !token.text.contains(".")
                    : token.kind == .symbol && ["(", ")", ","].contains(token.text)
            })
        else { return nil }
        let mend = SyntaxRepair(
            range(0..<index + 1), message: "a condition is not a function",
            label: "the start of a function", help: "write only the expression after `=>`",
            changes: [(tokens[0].range.lowerBound..<next.range.lowerBound, "")], isSafe: false)
        return (mend, index + 1)
    }

    /// `typeof name !== "undefined"`.
    func typeQuestion(at index: Int) -> Found? {
        guard let name = token(index + 1), name.kind == .word, let sign = token(index + 2),
            let value = token(index + 3), value.kind == .text, value.text == "undefined"
        else { return nil }
        let isEqual = ["==", "===", "="].contains(sign.text)
        guard isEqual || ["!=", "!=="].contains(sign.text) else { return nil }
        let mend = SyntaxRepair(
            tokens[index].range, message: "unexpected `typeof` in a condition",
            label: "use `has()`",
            help: "use `has` to check whether `\(name.text)` has a value",
            changes: [(range(index..<index + 4), "\(isEqual ? "!" : "")has(\(name.text))")])
        return (mend, index + 4)
    }

    /// `/…/.test(text)`.
    func test(at index: Int) -> Found? {
        guard token(index + 1)?.isSymbol(".") == true, token(index + 2)?.isWord("test") == true,
            token(index + 3)?.isSymbol("(") == true, let close = closing(of: index + 3),
            close > index + 4
        else { return nil }
        let text = written(index + 4..<close)
        let asked = operandEnd(index + 4) == close ? text : "(\(text))"
        let mend = SyntaxRepair(
            tokens[index].range, message: "a pattern cannot be written between two `/`",
            label: "not a value",
            help: "use `matches` to check whether a string matches a pattern",
            changes: [(range(index..<close + 1), "\(asked).matches(\(written(tokens[index])))")])
        return (mend, close + 1)
    }

    /// Returns the fix for `/…/` as an argument, such as in `matches(/^D/)`: a pattern is a string.
    func patternInCall(at index: Int) -> Found? {
        guard let before = token(index - 1), before.isSymbol("(") || before.isSymbol(",") else {
            return nil
        }
        let mend = SyntaxRepair(
            tokens[index].range, message: "a pattern cannot be written between two `/`",
            label: "not a value",
            help: "write the pattern as a string, in quotes",
            changes: [(tokens[index].range, written(tokens[index]))])
        return (mend, index + 1)
    }

    /// Returns the fix for `a if b else c`, which covers the whole string.
    func choiceBehind() -> SyntaxRepair? {
        guard let word = tokens.indices.dropFirst().first(where: { tokens[$0].isWord("if") }),
            endsOperand(word - 1),
            let other = tokens.indices.dropFirst(word + 1).first(where: {
                tokens[$0].isWord("else")
            }), other > word + 1, other < tokens.count - 1
        else { return nil }
        let condition = written(word + 1..<other)
        let whole = 0..<tokens.count
        let (first, second) = (branch(0..<word), branch(other + 1..<tokens.count))
        return SyntaxRepair(
            tokens[word].range, message: "unexpected `if` in a condition", label: "use `? :`",
            help: "use `? :`, with the condition before the two values",
            changes: [(range(whole), "\(condition) ? \(first) : \(second)")], isSafe: false)
    }

    /// True and false are written small.
    private func branch(_ range: Range<Int>) -> String {
        let text = written(range)
        return ["True", "False", "TRUE", "FALSE"].contains(text) ? text.lowercased() : text
    }

    /// Returns the fix for `name?` of Ruby, if no `:` makes it a conditional.
    func questionMark(at index: Int) -> Found? {
        guard index > 0, tokens[index - 1].kind == .word, touches(index - 1, index),
            !tokens.dropFirst(index).contains(where: { $0.isSymbol(":") })
        else { return nil }
        let range = tokens[index].range
        let mend = SyntaxRepair(
            range, message: "a name cannot end with `?`", label: "remove the `?`",
            help: "write the name without `?`", changes: [(range, "")])
        return (mend, index + 1)
    }

    /// Returns the fix for `:free`, a symbol of Ruby.
    func symbol(at index: Int) -> Found? {
        guard let word = token(index + 1), word.kind == .word, touches(index, index + 1),
            let before = token(index - 1), before.kind == .symbol,
            ["==", "!=", "=", "===", "!==", "[", ","].contains(before.text)
        else { return nil }
        let mend = SyntaxRepair(
            range(index..<index + 2), message: "`:\(word.text)` is not a value",
            label: "a string without quotes",
            help: "put a string in quotes",
            changes: [(range(index..<index + 2), "\"\(word.text)\"")])
        return (mend, index + 2)
    }

    /// `name in 3..10` and `(3...10).contains(name)`.
    func span(at index: Int) -> Found? {
        guard let low = token(index - 1), let high = token(index + 1), low.kind == .number,
            high.kind == .number
        else { return nil }
        guard let (name, whole) = questionOfSpan(index - 1..<index + 2) else { return nil }
        let sign = tokens[index].text
        let readings = spans(sign, low: low.text, high: high.text).map { help, last in
            SyntaxRepair.Reading(
                help: help,
                changes: [
                    (range(whole), "\(name) >= \(low.text) && \(name) \(last) \(high.text)")
                ])
        }
        let mend = SyntaxRepair(
            range(index - 1..<index + 2), message: "there is no operator `\(sign)`",
            label: "use two comparisons", readings: readings)
        return (mend, whole.upperBound)
    }

    /// Returns the value that is checked against a span, and the tokens of the whole check.
    private func questionOfSpan(_ span: Range<Int>) -> (name: String, whole: Range<Int>)? {
        var (first, end) = (span.lowerBound, span.upperBound)
        if token(first - 1)?.isSymbol("(") == true, token(end)?.isSymbol(")") == true {
            (first, end) = (first - 1, end + 1)
        }
        if token(first - 1)?.isWord("in") == true, endsOperand(first - 2) {
            let start = operandStart(first - 2)
            return (written(start..<first - 1), start..<end)
        }
        guard token(end)?.isSymbol(".") == true, token(end + 1)?.isWord("contains") == true,
            token(end + 2)?.isSymbol("(") == true, let close = closing(of: end + 2),
            close > end + 3
        else { return nil }
        return (written(end + 3..<close), first..<close + 1)
    }

    /// Returns the possible meanings of a sign, with and without the end of the span: languages
    /// differ on `...`.
    private func spans(
        _ sign: String, low: String, high: String
    ) -> [(help: String, last: String)] {
        switch sign {
        case "..":
            [("use `>=` and `<=`, so that the range includes `\(low)` and `\(high)`", "<=")]
        case "..<":
            [("use `>=` and `<`, so that the range includes `\(low)`, but not `\(high)`", "<")]
        default:
            [
                ("if `\(low)` and `\(high)` are both included", "<="),
                ("if `\(low)` is included, but not `\(high)`", "<"),
            ]
        }
    }

    /// `list.contains(where: { $0 == … })`.
    func closure(at index: Int) -> Found? {
        guard token(index - 1)?.isSymbol("(") == true, let call = token(index - 2),
            call.kind == .word, call.text.hasSuffix(".contains"),
            token(index + 1)?.isSymbol(":") == true, token(index + 2)?.isSymbol("{") == true,
            let close = closing(of: index + 2), token(close + 1)?.isSymbol(")") == true
        else { return nil }
        let end = call.range.upperBound
        var changes: [SyntaxRepair.Change] = [
            (end - "contains".utf8.count..<end, "exists"),
            (tokens[index].range.lowerBound..<tokens[index + 3].range.lowerBound, "x, "),
            (tokens[close - 1].range.upperBound..<tokens[close].range.upperBound, ""),
        ]
        for position in index + 3..<close
        where tokens[position].isSymbol("$") && token(position + 1)?.text == "0" {
            changes.append((range(position..<position + 2), "x"))
        }
        let mend = SyntaxRepair(
            tokens[index].range, message: "closures are not supported",
            label: "remove the argument label and the braces",
            help: "use `exists` to check the items of a list", changes: changes)
        return (mend, close + 1)
    }

    /// `{% if … %}…{% endif %}` round a condition.
    func templateTag(at index: Int) -> Found? {
        guard token(index + 1)?.isWord("if") == true, let first = token(index + 2),
            let end = tokens.indices.dropFirst(index + 2).first(where: {
                tokens[$0].isSymbol("%}")
            }), let last = tokens.last, last.isSymbol("%}"),
            tokens.contains(where: { $0.isWord("endif") }),
            !tokens.contains(where: { $0.isWord("else") || $0.isWord("elsif") })
        else { return nil }
        let mend = SyntaxRepair(
            range(index..<index + 2), message: "a condition cannot have template tags",
            label: "remove the template tags",
            help: "write only the expression, without tags",
            changes: [
                (tokens[index].range.lowerBound..<first.range.lowerBound, ""),
                (tokens[end - 1].range.upperBound..<last.range.upperBound, ""),
            ])
        return (mend, index + 2)
    }

    /// `${{ … }}`, `{{ … }}` and `${ … }` around a whole condition.
    func wholePlaceholder(at index: Int) -> Found? {
        guard index == 0, tokens.count > 3, let last = tokens.last, tokens[0].kind == .symbol,
            ["${", "{{"].contains(tokens[0].text)
        else { return nil }
        let isOfThree = tokens[0].text == "${" && tokens[1].isSymbol("{") && touches(0, 1)
        let first = isOfThree ? 2 : 1
        let close = tokens[0].text == "${" && !isOfThree ? "}" : "}}"
        let inside = tokens[first..<tokens.count - 1]
        let isNested = inside.contains {
            $0.kind == .symbol && ["${", "{{", "{", "}", "}}"].contains($0.text)
        }
        guard last.isSymbol(close), !inside.isEmpty, !isNested else { return nil }
        let open = String(decoding: bytes[range(0..<first)], as: UTF8.self)
        let mend = SyntaxRepair(
            range(0..<first), message: "a condition cannot be between `\(open)` and `\(close)`",
            label: "the braces of another tool",
            help: "write only the expression, without `\(open)` and `\(close)`",
            changes: [
                (tokens[0].range.lowerBound..<tokens[first].range.lowerBound, ""),
                (tokens[tokens.count - 2].range.upperBound..<last.range.upperBound, ""),
            ])
        return (mend, first)
    }

    /// `{{custom_attribute.${name}}}`.
    func nestedPlaceholder(at index: Int) -> Found? {
        guard tokens[index].isSymbol("{{") else { return nil }
        var inner = index + 1
        while let token = token(inner), token.kind == .word || token.isSymbol(".") { inner += 1 }
        guard token(inner)?.isSymbol("${") == true, let name = token(inner + 1),
            name.kind == .word
        else { return nil }
        var end = inner + 2
        while let token = token(end), token.isSymbol("}") || token.isSymbol("}}") { end += 1 }
        guard end > inner + 2 else { return nil }
        let place = range(index..<end)
        let mend = SyntaxRepair(
            place, message: "`\(String(decoding: bytes[place], as: UTF8.self))` is not a name",
            label: "a template tag of another tool",
            help: "write only the name of the context key, without `{{`, `${` and `}`",
            changes: [(place, name.text)], isSafe: false)
        return (mend, end)
    }
}
