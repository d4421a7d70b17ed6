/// The values of literal tokens.
struct LiteralDecoder {
    let bytes: [UInt8]

    /// Returns the value of a number; `isNegative` is true if a minus sign precedes it.
    func number(_ token: Token, isNegative: Bool) throws(SyntaxError) -> Value {
        if token.kind == .double {
            let magnitude = Double(String(decoding: bytes[token.start..<token.end], as: UTF8.self))
            guard let magnitude, magnitude.isFinite else {
                throw .outOfRange("double", token: token)
            }
            return .double(isNegative ? -magnitude : magnitude)
        }
        if token.kind == .uint {
            guard let magnitude = integer(token, digitsEnd: token.end - 1) else {
                throw .outOfRange("uint", token: token)
            }
            return .uint(magnitude)
        }
        guard let magnitude = integer(token, digitsEnd: token.end) else {
            throw .outOfRange("int", token: token)
        }
        guard let value = Int64(magnitude, isNegative: isNegative) else {
            throw .outOfRange("int", token: token)
        }
        return .int(value)
    }

    private func integer(_ token: Token, digitsEnd: Int) -> UInt64? {
        let radix: UInt64 = token.isSpecial ? 16 : 10
        var value: UInt64 = 0
        for position in token.start + (token.isSpecial ? 2 : 0)..<digitsEnd {
            guard let digit = hexDigit(bytes[position]) else { return nil }
            let (product, overflowsProduct) = value.multipliedReportingOverflow(by: radix)
            let (sum, overflowsSum) = product.addingReportingOverflow(UInt64(digit))
            if overflowsProduct || overflowsSum { return nil }
            value = sum
        }
        return value
    }

    func string(_ token: Token) throws(SyntaxError) -> Value {
        let content = contentRange(token)
        let isBytes = token.kind == .bytes
        guard !token.isSpecial, content.contains(where: { bytes[$0] == UInt8(ascii: "\\") }) else {
            return isBytes
                ? .bytes(Array(bytes[content]))
                : .string(String(decoding: bytes[content], as: UTF8.self))
        }
        let decoded = try unescaped(content, isBytes: isBytes)
        return isBytes ? .bytes(decoded) : .string(String(decoding: decoded, as: UTF8.self))
    }

    private func contentRange(_ token: Token) -> Range<Int> {
        var start = token.start
        while bytes[start] != UInt8(ascii: "\""), bytes[start] != UInt8(ascii: "'") { start += 1 }
        return start + token.quoteLength..<token.end - token.quoteLength
    }

    private func unescaped(
        _ content: Range<Int>, isBytes: Bool
    ) throws(SyntaxError) -> [UInt8] {
        var result: [UInt8] = []
        var position = content.lowerBound
        while position < content.upperBound {
            guard bytes[position] == UInt8(ascii: "\\") else {
                result.append(bytes[position])
                position += 1
                continue
            }
            let escape = try self.escape(at: position, end: content.upperBound, isBytes: isBytes)
            if isBytes, escape.value < 0x100 {
                result.append(UInt8(escape.value))
            } else if let scalar = Unicode.Scalar(escape.value) {
                result.append(contentsOf: scalar.utf8)
            } else {
                throw .badEscape(bytes, at: position..<position + escape.length)
            }
            position += escape.length
        }
        return result
    }

    /// Returns the value of an escape sequence; `length` includes the backslash.
    private func escape(
        at position: Int, end: Int, isBytes: Bool
    ) throws(SyntaxError) -> (value: UInt32, length: Int) {
        let letter = position + 1 < end ? bytes[position + 1] : 0
        switch letter {
        case UInt8(ascii: "a"): return (0x07, 2)
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "f"): return (0x0C, 2)
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "v"): return (0x0B, 2)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "`"):
            return (UInt32(letter), 2)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            return try digits(at: position, skip: 2, count: 2, radix: 16, end: end)
        case UInt8(ascii: "u") where !isBytes:
            return try digits(at: position, skip: 2, count: 4, radix: 16, end: end)
        case UInt8(ascii: "U") where !isBytes:
            return try digits(at: position, skip: 2, count: 8, radix: 16, end: end)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            return try digits(at: position, skip: 1, count: 3, radix: 8, end: end)
        default: throw .badEscape(bytes, at: position..<min(position + 2, end))
        }
    }

    private func digits(
        at position: Int, skip: Int, count: Int, radix: UInt32, end: Int
    ) throws(SyntaxError) -> (value: UInt32, length: Int) {
        let last = position + skip + count
        guard last <= end else { throw .badEscape(bytes, at: position..<end) }
        var value: UInt32 = 0
        for index in position + skip..<last {
            guard let digit = hexDigit(bytes[index]), digit < radix else {
                throw .badEscape(bytes, at: position..<index + 1)
            }
            value = value &* radix &+ digit
        }
        return (value, skip + count)
    }
}

extension SyntaxError {
    fileprivate static func outOfRange(_ type: String, token: Token) -> SyntaxError {
        SyntaxError(
            message: "the number is outside the range of the type \(type)",
            range: token.start..<token.end,
            label: type == "double" ? "too large" : "\(type) has 64 bits")
    }

    fileprivate static func badEscape(_ bytes: [UInt8], at range: Range<Int>) -> SyntaxError {
        let text = String(decoding: bytes[range], as: UTF8.self)
        return SyntaxError(
            message: "unknown escape `\(text)` in a string", range: range, label: "unknown escape",
            help: ["write a backslash as `\\\\`, or put `r` before the quote for a raw string"])
    }
}
