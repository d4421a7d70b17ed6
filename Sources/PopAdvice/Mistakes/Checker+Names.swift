internal import PopCEL
internal import PopSource

// Advice on names that are not declared.
extension Checker {
    func adviseOnUnknownName(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        if let owner = environment.owner(of: name) {
            return adviseOnUnknownField(name, of: owner, at: node, to: &diagnostic)
        }
        guard diagnostics.list.count < CELLimits.offers else { return }
        if offerWord(name, at: node, to: &diagnostic) { return }
        guard environment.suggestsNames else { return }
        if adviseOnPopupsAndSchedules(name, at: node, to: &diagnostic) { return }
        if adviseOnPopup(name, at: node, to: &diagnostic) { return }
        let declared = environment.variables.map(\.name)
        let inside = declared.filter { $0.hasPrefix(name + ".") }.sorted()
        if !inside.isEmpty {
            diagnostic.label = "not a complete key"
            if inside.count == 1 {
                return diagnostic.offer(
                    "use `\(inside[0])`, the only key that starts with `\(name).`",
                    rewriting: tree.rewriting([(node, inside[0])]))
            }
            diagnostic.help = [
                "did you mean \(alternatives(Array(inside.prefix(5))))?"
            ]
            return
        }
        if offerEmpty(name, at: node, to: &diagnostic) { return }
        if ["or", "and", "not"].contains(name.lowercased()) {
            let help =
                switch name.lowercased() {
                case "or":
                    "remove `\(name)`: under `any`, one of the conditions is enough; in an"
                        + " expression, use `||`"
                case "and":
                    "remove `\(name)`: under `all`, all conditions are required; in an expression,"
                        + " use `&&`"
                default:
                    "use `none` in a map, or `!` in an expression, to negate a condition"
                }
            diagnostic.help = [help]
            return
        }
        if offerPattern(node, to: &diagnostic) || offerMoment(name, at: node, to: &diagnostic) {
            return
        }
        if offerEventCount(name, at: node, to: &diagnostic) { return }
        if helpOnPercent(name, at: node, to: &diagnostic) { return }
        if offerTail(of: name, at: node, to: &diagnostic) { return }
        if offerText(name, at: node, to: &diagnostic) { return }
        if offerWhole(name, declared: declared, at: node, to: &diagnostic) { return }
        if offerField(name, at: node, to: &diagnostic) { return }
        adviseOnSimilarNames(name, at: node, to: &diagnostic)
    }

    /// Advises on names that the scheduler knows under another name, on properties that popups
    /// don't have, and on names about the condition's own popup.
    private func adviseOnPopupsAndSchedules(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let parts = name.split(separator: ".")
        if parts.count == 3, parts[0] == "popups", parts[2] == "converted",
            environment.number(ofVariable: "popups.\(parts[1]).shown_count") != nil
        {
            diagnostic.label = "`\(parts[1])` has no `goals`"
            diagnostic.help = [
                "add `goals` to the popup `\(parts[1])`, because `converted` exists only for popups"
                    + " with `goals`"
            ]
        } else if parts.count == 3, parts[0] == "popups",
            ["variant", "exposed_count"].contains(parts[2]),
            environment.number(ofVariable: "popups.\(parts[1]).shown_count") != nil
        {
            diagnostic.label = "`\(parts[1])` has no `experiment`"
            diagnostic.help = [
                "add an `experiment` to the popup `\(parts[1])`, because `\(parts[2])` exists only"
                    + " for popups with an `experiment`"
            ]
        } else if parts.count > 2, parts[0] == "popups", parts[2] == "schedule" {
            diagnostic.help = [
                "use `schedule.open` in `dismiss_when` to check the popup's own schedule;"
                    + " conditions cannot check the schedule of another popup"
            ]
        } else if parts.count == 2, parts[0] == "schedule", endings.contains(String(parts[1])),
            environment.number(ofVariable: "schedule.open") != nil
        {
            diagnostic.offer(
                "negate `schedule.open` to check that the popup's schedule is not open",
                rewriting: tree.rewriting([(node, "!schedule.open")]),
                isSafe: false)
        } else {
            return false
        }
        return true
    }

