internal import PopCEL
internal import PopSource

// Calls and operations in the syntax of another language, recognized by their form before they are
// checked.
extension Checker {
    /// Reports such a call or operation, and returns the type to continue with; nil for other
    /// nodes.
    mutating func reportForeign(_ node: NodeID) -> TypeID? {
        switch tree.kind(of: node) {
        case .call: return reportForeignCall(node, name: tree.name(node)) ? .error : nil
        case .memberCall:
            return reportForeignMemberCall(node, name: tree.name(node))
        case .operation: return reportForeignOperation(node) ? .error : nil
        case .literal, .identifier, .select, .presence, .list, .map, .message, .optionalEntry,
            .macro:
            return nil
        }
    }

    private mutating func reportForeignMemberCall(_ node: NodeID, name: String) -> TypeID? {
        let isForeign: Bool
        // Most calls name a function that exists: one lookup tells.
        if environment.functions[name] != nil {
            isForeign = reportEventsAsList(node, name: name)
        } else if reportForeignMoment(node, name: name) {
            return .timestamp
        } else {
            isForeign =
                reportForeignMacro(node, name: name) || reportEventsAsList(node, name: name)
                || reportForeignDifference(node, name: name)
        }
        return isForeign ? .error : nil
    }

    private mutating func reportForeignCall(_ node: NodeID, name: String) -> Bool {
        if environment.functions[name] != nil { return reportDateAsNumber(node, name: name) }
        if reportForeignDifference(node, name: name) || reportCallOfEvent(node, name: name) {
            return true
        }
        let function = functionName(name, isAbsolute: tree.nodes[node].flag)
        return environment.slotFunctions[function] != nil
            && (reportBareName(node, function: function)
                || reportComparisonInside(node, function: function))
    }

    private mutating func reportForeignOperation(_ node: NodeID) -> Bool {
        switch tree.operation(node) {
        case .or: return reportValuesAsAlternatives(node)
        case .divide: return reportPath(node)
        case .subtract: return reportDashedName(node)
        case .index, .optionalIndex: return reportJoinedName(node)
        case nil, .and, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .in, .add, .multiply, .modulo, .not, .negate:
            return false
        }
    }

    /// `Date.now()`: the moment.
    private mutating func reportForeignMoment(_ node: NodeID, name: String) -> Bool {
        guard let target = targetOfMoment(node) else { return false }
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(target).\(name)`",
            at: tree.range(node), label: "no such function")
        diagnostic.offer(
            "use `now` for the current time", rewriting: tree.rewriting([(node, "now")]))
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(target).\(name)`"
        return true
    }

    /// `COUNT(order.paid)` and `days_since(order.paid)`: an unknown function of an event without
    /// its quotes. Each of two findings would only show a part of what is meant.
    private mutating func reportCallOfEvent(_ node: NodeID, name: String) -> Bool {
        guard tree.childCount(node) == 1, environment.slotFunctions[name] == nil,
            let event = tree.dottedName(tree.child(node, at: 0)),
            environment.number(ofVariable: event) == nil, environment.isEvent(event),
            diagnostics.list.count < CELLimits.offers
        else { return false }
        let operands = Array(tree.children(of: node))
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(name)`", at: tree.focus(node),
            label: "no such function")
        let folded = name.lowercased().filter { $0 != "_" }
        guard
            offerEvents(folded, operands: operands, at: node, to: &diagnostic)
                || offerSince(folded, operands: operands, at: node, to: &diagnostic)
        else { return false }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(name)`"
        return true
    }

    /// Returns `Date` of `Date.now()`; nil for other nodes.
    private func targetOfMoment(_ node: NodeID) -> String? {
        guard tree.kind(of: node) == .memberCall, tree.childCount(node) == 1,
            environment.functions[tree.name(node)] == nil,
            let target = tree.dottedName(tree.child(node, at: 0)),
            environment.number(ofVariable: target) == nil,
            ForeignWords.moments.contains("\(target).\(tree.name(node))".lowercased())
        else { return nil }
        return target
    }

    /// The calls such as `Date.now()` in a node, each replaced with `now`.
    func moments(in node: NodeID) -> [(node: NodeID, replacement: String)] {
        if targetOfMoment(node) != nil { return [(node, "now")] }
        guard tree.kind(of: node) == .operation else { return [] }
        return tree.children(of: node).flatMap { moments(in: $0) }
    }

