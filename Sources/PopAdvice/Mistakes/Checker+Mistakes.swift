internal import PopCEL
internal import PopSource

extension Checker {
    /// Adds to a finding what was probably meant, and how that is written.
    func advise(on mistake: CheckerIssue, to diagnostic: inout Diagnostic) {
        switch mistake {
        case .unknownName(let name, let node):
            adviseOnUnknownName(name, at: node, to: &diagnostic)
        case .unknownFunction(let name, let isMember, let node):
            adviseOnUnknownFunction(name, isMember: isMember, at: node, to: &diagnostic)
        case .unknownField(let field, let node):
            adviseOnField(field, at: node, to: &diagnostic)
        case .notBool(let operand, let node): adviseOnBool(operand, of: node, to: &diagnostic)
        case .mismatch(let node):
            guard let operation = tree.operation(node) else { return }
            offerComparison(operation, at: node, to: &diagnostic)
            if diagnostic.help.isEmpty { adviseOnTypes(operation, of: node, to: &diagnostic) }
        case .neverInside(let node): offerElements(node, to: &diagnostic)
        case .notAContainer(let node):
            adviseOnContainer(tree.child(node, at: 1), of: node, to: &diagnostic)
        case .wrongArgument(let argument, let call, let expected):
            adviseOnArgument(argument, of: call, expected: expected, to: &diagnostic)
        case .wrongCount(let call):
            adviseOnCount(of: call, to: &diagnostic)
        case .wrongCallStyle(let node, let isMember, let count):
            adviseOnCallStyle(node, isMember: isMember, count: count, to: &diagnostic)
        case .notConstant(let node): adviseOnConstant(node, to: &diagnostic)
        }
    }

    private func adviseOnCount(of call: NodeID, to diagnostic: inout Diagnostic) {
        if tree.name(call) == "since", environment.knowsDays {
            diagnostic.help = [
                "use the name of an event as the only argument, such as `since(\"order.paid\")`"
            ]
            return
        }
        guard environment.slotFunctions[tree.name(call)] != nil,
            [eventSum, "acted", "last_acted"].contains(tree.name(call)),
            !offerNamesApart(of: call, to: &diagnostic)
        else { return }
        if tree.name(call) == eventSum { return adviseOnSum(call, to: &diagnostic) }
        diagnostic.help = [
            "write a popup and an action as arguments, such as"
                + " `\(tree.name(call))(\"welcome\", \"close\")`"
        ]
    }

    private func adviseOnField(_ field: String, at node: NodeID, to diagnostic: inout Diagnostic) {
        let operand = tree.child(node, at: 0)
        if sizeNames.contains(field), let parent = tree.parent(of: node),
            tree.operation(parent) == .not
        {
            offerEmptiness(of: operand, in: parent, to: &diagnostic)
        } else if sizeNames.contains(field) {
            diagnostic.offer(
                "use `size` for the length of a string or list",
                rewriting: tree.rewriting([(node, "size(\(tree.written(operand)))")]))
        } else if let isEmpty = ForeignCalls.emptinesses[field.lowercased().filter { $0 != "_" }] {
            let text = "size(\(tree.written(operand))) \(isEmpty ? "==" : ">") 0"
            diagnostic.offer(
                "use `size` to check whether it is empty",
                rewriting: tree.rewriting([
                    (node, tree.fitted(text, isOperation: true, in: node))
                ]), isSafe: false)
        } else if subject.checked.type(operand) == .timestamp,
            let name = tree.dottedName(operand),
            let fields = ForeignCalls.fields[field.lowercased()]
        {
            let dates = field == "date" ? helpsOnDate(of: name, in: node) : nil
            diagnostic.help = dates ?? helps(on: fields, of: name, in: node)
        } else if subject.checked.type(operand) == .version {
            adviseOnPart(field, of: operand, at: node, to: &diagnostic)
        }
    }

    private func adviseOnBool(
        _ operand: NodeID, of node: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard let operation = tree.operation(node) else { return }
        switch operation {
        case .not where isNegatedComparison(node):
            adviseOnNegatedComparison(node, operand: operand, to: &diagnostic)
        case .not:
            diagnostic.help = helpOnBool(operand, of: operation)
            offerEmptiness(of: operand, in: node, to: &diagnostic)
        case .and, .or:
            if offerConditionNames(of: operand, in: node, to: &diagnostic) { return }
            offerComparison(of: operand, in: node, to: &diagnostic)
            guard diagnostic.help.isEmpty else { return }
            // A value that is written out is not compared with another one.
            diagnostic.help =
                tree.literal(operand) == nil
                ? helpOnBool(operand, of: operation)
                : ["write a complete condition on each side of `\(operation.symbol)`"]
        case .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
            .add, .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            diagnostic.help = helpOnBool(operand, of: operation)
        }
    }

