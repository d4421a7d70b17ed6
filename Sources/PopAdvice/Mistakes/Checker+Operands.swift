internal import PopCEL
internal import PopSource

// Advice on operands that don't fit together.
extension Checker {
    /// Offers the correct notation for values that cannot be compared, if it is clear.
    func offerComparison(
        _ operation: Operator, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard diagnostics.list.count < CELLimits.offers else { return }
        if offerChain(operation, at: node, to: &diagnostic) { return }
        if offerTimeSince(operation, at: node, to: &diagnostic) { return }
        let isComparison = operation.isOrdering || operation == .equal || operation == .notEqual
        for (position, child) in tree.children(of: node).enumerated() {
            let other = tree.child(node, at: 1 - position)
            if offerDate(child, comparedWith: other, to: &diagnostic) { return }
            if operation == .add || operation == .subtract,
                case .int(let number)? = tree.literal(child), isTime(other)
            {
                _ = offerUnits(number, at: child, to: &diagnostic)
                return
            }
            guard isComparison else { continue }
            if offerDateAsText(child, comparedWith: other, to: &diagnostic) { return }
            if offerMembership(operation, element: child, in: other, of: node, to: &diagnostic) {
                return
            }
            guard let literal = tree.literal(child) else {
                if subject.checked.type(other) == .duration, let number = product(child) {
                    _ = offerUnits(number, at: child, to: &diagnostic)
                    return
                }
                continue
            }
            if literal == .null {
                return offerPresence(
                    of: other, isMissing: operation == .equal, insteadOf: node, to: &diagnostic)
            }
            if offerLiteral(literal, at: child, comparedWith: other, to: &diagnostic) { return }
        }
    }

    /// `1 < a < 4`.
    private func offerChain(
        _ operation: Operator, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let left = tree.child(node, at: 0)
        guard operation.isOrdering, tree.operation(left)?.isOrdering == true,
            tree.nodes[left].start == tree.nodes[node].start
        else { return false }
        let middle = tree.operand(tree.child(left, at: 1))
        let last = tree.written(tree.child(node, at: 1))
        let text = "\(tree.written(left)) && \(middle) \(operation.symbol) \(last)"
        let chain = tree.written(node)
        let isShown = !chain.isEmpty && chain.utf8.count <= 60 && !chain.contains("\n")
        diagnostic.message =
            "a value cannot be part of two comparisons, as in `\(isShown ? chain : "1 < x < 4")`"
        diagnostic.label = "compares the result of a comparison, which is true or false"
        diagnostic.offer(
            "write two comparisons, joined with `&&`", rewriting: tree.rewriting([(node, text)]))
        return true
    }

    private func isTime(_ node: NodeID) -> Bool {
        let type = subject.checked.type(node)
        return type == .timestamp || type == .duration
    }

    /// Offers a timestamp for a date, in quotes or without, that is compared with a time.
    private func offerDate(
        _ node: NodeID, comparedWith other: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard subject.checked.type(other) == .timestamp else { return false }
        var text = tree.written(node)
        if case .string(let inner)? = tree.literal(node) { text = inner }
        guard let moment = timestamp(written: text) else { return false }
        let isWhole = text.hasSuffix("Z") || !text.contains(":")
        if tree.operation(node) == .subtract { explainSubtraction(text, in: &diagnostic) }
        diagnostic.offer(
            text.contains(":")
                ? "use `timestamp` for a time, in UTC"
                : "replace the date with the start of the day, in UTC",
            rewriting: tree.rewriting([(node, moment)]),
            isSafe: isWhole)
        return true
    }

    /// Offers quotes for a date that is compared with a string.
    private func offerDateAsText(
        _ node: NodeID, comparedWith other: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let text = tree.written(node)
        guard tree.operation(node) == .subtract, subject.checked.type(other) == .string,
            timestamp(written: text) != nil
        else { return false }
        explainSubtraction(text, in: &diagnostic)
        diagnostic.offer(
            "put the date in quotes", rewriting: tree.rewriting([(node, "\"\(text)\"")]),
            isSafe: false)
        return true
    }

