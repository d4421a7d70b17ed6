internal import PopCEL
internal import PopSource

extension ExpressionLinter {
    mutating func adviseOnComparison(_ node: NodeID) {
        let operation = tree.operator(of: node)
        guard tree.childCount(node) == 2 else { return }
        let left = tree.child(node, at: 0)
        let right = tree.child(node, at: 1)
        // Values that cannot be compared are reported elsewhere.
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
            adviseOnDivision(left, comparedWith: right)
            adviseOnDivision(right, comparedWith: left)
        }
        if operation == .and { adviseOnEmptySpan(node) }
    }

    /// `right / asked > 0.8` of two whole numbers, whose quotient has no fraction.
    private mutating func adviseOnDivision(_ quotient: NodeID, comparedWith literal: NodeID) {
        guard tree.operation(quotient) == .divide, isWhole(subject.checked.type(quotient)),
            case .double(let number)? = tree.literal(literal), number != number.rounded()
        else { return }
        let parts = tree.children(of: quotient).map { "double(\(tree.written($0)))" }
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare,
            message: "`/` of two integers drops the fraction", at: tree.range(quotient),
            label: "an integer that is compared with \(number)")
        diagnostic.offer(
            "to keep the fraction",
            rewriting: tree.rewriting([(quotient, parts.joined(separator: " / "))]), isSafe: false)
        diagnostics.report(diagnostic)
    }

    private func isWhole(_ type: TypeID) -> Bool { type == .int || type == .uint }

    /// `getHours() >= 22 && getHours() < 6`, which no number is: the two ends of a night.
    private mutating func adviseOnEmptySpan(_ node: NodeID) {
        let right = tree.child(node, at: 1)
        var left = tree.child(node, at: 0)
        if tree.operation(left) == .and { left = tree.child(left, at: 1) }
        guard let first = bound(left), let second = bound(right), first.name == second.name,
            let low = first.low ?? second.low, let high = first.high ?? second.high,
            first.low == nil || second.low == nil, low > high
        else { return }
        let (text, other) = (tree.written(left), tree.written(right))
        var diagnostic = Diagnostic(
            .logicNeverTrue, message: "`\(text)` and `\(other)` can never both be true",
            at: tree.range(right), label: "never true together with the other part",
            secondary: [.init("the other part", at: tree.range(left))])
        diagnostic.help = [
            "if one of the two parts is enough: `\(text) || \(other)`"
        ]
        diagnostics.report(diagnostic)
    }

    /// Returns the least or the greatest integer that a call may return; nil for other comparisons.
    private func bound(_ node: NodeID) -> (name: String, low: Int64?, high: Int64?)? {
        guard let operation = tree.operation(node), operation.isOrdering else { return nil }
        let (call, literal) = (tree.child(node, at: 0), tree.child(node, at: 1))
        // The analysis of whole conditions knows the calls that ask for the history.
        guard tree.kind(of: call) == .memberCall || isCall(call, code: .size),
            subject.checked.type(call) == .int, case .int(let number)? = tree.literal(literal),
            number.magnitude < 1 << 40
        else { return nil }
        let name = tree.written(call)
        if operation == .greaterOrEqual { return (name, number, nil) }
        if operation == .greater { return (name, number + 1, nil) }
        if operation == .less { return (name, nil, number - 1) }
        return operation == .lessOrEqual ? (name, nil, number) : nil
    }

    /// A key is compared with a value that it cannot have.
    private mutating func adviseOnValue(_ literal: NodeID, of name: NodeID) {
        guard tree.kind(of: literal) == .literal,
            case .variable(let index) = subject.checked.nodes[name].reference,
            let allowed = subject.environment.part(ofVariable: index, get: { $0.allowedValues }),
            let value = tree.literal(literal), value != .null, !allowed.contains(value)
        else { return }
        let variable = subject.environment.variable(at: index)
        var diagnostic = Diagnostic.impossibleValue(
            value, of: variable, allowed: allowed, at: tree.range(literal))
        if let help = helpOnOperator(in: value, of: variable.name, allowed: allowed) {
            diagnostic.help.insert(help, at: 0)
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

    /// Returns what to write instead of `"!= free"`; nil for a string without an operator. The
    /// string isn't replaced: a value that is similar to its rest would say the opposite.
    private func helpOnOperator(in value: Value, of name: String, allowed: [Value]) -> String? {
        guard case .string(let text) = value,
            text.hasPrefix("not ") || text.first.map("=!<>≠≥≤".contains) ?? false
        else { return nil }
        if let sign = ["not ", "!=", "!", "<>", "≠"].first(where: { text.hasPrefix($0) }) {
            let rest = String(text.dropFirst(sign.count).drop { $0 == " " })
            if allowed.contains(.string(rest)) {
                return "use `\(name): { ne: \(rest) }` in a map, or `\(name) != \"\(rest)\"` in an"
                    + " expression, to exclude `\(rest)`"
            }
        }
        return "write the operator outside the quotes, because in quotes it is part of the string"
    }

    /// Offers a similar value. In a map condition, the file only contains the value, so it is
    /// replaced as a whole.
    private func offer(
        _ similar: String, insteadOf literal: NodeID, to diagnostic: inout Diagnostic
    ) {
        let general = diagnostic.help
        diagnostic.help = []
        let edit = Diagnostic.Edit(tree.range(literal), replacement: similar)
        let whole = tree.rewriting([(literal, similar)])
        let rewriting = whole ?? Rewriting(edits: [edit], written: similar, text: similar)
        diagnostic.offer(
            whole == nil ? "did you mean this value" : "did you mean `\(similar)`",
            rewriting: rewriting, isSafe: false)
        diagnostic.help += general
    }

    /// Advises on `1.000` compared with an integer: one, or a thousand in the notation of half of
    /// Europe.
    private mutating func adviseOnThousands(_ literal: NodeID, comparedWith other: NodeID) {
        let type = subject.checked.type(other)
        guard type == .int || type == .uint, case .double(let number)? = tree.literal(literal)
        else { return }
        let text = tree.written(literal)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isDigits }), parts[0].utf8.count <= 3,
            parts[1].utf8.count == 3, parts[0].first != "0"
        else { return }
        let whole = parts.joined()
        var diagnostic = Diagnostic(
            .conditionSuspiciousCompare, message: "`\(text)` is \(number), not \(whole)",
            at: tree.range(literal), label: "the `.` is the decimal point")
        diagnostic.offer(
            "if you mean thousands", rewriting: tree.rewriting([(literal, whole)]), isSafe: false)
        let fraction = number == number.rounded() ? "\(Int64(number))" : "\(number)"
        if fraction != text {
            diagnostic.offer(
                "if you mean \(fraction)", rewriting: tree.rewriting([(literal, fraction)]),
                isSafe: false)
        }
        diagnostics.report(diagnostic)
    }

    /// Advises on ordering strings that look like numbers: they are ordered letter by letter.
    private mutating func adviseOnOrder(
        _ node: NodeID, operation: Operator, left: NodeID, right: NodeID
    ) {
        guard tree.kind(of: left) == .literal || tree.kind(of: right) == .literal else {
            return adviseOnVersionKeys(node, operation: operation, left: left, right: right)
        }
        let isOnRight = numberText(right) != nil
        guard let text = numberText(isOnRight ? right : left) else { return }
        let other = subject.expression.text(of: isOnRight ? left : right)
        diagnostics.report(
            .textOrder(
                operation, literal: text, other: other, hasVersions: subject.environment.knowsDays,
                at: tree.range(node)))
    }

    /// Two keys of text, one of which is named like a version or has versions as its values.
    private mutating func adviseOnVersionKeys(
        _ node: NodeID, operation: Operator, left: NodeID, right: NodeID
    ) {
        guard let one = variable(left), let other = variable(right), one.type == .string,
            other.type == .string, one.name != other.name, one.hasVersions || other.hasVersions
        else { return }
        diagnostics.report(
            .versionOrder(
                operation, keys: [one.name, other.name],
                hasVersions: subject.environment.knowsDays, at: tree.range(node)))
    }

    /// Returns the text of a literal that is a string and looks like a number.
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

