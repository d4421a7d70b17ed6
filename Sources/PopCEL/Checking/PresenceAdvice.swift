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
        let isOptional = operation == .notEqual
        let with = rewriting(
            atom, text: "has(\(name)) && \(isLoose || operation == .or ? "(\(written))" : written)",
            operation: .and)
        let without = rewriting(
            atom, text: "!has(\(name)) || \(isLoose ? "(\(written))" : written)", operation: .or)
        guard let with, let without, !written.isEmpty else {
            diagnostic.help = ["`has(\(name))` asks first whether it has a value"]
            return
        }
        if isOptional {
            diagnostic.offer("if it also holds without one", rewriting: without, isSafe: false)
            diagnostic.offer("if it must have a value", rewriting: with, isSafe: false)
            return
        }
        diagnostic.offer("if it must have a value", rewriting: with, isSafe: false)
        if operation?.isOrdering == true || !isOnce {
            diagnostic.offer("if it also holds without one", rewriting: without, isSafe: false)
        }
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

    /// The largest part around a node that `&&`, `||`, `!` and `? :` take as a whole.
    private func question(around node: NodeID) -> NodeID {
        var node = node
        while let parent = tree.parent(of: node) {
            if let operation = tree.operation(parent), operation.isLogical {
                if operation != .conditional || tree.child(parent, at: 0) == node { return node }
            }
            if tree.nodes[parent].kind == .macro, tree.child(parent, at: 0) != node { return node }
            node = parent
        }
        return node
    }
}
