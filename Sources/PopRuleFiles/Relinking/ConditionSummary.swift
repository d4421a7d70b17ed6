internal import PopCEL
internal import PopSource
internal import PopYAML

/// The content of a named condition apart from its places, and the places of its parts.
struct ConditionSummary {
    private(set) var parts: [String] = []
    private(set) var places: [SourceRange] = []

    init(_ condition: ConditionModel) { add(condition) }

    private mutating func add(_ condition: ConditionModel) {
        places.append(condition.range)
        switch condition.form {
        case .constant(let value): parts.append("\(value)")
        case .expression(let expression):
            parts += ["text", expression.writtenText]
            places.append(expression.range)
        case .all(let conditions): add("all", of: conditions)
        case .any(let conditions): add("any", of: conditions)
        case .none(let conditions): add("none", of: conditions)
        case .keys(let matches):
            parts += ["keys", "\(matches.count)"]
            for match in matches { add(match) }
        case .unread(let text, let map):
            parts += ["unread", text]
            places.append(map.range(0..<text.utf8.count))
        case .broken: parts.append("broken")
        }
    }

    private mutating func add(_ combiner: String, of conditions: [ConditionModel]) {
        parts += [combiner, "\(conditions.count)"]
        for condition in conditions { add(condition) }
    }

    private mutating func add(_ match: ConditionModel.KeyMatch) {
        parts += [match.key.value, "\(match.tests.count) \(match.isNegated)"]
        places += [match.key.range, match.value]
        for test in match.tests {
            parts.append(test.matcher.value.rawValue)
            places.append(test.matcher.range)
            add(test.operand)
        }
    }

    private mutating func add(_ node: YAMLNode) {
        places += [node.range, node.definitionRange]
        parts.append("\(node.kind) \(node.isBroken) \(node.isFlow)")
        if let scalar = node.scalar {
            parts += [scalar.text, "\(scalar.style) \(scalar.value)"]
        }
        parts.append("\(node.items.count) \(node.entries.count)")
        for item in node.items { add(item) }
        for entry in node.entries {
            add(entry.key)
            add(entry.value)
        }
    }
}

extension Expression {
    /// The text that it was read from.
    fileprivate var writtenText: String {
        guard case .text(_, let bytes) = tree.origins[0] else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