    /// `event_count(order.paid)`: the name of an event without its quotes.
    private mutating func reportBareName(_ node: NodeID, function: String) -> Bool {
        let pair = pairsOfNames[function]
        let bare = tree.children(of: node).prefix(pair == nil ? 1 : 2).compactMap { child in
            tree.dottedName(child).flatMap { name in
                environment.number(ofVariable: name) == nil ? (node: child, name: name) : nil
            }
        }
        guard let first = bare.first else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch,
            message: "`\(function)` takes \(pair ?? "the name of an event") in quotes",
            at: tree.range(first.node), label: "a name that is not in quotes")
        if pair == nil || !offerNamesApart(of: node, to: &diagnostic) {
            if function == eventSum, bare.count == 1, tree.childCount(node) < 3 {
                adviseOnSum(node, to: &diagnostic)
            } else {
                diagnostic.offer(
                    "put \(pair == nil ? "the name of the event" : "these names") in quotes",
                    rewriting: tree.rewriting(bare.map { ($0.node, "\"\($0.name)\"") }))
            }
        }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown name `\(first.name)`"
        return true
    }

    /// The meaning of both arguments, for functions that take two names.
    private var pairsOfNames: [String: String] {
        let action = "the names of a popup and an action"
        return [
            "acted": action, "last_acted": action,
            eventSum: "the names of an event and one of its fields",
        ]
    }

    /// `user['plan']` where `user.plan` is declared and `user` is not.
    private mutating func reportJoinedName(_ node: NodeID) -> Bool {
        guard let prefix = tree.dottedName(tree.child(node, at: 0)),
            case .string(let field)? = tree.literal(tree.child(node, at: 1)),
            environment.number(ofVariable: prefix) == nil,
            environment.number(ofVariable: "\(prefix).\(field)") != nil
        else { return false }
        let name = "\(prefix).\(field)"
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "the parts of a name must be joined with `.`",
            at: tree.range(node), label: "not a name")
        diagnostic.offer(
            "use the key `\(name)`", rewriting: tree.rewriting([(node, name)]))
        diagnostics.report(diagnostic)
        return true
    }

    private mutating func reportDashedName(_ node: NodeID) -> Bool {
        guard let name = dashedName(node) else { return false }
        subject.checked.failures[node] = "unknown name `\(name)`"
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown name `\(name)`: `-` subtracts",
            at: tree.range(node), label: "read as a subtraction")
        let declared = environment.suggestsNames ? environment.variables.map(\.name) : []
        let similar = similarNames(to: name, among: declared, limit: 1)
        if let first = similar.first {
            diagnostic.help = ["did you mean `\(first)`?"]
            diagnostic.fixes = [
                .init(
                    "replace it with `\(first)`",
                    edits: [.init(tree.range(node), replacement: first)], isSafe: false)
            ]
        } else {
            diagnostic.help = ["use only letters, digits, `_` and `.` in a name"]
        }
        diagnostics.report(diagnostic)
        return true
    }

    /// `is-new`, written without blanks, when no part of it is a name: no difference is meant then.
    private func dashedName(_ node: NodeID) -> String? {
        if let name = tree.dottedName(node) { return isUnknownChain(node) ? name : nil }
        guard tree.operation(node) == .subtract else { return nil }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        guard tree.nodes[right].start == tree.nodes[left].end + 1,
            let last = dashedName(right), let first = dashedName(left)
        else { return nil }
        return "\(first)-\(last)"
    }
}

// Advice on checks for which other languages have a function.
extension Checker {
    /// `count("order.paid")`: how often an event was sent, not how long its name is.
    func offerEvents(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard let first = operands.first, environment.slotFunctions["event_count"] != nil,
            let event = writtenEvent(first),
            ForeignCalls.occurrences.contains(name)
                || sizeNames.contains(name) && tree.literal(first) == nil
        else { return false }
        let others = operands.dropFirst().map { tree.written($0) }
        let call = "event_count(\(([event] + others).joined(separator: ", ")))"
        // In the place of a condition, a number is compared.
        let parent = tree.parent(of: node).map { tree.operation($0) }
        let isAlone = parent.map { $0 == .and || $0 == .or || $0 == .not } ?? true
        let text = tree.fitted("\(call) > 0", isOperation: true, in: node)
        diagnostic.offer(
            "use `event_count` to count how often an event was sent",
            rewriting: tree.rewriting([(node, isAlone ? text : call)]), isSafe: false)
        return true
    }

    /// The name of an event as text, which may have been written without quotes.
    private func writtenEvent(_ node: NodeID) -> String? {
        if case .string? = tree.literal(node) { return tree.written(node) }
        guard let name = tree.dottedName(node), environment.isEvent(name) else { return nil }
        return "\"\(name)\""
    }

