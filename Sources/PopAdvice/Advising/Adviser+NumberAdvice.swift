internal import PopCEL
internal import PopSource

// Advice on calculated numbers that were probably meant differently.
extension Adviser {
    /// `18-65` and `1/5`, which are calculated.
    mutating func adviseOnNumbers(_ node: NodeID) {
        let operation = tree.operator(of: node)
        guard operation == .subtract || operation == .divide, subject.environment.knowsDays,
            case .int(let left)? = tree.literal(tree.child(node, at: 0)),
            case .int(let right)? = tree.literal(tree.child(node, at: 1))
        else { return }
        if operation == .divide, right != 0, !left.isMultiple(of: right) {
            adviseOnDivision(node, left: left, right: right)
        } else if operation == .subtract, !tree.written(node).contains(" ") {
            adviseOnSpan(node, left: left, right: right)
        }
    }

    private mutating func adviseOnDivision(_ node: NodeID, left: Int64, right: Int64) {
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message:
                "`\(tree.written(node))` is \(left / right): dividing integers drops the fraction",
            at: tree.range(node), label: "is \(left / right)")
        let text = "\(left).0 / \(right).0"
        let fraction = tree.parent(of: node).flatMap { parent in
            tree.operation(parent)?.isOrdering == true ? tree.rewriting([(node, text)]) : nil
        }
        if fraction == nil {
            diagnostic.help = [
                "to keep the fraction, write the numbers with a point, such as `\(text)`"
            ]
        }
        diagnostic.offer("to keep the fraction", rewriting: fraction, isSafe: false)
        diagnostics.report(diagnostic)
    }

    private mutating func adviseOnSpan(_ node: NodeID, left: Int64, right: Int64) {
        let parent = tree.parent(of: node)
        if let parent, tree.operation(parent) == .subtract, tree.child(parent, at: 0) == node,
            case .int(let day)? = tree.literal(tree.child(parent, at: 1))
        {
            return adviseOnDate(parent, number: left - right - day)
        }
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(tree.written(node))` is \(left - right): `-` subtracts",
            at: tree.range(node),
            label: "is \(left - right)")
        if let (comparison, name) = comparison(with: node), left < right {
            let text = "\(name) >= \(left) && \(name) <= \(right)"
            diagnostic.offer(
                "use two comparisons for a range",
                rewriting: tree.rewriting([(comparison, fittedSpan(text, in: comparison))]),
                isSafe: false)
        } else {
            diagnostic.help = ["use two comparisons for a range, one with `>=`, one with `<=`"]
        }
        diagnostics.report(diagnostic)
    }

    private func fittedSpan(_ text: String, in node: NodeID) -> String {
        let around = tree.parent(of: node).flatMap { tree.operation($0) }
        return around == nil || around == .and || around == .or ? text : "(\(text))"
    }

    /// `x == 18-65` or `x in [18-65]`, and what is compared there.
    private func comparison(with node: NodeID) -> (NodeID, String)? {
        guard var around = tree.parent(of: node) else { return nil }
        var side = node
        if tree.kind(of: around) == .list, tree.childCount(around) == 1 {
            side = around
            guard let parent = tree.parent(of: around), tree.operation(parent) == .in else {
                return nil
            }
            around = parent
        } else if tree.operation(around) != .equal {
            return nil
        }
        return tree.child(around, at: 1) == side
            ? (around, tree.operand(tree.child(around, at: 0))) : nil
    }

    private mutating func adviseOnDate(_ node: NodeID, number: Int64) {
        let text = tree.written(node)
        guard text.count == 10, !text.contains(" ") else { return }
        diagnostics.report(
            Diagnostic(
                .conditionSuspiciousCompare, message: "`\(text)` is \(number): `-` subtracts",
                at: tree.range(node), label: "is \(number)",
                help: [
                    "compare a date as a time, such as"
                        + " `now >= timestamp(\"\(text)T00:00:00Z\")`"
                ]))
    }
}

// MARK: Comparisons that are decided

extension Adviser {
    /// `a > a`, and `in` of a list without items.
    mutating func adviseOnSameOperands(_ node: NodeID) {
        guard let operation = tree.operation(node), subject.environment.knowsDays,
            tree.childCount(node) == 2
        else { return }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        if operation == .in {
            if isEmptyList(right) { report(false, at: node, reason: "the list has no items") }
            return
        }
        guard operation.isOrdering || operation == .equal || operation == .notEqual,
            let variable = variable(left), variable.name == self.variable(right)?.name,
            variable.type != .double
        else { return }
        let isTrue =
            operation == .equal || operation == .lessOrEqual || operation == .greaterOrEqual
        report(isTrue, at: node, reason: "`\(variable.name)` is compared with itself")
    }

    private func isEmptyList(_ node: NodeID) -> Bool {
        if tree.kind(of: node) == .list { return tree.childCount(node) == 0 }
        guard case .list(let items)? = tree.literal(node) else { return false }
        return items.isEmpty
    }

    private mutating func report(_ truth: Bool, at node: NodeID, reason: String) {
        let word = truth ? "always" : "never"
        diagnostics.report(
            Diagnostic(
                truth ? .logicAlwaysTrue : .logicNeverTrue,
                message: "\(reason), so this is \(word) true", at: tree.range(node),
                label: "\(word) true"))
    }
}
