internal import PopSource

extension Parser {
    func unexpected(expecting what: String) -> SyntaxError {
        if token.kind == .end {
            return SyntaxError(
                message: "the expression ends too early: expected \(what)",
                range: max(0, previousEnd - 1)..<previousEnd, label: "nothing follows this",
                missingAtEnd: what)
        }
        return SyntaxError(
            message: "expected \(what), found `\(text(token))`", range: token.start..<token.end,
            label: "not expected here")
    }
}

extension SyntaxError {
    package static let endlessText = "a string is not closed"
    package static let foreignCharacter = "not allowed in an expression"

    /// Returns an error about a character that no token begins with.
    package static func unexpectedCharacter(in bytes: [UInt8], at position: Int) -> SyntaxError {
        var end = position + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let character = String(decoding: bytes[position..<end], as: UTF8.self)
        return SyntaxError(
            message: "unexpected `\(character)`", range: position..<end, label: foreignCharacter)
    }

    static func empty(_ bytes: [UInt8]) -> SyntaxError {
        SyntaxError(message: "the expression is empty", range: 0..<bytes.count)
    }

    static func reserved(_ name: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`\(name)` is a reserved word and cannot be used as a name", range: range,
            label: "reserved word")
    }

    static func badPresence(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`has()` takes one name or field", range: range,
            label: "neither a name nor a field",
            help: ["use `has()` to check whether a key has a value, such as `has(user.plan)`"])
    }

    static func notAVariable(_ macro: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "the variable of `\(macro)` must be a simple name", range: range,
            label: "not a simple name",
            help: ["use a simple name, such as `t` in `tags.exists(t, t == \"beta\")`"])
    }

    static func sameVariable(_ name: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "two variables have the same name `\(name)`", range: range,
            label: "already used")
    }

    static func tooLong(_ bytes: [UInt8], limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message:
                "the expression is \(bytes.count) bytes long; the limit is \(limits.sourceLength)",
            range: 0..<bytes.count, check: .conditionCost)
    }

    static func tooDeep(_ range: Range<Int>, limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression is nested deeper than \(limits.nesting) levels", range: range,
            label: "too deep", check: .conditionCost)
    }

    static func tooManyNodes(_ bytes: [UInt8], limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression has more than \(limits.nodes) parts", range: 0..<bytes.count,
            check: .conditionCost)
    }
}