extension Variable {
    /// Indicates whether its values are versions, judging by its name or the list of its values.
    fileprivate var hasVersions: Bool {
        if let allowedValues, !allowedValues.isEmpty {
            return allowedValues.allSatisfy { value in
                guard case .string(let text) = value else { return false }
                return text.contains(".") && Version(text) != nil
            }
        }
        return namesVersion(name)
    }
}

/// Returns true if a name ends in the word "version": `app.version` and `minVersion`, not
/// `conversion`.
private func namesVersion(_ name: String) -> Bool {
    let folded = name.lowercased()
    return ["version", "versions"].contains { folded.hasSuffix($0) }
        && !["conversion", "inversion", "diversion", "aversion"].contains { word in
            folded.hasSuffix(word) || folded.hasSuffix(word + "s")
        }
}

extension Diagnostic {
    fileprivate static func versionOrder(
        _ operation: Operator, keys: [String], hasVersions: Bool, at range: SourceRange
    ) -> Self {
        let names = keys.map { "`\($0)`" }.joined(separator: " and ")
        return Diagnostic(
            .conditionSuspiciousCompare, message: letterByLetter(operation), at: range,
            label: "compared as strings, not as versions",
            help: [
                hasVersions
                    ? "to compare versions part by part, declare \(names) with `type: version`"
                    : "to compare versions, declare a number for them, such as an int `app.build`"
            ])
    }

