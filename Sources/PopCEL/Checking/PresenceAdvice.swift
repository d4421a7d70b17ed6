internal import PopSource

extension Adviser {
    /// Offers to ask first whether a name has a value: what must hold needs one, what must not hold
    /// does not.
    func offerPresence(of name: String, at node: NodeID, to diagnostic: inout Diagnostic) {
        let isOnce = isReadOnce(name)
        let atom = isOnce ? question(around: node) : tree.root
        let written = tree.written(atom)
        let operation = tree.operation(atom)
        let isLoose = operation == .conditional
        // What does not hold without a value lets what is around it hold where that is negated.
        let isNegated = isNegated(atom)
        let with = rewriting(
            atom, text: "has(\(name)) && \(isLoose || operation == .or ? "(\(written))" : written)",
            operation: .and)
        let without = rewriting(
            atom, text: "!has(\(name)) || \(isLoose ? "(\(written))" : written)", operation: .or)
        guard let with, let without, !written.isEmpty else {
            diagnostic.help = ["`has(\(name))` asks first whether it has a value"]
            return
        }
        let must = ("if it must have a value", isNegated ? without : with)
        let may = ("if it also holds without one", isNegated ? with : without)
        let asksBoth = operation?.isOrdering == true || operation == .not || isNegated || !isOnce
        let offers =
            operation == .notEqual ? [may, must] : asksBoth ? [must, may] : [must]
        for (help, rewriting) in offers {
            diagnostic.offer(help, rewriting: rewriting, isSafe: false)
        }
    }

    /// Whether a node is negated by what is around it.
    private func isNegated(_ node: NodeID) -> Bool {
        var (node, isNegated) = (node, false)
        while let parent = tree.parent(of: node) {
            if tree.operation(parent) == .not { isNegated.toggle() }
            node = parent
        }
        return isNegated
    }

    private func isReadOnce(_ name: String) -> Bool {
        tree.nodes.indices.count {
            needsGuard($0)
                && (variable($0)?.name == name || subject.expression.text(of: $0) == name)
        } <= 1
    }

    private func rewriting(_ node: NodeID, text: String, operation: Operator) -> Rewriting? {
        var isLoose = false
        if let parent = tree.parent(of: node) {
            let around = tree.operation(parent)
            isLoose =
                around != operation && !(operation == .and && around == .or)
                && around != .conditional
            if tree.nodes[parent].kind == .call || tree.nodes[parent].kind == .list {
                isLoose = false
            }
            if tree.nodes[parent].kind == .macro { isLoose = false }
        }
        return tree.rewriting([(node, isLoose ? "(\(text))" : text)])
    }

    /// The largest part around a node that `&&`, `||` and `? :` take as a whole.
    private func question(around node: NodeID) -> NodeID {
        var node = node
        while let parent = tree.parent(of: node) {
            if let operation = tree.operation(parent), operation.isLogical, operation != .not {
                if operation != .conditional || tree.child(parent, at: 0) == node { return node }
            }
            if tree.nodes[parent].kind == .macro, tree.child(parent, at: 0) != node { return node }
            node = parent
        }
        return node
    }
}
