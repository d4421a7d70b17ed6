internal import PopSource

extension TreeBuilder {
    /// Reports a number with a leading zero: older versions of YAML read it in base 8, and an id
    /// loses the zero.
    mutating func reportLeadingZero(_ node: UInt32) {
        let record = records[Int(node)]
        guard record.style == .plain, record.tag == .none, record.count > 1,
            !record.flags.contains(.isDecoded), bytes[Int(record.first)] == UInt8(ascii: "0"),
            case .int(let value) = coreValue(record, in: bytes, decoded: decoded),
            bytes[Int(record.first) + 1] != UInt8(ascii: "x"),
            bytes[Int(record.first) + 1] != UInt8(ascii: "o")
        else { return }
        let place = Int(record.start)..<Int(record.end)
        // The rest of a number that a comma has split; the reader of the value reports it.
        if place.lowerBound > 1, bytes[place.lowerBound - 1] == UInt8(ascii: ","),
            bytes[place.lowerBound - 2] &- UInt8(ascii: "0") < 10
        {
            return
        }
        report(
            .leadingZero(
                shownText(bytes, at: place), value: value, at: range(place),
                quote: QuoteEdits.edit(place, of: bytes, file: file)))
    }
}

extension Diagnostic {
    fileprivate static func leadingZero(
        _ text: String, value: Int64, at range: SourceRange, quote: Edit?
    ) -> Self {
        var found = Diagnostic(
            .yamlImplicitType, message: "`\(text)` is read as the number \(value)", at: range,
            label: "the leading zero is lost", help: ["write `\(value)` for the number"],
            fixes: [
                Fix(
                    "write the number", edits: [Edit(range, replacement: String(value))],
                    isSafe: false)
            ])
        if let quote {
            found.help.append("put a string in quotes: `\(quote.replacement)`")
            found.fixes.append(Fix("put the string in quotes", edits: [quote], isSafe: false))
        }
        return found
    }
}