    /// A list that is compared with one of its elements.
    private func offerMembership(
        _ operation: Operator, element: NodeID, in list: NodeID, of node: NodeID,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        guard operation == .equal || operation == .notEqual,
            case .list(let type) = subject.checked.typeTable[subject.checked.type(list)],
            subject.checked.typeTable.resolved(type) == subject.checked.type(element)
        else { return false }
        if tree.literal(element) == .string("") {
            offerEmptyList(list, isEmpty: operation == .equal, of: node, to: &diagnostic)
            return true
        }
        let asked = "\(tree.operand(element)) in \(tree.operand(list))"
        let text = operation == .equal ? asked : "!(\(asked))"
        diagnostic.offer(
            "use `in` to check whether a list contains a value",
            rewriting: tree.rewriting([
                (node, tree.fitted(text, isOperation: operation == .equal, in: node))
            ]),
            isSafe: false)
        return true
    }

    /// Offers the correct notation of a literal that cannot be compared with the other side.
    private func offerLiteral(
        _ literal: Value, at node: NodeID, comparedWith other: NodeID,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        if subject.checked.type(other) == .duration {
            if case .string(let text) = literal {
                return offerLength(text, at: node, to: &diagnostic)
            }
            if case .int(let number) = literal {
                return offerUnits(number, at: node, to: &diagnostic)
            }
        }
        if offerNumber(literal, at: node, insteadOf: other, to: &diagnostic) { return true }
        guard let (help, text, isSafe) = fitting(literal, at: node, comparedWith: other) else {
            guard subject.checked.type(other) == .version, case .string(let text) = literal else {
                return false
            }
            if tree.offerVersions(like: text, in: node, to: &diagnostic) { return true }
            diagnostic.help = [
                "use a version of numbers joined by dots, such as `version(\"1.12.0\")`"
            ]
            return true
        }
        diagnostic.offer(help, rewriting: tree.rewriting([(node, text)]), isSafe: isSafe)
        return true
    }

    /// Offers a number for a string in an order comparison with a number: strings have another
    /// order.
    private func offerNumber(
        _ literal: Value, at node: NodeID, insteadOf other: NodeID,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        guard subject.checked.type(other) == .string, let parent = tree.parent(of: node),
            tree.operation(parent)?.isOrdering == true
        else { return false }
        let function: String
        switch literal {
        case .int: function = "int"
        case .double: function = "double"
        case .null, .bool, .uint, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            return false
        }
        if offerConversion(function, of: other, in: parent, converted: other, to: &diagnostic) {
            return true
        }
        diagnostic.offer(
            "convert a string to a number with `\(function)`",
            rewriting: tree.rewriting([(other, "\(function)(\(tree.written(other)))")]),
            isSafe: false)
        return true
    }