    /// Advises on `random() < 0.5`: conditions aren't random; a rollout or an experiment assigns
    /// users.
    func helpOnRandom(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let names: Set = ["random", "rand", "rnd", "randint", "mathrandom", "randombool", "chance"]
        guard names.contains(name), environment.slotFunctions["acted"] != nil else { return false }
        var percent = 50.0
        if let parent = tree.parent(of: node), let operation = tree.operation(parent),
            tree.childCount(parent) == 2, tree.child(parent, at: 0) == node,
            case .double(let share)? = tree.literal(tree.child(parent, at: 1)), share > 0, share < 1
        {
            let isUpper = operation == .greater || operation == .greaterOrEqual
            percent = (isUpper ? 1 - share : share) * 100
        }
        diagnostic.help = helpOnShare(percent)
        return true
    }

    /// Advises on `percent <= 10`: other tools number the users from 0 to 100.
    func helpOnPercent(_ name: String, at node: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        let names: Set = ["percent", "percentage", "percentile", "randompercentile", "rollout"]
        guard names.contains(name.lowercased().filter { $0 != "_" }),
            environment.slotFunctions["acted"] != nil, let parent = tree.parent(of: node),
            let operation = tree.operation(parent), operation.isOrdering,
            tree.child(parent, at: 0) == node,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
            (1..<100).contains(number)
        else { return false }
        let isUpper = operation == .greater || operation == .greaterOrEqual
        diagnostic.help = helpOnShare(Double(isUpper ? 100 - number : number))
        return true
    }

    /// Returns how to show a popup to a share of the users.
    func helpOnShare(_ percent: Double) -> [String] {
        let rounded = (percent * 100).rounded() / 100
        let text = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        let key = environment.variables.first {
            $0.type == .string && ($0.name.hasSuffix(".id") || $0.name.hasSuffix("_id"))
        }
        return [
            "to show the popup to a percentage of the users, remove this check, and write next to"
                + " `when`: `rollout: { percent: \(text), by: \(key?.name ?? "user.id") }`"
        ]
            + (key == nil
                ? [
                    "also declare the key that identifies users, such as"
                        + " `user.id: { type: string, default: \"\" }` under `context`"
                ] : [])
    }

    /// Offers a duration for `days_since("order.paid") > 3`: a duration is compared with a
    /// duration.
    func offerSince(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard let unit = ForeignCalls.ages[name], operands.count == 1,
            environment.slotFunctions["since"] != nil,
            let event = writtenEvent(operands[0])
        else { return false }
        let help = "use `since` to check how long ago an event was sent"
        let call = "since(\(event))"
        if unit.isEmpty {
            diagnostic.offer(help, rewriting: tree.rewriting([(node, call)]), isSafe: false)
            return true
        }
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation.isOrdering, tree.child(parent, at: 0) == node,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
            let length = DurationText.advice(
                on: "\(number)\(unit)", knowsDays: environment.knowsDays)
        else {
            diagnostic.help = ["\(help), such as `\(call) > duration(\"3d\")`"]
            return true
        }
        let text = "\(call) \(operation.symbol) duration(\"\(length)\")"
        diagnostic.offer(help, rewriting: tree.rewriting([(parent, text)]), isSafe: false)
        return true
    }

    /// Offers the property for `converted("tour")`: facts about a popup are read after its name.
    func offerFact(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard var fact = ForeignCalls.facts[name], operands.count == 1,
            case .string(let popup)? = tree.literal(operands[0]), !popup.isEmpty,
            popup.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            environment.slotFunctions["acted"] != nil
        else { return false }
        // A value that is compared with a number is a count.
        if let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation.isOrdering || operation == .equal || operation == .notEqual,
            fact.hasPrefix("shown_count")
        {
            fact = "shown_count"
        }
        let text = tree.fitted(
            "popups.\(popup).\(fact)", isOperation: fact.contains(" "), in: node)
        diagnostic.offer(
            "use a value of the popup instead of a function",
            rewriting: tree.rewriting([(node, text)]), isSafe: false)
        return true
    }

    /// `semver(app.version) >= "3.1"` of a key that is a version already: the text becomes one.
    func offerVersion(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard ForeignCalls.ours(name, operands: operands.count)?.template == "version($0)",
            subject.checked.type(operands[0]) == .version
        else { return false }
        var changes = [(node: node, replacement: tree.written(operands[0]))]
        if let parent = tree.parent(of: node), tree.childCount(parent) == 2 {
            let others = [0, 1].map { tree.child(parent, at: $0) }.filter { $0 != node }
            for other in others {
                guard case .string? = tree.literal(other) else { continue }
                changes.append((other, "version(\(tree.written(other)))"))
            }
        }
        diagnostic.offer(
            "compare the version with another version", rewriting: tree.rewriting(changes),
            isSafe: false)
        return true
    }

