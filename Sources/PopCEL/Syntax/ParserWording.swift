internal import PopSource

extension Parser {
    func unexpected(expecting what: String) -> SyntaxError {
        if token.kind == .end {
            return SyntaxError(
                message: "the expression ends too early: expected \(what)",
                range: max(0, previousEnd - 1)..<previousEnd, label: "nothing follows")
        }
        let found = text(token)
        return SyntaxError(
            message: "expected \(what), found `\(found)`", range: token.start..<token.end,
            label: "not expected here", help: advice(on: found).map { [$0] } ?? [])
    }

    /// How what was probably meant is written.
    private func advice(on found: String) -> String? {
        if token.kind == .identifier, token.start == previousEnd,
            let number = wordBefore(), let hours = DurationText.advice(on: number + found)
        {
            return "a length of time is written `duration(\"\(hours)\")`"
        }
        if wordBefore()?.lowercased() == "not", token.kind != .comma {
            return "not is written `!`, such as `!\(name(from: token.start))`"
        }
        switch found.lowercased() {
        case "and": return "and is written `&&`"
        case "or": return "or is written `||`"
        case "not": return "not is written `!`"
        case "is": return adviceOnIs()
        case "," where depth == 0: return "conditions are joined with `&&` (and) or `||` (or)"
        default: return nil
        }
    }

    /// `is null` and `is not null` ask for a value; `is` alone compares.
    private func adviceOnIs() -> String {
        var ahead = lexer
        var next = try? ahead.next()
        let isNegated = next.map { text($0).lowercased() == "not" } ?? false
        if isNegated { next = try? ahead.next() }
        guard next?.kind == .null, let name = wordBefore() else {
            let comparison = "values are compared with `\(isNegated ? "!=" : "==")`"
            guard let next, next.kind == .identifier, !isContinued(next)
            else { return comparison }
            return "\(comparison), and a text is written in quotes: `\"\(text(next))\"`"
        }
        return "whether `\(name)` has \(isNegated ? "a" : "no") value is asked with "
            + "`\(isNegated ? "" : "!")has(\(name))`"
    }

    /// Whether a name goes on with a field or is called.
    private func isContinued(_ name: Token) -> Bool {
        let next = bytes[name.end...].first
        return next == UInt8(ascii: ".") || next == UInt8(ascii: "(")
    }

    /// The name or number that ends where the last token did.
    private func wordBefore() -> String? {
        let word = bytes[..<previousEnd].reversed().prefix(while: isNamePart).reversed()
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// The whole dotted name that begins somewhere, or the token when none does.
    private func name(from start: Int) -> String {
        let word = bytes[start...].prefix(while: isNamePart)
        return word.isEmpty ? text(token) : String(decoding: word, as: UTF8.self)
    }
}

extension SyntaxError {
    static func empty(_ bytes: [UInt8]) -> SyntaxError {
        SyntaxError(message: "the expression is empty", range: 0..<bytes.count)
    }

    static func reserved(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`\(name)` is a reserved word and cannot be used as a name", range: range,
            label: "reserved")
    }

    static func badPresence(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`has()` takes one name or field", range: range,
            label: "neither a name nor a field",
            help: ["`has()` asks whether a key has a value, such as `has(user.plan)`"])
    }

    static func notAVariable(_ macro: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "the variable of `\(macro)` must be a simple name", range: range,
            label: "not a simple name",
            help: ["such as `t` in `tags.exists(t, t == \"beta\")`"])
    }

    static func sameVariable(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "two variables have the same name `\(name)`", range: range,
            label: "already used")
    }

    static func tooLong(_ bytes: [UInt8], _ limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message:
                "the expression is \(bytes.count) bytes long, more than \(limits.sourceLength)",
            range: 0..<bytes.count, check: .conditionCost)
    }

    static func tooDeep(_ range: Range<Int>, _ limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression is nested deeper than \(limits.nesting) levels", range: range,
            label: "too deep", check: .conditionCost)
    }

    static func tooManyNodes(_ bytes: [UInt8], _ limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression has more than \(limits.nodes) parts", range: 0..<bytes.count,
            check: .conditionCost)
    }
}
