internal import PopCEL
internal import PopSource

// Suggestions for a name that isn't declared.
extension Checker {
    /// Advises on a field that its owner, such as a popup, doesn't have.
    func adviseOnUnknownField(
        _ name: String, of owner: NameOwner, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let prefix = owner.root + "."
        let field = String(name.dropFirst(prefix.count))
        let fields = environment.variables.map { $0.name }.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        let similar = similarNames(to: field, among: fields)
        if similar.count == 1, let place = environment.variable(named: prefix + similar[0]) {
            addSimilar([place.name], to: name, at: tree.range(node), in: &diagnostic)
            diagnostic.help = ["did you mean `\(place.name)`?"]
        } else {
            diagnostic.help = [
                fields.isEmpty
                    ? "remove this name: \(owner.description) has no fields"
                    : "use one of its fields, \(listed(fields.map { prefix + $0 }))"
            ]
        }
    }

    private func listed(_ names: [String]) -> String {
        let shown = names.prefix(12).map { "`\($0)`" }
        return shown.joined(separator: ", ")
    }

    /// Words of other languages for no value, for true and false, and for the moment.
    func offerWord(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let word = name.lowercased()
        if ForeignWords.nulls.contains(word), let parent = tree.parent(of: node),
            let operation = tree.operation(parent), operation == .equal || operation == .notEqual
        {
            let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
            guard let key = tree.dottedName(other) else { return false }
            if mayBe(name, key: key) { return offerText(name, at: node, to: &diagnostic) }
            diagnostic.message = "there is no value `\(name)`"
            diagnostic.label = "not a value"
            offerPresence(
                of: other, isMissing: operation == .equal, insteadOf: parent, to: &diagnostic)
            return true
        }
        if let truth = ForeignWords.truths[word],
            word == "true" || word == "false" || isComparedWithBool(node)
        {
            diagnostic.message = "there is no value `\(name)`"
            diagnostic.label = "not a value"
            diagnostic.offer(
                word == "\(truth)"
                    ? "use lower case for `true` and `false`"
                    : "use `true` or `false` instead",
                rewriting: tree.rewriting([(node, "\(truth)")]))
            return true
        }
        guard ForeignWords.moments.contains(word), environment.number(ofVariable: "now") != nil
        else { return false }
        offerNow(name, insteadOf: node, to: &diagnostic)
        return true
    }

    /// Returns true if a word for no value is a possible string of the key, such as `none`.
    private func mayBe(_ word: String, key: String) -> Bool {
        guard let variable = environment.variable(named: key), variable.type == .string else {
            return false
        }
        return variable.allowedValues?.contains(.string(word)) == true
    }

