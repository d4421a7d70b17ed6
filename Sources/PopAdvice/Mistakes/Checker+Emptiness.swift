internal import PopCEL
internal import PopSource

// Advice on checks for a missing value, or for an empty one.
extension Checker {
    /// Offers the check for a missing value; returns whether the name is known.
    func offerEmptiness(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard operands.count == 1, let variable = declaration(operands[0]) else { return false }
        let key = operands[0]
        if let isMissing = ForeignCalls.absences[name] {
            guard !variable.mayBeMissing else { return false }
            offerPresence(of: variable, key, isMissing: isMissing, insteadOf: node, to: &diagnostic)
            return true
        }
        guard let isEmpty = ForeignCalls.emptinesses[name], variable.mayBeMissing else {
            return false
        }
        if hasSize(key) {
            offerSize(of: variable.name, isEmpty: isEmpty, at: node, to: &diagnostic)
        } else {
            let asked = "\(isEmpty ? "!" : "")has(\(variable.name))"
            diagnostic.offer(
                "use `has` to check whether a key has a value",
                rewriting: tree.rewriting([(node, asked)]),
                isSafe: false)
        }
        return true
    }

    /// Offers the question about the size of a key that may have no value.
    private func offerSize(
        of text: String, isEmpty: Bool, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let isThere = "has(\(text)) && size(\(text)) \(isEmpty ? "==" : ">") 0"
        if isEmpty {
            let either = "!has(\(text)) || size(\(text)) == 0"
            diagnostic.offer(
                "if a missing value also counts as empty",
                rewriting: tree.rewriting([(node, tree.fitted(either, isOperation: true, in: node))]
                ),
                isSafe: false)
        }
        diagnostic.offer(
            isEmpty
                ? "if a missing value does not count as empty"
                : "check first whether `\(text)` has a value",
            rewriting: tree.rewriting([(node, tree.fitted(isThere, isOperation: true, in: node))]),
            isSafe: false)
    }

    /// Offers the equivalent of a comparison with no value: a key with a default always has a
    /// value.
    func offerPresence(
        of key: NodeID, isMissing: Bool, insteadOf node: NodeID, isSafe: Bool = true,
        to diagnostic: inout Diagnostic
    ) {
        if let variable = declaredVariable(key), !variable.mayBeMissing {
            return offerPresence(
                of: variable, key, isMissing: isMissing, insteadOf: node, to: &diagnostic)
        }
        let isCall = tree.kind(of: key) == .call
        // It is longer than any time for an event that was never sent, and so has a value always.
        if isCall, tree.name(key) == "since", let event = tree.children(of: key).first {
            let count = "event_count(\(tree.written(event))) \(isMissing ? "==" : ">") 0"
            return diagnostic.offer(
                "use `event_count` to check whether an event was ever sent",
                rewriting: tree.rewriting([
                    (node, tree.fitted(count, isOperation: true, in: node))
                ]), isSafe: false)
        }
        guard let name = isCall ? tree.written(key) : tree.dottedName(key) else { return }
        diagnostic.offer(
            "use `has` to check whether \(isCall ? "there is" : "a key has") a value",
            rewriting: tree.rewriting([(node, "\(isMissing ? "!" : "")has(\(name))")]),
            isSafe: isSafe)
    }

    private func offerPresence(
        of variable: Variable, _ key: NodeID, isMissing: Bool, insteadOf node: NodeID,
        to diagnostic: inout Diagnostic
    ) {
        let sign = isMissing ? "==" : "!="
        let asked: String? =
            switch variable.type {
            case .string where variable.canBeEmpty: "\(variable.name) \(sign) \"\""
            case .list, .map: "size(\(variable.name)) \(sign) 0"
            case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
                .version, .optional, .type, .wrapper, .opaque, .parameter:
                nil
            }
        guard let asked else {
            diagnostic.help = [Diagnostic.alwaysHasValue(variable)]
            return
        }
        diagnostic.help = [Diagnostic.alwaysHasValue(variable)]
        diagnostic.offer(
            "if you mean that `\(variable.name)` is \(isMissing ? "" : "not ")empty",
            rewriting: tree.rewriting([(node, tree.fitted(asked, isOperation: true, in: node))]),
            isSafe: false)
    }

    /// The variable that a node names, whether it has been checked or not.
    private func declaredVariable(_ node: NodeID) -> Variable? {
        declaration(node)
            ?? tree.dottedName(node).flatMap { environment.variable(named: $0) }
    }

    private func hasSize(_ node: NodeID) -> Bool {
        let type = subject.checked.type(node)
        if type == .string { return true }
        switch subject.checked.typeTable[type] {
        case .list, .map: return true
        case .optional, .type, .wrapper, .opaque, .parameter, .variable, .primitive: return false
        }
    }
}

extension Variable {
    /// Indicates whether the engine provides it, such as the impressions of a popup: it isn't a
    /// declared key.
    var isCounted: Bool { name.hasPrefix("popups.") }

    /// Indicates whether it can be the empty string.
    var canBeEmpty: Bool { allowedValues?.contains(.string("")) ?? true }
}

