/// The limits on the size of a JSON text.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of the text.
    public var bytes = 16 * 1024 * 1024
    /// The maximum nesting depth of arrays and objects.
    public var depth = 64
    /// The maximum number of numbers, strings, arrays and all other values together.
    public var values = 2_000_000
    /// True if a key may occur twice in an object.
    public var takesRepeatedKeys = true

    /// The standard limits, to change one by one.
    public init() {}

    /// 16 MiB of text, 64 levels, 2,000,000 values, keys may repeat.
    public static let standard = JSONLimits()
}

/// The reason why a text isn't JSON.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, in words that don't name the place.
    public var message: String
    /// The offset of the byte where reading stopped.
    public var offset: Int

    /// An error at a byte, counted from 0.
    public init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }

    public var description: String { "\(message) at byte \(offset)" }
}

extension JSON {
    /// Reads a JSON text (RFC 8259).
    ///
    /// A number without fraction and exponent becomes an `int`, or a `uint` if it fits only there;
    /// any other number becomes a `double`. If a key occurs twice, the last value counts. Takes
    /// time linear in the length.
    public static func parse(
        _ bytes: some Collection<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONSyntaxError) -> JSON {
        guard bytes.count <= limits.bytes else {
            throw JSONSyntaxError(message: "longer than \(limits.bytes) bytes", offset: 0)
        }
        var parser = JSONParser(bytes: Array(bytes), limits: limits)
        return try parser.parseDocument()
    }
}

private struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0
    var valueCount = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parseDocument() throws(JSONSyntaxError) -> JSON {
        let value = try parseValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw wrong("text after the end of the value") }
        return value
    }

    private func wrong(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(message: message, offset: position)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skip(word: StaticString) -> Bool {
        let word = Array(word.description.utf8)
        guard bytes[position...].starts(with: word) else { return false }
        position += word.count
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSON {
        skipSpace()
        valueCount += 1
        guard valueCount <= limits.values else { throw wrong("more than \(limits.values) values") }
        switch next {
        case UInt8(ascii: "{"): return try parseObject(depth: depth + 1)
        case UInt8(ascii: "["): return try parseArray(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t") where skip(word: "true"): return .bool(true)
        case UInt8(ascii: "f") where skip(word: "false"): return .bool(false)
        case UInt8(ascii: "n") where skip(word: "null"): return .null
        case nil: throw wrong("the input ends where a value is expected")
        default: return try parseNumber()
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONSyntaxError) {
        guard depth <= limits.depth else {
            throw wrong("nested deeper than \(limits.depth) levels")
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> JSON {
        try checkDepth(depth)
        position += 1
        var items: [JSON] = []
        skipSpace()
        if skip("]") { return .array(items) }
        while true {
            items.append(try parseValue(depth: depth))
            skipSpace()
            if skip("]") { return .array(items) }
            guard skip(",") else { throw wrong("`,` or `]` is missing") }
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSON {
        try checkDepth(depth)
        position += 1
        var members: [JSON.Member] = []
        var places: [String: Int] = [:]
        skipSpace()
        if skip("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw wrong("a key in quotes is missing") }
            let key = try parseString()
            skipSpace()
            guard skip(":") else { throw wrong("`:` is missing") }
            let member = JSON.Member(key: key, value: try parseValue(depth: depth))
            if let place = places[key] {
                guard limits.takesRepeatedKeys else { throw wrong("a key appears twice") }
                members[place] = member
            } else {
                places[key] = members.count
                members.append(member)
            }
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw wrong("`,` or `}` is missing") }
        }
    }
}

// MARK: Numbers and strings

extension JSONParser {
    private mutating func parseNumber() throws(JSONSyntaxError) -> JSON {
        let start = position
        _ = skip("-")
        if !skip("0") { try skipDigits() }
        let endOfWhole = position
        if skip(".") { try skipDigits() }
        if skip("e") || skip("E") {
            if !skip("-") { _ = skip("+") }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if position == endOfWhole {
            if let int = Int64(text) { return .int(int) }
            if let uint = UInt64(text) { return .uint(uint) }
        }
        guard let double = Double(text), double.isFinite else {
            throw wrong("the number is too large")
        }
        return .double(double)
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            position += 1
        }
        guard position > start else { throw wrong("a value is expected") }
    }

    private mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        var decoded: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(utf8: decoded) else {
                    throw wrong("the string before this is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &decoded)
            case 0..<0x20: throw wrong("a string contains a control character")
            default: decoded.append(byte)
            }
        }
        throw wrong("the input ends inside a string")
    }

    private mutating func parseEscape(into decoded: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw wrong("the input ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): try parseUnicodeEscape(into: &decoded)
        default: throw wrong("the escape before this is not valid in JSON")
        }
    }

    private mutating func parseUnicodeEscape(into decoded: inout [UInt8]) throws(JSONSyntaxError) {
        var code = try parseCodeUnit()
        if (0xD800..<0xDC00).contains(code) {
            guard skip("\\"), skip("u") else { throw wrong("half of a surrogate pair is missing") }
            let low = try parseCodeUnit()
            guard (0xDC00..<0xE000).contains(low) else {
                throw wrong("half of a surrogate pair is missing")
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw wrong("half of a surrogate pair is missing")
        }
        decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Four hexadecimal digits.
    private mutating func parseCodeUnit() throws(JSONSyntaxError) -> UInt32 {
        let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy({ $0.isHexDigit }),
            let code = UInt32(digits, radix: 16)
        else { throw wrong("`\\u` is not followed by four hexadecimal digits") }
        position += 4
        return code
    }
}