    /// `context.user.plan` for `user.plan`.
    func offerTail(
        of name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        var rest = Substring(name)
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            guard environment.number(ofVariable: String(rest)) != nil else { continue }
            diagnostic.offer(
                "use the key `\(rest)`", rewriting: tree.rewriting([(node, String(rest))]),
                isSafe: false)
            return true
        }
        return false
    }

    /// `plan` for `user.plan`, and `order.paid.total` for `event.total`.
    func offerWhole(
        _ name: String, declared: [String], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        var whole = declared.filter { $0.hasSuffix("." + name) }.sorted()
        if whole.isEmpty, let dot = name.lastIndex(of: ".") {
            whole = declared.filter { $0 == "event" + name[dot...] }
        }
        guard let first = whole.first else { return false }
        if whole.count > 1 {
            diagnostic.help = ["did you mean \(alternatives(Array(whole.prefix(5))))?"]
            return true
        }
        let edit = Diagnostic.Edit(tree.range(node), replacement: first)
        // A map of keys has no string of its own.
        let rewriting =
            tree.rewriting([(node, first)])
            ?? Rewriting(edits: [edit], written: first, text: first)
        let isAll = rewriting.written == first
        let help =
            if let owner = environment.owner(of: first) {
                "to read the field `\(first.dropFirst(owner.root.utf8.count + 1))` of"
                    + " \(owner.root == "event" ? "the event" : owner.description)"
                    + (isAll ? "" : ", write `\(first)`")
            } else {
                isAll ? "use the key" : "use the key `\(first)`"
            }
        diagnostic.offer(help, rewriting: rewriting, isSafe: false)
        return true
    }

    /// `weekday`: a part of the moment.
    func offerField(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        // If there is no event, its fields aren't known.
        guard environment.number(ofVariable: "now") != nil,
            environment.number(ofVariable: "event") == nil, isComparedWithLiterals(node),
            let fields = ForeignCalls.fields[name.lowercased().filter { $0 != "_" }]
        else { return false }
        diagnostic.help = helps(on: fields, of: "now", in: node)
        return true
    }

    /// Returns true if the word is compared only with literals: then the word is a name, not a
    /// string.
    func isComparedWithLiterals(_ node: NodeID) -> Bool {
        guard let parent = tree.parent(of: node), tree.operation(parent) != nil else {
            return false
        }
        return tree.children(of: parent).allSatisfy { child in
            child == node || tree.literal(child) != nil
                || tree.kind(of: child) == .list
                    && tree.children(of: child).allSatisfy { tree.literal($0) != nil }
        }
    }

    private func isComparedWithBool(_ node: NodeID) -> Bool {
        tree.parent(of: node).flatMap { comparedVariable($0, with: node) }?.type == .bool
    }

    /// A value of the key that the word is compared with, without its quotes.
    func offerText(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard !name.contains("."), let parent = tree.parent(of: node),
            let key = comparedVariable(parent, with: node),
            key.allowedValues?.contains(.string(name)) == true
        else { return false }
        diagnostic.message = "unknown context key `\(name)`"
        diagnostic.label = "a value of `\(key.name)` without quotes"
        diagnostic.offer(
            "put a string in quotes", rewriting: tree.rewriting([(node, "\"\(name)\"")]))
        return true
    }

    func comparedVariable(_ parent: NodeID, with node: NodeID) -> Variable? {
        switch tree.operation(parent) {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
            return tree.dottedName(other).flatMap { environment.variable(named: $0) }
        case nil, .and, .or, .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .not,
            .negate, .index, .optionalIndex:
            guard tree.kind(of: parent) == .list, let above = tree.parent(of: parent),
                tree.operation(above) == .in
            else { return nil }
            return tree.dottedName(tree.child(above, at: 0))
                .flatMap { environment.variable(named: $0) }
        }
    }
}

// Advice on names and calls that are joined or bracketed in another way than here.
extension Checker {
    /// `Europe/Berlin` without quotes and `user/age`: a division of names that no one declared.
    mutating func reportPath(_ node: NodeID) -> Bool {
        let text = tree.written(node)
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1,
            parts.allSatisfy({ part in
                part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                    && !part.allSatisfy { $0.isNumber }
                    && environment.variable(named: String(part)) == nil
            })
        else { return false }
        let name = text.replacing("/", with: ".")
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown name `\(text)`: `/` divides",
            at: tree.range(node), label: "read as a division")
        if environment.variable(named: name) != nil {
            diagnostic.offer(
                "join the parts of a name with `.`", rewriting: tree.rewriting([(node, name)]),
                isSafe: false)
        } else if text.first?.isUppercase == true {
            diagnostic.offer(
                "put a time zone in quotes",
                rewriting: tree.rewriting([(node, "\"\(text)\"")]), isSafe: false)
        } else {
            return false
        }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown name `\(text)`"
        return true
    }

    /// `events.count("x")`: events are asked with a function.
    mutating func reportEventsAsList(_ node: NodeID, name: String) -> Bool {
        let target = tree.child(node, at: 0)
        guard let list = tree.dottedName(target), ["events", "event", "history"].contains(list),
            environment.variable(named: list) == nil
        else { return false }
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(list).\(name)`",
            at: tree.focus(node), label: "no such function")
        guard
            offerEvents(
                name.lowercased(), operands: Array(tree.children(of: node).dropFirst()), at: node,
                to: &diagnostic)
        else { return false }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(list).\(name)`"
        return true
    }

    /// Reports `event_count("x" > 2)`: the comparison belongs after the bracket.
    mutating func reportComparisonInside(_ node: NodeID, function: String) -> Bool {
        guard tree.childCount(node) == 1, let operation = tree.operation(tree.child(node, at: 0)),
            operation.isOrdering || operation == .equal || operation == .notEqual
        else { return false }
        let comparison = tree.child(node, at: 0)
        let (name, number) = (tree.child(comparison, at: 0), tree.child(comparison, at: 1))
        guard case .string? = tree.literal(name), case .int? = tree.literal(number) else {
            return false
        }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch,
            message: "the comparison is inside the parentheses of `\(function)`",
            at: tree.range(comparison), label: "compares a string with a number")
        let call = "\(function)(\(tree.written(name)))"
        diagnostic.offer(
            "move the comparison after the parentheses",
            rewriting: tree.rewriting([
                (node, "\(call) \(operation.symbol) \(tree.written(number))")
            ]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }
}
