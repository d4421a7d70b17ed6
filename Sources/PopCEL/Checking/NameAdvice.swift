internal import PopSource

// What is said about names that are not declared.
extension Checker {
    func unknownName(_ name: String, at node: NodeID) -> Diagnostic {
        let range = tree.range(node)
        if let owner = environment.owner(of: name) {
            return unknownField(name, owner: owner, at: node)
        }
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown context key `\(name)`", at: range,
            label: "not declared in the context")
        guard diagnostics.list.count < CELLimits.offers else { return diagnostic }
        if offerWord(name, at: node, to: &diagnostic) { return diagnostic }
        guard environment.suggestsNames else { return diagnostic }
        let declared = environment.variables.map(\.name)
        let inside = declared.filter { $0.hasPrefix(name + ".") }.sorted()
        if !inside.isEmpty {
            diagnostic.label = "not a key by itself"
            diagnostic.help = [
                "keys that begin with it exist: \(alternatives(Array(inside.prefix(5))))"
            ]
            return diagnostic
        }
        if offerEmpty(name, at: node, to: &diagnostic) { return diagnostic }
        if ["or", "and", "not"].contains(name.lowercased()) {
            diagnostic.help = [
                "conditions are joined with `||` and `&&` in a text, with `any`, `all` and `none`"
                    + " in a map"
            ]
            return diagnostic
        }
        if offerPattern(node, to: &diagnostic) || offerMoment(name, at: node, to: &diagnostic) {
            return diagnostic
        }
        if offerTail(of: name, at: node, to: &diagnostic) { return diagnostic }
        if offerText(name, at: node, to: &diagnostic) { return diagnostic }
        if offerWhole(name, declared: declared, at: node, to: &diagnostic) { return diagnostic }
        if offerField(name, at: node, to: &diagnostic) { return diagnostic }
        // What is compared with a text is one, and no moment: `NW` beside a country is not `now`.
        let type = tree.parent(of: node).flatMap { comparedVariable($0, with: node) }?.type
        let comparable = environment.variables.filter { type == nil || $0.type == type }.map(\.name)
        let similar = similarNames(to: name, among: comparable)
        if !similar.isEmpty {
            addSimilar(similar, to: name, at: range, in: &diagnostic)
        } else if environment.functions[name] != nil || environment.slotFunctions[name] != nil {
            diagnostic.help = ["`\(name)` is a function and is called as `\(name)(…)`"]
        } else if tree.parent(of: node).map({ isCondition($0) }) ?? true {
            diagnostic.help = [
                "a condition compares a key with a value, or is `true` or `false`"
            ]
        } else if !name.contains("."), !isComparedWithLiterals(node), mayBeText(node) {
            diagnostic.offer(
                "a text is written in quotes", rewriting: tree.rewriting([(node, "\"\(name)\"")]),
                isSafe: false)
        }
        return diagnostic
    }

    /// A word for what is empty is none of the texts that a key may be.
    private func offerEmpty(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard ["empty", "blank", "nothing"].contains(name.lowercased()),
            let parent = tree.parent(of: node), tree.childCount(parent) == 2,
            tree.operation(parent) == .equal || tree.operation(parent) == .notEqual
        else { return false }
        let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
        let type = tree.dottedName(other).flatMap { environment.variable(named: $0) }?.type
        switch type {
        case .string?:
            diagnostic.offer(
                "an empty text is written `\"\"`", rewriting: tree.rewriting([(node, "\"\"")]),
                isSafe: false)
        case .list?:
            diagnostic.offer(
                "an empty list is written `[]`", rewriting: tree.rewriting([(node, "[]")]),
                isSafe: false)
        default: diagnostic.help = ["whether a key has a value is asked with `has(…)`"]
        }
        return true
    }

    /// Whether a text may stand there: not where functions are called, nor beside another value.
    private func mayBeText(_ node: NodeID) -> Bool {
        guard let parent = tree.parent(of: node) else { return true }
        if tree.nodes[parent].kind == .memberCall, tree.child(parent, at: 0) == node {
            return false
        }
        guard let key = comparedVariable(parent, with: node) else { return true }
        return key.type == .string || key.type == .dyn
    }

    /// `joined > yesterday`, and `last_shown == never`.
    private func offerMoment(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            comparedVariable(parent, with: node)?.type == .timestamp
        else { return false }
        switch name.lowercased() {
        case "never" where operation == .equal || operation == .notEqual:
            let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
            offerPresence(
                of: other, isMissing: operation == .equal, insteadOf: parent, to: &diagnostic)
        case "yesterday" where operation.isOrdering:
            offerDay("24 hours ago", "now - duration(\"24h\")", at: node, to: &diagnostic)
        case "tomorrow" where operation.isOrdering:
            offerDay("in 24 hours", "now + duration(\"24h\")", at: node, to: &diagnostic)
        default: return false
        }
        return true
    }

    private func offerDay(
        _ what: String, _ moment: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        diagnostic.offer(
            "a day has no name; if the moment \(what) will do",
            rewriting: tree.rewriting([(node, moment)]), isSafe: false)
    }

    /// Whether what stands below a node must be true or false.
    private func isCondition(_ node: NodeID) -> Bool {
        tree.operation(node)?.isLogical ?? false
    }

    private func addSimilar(
        _ similar: [String], to name: String, at range: SourceRange,
        in diagnostic: inout Diagnostic
    ) {
        let first = similar[0]
        diagnostic.help = [
            similar.count == 1
                ? "a key with a similar name exists: `\(first)`"
                : "keys with similar names exist: \(alternatives(similar))"
        ]
        if let index = environment.number(ofVariable: first),
            let place = environment.variables[index].declaredAt
        {
            diagnostic.secondary = [.init("a similar key is declared here", at: place)]
        }
        guard similar.count == 1, !isAnotherWord(first, than: name) else { return }
        diagnostic.fixes = [
            .init(
                "replace it by `\(first)`", edits: [.init(range, replacement: first)],
                isSafe: false)
        ]
    }

    /// Whether a word of one name begins in another way than that of the other, as in
    /// `user.height` and `user.weight`: hardly anyone mistypes the first letter.
    private func isAnotherWord(_ name: String, than other: String) -> Bool {
        let (words, others) = (name.split(separator: "."), other.split(separator: "."))
        return words.count == others.count
            && zip(words, others).contains {
                $0.count == $1.count && $0.first != $1.first
                    && $0.dropFirst().first == $1.dropFirst().first
            }
    }

    /// A field that what owns such names does not have.
    private func unknownField(
        _ name: String, owner: NameOwner, at node: NodeID
    ) -> Diagnostic {
        let prefix = owner.root + "."
        let field = String(name.dropFirst(prefix.count))
        let fields = environment.variables.map(\.name).filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "\(owner.description) has no field `\(field)`",
            at: tree.range(node), label: "not declared for it")
        let similar = similarNames(to: field, among: fields)
        if similar.count == 1, let place = environment.variable(named: prefix + similar[0]) {
            addSimilar([place.name], to: name, at: tree.range(node), in: &diagnostic)
            diagnostic.help = ["a field with a similar name exists: `\(place.name)`"]
        } else {
            diagnostic.help = [
                fields.isEmpty
                    ? "it has no fields" : "its fields are \(listed(fields.map { prefix + $0 }))"
            ]
        }
        return diagnostic
    }

    private func listed(_ names: [String]) -> String {
        let shown = names.prefix(12).map { "`\($0)`" }
        return shown.joined(separator: ", ")
    }

    /// Words of other languages for no value, for true and false, and for the moment.
    private func offerWord(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let word = name.lowercased()
        let parent = tree.parent(of: node)
        let operation = parent.flatMap { tree.operation($0) }
        if ForeignWords.nulls.contains(word), let parent,
            operation == .equal || operation == .notEqual
        {
            let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
            guard tree.dottedName(other) != nil else { return false }
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
                    ? "true and false are written small" : "a bool is `true` or `false`",
                rewriting: tree.rewriting([(node, "\(truth)")]))
            return true
        }
        guard ForeignWords.moments.contains(word), environment.number(ofVariable: "now") != nil
        else { return false }
        offerNow(name, node, to: &diagnostic)
        return true
    }

    /// `context.user.plan` for `user.plan`.
    private func offerTail(
        of name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        var rest = Substring(name)
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            guard environment.number(ofVariable: String(rest)) != nil else { continue }
            diagnostic.offer(
                "the key is called `\(rest)`", rewriting: tree.rewriting([(node, String(rest))]),
                isSafe: false)
            return true
        }
        return false
    }

    /// `plan` for `user.plan`, and `order.paid.total` for `event.total`.
    private func offerWhole(
        _ name: String, declared: [String], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        var whole = declared.filter { $0.hasSuffix("." + name) }.sorted()
        if whole.isEmpty, let dot = name.lastIndex(of: ".") {
            whole = declared.filter { $0 == "event" + name[dot...] }
        }
        guard let first = whole.first else { return false }
        if whole.count > 1 {
            diagnostic.help = ["\(alternatives(Array(whole.prefix(5)))) may be meant"]
            return true
        }
        let isField = environment.owner(of: first) != nil
        let help = isField ? "the field of the event is called" : "the key is called"
        let edit = Diagnostic.Edit(tree.range(node), replacement: first)
        // A map of keys stands in no text of its own.
        let rewriting =
            tree.rewriting([(node, first)])
            ?? Rewriting(edits: [edit], written: first, text: first)
        diagnostic.offer("\(help) `\(first)`", rewriting: rewriting, isSafe: false)
        return true
    }

    /// `weekday`: a part of the moment.
    private func offerField(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard environment.number(ofVariable: "now") != nil, isComparedWithLiterals(node),
            let fields = ForeignCalls.fields[name.lowercased().filter { $0 != "_" }]
        else { return false }
        diagnostic.help = helps(on: fields, of: "now", in: node)
        return true
    }

    /// Whether what the word is compared with is written out: the word is a name then, and no text.
    private func isComparedWithLiterals(_ node: NodeID) -> Bool {
        guard let parent = tree.parent(of: node), tree.operation(parent) != nil else {
            return false
        }
        return tree.children(of: parent).allSatisfy { child in
            child == node || tree.literal(child) != nil
                || tree.nodes[child].kind == .list
                    && tree.children(of: child).allSatisfy { tree.literal($0) != nil }
        }
    }

    private func isComparedWithBool(_ node: NodeID) -> Bool {
        tree.parent(of: node).flatMap { comparedVariable($0, with: node) }?.type == .bool
    }

    /// A value of the key that the word is compared with, without its quotes.
    private func offerText(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard !name.contains("."), let parent = tree.parent(of: node),
            let key = comparedVariable(parent, with: node),
            key.allowedValues?.contains(.string(name)) == true
        else { return false }
        diagnostic.message = "unknown context key `\(name)`"
        diagnostic.label = "a value of `\(key.name)` without quotes"
        diagnostic.offer(
            "a text is written in quotes", rewriting: tree.rewriting([(node, "\"\(name)\"")]))
        return true
    }

    private func comparedVariable(_ parent: NodeID, with node: NodeID) -> Variable? {
        switch tree.operation(parent) {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let other = tree.child(parent, at: tree.child(parent, at: 0) == node ? 1 : 0)
            return tree.dottedName(other).flatMap { environment.variable(named: $0) }
        default:
            guard tree.nodes[parent].kind == .list, let above = tree.parent(of: parent),
                tree.operation(above) == .in
            else { return nil }
            return tree.dottedName(tree.child(above, at: 0))
                .flatMap { environment.variable(named: $0) }
        }
    }
}
