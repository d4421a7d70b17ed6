internal import PopCEL
internal import PopSource

// What is said to somebody who asks for a part of a version: versions are compared as a whole.
extension Checker {
    /// `app.version.startsWith("3.")`.
    func adviseOnVersion(_ version: NodeID, in call: NodeID, to diagnostic: inout Diagnostic) {
        diagnostic.help = [wholeVersions]
        guard tree.name(call).lowercased() == "startswith", tree.childCount(call) == 2,
            case .string(let text)? = tree.literal(tree.child(call, at: 1)),
            let span = VersionSpan(beginningWith: text)
        else { return }
        offer(span.text(for: .equal, of: tree.operand(version)), at: call, to: &diagnostic)
    }

    /// `app.version.major > 3`.
    func adviseOnPart(
        _ part: String, of version: NodeID, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        diagnostic.help = [wholeVersions]
        guard part.lowercased() == "major", let parent = tree.parent(of: node),
            let operation = tree.operation(parent), tree.child(parent, at: 0) == node,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
            let span = VersionSpan(beginningWith: "\(number)")
        else { return }
        offer(span.text(for: operation, of: tree.operand(version)), at: parent, to: &diagnostic)
    }

    private func offer(_ text: String?, at node: NodeID, to diagnostic: inout Diagnostic) {
        guard let text else { return }
        let written = tree.fitted(text, isOperation: true, in: node)
        diagnostic.help = []
        diagnostic.offer(
            "a version is compared as a whole", rewriting: tree.rewriting([(node, written)]),
            isSafe: false)
        if diagnostic.help.isEmpty { diagnostic.help = [wholeVersions] }
    }
}

/// The versions that begin with the same numbers.
private struct VersionSpan {
    let first: String
    /// The first version behind them.
    let next: String

    /// Of `3.1` and `3.1.`; nil of what is no beginning of a version.
    init?(beginningWith text: String) {
        let numbers = text.hasSuffix(".") ? String(text.dropLast()) : text
        var parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int32($0) ?? -1 }
        guard let last = parts.last, parts.allSatisfy({ $0 >= 0 }), last < .max else { return nil }
        first = numbers
        parts[parts.count - 1] = last + 1
        next = parts.map(String.init).joined(separator: ".")
    }

    /// The comparison of a version with them; nil of what is none.
    func text(for operation: Operator, of name: String) -> String? {
        let (first, next) = ("version(\"\(first)\")", "version(\"\(next)\")")
        return switch operation {
        case .equal: "\(name) >= \(first) && \(name) < \(next)"
        case .notEqual: "\(name) < \(first) || \(name) >= \(next)"
        case .less: "\(name) < \(first)"
        case .lessOrEqual: "\(name) < \(next)"
        case .greater: "\(name) >= \(next)"
        case .greaterOrEqual: "\(name) >= \(first)"
        case .and, .or, .not, .negate, .add, .subtract, .multiply, .divide, .modulo, .in, .index,
            .optionalIndex, .conditional:
            nil
        }
    }
}

private let wholeVersions =
    "a version is compared as a whole, such as `app.version >= version(\"3.1\")`"
