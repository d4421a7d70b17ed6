extension Library {
    /// The strings extension.
    func text(
        _ call: FunctionCode.TextCall, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        if call == .join { return try joined(arguments) }
        guard case .string(let text)? = arguments.first else { return nil }
        let rest = arguments.dropFirst().map { TextArgument($0) }
        guard call.argumentCounts.contains(rest.count) else { return nil }
        switch call {
        case .lowerASCII: return .string(StringFunctions.lowerAscii(text))
        case .upperASCII: return .string(StringFunctions.upperAscii(text))
        case .trim: return .string(StringFunctions.trim(text))
        case .reverse: return .string(StringFunctions.reverse(text))
        case .quote: return .string(StringFunctions.quote(text))
        case .format:
            guard case .list(let values) = arguments[1] else { return nil }
            return .string(
                try FormatString.format(text, values: values, most: limits.resultSize))
        case .charAt:
            guard let place = rest[0].number else { return nil }
            return .string(try StringFunctions.charAt(text, at: place))
        case .substring: return try part(of: text, rest: rest)
        case .indexOf: return try firstPlace(in: text, rest: rest)
        case .lastIndexOf: return try lastPlace(in: text, rest: rest)
        case .split: return try split(text, rest: rest)
        case .replace: return try replaced(text, rest: rest)
        case .join: return nil
        }
    }

    private func part(
        of text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let start = rest[0].number else { return nil }
        guard rest.count == 2 else {
            return .string(try StringFunctions.substring(text, from: start))
        }
        guard let end = rest[1].number else { return nil }
        return .string(try StringFunctions.substring(text, from: start, to: end))
    }

    private func firstPlace(
        in text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let wanted = rest[0].text else { return nil }
        guard rest.count == 2 else {
            return .int(try StringFunctions.indexOf(text, wanted: wanted))
        }
        guard let offset = rest[1].number else { return nil }
        return .int(try StringFunctions.indexOf(text, wanted: wanted, from: offset))
    }

    private func lastPlace(
        in text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let wanted = rest[0].text else { return nil }
        guard rest.count == 2 else {
            return .int(try StringFunctions.lastIndexOf(text, wanted: wanted))
        }
        guard let offset = rest[1].number else { return nil }
        return .int(try StringFunctions.lastIndexOf(text, wanted: wanted, upTo: offset))
    }

    private func split(_ text: String, rest: [TextArgument]) throws(EvaluationError) -> Value? {
        guard let separator = rest[0].text, let limit = rest.limit(1) else { return nil }
        let parts = try SplitAndJoin.split(
            text, by: separator, limit: limit, most: limits.resultSize)
        return .list(parts.map(Value.string))
    }

    private func replaced(_ text: String, rest: [TextArgument]) throws(EvaluationError) -> Value? {
        guard let old = rest[0].text, let new = rest[1].text, let limit = rest.limit(2)
        else { return nil }
        return .string(
            try SplitAndJoin.replace(
                text, old: old, with: new, limit: limit, most: limits.resultSize))
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

extension FunctionCode.TextCall {
    /// How many arguments it takes behind the text.
    fileprivate var argumentCounts: ClosedRange<Int> {
        switch self {
        case .lowerASCII, .upperASCII, .trim, .reverse, .quote: 0...0
        case .format, .charAt: 1...1
        case .substring, .indexOf, .lastIndexOf, .split: 1...2
        case .replace: 2...3
        case .join: 0...1
        }
    }
}

/// An argument that is a text or a number.
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
    /// The limit at a position: none when nothing is given there; nil when it is not a number.
    fileprivate func limit(_ position: Int) -> Int64? {
        position < count ? self[position].number : -1
    }
}
