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

extension Value {
    /// The value in a form for users: numbers in their shortest form, `49` for `49.0`, and strings
    /// without quotes. Nil for values without such a form: null, bytes, lists and maps.
    package var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .double(let number): Self.plainText(of: number)
        case .timestamp(let date): date.description
        case .duration(let duration): DurationText.format(duration)
        case .version(let version): version.text
        case .null, .bytes, .list, .map, .type, .optional: nil
        }
    }

    private static func plainText(of number: Double) -> String {
        if let name = NumberText.nonFinite(number) { return name }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension CELType {
    /// True if its values have a `plainText`.
    package var hasPlainText: Bool {
        switch self {
        case .string, .bool, .int, .uint, .double, .timestamp, .duration, .version, .dyn: true
        case .null, .bytes, .list, .map, .optional, .type, .wrapper, .opaque, .parameter: false
        }
    }
}

extension Value {
    /// Returns the value as `description` writes it, cut after approximately the given number of
    /// characters, with the number of omitted parts.
    ///
    /// The cost only depends on the written part: a small value may share its parts so often that
    /// printing all of it is impossible.
    package func text(atMost limit: Int) -> String {
        var writer = BoundedWriter(room: limit)
        writer.write(self)
        return writer.text
    }
}

private struct BoundedWriter {
    private(set) var text = ""
    private var room: Int
    /// True if the innermost cut has been reported; around it an ellipsis is enough.
    private var hasCounted = false

    init(room: Int) { self.room = room }

    mutating func write(_ value: Value) {
        switch value {
        case .string(let string): write(string)
        case .bytes(let bytes): write(bytes)
        case .list(let values):
            write("[", items: values, closing: "]") { $0.write($1) }
        case .map(let map):
            write("{", items: map, closing: "}") { writer, entry in
                writer.write(entry.key)
                writer.add(": ")
                writer.write(entry.value)
            }
        case .optional(let value?):
            add("optional.of(")
            write(value)
            add(")")
        case .duration(let duration) where duration != .endless:
            add("duration(\"\(DurationText.inLongestUnit(duration))\")")
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type,
            .optional(nil):
            add(value.description)
        }
    }

    private mutating func add(_ piece: String) {
        text += piece
        room -= piece.count
    }

    private mutating func write(_ string: String) {
        let shown = string.prefix(max(room, 1))
        if shown.endIndex == string.endIndex { return add(StringFunctions.quote(string)) }
        add(StringFunctions.quote("\(shown)…") + " (\(string.count) characters)")
    }

    private mutating func write(_ bytes: [UInt8]) {
        let shown = bytes.prefix(max(room, 1))
        add(Value.bytes(Array(shown)).description)
        if shown.count < bytes.count { add("… (\(bytes.count) bytes)") }
    }

    private mutating func write<Items: Sequence>(
        _ opening: String, items: Items, closing: String,
        item: (inout BoundedWriter, Items.Element) -> Void
    ) where Items: Collection {
        add(opening)
        for (position, element) in items.enumerated() {
            if position > 0 { add(", ") }
            if room <= 0 {
                add(hasCounted ? "…" : "… \(items.count - position) more")
                hasCounted = true
                break
            }
            item(&self, element)
        }
        add(closing)
    }
}
