extension Library {
    /// Evaluates a function of the strings extension.
    func text(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        if code == .join { return try joined(arguments) }
        guard case .string(let text)? = arguments.first else { return nil }
        let most = limits.resultSize
        let rest = arguments.dropFirst().map { TextArgument($0) }
        switch (code, rest.count) {
        case (.lowerASCII, 0): return .string(StringFunctions.lowerAscii(text))
        case (.upperASCII, 0): return .string(StringFunctions.upperAscii(text))
        case (.trim, 0): return .string(StringFunctions.trim(text))
        case (.reverse, 0): return .string(StringFunctions.reverse(text))
        case (.quote, 0): return .string(StringFunctions.quote(text))
        case (.format, 1):
            guard case .list(let values) = arguments[1] else { return nil }
            return .string(try FormatString.format(text, values: values, most: most))
        case (.charAt, 1), (.substring, 1), (.substring, 2):
            return try part(code, of: text, rest: rest)
        case (.indexOf, 1...2), (.lastIndexOf, 1...2): return try place(code, in: text, rest: rest)
        case (.split, 1), (.split, 2):
            guard let separator = rest[0].text, let limit = rest.limit(1) else { return nil }
            let parts = try SplitAndJoin.split(
                text, by: separator, limit: limit, most: most)
            return .list(parts.map(Value.string))
        case (.replace, 2), (.replace, 3):
            guard let old = rest[0].text, let new = rest[1].text, let limit = rest.limit(2)
            else { return nil }
            return .string(
                try SplitAndJoin.replace(text, old: old, with: new, limit: limit, most: most))
        default: return nil
        }
    }

    private func part(
        _ code: FunctionCode, of text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let start = rest[0].number else { return nil }
        if code == .charAt { return .string(try StringFunctions.charAt(text, at: start)) }
        guard rest.count == 2 else {
            return .string(try StringFunctions.substring(text, from: start))
        }
        guard let end = rest[1].number else { return nil }
        return .string(try StringFunctions.substring(text, from: start, to: end))
    }

    private func place(
        _ code: FunctionCode, in text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let wanted = rest[0].text else { return nil }
        if rest.count == 1 {
            return .int(
                code == .indexOf
                    ? try StringFunctions.indexOf(text, wanted: wanted)
                    : try StringFunctions.lastIndexOf(text, wanted: wanted))
        }
        guard let offset = rest[1].number else { return nil }
        return .int(
            code == .indexOf
                ? try StringFunctions.indexOf(text, wanted: wanted, from: offset)
                : try StringFunctions.lastIndexOf(text, wanted: wanted, upTo: offset))
    }

    private func joined(_ arguments: [Value]) throws(EvaluationError) -> Value? {
        guard case .list(let list)? = arguments.first, arguments.count <= 2 else { return nil }
        var separator = ""
        if arguments.count == 2 {
            guard case .string(let given) = arguments[1] else { return nil }
            separator = given
        }
        var texts: [String] = []
        for element in list {
            guard case .string(let text) = element else { return nil }
            texts.append(text)
        }
        return .string(
            try SplitAndJoin.join(texts, separator: separator, most: limits.resultSize))
    }
}

/// An argument that is a string or a number.
private struct TextArgument {
    var text: String?
    var number: Int64?

    init(_ value: Value) {
        switch value {
        case .string(let text): self.text = text
        case .int(let number): self.number = number
        case .null, .bool, .uint, .double, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            break
        }
    }
}

extension [TextArgument] {
    /// Returns the limit at a position: -1 if no argument is given there; nil if it isn't a number.
    fileprivate func limit(_ position: Int) -> Int64? {
        position < count ? self[position].number : -1
    }
}
