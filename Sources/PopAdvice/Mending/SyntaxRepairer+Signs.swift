internal import PopCEL
internal import PopSource

// Quotes, dates and signs of other languages.
extension SyntaxRepairer {
    func quotes(at index: Int) -> Found? {
        let token = tokens[index]
        let mend = SyntaxRepair(
            token.range, message: "a string must be in straight quotes (`\"` or `'`)",
            label: "not straight quotes",
            help: "use straight quotes for a string",
            changes: [(token.range, straight(token.text))])
        return (mend, index + 1)
    }

    func date(at index: Int) -> Found? {
        let token = tokens[index]
        let mend = SyntaxRepair(
            token.range, message: "a date must be in quotes", label: "not a value",
            help: "use `timestamp` for a time; a date means midnight in UTC",
            changes: [(token.range, timestampText(token.text))], isSafe: token.text.hasSuffix("Z"))
        return (mend, index + 1)
    }

    /// `$name`, `${name}`, `{{name}}`, `@name`, `name->field`.
    func sigil(at index: Int) -> Found? {
        let sign = tokens[index]
        if ["->", "::", "?."].contains(sign.text), let before = token(index - 1),
            let after = token(index + 1), before.kind == .word, after.kind == .word
        {
            let range = before.range.upperBound..<after.range.lowerBound
            return (
                SyntaxRepair(
                    sign.range, message: "there is no operator `\(sign.text)`",
                    label: "use `.`",
                    help: "join the parts of a name with `.`", changes: [(range, ".")]),
                index + 1
            )
        }
        if let found = nestedPlaceholder(at: index) ?? wholePlaceholder(at: index) { return found }
        guard ["$", "@", "#", "${", "{{"].contains(sign.text), let name = token(index + 1),
            name.kind == .word || name.kind == .number && sign.text == "$",
            // A comment, elsewhere.
            sign.text != "#" || sign.range.upperBound == name.range.lowerBound
        else { return nil }
        let close = ["${": "}", "{{": "}}"][sign.text]
        if let close, token(index + 2)?.isSymbol(close) != true { return nil }
        let end = close == nil ? name.range.upperBound : tokens[index + 2].range.upperBound
        let range = sign.range.lowerBound..<end
        var changes: [SyntaxRepair.Change] = [(sign.range.lowerBound..<name.range.lowerBound, "")]
        if close != nil { changes.append((name.range.upperBound..<end, "")) }
        let mend = SyntaxRepair(
            range, message: "`\(String(decoding: bytes[range], as: UTF8.self))` is not a name",
            label: "use `\(name.text)`",
            help: "write the \(name.kind == .number ? "number" : "name") without `\(sign.text)`"
                + (close.map { " and `\($0)`" } ?? ""),
            changes: changes)
        return (mend, index + (close == nil ? 2 : 3))
    }

    /// `=~`, `~`, `!~` and `~=` with a pattern on the right.
    func pattern(at index: Int) -> Found? {
        let sign = tokens[index]
        guard ["=~", "~", "!~", "~="].contains(sign.text), endsOperand(index - 1),
            let end = operandEnd(index + 1)
        else { return nil }
        let call = methodChanges(
            "matches", left: operandStart(index - 1), sign: index..<index + 1, end: end,
            isNegated: sign.text == "!~")
        let message = "there is no operator `\(sign.text)`"
        let help = "use `matches` to check whether a string matches a pattern"
        guard sign.text == "~=" else {
            return (
                SyntaxRepair(
                    sign.range, message: message, label: "not an operator", help: help,
                    changes: call), end
            )
        }
        let different = SyntaxRepair.Reading(
            help: "use `!=` for \"not equal\"", changes: [(sign.range, "!=")])
        return (
            SyntaxRepair(
                sign.range, message: message, label: "not an operator",
                readings: [.init(help: help, changes: call), different]), end
        )
    }