    /// Advises on a popup that does not exist, or on a property that conditions do not know.
    private func adviseOnPopup(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count >= 2, parts[0] == "popups" else { return false }
        let names = environment.variables.map(\.name).filter { $0.hasPrefix("popups.") }
        let own = "popups.\(parts[1])."
        let fields = names.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count)) }
        if fields.isEmpty, !names.isEmpty {
            let ids = Set(names.compactMap { $0.split(separator: ".").dropFirst().first })
            adviseOnUnknownPopup(parts, among: ids.map(String.init), at: node, to: &diagnostic)
            return true
        }
        guard parts.count == 3, !fields.isEmpty else { return false }
        if let fact = factsOfPopups[parts[2].lowercased()], fields.contains(fact) {
            let asked = "\(own)\(fact) > 0"
            let isAlone = tree.parent(of: node).map { isCondition($0) } ?? true
            let isNegated = tree.parent(of: node).map { tree.operation($0) == .not } ?? false
            diagnostic.offer(
                "use `\(own)\(fact)`, the number of times that"
                    + (fact == "closed_count"
                        ? " the user closed the popup" : " the popup was shown"),
                rewriting: tree.rewriting([
                    (node, isNegated ? "(\(asked))" : isAlone ? asked : own + fact)
                ]), isSafe: false)
            return true
        }
        let near = similarNames(to: parts[2], among: fields)
        let similar = (near.isEmpty ? fields.filter { $0.hasPrefix(parts[2]) } : near).map {
            own + $0
        }
        if similar.isEmpty {
            let known = fields.sorted().map { "`\($0)`" }.joined(separator: ", ")
            diagnostic.help = ["use one of the properties that a popup has, \(known)"]
        } else {
            addSimilar(similar, to: name, at: tree.range(node), in: &diagnostic)
        }
        return true
    }

    /// `parts` are the parts of the name as written.
    private func adviseOnUnknownPopup(
        _ parts: [String], among ids: [String], at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        diagnostic.check = .refUndefinedPopup
        diagnostic.message = "there is no popup `\(parts[1])`"
        diagnostic.label = "not defined under `popups`"
        let similar = similarNames(to: parts[1], among: ids)
        guard !similar.isEmpty else {
            diagnostic.help = ["define it under `popups`, or use the name of an existing popup"]
            return
        }
        diagnostic.help = ["did you mean \(alternatives(similar))?"]
        let meant = (["popups", similar[0]] + parts.dropFirst(2)).joined(separator: ".")
        guard similar.count == 1, environment.number(ofVariable: meant) != nil else { return }
        diagnostic.fixes = [
            .init(
                "replace it with `\(meant)`", edits: [.init(tree.range(node), replacement: meant)],
                isSafe: false)
        ]
    }

    /// `order.paid > 2`, of an event.
    private func offerEventCount(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let function = "event_count"
        guard let name = eventName(in: name) else { return false }
        diagnostic.label = "an event, not a context key"
        if let call = tree.parent(of: node), tree.kind(of: call) == .call {
            let called = tree.name(call).lowercased().filter { $0 != "_" }
            let asked =
                ForeignCalls.ages[called] != nil
                ? "since" : ForeignCalls.occurrences.contains(called) ? function : nil
            if let asked {
                diagnostic.help = [
                    "put the name of an event in quotes, such as `\(asked)(\"\(name)\")`"
                ]
                return true
            }
        }
        let asked = "\(function)(\"\(name)\")"
        let counted = sizedEvent(node)
        let parent = tree.parent(of: counted)
        let isAlone = parent.map { isCondition($0) } ?? true
        let isNegated = parent.map { tree.operation($0) == .not } ?? false
        let text = isNegated ? "(\(asked) > 0)" : isAlone ? "\(asked) > 0" : asked
        let help = "to count how often an event was sent"
        if let rewriting = tree.rewriting([(counted, text)]) {
            diagnostic.offer(help, rewriting: rewriting, isSafe: false)
        } else {
            diagnostic.help = [
                "use an expression instead, such as `\(asked) > 0` to check whether the event"
                    + " was sent"
            ]
        }
        return true
    }

    /// Returns the call of `size(order.paid)`: the size of an event is how often it was sent.
    private func sizedEvent(_ node: NodeID) -> NodeID {
        guard let call = tree.parent(of: node), tree.kind(of: call) == .call,
            tree.name(call) == "size", tree.childCount(call) == 1
        else { return node }
        return call
    }

    /// Returns the event that has a name, or the event whose count it reads: `order.placed.count`.
    private func eventName(in name: String) -> String? {
        if environment.isEvent(name) { return name }
        guard let dot = name.lastIndex(of: "."),
            ForeignCalls.occurrences.union(sizeNames).contains(
                String(name[name.index(after: dot)...]).lowercased())
        else { return nil }
        let event = String(name[..<dot])
        return environment.isEvent(event) ? event : nil
    }

    /// Advises on similar names; if no name is similar, on the possible names.
    private func adviseOnSimilarNames(
        _ name: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        // A value that is compared with a string is a string, not a time: `NW` next to a country
        // isn't `now`.
        let type = tree.parent(of: node).flatMap { comparedVariable($0, with: node) }?.type
        let comparable = environment.variables.filter { type == nil || $0.type == type }.map(\.name)
        let similar = similarNames(to: name, among: comparable)
        if !similar.isEmpty {
            addSimilar(similar, to: name, at: tree.range(node), in: &diagnostic)
        } else if environment.functions[name] != nil || environment.slotFunctions[name] != nil {
            diagnostic.help = ["call the function `\(name)` as `\(name)(…)`"]
        } else if tree.parent(of: node).map({ isCondition($0) }) ?? true {
            diagnostic.help = [
                "compare a context key with a value, such as `user.plan == \"pro\"`, or use `true`"
                    + " or `false`"
            ]
        } else if !name.contains("."), !isComparedWithLiterals(node), mayBeText(node) {
            diagnostic.offer(
                "put a string in quotes", rewriting: tree.rewriting([(node, "\"\(name)\"")]),
                isSafe: false)
        }
    }

    /// Offers the notation of an empty value for a word such as `empty`, which isn't a string of
    /// the key.
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
                "use `\"\"` for an empty string", rewriting: tree.rewriting([(node, "\"\"")]),
                isSafe: false)
        case .list?:
            diagnostic.offer(
                "use `[]` for an empty list", rewriting: tree.rewriting([(node, "[]")]),
                isSafe: false)
        case nil, .dyn, .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
            .map, .optional, .type, .wrapper, .opaque, .parameter:
            diagnostic.help = ["use `has(…)` to check whether a key has a value"]
        }
        return true
    }

    /// Returns true if a string is possible there: not as the receiver of a call, nor next to
    /// another value.
    private func mayBeText(_ node: NodeID) -> Bool {
        guard let parent = tree.parent(of: node) else { return true }
        if tree.kind(of: parent) == .memberCall, tree.child(parent, at: 0) == node {
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
            offerDay("24 hours ago", as: "now - duration(\"24h\")", at: node, to: &diagnostic)
        case "tomorrow" where operation.isOrdering:
            offerDay("in 24 hours", as: "now + duration(\"24h\")", at: node, to: &diagnostic)
        default: return false
        }
        return true
    }

    private func offerDay(
        _ what: String, as moment: String, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        diagnostic.offer(
            "use the time \(what) instead",
            rewriting: tree.rewriting([(node, moment)]), isSafe: false)
    }

    /// Returns true if the operands of a node must be true or false.
    private func isCondition(_ node: NodeID) -> Bool {
        tree.operation(node)?.isLogical ?? false
    }

    func addSimilar(
        _ similar: [String], to name: String, at range: SourceRange,
        in diagnostic: inout Diagnostic
    ) {
        let first = similar[0]
        diagnostic.help = [
            similar.count == 1
                ? "did you mean `\(first)`?"
                : "did you mean \(alternatives(similar))?"
        ]
        if let index = environment.number(ofVariable: first),
            let place = environment.part(ofVariable: index, get: { $0.declaredAt })
        {
            diagnostic.secondary = [.init("a similar key is declared here", at: place)]
        }
        guard similar.count == 1, !isAnotherWord(first, than: name) else { return }
        diagnostic.fixes = [
            .init(
                "replace it with `\(first)`", edits: [.init(range, replacement: first)],
                isSafe: false)
        ]
    }

    /// Returns true if a word of one name begins with another letter than that of the other, as in
    /// `user.height` and `user.weight`: the first letter is hardly ever mistyped.
    private func isAnotherWord(_ name: String, than other: String) -> Bool {
        let (words, others) = (name.split(separator: "."), other.split(separator: "."))
        return words.count == others.count
            && zip(words, others).contains {
                $0.count == $1.count && $0.first != $1.first
                    && $0.dropFirst().first == $1.dropFirst().first
            }
    }
}

extension Environment {
    /// Returns true if events are declared and this is the name of one. If any name can be counted,
    /// no name is known as an event.
    func isEvent(_ name: String) -> Bool {
        let place = SourceRange(file: FileID(index: 0), 0..<0)
        return canCall("event_count", with: name, at: place)
            && !canCall("event_count", with: "", at: place)
    }
}

/// Names for whether something happened with a popup, and the count that answers it.
private let factsOfPopups: [String: String] = [
    "shown": "shown_count", "seen": "shown_count", "was_shown": "shown_count",
    "displayed": "shown_count", "has_shown": "shown_count", "viewed": "shown_count",
    "count": "shown_count", "shows": "shown_count", "impressions": "shown_count",
    "closed": "closed_count", "was_closed": "closed_count", "dismissed": "closed_count",
]

/// Words for a schedule that is not open any more.
private let endings: Set<String> = [
    "closed", "over", "ended", "done", "finished", "expired", "shut", "past", "passed", "close",
]
