package import PopSource

extension YAMLNode {
    /// The value on one line in valid YAML: strings are only quoted if they were quoted or need
    /// quotes. Linear in the value, including aliases.
    package var line: String { line(isInside: false) }

    private func line(isInside: Bool) -> String {
        switch kind {
        case .scalar: return scalarLine(isInside: isInside)
        case .sequence: return "[\(items.map { $0.line(isInside: true) }.joined(separator: ", "))]"
        case .mapping:
            let entries = entries.map {
                "\($0.key.line(isInside: true)): \($0.value.line(isInside: true))"
            }
            return entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
        }
    }

    private func scalarLine(isInside: Bool) -> String {
        let text = text ?? ""
        guard case .string? = coreValue else { return text.isEmpty ? "null" : text }
        if text.unicodeScalars.contains(where: \.needsEscape) { return escaped(text) }
        return isPlain && isReadPlain(text, isInside: isInside) ? text : QuoteEdits.quoted(text)
    }

    /// The value in JSON; numbers that JSON doesn't have become strings.
    package var json: JSON {
        switch kind {
        case .scalar: scalarJSON
        case .sequence: .array(items.map(\.json))
        case .mapping:
            .object(
                entries.map { JSON.Member(key: $0.key.text ?? $0.key.line, value: $0.value.json) })
        }
    }

    private var scalarJSON: JSON {
        switch coreValue {
        case .null?, nil: .null
        case .bool(let value)?: .bool(value)
        case .int(let number)?: .int(number)
        case .unsigned(let number)?: .uint(number)
        case .float(let number)? where number.isFinite: .double(number)
        case .float?, .hugeInteger?, .string?: .string(text ?? "")
        }
    }
}

/// Returns true if a string needs no quotes. It may return false for some that don't need them.
private func isReadPlain(_ text: String, isInside: Bool) -> Bool {
    guard let first = text.first, !"-?:,[]{}#&*!|>'\"%@`. ".contains(first),
        !text.hasSuffix(" "), !text.hasSuffix(":"), !text.contains(": "), !text.contains(" #"),
        !isInside || !text.contains(where: { ",[]{}".contains($0) })
    else { return false }
    let bytes = Array(text.utf8)
    return coreValue(bytes.span) == .string
}

/// Returns a string in double quotes, with invisible characters and line breaks escaped.
private func escaped(_ text: String) -> String {
    let inside = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where scalar.needsEscape:
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        default: return String(scalar)
        }
    }
    return "\"\(inside.joined())\""
}

extension Unicode.Scalar {
    fileprivate var needsEscape: Bool { self == "\t" || mustBeEscaped }
}