    /// Offers names without quotes for `"newcomer" && "european"`: conditions and Booleans.
    private func offerConditionNames(
        of operand: NodeID, in node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let quoted = tree.children(of: node).compactMap { child -> (node: NodeID, name: String)? in
            guard case .string(let name)? = tree.literal(child),
                environment.variable(named: name)?.type == .bool
            else { return nil }
            return (child, name)
        }
        guard let own = quoted.first(where: { $0.node == operand }) else { return false }
        diagnostic.offer(
            "write the name `\(own.name)` without quotes",
            rewriting: tree.rewriting(quoted.map { ($0.node, $0.name) }), isSafe: false)
        return true
    }

    private func helpOnBool(_ operand: NodeID, of operation: Operator) -> [String] {
        let type = subject.publicType(operand)
        if [.int, .uint, .double].contains(type) {
            return [
                "compare the number with a value, such as `\(operation == .not ? "==" : ">") 0`"
            ]
        }
        guard type == .string else { return [] }
        return [
            "compare the string with a value, such as `\(operation == .not ? "==" : "!=") \"\"`"
        ]
    }

    private func adviseOnTypes(
        _ operation: Operator, of node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let left = subject.publicType(tree.child(node, at: 0))
        let right = subject.publicType(tree.child(node, at: 1))
        let numbers: [CELType] = [.int, .uint, .double]
        if left != right, numbers.contains(left), numbers.contains(right) {
            let hasDouble = left == .double || right == .double
            let target: CELType = hasDouble ? .double : .int
            let other = tree.written(tree.child(node, at: left == target ? 1 : 0))
            diagnostic.help = [
                "convert one of the numbers, such as `\(hasDouble ? "double" : "int")(\(other))`,"
                    + " so that both have the same type"
            ]
        } else if operation == .add, left == .string || right == .string {
            let other = tree.written(tree.child(node, at: left == .string ? 1 : 0))
            diagnostic.help = ["use `string(\(other))` to convert `\(other)` to a string"]
        } else if [left, right].contains(.version), [left, right].contains(.string),
            !tree.children(of: node).contains(where: { tree.literal($0) != nil })
        {
            let string = tree.child(node, at: left == .string ? 0 : 1)
            let text = tree.written(string)
            let variable = tree.dottedName(string).flatMap { environment.variable(named: $0) }
            diagnostic.help = [
                variable?.declaredAt == nil
                    ? "convert the string to a version with `version(\(text))`"
                    : "declare `\(text)` as a `version`, or convert it with `version(\(text))`"
            ]
        } else if [.add, .subtract, .multiply, .divide, .modulo].contains(operation),
            left == .version || right == .version
        {
            let version = tree.written(tree.child(node, at: left == .version ? 0 : 1))
            diagnostic.help = [
                "compare `\(version)` directly with another version, such as"
                    + " `\(version) >= version(\"2.1\")`; versions cannot be added or subtracted"
            ]
        } else if operation == .modulo, environment.slotFunctions["acted"] != nil,
            tree.dottedName(tree.child(node, at: 0)) != nil,
            case .int(let parts)? = tree.literal(tree.child(node, at: 1)), parts > 1
        {
            diagnostic.help = helpOnShare(100 / Double(parts))
        } else if left == .string, numbers.contains(right) {
            diagnostic.help = ["convert the string to a number with `int()` or `double()`"]
        } else if operation == .equal || operation == .notEqual, case .list = left {
            diagnostic.help = ["use `in` to check whether a list contains a value"]
        }
    }

    private func adviseOnContainer(
        _ operand: NodeID, of node: NodeID, to diagnostic: inout Diagnostic
    ) {
        if subject.checked.type(operand) != .string {
            diagnostic.help = ["write a list such as `[\"a\", \"b\"]`"]
        }
        offerList(operand, of: node, to: &diagnostic)
    }

