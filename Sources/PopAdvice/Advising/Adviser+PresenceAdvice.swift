internal import PopCEL
internal import PopSource

extension Adviser {
    /// Offers to ask first whether a name has a value: what must hold needs one, what must not hold
    /// does not.
    func offerPresence(of name: String, at node: NodeID, to diagnostic: inout Diagnostic) {
        let question = Question(
            asked: "has(\(name))", denied: "!has(\(name))", must: "if it must have a value",
            may: "if a missing value is also accepted")
        if offer(question, at: node, isOnce: isReadOnce(name), to: &diagnostic) { return }
        diagnostic.help = ["check first with `has(\(name))` whether it has a value"]
    }

    /// The check that is needed before a value is read.
    struct Question {
        let asked: String
        let denied: String
        /// The beginnings of the helps: for a value that is required, and for one that may be
        /// missing.
        let must: String
        let may: String
        /// The replacement for the node that is read.
        var read: String?
    }

    /// Offers a check; returns whether one is possible.
    func offer(
        _ question: Question, at node: NodeID, isOnce: Bool, to diagnostic: inout Diagnostic
    ) -> Bool {
        let atom = isOnce ? self.question(around: node) : tree.root
        var written = tree.written(atom)
        if let read = question.read { written = written.replacing(tree.written(node), with: read) }
        let operation = tree.operation(atom)
        let isLoose = operation == .conditional
        // If a check is false without a value, the negated expression around it is true.
        let isNegated = isNegated(atom)
        let with = rewriting(
            atom,
            text: "\(question.asked) && \(isLoose || operation == .or ? "(\(written))" : written)",
            operation: .and)
        let without = rewriting(
            atom, text: "\(question.denied) || \(isLoose ? "(\(written))" : written)",
            operation: .or)
        guard let with, let without, !written.isEmpty else { return false }
        let (asked, denied) = ("\(question.asked) && …", "\(question.denied) || …")
        let must = (question.must, isNegated ? without : with, isNegated ? denied : asked)
        let may = (question.may, isNegated ? with : without, isNegated ? asked : denied)
        let asksBoth = operation?.isOrdering == true || operation == .not || isNegated || !isOnce
        let offers =
            operation == .notEqual || asksForNothing(atom)
            ? [may, must] : asksBoth ? [must, may] : [must]
        for (help, rewriting, short) in offers {
            diagnostic.offer(help, rewriting: rewriting, isSafe: false, inShort: short)
        }
        return true
    }

    /// `name == ""` and `size(tags) == 0`: what has no value is empty to many.
    private func asksForNothing(_ node: NodeID) -> Bool {
        guard tree.operation(node) == .equal else { return false }
        return tree.children(of: node).contains { child in
            let literal = tree.literal(child)
            if case .string("")? = literal { return true }
            if case .int(0)? = literal { return true }
            return tree.kind(of: child) == .list && tree.childCount(child) == 0
        }
    }

    /// Returns true if the surrounding expression negates a node.
    private func isNegated(_ node: NodeID) -> Bool {
        var (node, isNegated) = (node, false)
        while let parent = tree.parent(of: node) {
            if tree.operation(parent) == .not { isNegated.toggle() }
            node = parent
        }
        return isNegated
    }

    func isReadOnce(_ name: String) -> Bool {
        tree.nodes.indices.count {
            subject.needsGuard($0)
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
            if tree.kind(of: parent) == .call || tree.kind(of: parent) == .list {
                isLoose = false
            }
            if tree.kind(of: parent) == .macro { isLoose = false }
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
            if tree.kind(of: parent) == .macro, tree.child(parent, at: 0) != node { return node }
            node = parent
        }
        return node
    }
}