extension ExpressionLinter {
    /// `has()` of a key that always has a value.
    mutating func adviseOnPresenceOfDefault(_ node: NodeID) {
        guard subject.environment.knowsDays, let variable = variable(tree.child(node, at: 0)),
            !variable.mayBeMissing, variable.type != .dyn, variable.declaredAt != nil,
            subject.environment.owner(of: variable.name) == nil
        else { return }
        let parent = tree.parent(of: node)
        let negation = parent.flatMap { tree.operation($0) == .not ? $0 : nil }
        diagnostics.report(
            .alwaysPresent(
                variable, isNegated: negation != nil, at: tree.range(negation ?? node)))
    }
}

extension Diagnostic {
    fileprivate static func alwaysHasValue(_ variable: Variable) -> String {
        "remove this check, because `\(variable.name)` has a default and so always has a value"
    }

    fileprivate static func alwaysPresent(
        _ variable: Variable, isNegated: Bool, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            isNegated ? .logicNeverTrue : .logicAlwaysTrue,
            message: isNegated
                ? "`!has(\(variable.name))` is never true"
                : "`has(\(variable.name))` is always true",
            at: range, label: "`\(variable.name)` always has a value")
        if variable.isCounted {
            diagnostic.help = ["compare the number, such as `\(variable.name) > 0`"]
            return diagnostic
        }
        if let place = variable.declaredAt {
            diagnostic.secondary = [
                .init("`\(variable.name)` is declared with a default here", at: place)
            ]
        }
        let (what, sign) = isNegated ? ("is empty", "==") : ("is not empty", "!=")
        switch variable.type {
        case .string where variable.canBeEmpty:
            diagnostic.help = [
                "to check that `\(variable.name)` \(what), use `\(variable.name) \(sign) \"\"`"
            ]
        case .list, .map:
            diagnostic.help = [
                "to check that `\(variable.name)` \(what), use `size(\(variable.name)) \(sign) 0`"
            ]
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            diagnostic.help = [
                "compare `\(variable.name)` with its default, or declare it without a default"
            ]
        }
        return diagnostic
    }
}

// Advice on `!` before a value that isn't a Boolean.
extension Checker {
    /// Advises on `!age > 18`, where `!` only applies to the first operand.
    func adviseOnNegatedComparison(
        _ node: NodeID, operand: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard let parent = tree.parent(of: node) else { return }
        diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "`!` negates only `\(tree.written(operand))`",
            at: tree.range(parent), label: "`!` does not apply to the whole comparison")
        let comparison = tree.written(parent).dropFirst().drop { $0 == " " }
        diagnostic.offer(
            "use parentheses to negate the whole comparison",
            rewriting: tree.rewriting([(parent, "!(\(comparison))")]), isSafe: false)
    }

    /// Offers the equivalent of `!count` and `!name`, which in other languages check for an empty
    /// value.
    func offerEmptiness(of operand: NodeID, in node: NodeID, to diagnostic: inout Diagnostic) {
        guard tree.literal(operand) == nil else { return diagnostic.help = [] }
        let name = tree.operand(operand)
        let (empty, what): (String, String)
        switch subject.checked.typeTable[subject.checked.type(operand)] {
        case .list, .map: (empty, what) = ("size(\(name)) == 0", "a list is empty")
        case .optional, .type, .wrapper, .opaque, .parameter, .variable, .primitive:
            switch subject.checked.type(operand) {
            case .int: (empty, what) = ("\(name) == 0", "a number is 0")
            case .uint: (empty, what) = ("\(name) == 0u", "a number is 0")
            case .double: (empty, what) = ("\(name) == 0.0", "a number is 0")
            case .string: (empty, what) = ("\(name) == \"\"", "a string is empty")
            default: return
            }
        }
        if let variable = declaration(operand), variable.mayBeMissing {
            return offerNothing(empty, of: variable, in: node, to: &diagnostic)
        }
        let text = tree.fitted(empty, isOperation: true, in: node)
        guard let rewriting = tree.rewriting([(node, text)]) else { return }
        diagnostic.help = []
        diagnostic.offer("use `==` to check whether \(what)", rewriting: rewriting, isSafe: false)
    }

    /// Offers the equivalent of `tags == ""`, which treats a list as a string.
    func offerEmptyList(
        _ list: NodeID, isEmpty: Bool, of node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let asked = "size(\(tree.written(list))) \(isEmpty ? "==" : ">") 0"
        if let variable = declaration(list), variable.mayBeMissing {
            if isEmpty { return offerNothing(asked, of: variable, in: node, to: &diagnostic) }
            let text = tree.fitted(
                "has(\(variable.name)) && \(asked)", isOperation: true, in: node)
            diagnostic.offer(
                "use `size` to check whether a list is empty",
                rewriting: tree.rewriting([(node, text)]), isSafe: false)
            return
        }
        diagnostic.offer(
            "use `size` to check whether a list is empty",
            rewriting: tree.rewriting([(node, tree.fitted(asked, isOperation: true, in: node))]),
            isSafe: false)
    }

    /// Offers the check that a key has no value, or an empty one.
    func offerNothing(
        _ empty: String, of variable: Variable, in node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let missing = "!has(\(variable.name))"
        let either = tree.fitted("\(missing) || \(empty)", isOperation: true, in: node)
        guard let alone = tree.rewriting([(node, missing)]) else { return }
        diagnostic.help = []
        diagnostic.offer(
            "if `\(variable.name)` must have no value", rewriting: alone, isSafe: false)
        diagnostic.offer(
            "if \(empty.hasSuffix("\"") || empty.hasPrefix("size") ? "an empty value" : "0") is also accepted",
            rewriting: tree.rewriting([(node, either)]), isSafe: false)
    }
}