    private static func letterByLetter(_ operation: Operator) -> String {
        "`\(operation.symbol)` compares strings letter by letter,"
            + " so for example \"10.2\" is less than \"9.1\""
    }

    /// Returns the allowed values. If there are many, similar values and those that contain the
    /// value as a word come first, and the rest is counted.
    private static func shown(_ allowed: [Value], near value: Value) -> String {
        var near: [Value] = []
        if allowed.count > 12, case .string(let text) = value {
            let texts = allowed.compactMap { allowed -> String? in
                if case .string(let text) = allowed { text } else { nil }
            }
            let word = text.uppercased()
            let similar = similarNames(to: word, among: texts)
            near = allowed.filter { allowed in
                guard case .string(let known) = allowed else { return false }
                return similar.contains(known)
                    || known.uppercased().split(separator: "_").contains { $0 == word }
            }
        }
        let ordered = near + allowed.filter { !near.contains($0) }
        let names = ordered.prefix(12).map { "`\($0.description)`" }.joined(separator: ", ")
        return ordered.count > 12 ? "\(names) and \(ordered.count - 12) more" : names
    }

    fileprivate static func impossibleValue(
        _ value: Value, of variable: Variable, allowed: [Value], at range: SourceRange
    ) -> Self {
        let known = shown(allowed, near: value)
        var diagnostic = Diagnostic(
            .conditionEnumValue, message: "`\(variable.name)` is never `\(value)`", at: range,
            label: "not a value of `\(variable.name)`",
            help: ["use one of \(known)"])
        if let place = variable.declaredAt {
            diagnostic.secondary = [
                .init("the values of `\(variable.name)` are declared here", at: place)
            ]
        }
        return diagnostic
    }

    fileprivate static func textOrder(
        _ operation: Operator, literal: String, other: String, hasVersions: Bool,
        at range: SourceRange
    ) -> Self {
        let isVersion =
            other.lowercased().contains("version") || literal.utf8.count { $0 == 0x2E } > 1
        let numbers =
            "to compare numbers, use `double(\(other))`, and remove the quotes of `\"\(literal)\"`"
        let versions =
            hasVersions
            ? "to compare versions part by part, declare `\(other)` with `type: version` and"
                + " compare it with `version(\"\(literal)\")`"
            : "declare a number for the version, such as an int `app.build`, and compare it, because"
                + " strings have no version order"
        return Diagnostic(
            .conditionSuspiciousCompare,
            message: letterByLetter(operation),
            at: range, label: "compared as strings, not as numbers",
            help: isVersion ? [versions] : hasVersions ? [numbers, versions] : [numbers])
    }
}