    /// Offers to declare a string key as a number, and to check its format before it is converted:
    /// a conversion fails for other strings. Answers whether that can be written here.
    func offerConversion(
        _ function: String, of key: NodeID, in comparison: NodeID, converted: NodeID,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        let patterns = ["int": "^-?[0-9]{1,18}$", "double": "^-?[0-9]+([.][0-9]+)?$"]
        guard environment.knowsDays, let pattern = patterns[function],
            let variable = declaration(key), variable.type == .string, !variable.mayBeMissing,
            variable.declaredAt != nil, variable.allowedValues == nil,
            let operation = tree.operation(comparison),
            operation.isOrdering || operation == .equal || operation == .notEqual,
            tree.childCount(comparison) == 2,
            let number = tree.literal(
                tree.child(comparison, at: tree.child(comparison, at: 0) == converted ? 1 : 0)),
            tree.parent(of: comparison).map({ isConnective($0) }) ?? true
        else { return false }
        let name = variable.name
        let converts = "\(function)(\(name))"
        let isLeft = tree.child(comparison, at: 0) == converted
        let asked =
            isLeft
            ? "\(converts) \(operation.symbol) \(tree.written(tree.child(comparison, at: 1)))"
            : "\(tree.written(tree.child(comparison, at: 0))) \(operation.symbol) \(converts)"
        let text = "\(name).matches(\"\(pattern)\") && \(asked)"
        guard
            let checked = tree.rewriting([
                (comparison, tree.fitted(text, isOperation: true, in: comparison))
            ])
        else { return false }
        let declare = "if the app can send a number, declare `\(name)` as `\(function)`"
        let isDouble = if case .double = number { true } else { false }
        if converted == key {
            diagnostic.help.append(declare)
        } else if isDouble == (function == "double") {
            diagnostic.offer(
                "\(declare), and write", rewriting: tree.rewriting([(converted, name)]),
                isSafe: false)
        }
        diagnostic.offer(
            "if `\(name)` stays a string, check its format first", rewriting: checked,
            isSafe: false)
        return true
    }

    private func isConnective(_ node: NodeID) -> Bool {
        tree.operation(node) == .and || tree.operation(node) == .or
    }

    /// Returns the literal as a value of the other side's type; nil if that is not certain enough.
    private func fitting(
        _ literal: Value, at node: NodeID, comparedWith other: NodeID
    ) -> (help: String, text: String, isSafe: Bool)? {
        let type = subject.checked.type(other)
        if type == .version { return version(literal, at: node) }
        switch literal {
        case .int(let number) where type == .double:
            return ("write the number with a decimal point", "\(number).0", true)
        case .string(let inner) where numberOfWeekday(inner, comparedWith: other) != nil:
            return (
                "use the number of the weekday, where Sunday is 0",
                "\(numberOfWeekday(inner, comparedWith: other) ?? 0)", true
            )
        case .string(let inner) where type.isNumber && isNumber(inner):
            let isFraction = type == .double && !inner.contains(".")
            return ("write a number without quotes", isFraction ? inner + ".0" : inner, true)
        case .string(let inner) where type == .bool:
            return ForeignWords.truths[inner.lowercased()].map { truth in
                ("use `true` or `false` without quotes", "\(truth)", inner == "\(truth)")
            }
        case .int(let number) where type == .bool && (number == 0 || number == 1):
            return ("use `true` or `false` instead", "\(number == 1)", true)
        case .int, .double:
            guard type == .string else { return nil }
            return ("put a string in quotes", "\"\(tree.written(node))\"", false)
        case .null, .bool, .uint, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            return nil
        }
    }

    /// Returns the version for `"1.12"` or `1.12`, if one is required.
    private func version(
        _ literal: Value, at node: NodeID
    ) -> (help: String, text: String, isSafe: Bool)? {
        var text = tree.written(node)
        if case .string(let inner) = literal { text = inner }
        guard Version(text) != nil else { return nil }
        return ("call `version` with the version in quotes", "version(\"\(text)\")", true)
    }

    /// Offers a duration for `"30d"`, if one is required.
    private func offerLength(
        _ text: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let readings = DurationText.readings(of: text, knowsDays: environment.knowsDays)
        for (meaning, length) in readings {
            diagnostic.offer(
                meaning.isEmpty
                    ? "use `duration` for a duration" : "if you mean \(meaning)",
                rewriting: tree.rewriting([(node, "duration(\"\(length)\")")]),
                isSafe: readings.count == 1)
        }
        return !readings.isEmpty
    }

    private func isNumber(_ text: String) -> Bool {
        let parts = text.drop { $0 == "-" }
            .split(separator: ".", omittingEmptySubsequences: false)
        return !text.hasPrefix("--") && parts.count <= 2 && parts.allSatisfy { $0.isDigits }
    }

