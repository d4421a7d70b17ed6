internal import PopAdvice
internal import PopCEL
internal import PopSource
internal import PopYAML

extension Decoder {
    /// Returns the meanings of a value that isn't of the key's type but a comparison; nil if it may
    /// be a value, or nothing like a comparison.
    func matcherReadings(_ node: YAMLNode, type: CELType) -> [Reading]? {
        switch (node.kind, type) {
        case (_, .dyn), (.mapping, _): return nil
        case (_, .list): return nil
        case (.sequence, _): return readings(ofList: node, type)
        case (.scalar, .string): return nil
        case (.scalar, _): break
        }
        guard case .string? = node.coreValue, let text = node.text,
            let unquoted = matcherText(text)
        else { return nil }
        let matcher =
            type == .version
            ? unquoted.replacing(#/: ([^ ,{}"]+)/#) { ": \"\($0.output.1)\"" } : unquoted
        // Whether the ends of a span belong to it depends on who writes.
        return [Reading(matcher, isExact: !matcher.contains("lte") || !matcher.contains("gte"))]
    }

    /// Several values where one is wanted.
    private func readings(ofList node: YAMLNode, _ type: CELType) -> [Reading] {
        let items = node.items.map { source.text(in: $0.range) }
        let isFit = node.items.allSatisfy { item in
            item.kind == .scalar
                && (!item.isPlain
                    || !source.text(in: item.range).contains { ",[]{}\n".contains($0) })
        }
        guard isFit, !items.isEmpty, items.count <= 20 else { return [] }
        let list = Reading(
            "{ in: [\(items.joined(separator: ", "))] }", meaning: "one of these values")
        let numbers = items.compactMap { Double($0) }
        guard numbers.count == 2, items.count == 2, numbers[0] < numbers[1], type.isNumeric else {
            return [Reading(list.text)]
        }
        let span = Reading(
            "{ gte: \(items[0]), lte: \(items[1]) }", meaning: "from \(items[0]) to \(items[1])")
        return [list, span]
    }

    /// Returns the meaning of an unquoted string that joins several words: hardly a value that an
    /// app would set.
    func listInText(_ node: YAMLNode) -> Reading? {
        guard case .string? = node.coreValue, let text = node.text,
            text.utf8.count <= longestReading
        else { return nil }
        if let parts = wordsJoinedByOr(text) {
            return Reading("{ in: [\(parts.joined(separator: ", "))] }", isExact: false)
        }
        guard node.isPlain else { return nil }
        let parts = text.split(separator: text.contains("|") ? "|" : ",", maxSplits: 20)
            .map { $0.filter { $0 != " " } }
        guard parts.count > 1, parts.allSatisfy({ NameForm.dotted.fits($0.utf8) }),
            !parts.contains(where: \.isEmpty)
        else { return nil }
        return Reading("{ in: [\(parts.joined(separator: ", "))] }", isExact: false)
    }

    /// Returns the meaning of a string that begins with an operator: hardly a value that an app
    /// would set.
    func operatorInText(_ node: YAMLNode) -> Reading? {
        guard case .string? = node.coreValue, let text = node.text, let first = text.first,
            "=!<>≠≥≤".contains(first), let matcher = matcherText(text)
        else { return nil }
        return Reading(matcher)
    }
}

/// The words of `DE or AT`; nil for anything else.
func wordsJoinedByOr(_ text: String) -> [String]? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 2, words.count % 2 == 1, words.count <= 21 else { return nil }
    let parts = stride(from: 0, to: words.count, by: 2).map { words[$0] }
    let signs = stride(from: 1, to: words.count, by: 2).map { words[$0].lowercased() }
    guard signs.allSatisfy({ ["or", "||", "oder"].contains($0) }),
        parts.allSatisfy({ NameForm.dotted.fits($0.utf8) })
    else { return nil }
    return parts
}

extension CELType {
    fileprivate var isNumeric: Bool { self == .int || self == .uint || self == .double }
}