    /// An operator of another language.
    func sign(at index: Int) -> Found? {
        let sign = tokens[index]
        if sign.isSymbol("!"), token(index + 1)?.isWord("in") == true, endsOperand(index - 1) {
            return membership(at: index..<index + 2, left: operandStart(index - 1), isNegated: true)
        }
        if sign.isSymbol("=>"), let arrow = arrow(at: index) ?? arrowFunction(at: index) {
            return arrow
        }
        if let apart = signsApart(at: index) ?? leadingSign(at: index) { return apart }
        if let known = ForeignSigns.operators[sign.text] {
            let changes = [(sign.range, known.ours)] + repeatedName(before: index)
            let mend = SyntaxRepair(
                sign.range, message: "there is no operator `\(sign.text)`",
                label: "use `\(known.ours)`",
                help: known.help, changes: changes)
            return (mend, index + 1)
        }
        return particularSign(at: index)
    }

    /// Returns the fix for a sign that differs in more than notation.
    private func particularSign(at index: Int) -> Found? {
        let sign = tokens[index]
        switch sign.text {
        case "..", "...", "..<": return span(at: index)
        case "{%": return templateTag(at: index)
        case "?": return questionMark(at: index)
        case ":": return symbol(at: index)
        case ";": return semicolon(at: index)
        case ",": return comma(at: index)
        case "??": return fallback(at: index)
        case "<", ">", "<=", ">=", "==", "!=":
            let changes = repeatedName(before: index)
            guard !changes.isEmpty else { return nil }
            let mend = SyntaxRepair(
                sign.range, message: "there is no value before `\(sign.text)`",
                label: "the left side is missing",
                help: "repeat the compared value before `\(sign.text)`", changes: changes)
            return (mend, index + 1)
        default: return nil
        }
    }

    /// `> =`: one operator with a blank inside.
    private func signsApart(at index: Int) -> Found? {
        let sign = tokens[index].text
        guard [">", "<", "!", "="].contains(sign), let next = token(index + 1),
            next.isSymbol("="), endsOperand(index - 1)
        else { return nil }
        let place = range(index..<index + 2)
        let mend = SyntaxRepair(
            place, message: "unexpected space inside `\(sign)=`", label: "read as two operators",
            help: "use `\(sign)=` without a space", changes: [(place, "\(sign)=")])
        return (mend, index + 2)
    }

    /// `=a > 18`, as a formula begins.
    private func leadingSign(at index: Int) -> Found? {
        guard index == 0, tokens[0].isSymbol("=") || tokens[0].isSymbol("=="),
            let next = token(1)
        else { return nil }
        let mend = SyntaxRepair(
            tokens[0].range, message: "a condition cannot start with `\(tokens[0].text)`",
            label: "remove `\(tokens[0].text)`", help: "write only the condition",
            changes: [(tokens[0].range.lowerBound..<next.range.lowerBound, "")])
        return (mend, 1)
    }

    /// `tags.exists(t => …)`.
    private func arrow(at index: Int) -> Found? {
        guard token(index - 1)?.kind == .word, token(index - 2)?.isSymbol("(") == true,
            token(index - 3)?.kind == .word
        else { return nil }
        let range = tokens[index - 1].range.upperBound..<tokens[index].range.upperBound
        let mend = SyntaxRepair(
            tokens[index].range, message: "there is no operator `=>`", label: "use `,`",
            help: "use `,` instead of `=>` after the name of the element",
            changes: [(range, ",")])
        return (mend, index + 1)
    }

    /// At the end, or between the arguments of a call.
    private func semicolon(at index: Int) -> Found? {
        let range = tokens[index].range
        guard index == tokens.count - 1 else {
            guard !isOutside(index) else { return nil }
            let mend = SyntaxRepair(
                range, message: "arguments cannot be separated by `;`", label: "use `,`",
                help: "use `,` between arguments", changes: [(range, ",")])
            return (mend, index + 1)
        }
        return (
            SyntaxRepair(
                range, message: "a condition cannot end with `;`", label: "remove the `;`",
                help: "write only the condition", changes: [(range, "")]), index + 1
        )
    }