    /// `plan == ("pro" || "team")`.
    mutating func reportValuesAsAlternatives(_ node: NodeID) -> Bool {
        let values = Array(tree.children(of: node))
        if reportTextsAsAlternatives(node, values) { return true }
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation == .equal || operation == .notEqual,
            values.allSatisfy({ value in
                guard let literal = tree.literal(value) else { return false }
                if case .bool = literal { return false }
                return true
            })
        else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "`||` joins conditions, not values",
            at: tree.range(node), label: "several values")
        let isFirst = tree.child(parent, at: 0) == node
        let name = tree.operand(tree.child(parent, at: isFirst ? 1 : 0))
        let list = values.map { tree.written($0) }.joined(separator: ", ")
        let asked = "\(name) in [\(list)]"
        let isIn = operation == .equal
        diagnostic.offer(
            "use `in` with a list to check for one of several values",
            rewriting: tree.rewriting([
                (
                    parent,
                    tree.fitted(isIn ? asked : "!(\(asked))", isOperation: isIn, in: parent)
                )
            ]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }

    /// `email.endsWith("@a" || "@b")`.
    private mutating func reportTextsAsAlternatives(_ node: NodeID, _ values: [NodeID]) -> Bool {
        guard let call = tree.parent(of: node), tree.kind(of: call) == .memberCall,
            tree.childCount(call) == 2, tree.child(call, at: 1) == node,
            ["contains", "startsWith", "endsWith", "matches"].contains(tree.name(call)),
            values.allSatisfy({ value in
                if case .string? = tree.literal(value) { true } else { false }
            })
        else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "`||` joins conditions, not strings",
            at: tree.range(node), label: "several strings")
        let receiver = tree.operand(tree.child(call, at: 0))
        let asked = values.map { "\(receiver).\(tree.name(call))(\(tree.written($0)))" }
        let text = asked.joined(separator: " || ")
        diagnostic.offer(
            "check each string separately",
            rewriting: tree.rewriting([(call, tree.fitted(text, isOperation: true, in: call))]),
            isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }

    /// Offers a list for a string on the right of `in`.
    func offerList(_ text: NodeID, of node: NodeID, to diagnostic: inout Diagnostic) {
        guard tree.operation(node) == .in else { return }
        let value = tree.child(node, at: 0)
        if offerNameWithoutQuotes(text, to: &diagnostic) { return }
        if case .string(let inner)? = tree.literal(text) {
            let items = inner.split(separator: ",").map { "\"\($0.drop { $0 == " " })\"" }
            let list = "[\(items.joined(separator: ", "))]"
            // The string may be in parentheses, which are removed.
            diagnostic.offer(
                "use `in` with a list to check for one of several values",
                rewriting: tree.rewriting([(node, "\(tree.operand(value)) in \(list)")]),
                isSafe: false)
        } else if subject.checked.type(text) == .string {
            diagnostic.offer(
                "use `contains` to check whether a string contains another",
                rewriting: tree.rewriting([
                    (node, "\(tree.operand(text)).contains(\(tree.written(value)))")
                ]),
                isSafe: true)
        }
    }

    /// Offers a list or map whose name is in quotes; returns whether it is one.
    private func offerNameWithoutQuotes(_ text: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        guard case .string(let name)? = tree.literal(text),
            let variable = environment.variable(named: name)
        else { return false }
        switch variable.type {
        case .list, .map: break
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            return false
        }
        diagnostic.offer(
            "write the key `\(name)` without quotes",
            rewriting: tree.rewriting([(text, name)]), isSafe: false)
        return true
    }

    /// A list on the left of `in`.
    func offerElements(_ node: NodeID, to diagnostic: inout Diagnostic) {
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        guard case .list = subject.checked.typeTable[subject.checked.type(left)] else { return }
        let body = "t in \(tree.operand(right))"
        for (macro, what) in [("exists", "one of its values"), ("all", "all of its values")] {
            diagnostic.offer(
                "if \(what) must also be in the other list",
                rewriting: tree.rewriting([(node, "\(tree.operand(left)).\(macro)(t, \(body))")]),
                isSafe: false)
        }
    }
}

// Advice on values as operands of `&&` and `||`.
extension Checker {
    /// Offers a comparison for a value next to one, as in `plan == "pro" || "team"`. A key there
    /// has another meaning.
    func offerComparison(
        of operand: NodeID, in chain: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard diagnostics.list.count < CELLimits.offers else { return }
        let operands = Array(tree.children(of: chain))
        if offerSameQuestion(of: operand, in: chain, to: &diagnostic) { return }
        guard let operation = tree.operation(chain),
            let position = operands.firstIndex(of: operand),
            tree.literal(operand) != nil,
            let compared = operands[..<position].last(where: {
                tree.operation($0) == .equal || tree.operation($0) == .notEqual
            }), let comparison = tree.operation(compared),
            // The other side may be the literal, as in `"pro" == plan || "team"`.
            let side = [0, 1].map({ tree.child(compared, at: $0) })
                .first(where: { tree.literal($0) == nil }),
            subject.checked.type(side) == subject.checked.type(operand)
        else { return }
        let name = tree.operand(side)
        let text = "\(name) \(comparison.symbol) \(tree.written(operand))"
        if (operation == .or) == (comparison == .equal) {
            diagnostic.offer(
                "repeat the compared value in each comparison",
                rewriting: tree.rewriting([(operand, text)]),
                isSafe: operation == .or)
        } else if operands.count == 2, comparison == .notEqual {
            diagnostic.offer(
                "if `\(name)` must be neither of the two values",
                rewriting: tree.rewriting([(chain, "\(tree.written(compared)) && \(text)")]),
                isSafe: false)
        } else if operands.count == 2 {
            diagnostic.offer(
                "if one of the values is enough",
                rewriting: tree.rewriting([(chain, "(\(tree.written(compared)) || \(text))")]),
                isSafe: false)
        }
    }