    /// `tags.containsAny(["a", "b"])`.
    func offerIntersection(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard let macro = ForeignCalls.intersections[name], operands.count == 2,
            operands.allSatisfy({
                if case .list = subject.checked.typeTable[subject.checked.type($0)] { return true }
                return false
            })
        else { return false }
        let isSubset = macro == "all" && name != "issubsetof"
        let (list, values) = isSubset ? (operands[1], operands[0]) : (operands[0], operands[1])
        diagnostic.offer(
            "use `\(macro)` to check the items of a list",
            rewriting: tree.rewriting([
                (node, "\(tree.operand(list)).\(macro)(t, t in \(tree.operand(values)))")
            ]), isSafe: false)
        return true
    }

    /// `any([a, b])` and `all([a, b])` of conditions; how many of them hold is not counted.
    func offerConnective(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard operands.count == 1, tree.nodes[operands[0]].kind == .list else { return false }
        let items = (0..<tree.childCount(operands[0])).map { tree.child(operands[0], at: $0) }
        let isOfConditions = items.allSatisfy {
            subject.checked.type($0) == .bool
        }
        guard items.count > 1, isOfConditions else { return false }
        let signs = ["any": "||", "some": "||", "all": "&&", "every": "&&"]
        guard let sign = signs[name] else { return sizeNames.contains(name) || name == "sum" }
        let text = items.map { tree.operand($0) }.joined(separator: " \(sign) ")
        diagnostic.offer(
            sign == "||"
                ? "use `||` if one of the conditions is enough"
                : "use `&&` if all of the conditions are required",
            rewriting: tree.rewriting([(node, tree.fitted(text, isOperation: true, in: node))]),
            isSafe: false)
        return true
    }

    /// `"a" == ANY(list)`.
    func offerAny(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard name == "any" || name == "some", operands.count == 1,
            tree.kind(of: node) == .call, let parent = tree.parent(of: node),
            tree.operation(parent) == .equal, tree.child(parent, at: 1) == node,
            case .list = subject.checked.typeTable[subject.checked.type(operands[0])]
        else { return false }
        let value = tree.operand(tree.child(parent, at: 0))
        let text = "\(value) in \(tree.operand(operands[0]))"
        diagnostic.offer(
            "use `in` to check whether a list contains a value",
            rewriting: tree.rewriting([
                (parent, tree.fitted(text, isOperation: true, in: parent))
            ]), isSafe: false)
        return true
    }

    /// Offers the method for `re.search("a", name)`: it is a method of the string.
    func offerPattern(_ node: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        guard let call = tree.parent(of: node), tree.kind(of: call) == .memberCall,
            tree.child(call, at: 0) == node, tree.childCount(call) == 3,
            case .string(let pattern)? = tree.literal(tree.child(call, at: 1))
        else { return false }
        let (start, end): (String, String)
        switch tree.name(call).lowercased() {
        case "search", "test": (start, end) = ("", "")
        case "match": (start, end) = ("^(?:", ")")
        case "fullmatch": (start, end) = ("^(?:", ")$")
        default: return false
        }
        let quote = pattern.contains("\"") ? "'" : "\""
        let raw = pattern.contains("\\") ? "r" : ""
        let text = tree.operand(tree.child(call, at: 2))
        diagnostic.offer(
            "use `matches` to check whether a string matches a pattern",
            rewriting: tree.rewriting([
                (call, "\(text).matches(\(raw)\(quote)\(start)\(pattern)\(end)\(quote))")
            ]), isSafe: false)
        return true
    }

    /// Offers a duration for `(now - user.joined).getDays() > 7`: a duration is compared with a
    /// duration.
    func offerLengthOfTime(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard operands.count == 1, subject.checked.type(operands[0]) == .duration,
            let unit = ["days", "day", "weeks", "hours", "minutes"].first(where: {
                name.hasSuffix($0)
            })
        else { return false }
        let help = "compare the duration with another duration"
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation.isOrdering, tree.child(parent, at: 0) == node,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1)),
            let length = DurationText.advice(
                on: "\(number) \(unit)", knowsDays: environment.knowsDays)
        else {
            diagnostic.help = ["\(help), such as `\(tree.operand(operands[0])) > duration(\"7d\")`"]
            return true
        }
        let text =
            "\(tree.operand(operands[0])) \(operation.symbol) duration(\"\(length)\")"
        diagnostic.offer(help, rewriting: tree.rewriting([(parent, text)]), isSafe: false)
        return true
    }
}
