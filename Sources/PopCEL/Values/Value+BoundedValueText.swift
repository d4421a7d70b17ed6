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
