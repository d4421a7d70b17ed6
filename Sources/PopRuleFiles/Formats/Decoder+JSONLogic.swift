internal import PopSource
internal import PopYAML

// Conditions as JsonLogic writes them: `{ ">": [{ "var": "cart.total" }, 30] }`.
extension Decoder {
    /// Returns the finding about a map that is a rule of JsonLogic; nil for other maps.
    func jsonLogic(in node: YAMLNode) -> Diagnostic? {
        guard node.entries.count == 1, let entry = node.entries.first,
            operators.contains(entry.key.nameForMessages), holdsVariable(node, depth: 8)
        else { return nil }
        let text = condition(inJSONLogic: node, depth: 8)
        return .jsonLogic(entry.key, text: text, at: node.range)
    }

    /// Returns true if a value contains a map such as `{ "var": "cart.total" }`.
    private func holdsVariable(_ node: YAMLNode, depth: Int) -> Bool {
        guard depth > 0, !node.isAlias, node.entries.count + node.items.count <= 20 else {
            return false
        }
        if variable(node) != nil { return true }
        return node.items.contains { holdsVariable($0, depth: depth - 1) }
            || node.entries.contains { holdsVariable($0.value, depth: depth - 1) }
    }

    /// Returns the name that a map with `var` refers to.
    private func variable(_ node: YAMLNode) -> String? {
        guard node.entries.count == 1, let entry = node.entries.first,
            entry.key.scalar?.hasText("var") == true,
            let name = (entry.value.items.first ?? entry.value).scalar?.text,
            NameForm.dotted.fits(name.utf8), name != ""
        else { return nil }
        return name
    }

    /// The rule as a condition in its map form; nil if a part of it has no such form.
    private func condition(inJSONLogic node: YAMLNode, depth: Int) -> String? {
        guard depth > 0, node.entries.count == 1, let entry = node.entries.first else { return nil }
        let operands = entry.value.kind == .sequence ? Array(entry.value.items) : [entry.value]
        let word = entry.key.nameForMessages
        if let combiner = ["and": "all", "or": "any", "!": "none"][word] {
            let parts = operands.map { condition(inJSONLogic: $0, depth: depth - 1) }
            guard !parts.isEmpty, !parts.contains(nil) else { return nil }
            return "{ \(combiner): [\(parts.compactMap(\.self).joined(separator: ", "))] }"
        }
        return comparison(inJSONLogic: word, operands)
    }

    private func comparison(inJSONLogic word: String, _ operands: [YAMLNode]) -> String? {
        guard operands.count == 2 else { return nil }
        let isTurned = variable(operands[0]) == nil
        guard let name = variable(operands[isTurned ? 1 : 0]),
            let value = onOneLine(operands[isTurned ? 0 : 1])
        else { return nil }
        if word == "in" {
            let matcher: Matcher = isTurned ? .contains : .in
            return comparison(of: name, by: matcher, with: value)
        }
        let turned = [">": "<", ">=": "<=", "<": ">", "<=": ">="]
        let sign = isTurned ? turned[word] ?? word : word
        guard let matcher = matcher(sign), sign.allSatisfy({ "<>=!".contains($0) }) else {
            return nil
        }
        return comparison(of: name, by: matcher, with: value)
    }
}

private let operators: Set<String> = [
    "and", "or", "!", "!!", "==", "===", "!=", "!==", ">", ">=", "<", "<=", "in",
]

extension Diagnostic {
    fileprivate static func jsonLogic(_ key: YAMLNode, text: String?, at range: SourceRange) -> Self
    {
        Diagnostic(
            .schemaUnknownKey, message: "conditions cannot be written in JsonLogic", at: key.range,
            label: "`\(key.nameForMessages)` is not a context key",
            help: [
                text.map { "write `\($0)`" }
                    ?? "write an expression such as `cart.total > 30.0 && user.plan == \"free\"`,"
                    + " or a map such as `{ cart.total: { gt: 30 }, user.plan: free }`"
            ],
            fixes: text.map { [.rename(range, to: $0)] } ?? [])
    }
}