    /// Offers the check of the other side for a value, as in `"es" in tags || "fr"` and
    /// `name.startsWith("A") || "B"`. Returns whether there is such a side.
    private func offerSameQuestion(
        of operand: NodeID, in chain: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard case .string? = tree.literal(operand) else { return false }
        let operands = Array(tree.children(of: chain))
        let position = operands.firstIndex(of: operand) ?? 0
        // Operands before the value are nearer than those after it.
        for other in operands[..<position].reversed() + operands[position...] {
            guard let text = question(other, askedOf: operand, in: chain) else { continue }
            let isCertain = tree.operation(chain) == .or && tree.operation(tree.root) != .not
            diagnostic.offer(
                "use `\(text)` instead of `\(tree.written(operand))`",
                rewriting: tree.rewriting([(operand, text)]),
                isSafe: isCertain)
            return true
        }
        return false
    }

    /// A question for a literal, asked of another one; nil for other questions.
    private func question(
        _ node: NodeID, askedOf operand: NodeID, in chain: NodeID
    ) -> String? {
        guard tree.childCount(node) == 2 else { return nil }
        let (first, second) = (tree.child(node, at: 0), tree.child(node, at: 1))
        let value = tree.written(operand)
        if tree.operation(node) == .in, case .string? = tree.literal(first) {
            return "\(value) in \(tree.operand(second))"
        }
        guard tree.kind(of: node) == .memberCall, case .string? = tree.literal(second) else {
            return nil
        }
        if tree.name(node) == "contains",
            case .list = subject.checked.typeTable[subject.checked.type(first)]
        {
            return "\(value) in \(tree.operand(first))"
        }
        // No text begins in two ways.
        let names =
            tree.operation(chain) == .or
            ? ["contains", "matches", "startsWith", "endsWith"] : ["contains", "matches"]
        guard subject.checked.type(first) == .string, names.contains(tree.name(node)) else {
            return nil
        }
        return "\(tree.operand(first)).\(tree.name(node))(\(value))"
    }
}