    private func comma(at index: Int) -> Found? {
        let range = tokens[index].range
        guard isOutside(index), endsOperand(index - 1), let end = operandEnd(index + 1) else {
            return nil
        }
        let name = comparedName(before: index)
        if let value = token(index + 1), value.kind == .text || value.kind == .number,
            clauseEnd(index + 1) == end, let name
        {
            return (
                SyntaxRepair(
                    range, message: "values cannot be joined with `,`", label: "not an operator",
                    help: "if one of the values is enough", changes: [(range, " || \(name) ==")],
                    isSafe: false),
                index + 1
            )
        }
        return (
            SyntaxRepair(
                range, message: "conditions cannot be joined with `,`", label: "not an operator",
                readings: [
                    .init(help: "if both are required", changes: [(range, " &&")]),
                    .init(help: "if one of them is enough", changes: [(range, " ||")]),
                ]), index + 1
        )
    }

    /// Returns true if no bracket is open before a token.
    private func isOutside(_ index: Int) -> Bool {
        (0..<index).allSatisfy { first in
            guard tokens[first].kind == .symbol, "([{".contains(tokens[first].text) else {
                return true
            }
            return closing(of: first).map { $0 < index } ?? false
        }
    }

    /// `name ?? value`.
    private func fallback(at index: Int) -> Found? {
        guard let name = token(index - 1), name.kind == .word, let end = operandEnd(index + 1)
        else { return nil }
        let last = tokens[end - 1].range.upperBound
        return (
            SyntaxRepair(
                tokens[index].range, message: "there is no operator `??`", label: "not an operator",
                help: "use `has` to set a fallback for a missing value",
                changes: [
                    (name.range.lowerBound..<name.range.lowerBound, "(has(\(name.text)) ? "),
                    (tokens[index].range, ":"), (last..<last, ")"),
                ], isSafe: false), end
        )
    }

    /// A character that looks like another one or like nothing.
    func character(at index: Int) -> Found? {
        let token = tokens[index]
        if let amount = currency(before: index) { return amount }
        guard let known = SyntaxError.replacement(for: token.text) else { return nil }
        let error = SyntaxError.unexpectedCharacter(in: bytes, at: token.range.lowerBound)
            .explained(in: bytes)
        let mend = SyntaxRepair(
            token.range, message: error.message, label: error.label, help: error.help.first ?? "",
            changes: [(token.range, known)])
        return (mend, index + 1)
    }
}

/// A date or a local time as `timestamp()` reads it.
func timestampText(_ date: String) -> String {
    var text = date
    if !text.contains("T") { return "timestamp(\"\(text)T00:00:00Z\")" }
    let zone = String(text.suffix(DateShape(text)?.zoneLength ?? 0))
    text.removeLast(zone.count)
    if text.count(where: { $0 == ":" }) == 1 { text += ":00" }
    return "timestamp(\"\(text)\(zone.isEmpty ? "Z" : zone)\")"
}

