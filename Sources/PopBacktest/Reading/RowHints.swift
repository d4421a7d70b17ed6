internal import PopFleet
internal import PopMapping

/// Hints about a row that is left out.
struct RowHints: Sendable {
    private let form: LogMapping.TimeFormat
    private let format: RowFormat

    init(_ mapping: LogMapping, format: RowFormat) {
        form = mapping.timeFormat
        self.format = format
    }

    func example(
        _ reason: SkippedRows.Reason, _ range: Range<Int>, of block: [UInt8]
    ) -> RowExample {
        let text = Self.start(of: block[range])
        let hint: String?
        switch reason {
        case .notReadable: hint = self.hint(ofRow: block[range])
        case .noTime: hint = self.hint(ofTime: text)
        case .tooLong, .noUser, .longUser, .noEvent: hint = nil
        }
        return RowExample(text: Self.short(text), hint: hint)
    }

    private func hint(ofRow row: ArraySlice<UInt8>) -> String? {
        let blanks = UInt8(ascii: " ")
        guard format == .jsonl, let first = row.first(where: { $0 > blanks }) else { return nil }
        let last = row.last { $0 > blanks }
        if first == UInt8(ascii: "[") || last == UInt8(ascii: ",") {
            return "convert a JSON array to lines with `jq -c '.[]'`"
        }
        if first == UInt8(ascii: "{") { return nil }
        return "if the rows are not JSON, set `rows: csv` in a mapping, or use a file name with"
            + " `.csv`"
    }

    private func hint(ofTime text: String) -> String? {
        guard let number = Double(text), number > 0 else {
            return form == .text ? nil : "for strings, set `time: { form: text }` in a mapping"
        }
        let forms: [(LogMapping.TimeFormat, ClosedRange<Double>)] = [
            (.seconds, 1e8...7e9), (.milliseconds, 1e11...7e12), (.microseconds, 1e14...7e15),
        ]
        return forms.first { $0.1.contains(number) && $0.0 != form }
            .map { "for such numbers, set `time: { form: \($0.0.rawValue) }` in a mapping" }
    }

    private static let longest = 60

    /// Returns the beginning of a string, as much as a message can show.
    static func start(of bytes: ArraySlice<UInt8>) -> String {
        // Four bytes a character at most.
        String(decoding: bytes.prefix(longest * 4 + 4), as: UTF8.self)
    }

    /// Returns the beginning of a string, on one line; the content of a private key that was named
    /// as a log is hidden.
    static func short(_ text: String) -> String {
        let key = "poprules-private-key:"
        if text.hasPrefix(key) { return key + "…" }
        let line = text.prefix { !$0.isNewline }
        return line.count <= longest ? String(line) : line.prefix(longest - 1) + "…"
    }
}
