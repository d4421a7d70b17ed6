extension Value: CustomStringConvertible {
    /// The value as an expression would write it: evaluating the text results in the same value.
    ///
    /// NaN and the infinities are written as calls of `double`, optional values as calls of
    /// `optional`. The duration since an event that never happened is longer than any expression
    /// can express.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .uint(let value): "\(value)u"
        case .double(let value): Self.text(of: value)
        case .string(let value): StringFunctions.quote(value)
        case .bytes(let value): Self.text(of: value)
        case .timestamp(let value): "timestamp(\"\(value)\")"
        case .duration(.endless): "longer than any duration"
        case .duration(let value): "duration(\"\(DurationText.format(value))\")"
        case .version(let value): "version(\"\(value.text)\")"
        case .list(let values): "[\(values.map { $0.description }.joined(separator: ", "))]"
        case .map(let map): "{\(map.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
        case .type(let type): type.description
        case .optional(let value?): "optional.of(\(value))"
        case .optional(nil): "optional.none()"
        }
    }

    private static func text(of number: Double) -> String {
        if let name = NumberText.nonFinite(number) { return "double(\"\(name)\")" }
        return number.description
    }

    private static func text(of bytes: [UInt8]) -> String {
        let escaped = bytes.map { byte in
            let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            let digits = String(byte, radix: 16)
            return isPlain
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + digits
        }
        return "b\"\(escaped.joined())\""
    }
}