    private func adviseOnArgument(
        _ argument: NodeID, of call: NodeID, expected: [String], to diagnostic: inout Diagnostic
    ) {
        let name = tree.name(call)
        var isReceiver = tree.kind(of: call) == .memberCall && tree.child(call, at: 0) == argument
        if case .function(_, skipsTarget: true) = subject.checked.nodes[call].reference {
            isReceiver = false
        }
        if isReceiver, subject.checked.type(argument) == .version {
            adviseOnVersion(argument, in: call, to: &diagnostic)
        } else if isReceiver, ForeignCalls.containment.contains(name.lowercased()) {
            _ = offerContainment(call, to: &diagnostic)
        } else if isReceiver, name == "indexOf" {
            offerIndexOf(call, to: &diagnostic)
        } else if case .string(let text)? = tree.literal(argument), expected.contains("duration"),
            let length = DurationText.advice(on: text, knowsDays: environment.knowsDays)
        {
            diagnostic.offer(
                "use `duration` for a duration",
                rewriting: tree.rewriting([(argument, "duration(\"\(length)\")")]))
        } else if case .int(let number)? = tree.literal(argument), expected.contains("duration") {
            _ = offerUnits(number, at: argument, to: &diagnostic)
        } else if name == "event_count", case .string? = tree.literal(argument),
            environment.slotFunctions[eventSum] != nil
        {
            adviseOnSum(call, to: &diagnostic)
            diagnostic.help.append(
                "to count events, use a duration as the second argument, such as"
                    + " `duration(\"30d\")`")
        } else if name == "version", tree.literal(argument) != nil {
            let text = tree.written(argument)
            guard Version(text) != nil else { return }
            diagnostic.offer(
                "put a version in quotes",
                rewriting: tree.rewriting([(argument, "\"\(text)\"")]))
        }
    }

    private func adviseOnCallStyle(
        _ node: NodeID, isMember: Bool, count: Int, to diagnostic: inout Diagnostic
    ) {
        let name = tree.name(node)
        let operands = tree.children(of: node).map { tree.operand($0) }
        if isMember, operands.count == count {
            let text = "\(name)(\(operands.joined(separator: ", ")))"
            diagnostic.offer(
                "write the value as an argument, not before the function",
                rewriting: tree.rewriting([(node, text)]))
        } else if let first = operands.first {
            let text = "\(first).\(name)(\(operands.dropFirst().joined(separator: ", ")))"
            diagnostic.offer(
                "write the value before the function", rewriting: tree.rewriting([(node, text)]))
        }
    }

    /// A duration with a wrong unit is a constant, but none that can be read.
    private func adviseOnConstant(_ node: NodeID, to diagnostic: inout Diagnostic) {
        guard tree.kind(of: node) == .call, tree.name(node) == "duration",
            tree.childCount(node) == 1,
            case .string(let text)? = tree.literal(tree.child(node, at: 0))
        else {
            diagnostic.help = [
                "use fixed values: names in quotes, such as `\"order.paid\"`, and durations such as"
                    + " `duration(\"168h\")`"
            ]
            return
        }
        diagnostic = .constantError(
            "duration(\"\(text)\")", message: "`\(text)` is not a valid duration",
            at: tree.range(node))
        tree.offerDuration(text, in: node, environment: environment, to: &diagnostic)
    }
}

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

extension SyntaxTree {
    /// Offers the range of versions for `app.version == version("2.x")`, in which `node` is what
    /// the version is compared with; returns whether there is one.
    func offerVersions(
        like text: String, in node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard let span = VersionSpan(wildcard: text), let comparison = parent(of: node),
            let sign = operation(comparison), childCount(comparison) == 2
        else { return false }
        let isRight = child(comparison, at: 1) == node
        let other = child(comparison, at: isRight ? 0 : 1)
        guard let range = span.text(for: isRight ? sign : sign.mirrored, of: operand(other)),
            let rewriting = rewriting([
                (comparison, fitted(range, isOperation: true, in: comparison))
            ])
        else { return false }
        diagnostic.help = []
        diagnostic.offer(
            "compare with the range of versions that `\(text)` means", rewriting: rewriting,
            isSafe: false)
        return true
    }
}

/// The versions that begin with the same numbers.
private struct VersionSpan {
    let first: String
    /// The first version after them.
    let next: String

    /// Creates the range for `2.x` and `2.*`; nil for other text.
    init?(wildcard text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.prefix { !["x", "X", "*"].contains($0) }
        guard !numbers.isEmpty, numbers.count < parts.count,
            parts[numbers.count...].allSatisfy({ ["x", "X", "*"].contains($0) })
        else { return nil }
        self.init(beginningWith: numbers.joined(separator: "."))
    }

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
