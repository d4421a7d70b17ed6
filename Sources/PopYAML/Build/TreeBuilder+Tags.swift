internal import PopSource

extension TreeBuilder {
    /// Applies a tag of the core schema to a node, and reports any other.
    mutating func applyTag(_ tag: String, to node: UInt32) {
        let index = Int(node)
        let place = properties[node]?.tag ?? Int(records[index].start)..<Int(records[index].end)
        if records[index].kind != .scalar {
            let wanted = records[index].kind == .mapping ? "map" : "seq"
            if tag != coreTagPrefix + wanted {
                report(.tagOnCollection(text(place), at: range(place)))
            }
        } else if let core = NodeRecord.CoreTag(tag) {
            records[index].tag = core
            if !fits(records[index], tag: core) {
                report(
                    .wrongTag(text(place), at: range(place), value: scalarRange(index)))
                records[index].flags.insert(.isBroken)
            }
        } else {
            reportUnexpectedTag(place, at: index)
        }
    }

    private mutating func reportUnexpectedTag(_ place: Range<Int>, at index: Int) {
        let value = place.lowerBound..<max(place.upperBound, Int(records[index].end))
        records[index].flags.insert(.isBroken)
        // A scalar without text gets the place of the tag.
        if records[index].start == records[index].end {
            records[index].start = UInt32(place.lowerBound)
            records[index].end = UInt32(place.upperBound)
        }
        if hasRoom {
            report(
                comparison(value)
                    ?? .unexpectedTag(
                        text(place), at: range(place),
                        edit: QuoteEdits.edit(value, of: bytes, file: file)))
        }
    }

    /// Returns a diagnostic for `user.plan: != free` and `user.plan: !free`, which may be meant as
    /// a comparison.
    private func comparison(_ value: Range<Int>) -> Diagnostic? {
        guard value.count <= 64 else { return nil }
        let error = YAMLSyntaxError(
            problem: .other, context: .other, contextOffset: value.lowerBound,
            offset: value.lowerBound)
        let finder = YAMLErrorClassifier(bytes: bytes, file: file, error: error)
        return finder.comparison(value)?.diagnostic
    }

    private func fits(_ record: NodeRecord, tag: NodeRecord.CoreTag) -> Bool {
        switch (tag, coreValue(record, in: bytes, decoded: decoded)) {
        case (.none, _), (.string, _), (.null, .null), (.bool, .bool), (.float, .float): true
        case (.int, .int), (.int, .unsigned), (.int, .hugeInteger): true
        case (.null, _), (.bool, _), (.int, _), (.float, _): false
        }
    }

    private func scalarRange(_ index: Int) -> SourceRange {
        range(Int(records[index].start)..<Int(records[index].end))
    }

    private func text(_ range: Range<Int>) -> String {
        shownText(bytes, at: range)
    }
}

private let coreTagPrefix = "tag:yaml.org,2002:"

extension NodeRecord.CoreTag {
    /// Creates the tag of a scalar in the core schema from its name with the full prefix.
    fileprivate init?(_ tag: String) {
        switch tag {
        case coreTagPrefix + "str": self = .string
        case coreTagPrefix + "int": self = .int
        case coreTagPrefix + "float": self = .float
        case coreTagPrefix + "bool": self = .bool
        case coreTagPrefix + "null": self = .null
        default: return nil
        }
    }
}

extension Diagnostic {
    static func unexpectedTag(_ tag: String, at range: SourceRange, edit: Edit?) -> Self {
        var found = Diagnostic(
            .yamlUnexpectedTag, message: "YAML reads `\(tag)` as a tag, not as a string", at: range,
            label: "a value that starts with `!` is a YAML tag")
        if ["!include", "!import", "!inc"].contains(tag) {
            found.help = [
                "pass both files, or the folder that contains them, to poprules; a file cannot"
                    + " include another file"
            ]
            return found
        }
        if let edit {
            // `main: !promo` can also mean that a popup doesn't show.
            let isWord =
                edit.replacement == "\"\(tag)\"" && !tag.hasPrefix("!!") && !tag.contains(".")
            let condition = isWord ? "if the value is a string or a condition, " : ""
            found.help.append(condition + QuoteEdits.help(edit))
            found.fixes.append(Fix("put the value in quotes", edits: [edit], isSafe: !isWord))
        }
        return found
    }

    fileprivate static func tagOnCollection(_ tag: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlUnexpectedTag, message: "the tag `\(tag)` has no meaning here", at: range,
            label: "tags are not used in these files", help: ["remove the tag"],
            fixes: [Fix("remove the tag", edits: [Edit(range, replacement: "")], isSafe: false)])
    }

    fileprivate static func wrongTag(
        _ tag: String, at range: SourceRange, value: SourceRange
    ) -> Self {
        Diagnostic(
            .yamlUnexpectedTag, message: "the value does not match the tag `\(tag)`", at: range,
            label: "this tag sets the type of the value",
            secondary: [Label("this value has a different type", at: value)],
            help: ["remove the tag, or change the value"])
    }
}

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