/// Signs of other languages, and what they are here.
enum ForeignSigns {
    /// Quotes that open a string, and those that may close it.
    static let quotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "\"": ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}"],
        "'": ["'", "\u{2018}", "\u{2019}", "\u{B4}"],
        "\u{201C}": ["\u{201D}", "\u{201C}", "\""], "\u{201D}": ["\u{201D}", "\u{201C}", "\""],
        "\u{201E}": ["\u{201C}", "\u{201D}", "\u{201F}", "\""], "\u{201F}": ["\u{201D}", "\""],
        "\u{2018}": ["\u{2019}", "\u{2018}", "'"], "\u{2019}": ["\u{2019}", "\u{2018}", "'"],
        "\u{201A}": ["\u{2018}", "\u{2019}", "'"], "\u{201B}": ["\u{2019}", "'"],
        "\u{AB}": ["\u{BB}"], "\u{BB}": ["\u{AB}", "\u{BB}"],
        "\u{2039}": ["\u{203A}"], "\u{203A}": ["\u{2039}", "\u{203A}"],
        "\u{B4}": ["\u{B4}", "'", "`"], "`": ["`", "\u{B4}", "'"],
        "\u{300C}": ["\u{300D}"], "\u{300E}": ["\u{300F}"],
        "\u{FF02}": ["\u{FF02}"], "\u{FF07}": ["\u{FF07}"],
        "\u{2033}": ["\u{2033}"], "\u{2032}": ["\u{2032}"],
    ]

    /// Operators, what they are here, and how the help on them begins.
    static let operators: [String: (ours: String, help: String)] = [
        "=": ("==", "use `==` to compare values"), "===": ("==", "use `==` to compare values"),
        "!==": ("!=", "use `!=` for \"not equal\""),
        "<>": ("!=", "use `!=` for \"not equal\""),
        "=!": ("!=", "use `!=` for \"not equal\""),
        "/=": ("!=", "use `!=` for \"not equal\""),
        ":=": ("==", "use `==` to compare values"),
        "=>": (">=", "use `>=` for \"at least\""), "=<": ("<=", "use `<=` for \"at most\""),
        ">==": (">=", "use `>=` for \"at least\""), "<==": ("<=", "use `<=` for \"at most\""),
        "==>": (">=", "use `>=` for \"at least\""), "==<": ("<=", "use `<=` for \"at most\""),
        "&": ("&&", "use `&&` for \"and\""), "|": ("||", "use `||` for \"or\""),
        "\u{2265}": (">=", "use `>=` for \"at least\""),
        "\u{2264}": ("<=", "use `<=` for \"at most\""),
        "\u{2260}": ("!=", "use `!=` for \"not equal\""),
        "\u{D7}": ("*", "use `*` to multiply"), "\u{F7}": ("/", "use `/` to divide"),
        "\u{2212}": ("-", "use `-` for minus"), "\u{2013}": ("-", "use `-` for minus"),
        "\u{2227}": ("&&", "use `&&` for \"and\""), "\u{2228}": ("||", "use `||` for \"or\""),
        "\u{AC}": ("!", "use `!` to negate"),
        "\u{FF1D}": ("==", "use `==` to compare values"),
        "\u{FF1D}\u{FF1D}": ("==", "use `==` to compare values"),
        "\u{FF1C}": ("<", "use the ASCII character `<`"),
        "\u{FF1E}": (">", "use the ASCII character `>`"),
        "\u{FF01}": ("!", "use `!` to negate"),
        "\u{FF01}\u{FF1D}": ("!=", "use `!=` for \"not equal\""),
        "\u{FF08}": ("(", "use the ASCII character `(`"),
        "\u{FF09}": (")", "use the ASCII character `)`"),
        "\u{3001}": (",", "use the ASCII character `,`"),
        "\u{FF0C}": (",", "use the ASCII character `,`"),
    ]

    /// The signs of the language, unless they are names.
    private static let own = [
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ",",
        ".", "(", ")", "[", "]", "{", "}",
    ]

    /// The signs with special treatment.
    private static let special = [
        "=~", "~=", "!~", "~", "${", "{{", "}}", "$", "@", "#", ";", "->", "::", "?.", "??", "^",
        "\\", "..", "...", "..<", "{%", "%}",
    ]

    /// The signs and words for currencies.
    static let currencies: Set<String> = [
        "\u{20AC}", "$", "\u{A3}", "\u{A5}", "\u{20B9}", "eur", "usd", "gbp", "chf", "jpy", "inr",
        "euro", "euros",
        "dollar", "dollars",
    ]

    /// The units of measures and counts; units of time are treated separately.
    static let units: Set<String> = [
        "kg", "g", "mg", "lb", "lbs", "km", "cm", "mm", "mi", "px", "pt", "kb", "mb", "gb", "kcal",
        "x", "times", "pcs",
    ]

    static let all = Set(own + special + operators.keys)
}
