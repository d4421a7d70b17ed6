internal import PopCEL
internal import PopSource

// Advice on checks of a part of a version: versions are compared as a whole.
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
            "compare the whole version", rewriting: tree.rewriting([(node, written)]),
            isSafe: false)
        if diagnostic.help.isEmpty { diagnostic.help = [wholeVersions] }
    }
}

extension Checker {
    /// `app.version.satisfies(">=4.1.0 <5.0.0")`; answers whether the range can be written here.
    func offerVersionRange(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard ["satisfies", "inrange", "matchesrange", "semver"].contains(name),
            operands.count == 2, subject.checked.type(operands[0]) == .version,
            case .string(let range)? = tree.literal(operands[1]),
            let text = versionRange(range, of: tree.operand(operands[0]))
        else { return false }
        offer(text, at: node, to: &diagnostic)
        return true
    }
}

/// Returns a range of versions as comparisons; nil for other signs, such as `^`.
private func versionRange(_ range: String, of name: String) -> String? {
    let parts = range.matches(of: #/(>=|<=|>|<|=)? *v?(\d[0-9A-Za-z.+-]*)/#)
    let rest = range.replacing(#/(>=|<=|>|<|=)? *v?(\d[0-9A-Za-z.+-]*)/#, with: "")
    guard !parts.isEmpty, parts.count <= 4, rest.allSatisfy({ $0 == " " || $0 == "," }) else {
        return nil
    }
    let texts = parts.map { part -> String? in
        let sign = part.output.1.map { $0 == "=" ? "==" : String($0) } ?? "=="
        guard Version(String(part.output.2)) != nil else { return nil }
        return "\(name) \(sign) version(\"\(part.output.2)\")"
    }
    return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: " && ")
}

/// The versions that begin with the same numbers.
private struct VersionSpan {
    let first: String
    /// The first version after them.
    let next: String

    /// Creates the range for `3.1` and `3.1.`; nil for text that isn't the beginning of a version.
    init?(beginningWith text: String) {
        let numbers = text.hasSuffix(".") ? String(text.dropLast()) : text
        var parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int32($0) ?? -1 }
        guard let last = parts.last, parts.allSatisfy({ $0 >= 0 }), last < .max else { return nil }
        first = numbers
        parts[parts.count - 1] = last + 1
        next = parts.map(String.init).joined(separator: ".")
    }

    /// Returns the comparison of a version with them; nil for other operators.
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
    "compare the whole version, such as `app.version >= version(\"3.1\")`"
