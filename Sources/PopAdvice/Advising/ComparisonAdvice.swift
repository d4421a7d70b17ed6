internal import PopCEL
internal import PopSource

extension Adviser {
    mutating func adviseOnComparison(_ node: NodeID) {
        let operation = tree.operator(of: node)
        guard tree.childCount(node) == 2 else { return }
        let left = tree.child(node, at: 0)
        let right = tree.child(node, at: 1)
        // Of what cannot be compared that has been said.
        let types = (subject.checked.type(left), subject.checked.type(right))
        if operation != .in, types.0 != types.1, types.0 == .string || types.1 == .string { return }
        switch operation {
        case .equal, .notEqual:
            adviseOnValue(right, of: left)
            adviseOnValue(left, of: right)
            adviseOnWildcards(right, comparedWith: left)
        case .in:
            guard tree.kind(of: right) == .list else { return }
            for element in tree.children(of: right) { adviseOnValue(element, of: left) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            adviseOnOrder(node, operation: operation, left: left, right: right)
        case .and, .or, .conditional, .add, .subtract, .multiply, .divide, .modulo, .not, .negate,
            .index, .optionalIndex:
            break
        }
        if operation.isOrdering || operation == .equal || operation == .notEqual {
            adviseOnThousands(right, comparedWith: left)
            adviseOnThousands(left, comparedWith: right)
        }
    }

    /// A key is compared with a value that it cannot have.
    private mutating func adviseOnValue(_ literal: NodeID, of name: NodeID) {
        guard tree.kind(of: literal) == .literal,
            case .variable(let index) = subject.checked.nodes[name].reference,
            let allowed = subject.environment.variables[index].allowedValues,
            let value = tree.literal(literal), value != .null, !allowed.contains(value)
        else { return }
        let variable = subject.environment.variables[index]
        var diagnostic = Diagnostic.impossibleValue(
            value, of: variable, allowed: allowed, at: tree.range(literal))
        if isOperatorInText(value) {
            diagnostics.report(diagnostic)
            return
        }
        if diagnostics.list.count < CELLimits.offers, subject.environment.suggestsNames,
            case .string(let text) = value,
            let similar = similarValues(
                to: text, among: allowed.compactMap(\.plainText), limit: 1
            ).first
        {
            offer(Value.string(similar).description, insteadOf: literal, to: &diagnostic)
        }
        diagnostics.report(diagnostic)
    }

    /// `"!= free"`: what is similar to the rest would say the opposite.
    private func isOperatorInText(_ value: Value) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.hasPrefix("not ") || text.first.map("=!<>≠≥≤".contains) ?? false
    }

    /// Of a value in a map condition the whole is what stands in the file.
    private func offer(
        _ similar: String, insteadOf literal: NodeID, to diagnostic: inout Diagnostic
    ) {
        let general = diagnostic.help
        diagnostic.help = []
        let edit = Diagnostic.Edit(tree.range(literal), replacement: similar)
        let rewriting =
            tree.rewriting([(literal, similar)])
            ?? Rewriting(edits: [edit], written: similar, text: similar)
        diagnostic.offer("a similar value exists", rewriting: rewriting, isSafe: false)
        diagnostic.help += general
    }

    /// `1.000` beside a whole number: one, or a thousand as half of Europe writes it.
    private mutating func adviseOnThousands(_ literal: NodeID, comparedWith other: NodeID) {
        let type = subject.checked.type(other)
        guard type == .int || type == .uint, case .double(let number)? = tree.literal(literal)
        else { return }
        let text = tree.written(literal)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isDigits }), parts[0].utf8.count <= 3,
            parts[1].utf8.count == 3
        else { return }
        let whole = parts.joined()
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare, message: "`\(text)` is \(number), not \(whole)",
            at: tree.range(literal), label: "the `.` begins a fraction")
        diagnostic.offer(
            "if thousands are meant", rewriting: tree.rewriting([(literal, whole)]), isSafe: false)
        let fraction = number == number.rounded() ? "\(Int64(number))" : "\(number)"
        if fraction != text {
            diagnostic.offer(
                "if the fraction is meant", rewriting: tree.rewriting([(literal, fraction)]),
                isSafe: false)
        }
        diagnostics.report(diagnostic)
    }

    /// Texts that look like numbers are ordered letter by letter.
    private mutating func adviseOnOrder(
        _ node: NodeID, operation: Operator, left: NodeID, right: NodeID
    ) {
        guard tree.kind(of: left) == .literal || tree.kind(of: right) == .literal else {
            return
        }
        let isOnRight = numberText(right) != nil
        guard let text = numberText(isOnRight ? right : left) else { return }
        let other = subject.expression.text(of: isOnRight ? left : right)
        diagnostics.report(
            .textOrder(
                operation, literal: text, other: other, hasVersions: subject.environment.knowsDays,
                at: tree.range(node)))
    }

    /// A literal that is a text and looks like a number.
    private func numberText(_ node: NodeID) -> String? {
        guard case .string(let text)? = tree.literal(node), looksLikeNumber(text) else {
            return nil
        }
        return text
    }

    private func looksLikeNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, isDigit(first) || first == UInt8(ascii: "-") else {
            return false
        }
        return text.utf8.dropFirst().allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
            && text.utf8.contains(where: isDigit)
    }
}

extension Diagnostic {
    fileprivate static func impossibleValue(
        _ value: Value, of variable: Variable, allowed: [Value], at range: SourceRange
    ) -> Self {
        let known = allowed.prefix(12).map { "`\($0.description)`" }
        var diagnostic = Diagnostic(
            .conditionEnumValue, message: "`\(variable.name)` is never `\(value)`", at: range,
            label: "not one of its values",
            help: ["its values are \(known.joined(separator: ", "))"])
        if let place = variable.declaredAt {
            diagnostic.secondary = [.init("its values are declared here", at: place)]
        }
        return diagnostic
    }

    fileprivate static func textOrder(
        _ operation: Operator, literal: String, other: String, hasVersions: Bool,
        at range: SourceRange
    ) -> Self {
        let isVersion =
            other.lowercased().contains("version") || literal.utf8.count { $0 == 0x2E } > 1
        let numbers = "a text becomes a number with `double()`, and a number has no quotes"
        let versions =
            hasVersions
            ? "versions are compared part by part where the key is declared as `version`"
            : "a version has no order as a text: declare a number for it, such as an int"
                + " `app.build`, and compare that"
        return Diagnostic(
            .conditionSuspiciousCompare,
            message:
                "`\(operation.symbol)` compares texts letter by letter, so that \"10.2\" comes before \"9.1\"",
            at: range, label: "compared as texts, not as numbers",
            help: isVersion ? [versions] : hasVersions ? [numbers, versions] : [numbers])
    }
}
