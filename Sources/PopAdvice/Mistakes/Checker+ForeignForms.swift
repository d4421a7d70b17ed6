internal import PopCEL
internal import PopSource

// Calls and operations in the syntax of another language, recognized by their form before they are
// checked.
extension Checker {
    /// Reports such a call or operation, and returns the type to continue with; nil for other
    /// nodes.
    mutating func reportForeign(_ node: NodeID) -> TypeID? {
        switch tree.kind(of: node) {
        case .call: return reportForeignCall(node, name: tree.name(node)) ? .error : nil
        case .memberCall:
            let name = tree.name(node)
            if reportForeignMoment(node, name: name) { return .timestamp }
            let isKnown =
                reportForeignMacro(node, name: name) || reportEventsAsList(node, name: name)
                || reportForeignDifference(node, name: name)
            return isKnown ? .error : nil
        case .operation: return reportForeignOperation(node) ? .error : nil
        case .literal, .identifier, .select, .presence, .list, .map, .message, .optionalEntry,
            .macro:
            return nil
        }
    }

    private mutating func reportForeignCall(_ node: NodeID, name: String) -> Bool {
        if reportForeignDifference(node, name: name) || reportDateAsNumber(node, name: name) {
            return true
        }
        let function = functionName(name, isAbsolute: tree.nodes[node].flag)
        return environment.slotFunctions[function] != nil
            && (reportBareName(node, function: function)
                || reportComparisonInside(node, function: function))
    }

    private mutating func reportForeignOperation(_ node: NodeID) -> Bool {
        switch tree.operation(node) {
        case .or: return reportValuesAsAlternatives(node)
        case .divide: return reportPath(node)
        case .subtract: return reportDashedName(node)
        case .index, .optionalIndex: return reportJoinedName(node)
        case nil, .and, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .in, .add, .multiply, .modulo, .not, .negate:
            return false
        }
    }

    /// `Date.now()`: the moment.
    private mutating func reportForeignMoment(_ node: NodeID, name: String) -> Bool {
        guard tree.childCount(node) == 1, environment.functions[name] == nil,
            let target = tree.dottedName(tree.child(node, at: 0)),
            environment.number(ofVariable: target) == nil,
            ForeignWords.moments.contains("\(target).\(name)".lowercased())
        else { return false }
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(target).\(name)`",
            at: tree.range(node), label: "no such function")
        diagnostic.offer(
            "use `now` for the current time", rewriting: tree.rewriting([(node, "now")]))
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(target).\(name)`"
        return true
    }

    /// `event_count(order.paid)`: the name of an event without its quotes.
    private mutating func reportBareName(_ node: NodeID, function: String) -> Bool {
        let pair = pairsOfNames[function]
        let bare = tree.children(of: node).prefix(pair == nil ? 1 : 2).compactMap { child in
            tree.dottedName(child).flatMap { name in
                environment.number(ofVariable: name) == nil ? (node: child, name: name) : nil
            }
        }
        guard let first = bare.first else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch,
            message: "`\(function)` takes \(pair ?? "the name of an event") in quotes",
            at: tree.range(first.node), label: "a name that is not in quotes")
        if pair == nil || !offerNamesApart(of: node, to: &diagnostic) {
            if function == eventSum, bare.count == 1, tree.childCount(node) < 3 {
                adviseOnSum(node, to: &diagnostic)
            } else {
                diagnostic.offer(
                    "put \(pair == nil ? "the name of the event" : "these names") in quotes",
                    rewriting: tree.rewriting(bare.map { ($0.node, "\"\($0.name)\"") }))
            }
        }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown name `\(first.name)`"
        return true
    }

    /// The meaning of both arguments, for functions that take two names.
    private var pairsOfNames: [String: String] {
        let action = "the names of a popup and an action"
        return [
            "acted": action, "last_acted": action,
            eventSum: "the names of an event and a field of its payload",
        ]
    }

    /// `user['plan']` where `user.plan` is declared and `user` is not.
    private mutating func reportJoinedName(_ node: NodeID) -> Bool {
        guard let prefix = tree.dottedName(tree.child(node, at: 0)),
            case .string(let field)? = tree.literal(tree.child(node, at: 1)),
            environment.number(ofVariable: prefix) == nil,
            environment.number(ofVariable: "\(prefix).\(field)") != nil
        else { return false }
        let name = "\(prefix).\(field)"
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "the parts of a name must be joined with `.`",
            at: tree.range(node), label: "not a name")
        diagnostic.offer(
            "use the key `\(name)`", rewriting: tree.rewriting([(node, name)]))
        diagnostics.report(diagnostic)
        return true
    }

    private mutating func reportDashedName(_ node: NodeID) -> Bool {
        guard let name = dashedName(node) else { return false }
        subject.checked.failures[node] = "unknown name `\(name)`"
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown name `\(name)`: `-` subtracts",
            at: tree.range(node), label: "read as a subtraction")
        let declared = environment.suggestsNames ? environment.variables.map(\.name) : []
        let similar = similarNames(to: name, among: declared, limit: 1)
        if let first = similar.first {
            diagnostic.help = ["did you mean `\(first)`?"]
            diagnostic.fixes = [
                .init(
                    "replace it with `\(first)`",
                    edits: [.init(tree.range(node), replacement: first)], isSafe: false)
            ]
        } else {
            diagnostic.help = ["use only letters, digits, `_` and `.` in a name"]
        }
        diagnostics.report(diagnostic)
        return true
    }

    /// `is-new`, written without blanks, when no part of it is a name: no difference is meant then.
    private func dashedName(_ node: NodeID) -> String? {
        if let name = tree.dottedName(node) { return isUnknownChain(node) ? name : nil }
        guard tree.operation(node) == .subtract else { return nil }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        guard tree.nodes[right].start == tree.nodes[left].end + 1,
            let last = dashedName(right), let first = dashedName(left)
        else { return nil }
        return "\(first)-\(last)"
    }
}
