internal import PopCEL
internal import PopSource

/// The names of `size` in other languages.
let sizeNames: Set<String> = ["len", "length", "count", "size"]

// Advice on functions that do not exist.
extension Checker {
    func adviseOnUnknownFunction(
        _ name: String, isMember: Bool, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard diagnostics.list.count < CELLimits.offers else { return }
        if macros.contains(name), name != "has" || !isMember {
            return adviseOnMacro(name, isMember: isMember, at: node, to: &diagnostic)
        }
        if offerOurs(name, isMember: isMember, at: node, to: &diagnostic) { return }
        let names = Array(environment.functions.keys) + Array(environment.slotFunctions.keys)
        let similar = similarNames(to: name, among: names + macros)
        if similar.count == 1, let place = tree.placeOfName(node) {
            let rewriting = tree.rewriting([(place, similar[0])], in: tree.nodes[node].origin)
            diagnostic.offer(
                "did you mean `\(similar[0])`", rewriting: rewriting, isSafe: false)
        } else if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        }
    }

    private var macros: [String] {
        ["has", "all", "exists", "exists_one", "map", "filter", "transformList", "transformMap"]
    }

    private func adviseOnMacro(
        _ name: String, isMember: Bool, at node: NodeID, to diagnostic: inout Diagnostic
    ) {
        if name == "exists", !isMember || tree.childCount(node) == 1,
            offerOurs(name, isMember: isMember, at: node, to: &diagnostic)
        {
            return
        }
        let given = tree.childCount(node) - (isMember ? 1 : 0)
        let hasTwoNames = name.hasPrefix("transform")
        let count = hasTwoNames ? "3 or 4" : name == "filter" ? "2" : "2 or 3"
        diagnostic.message =
            name == "has"
            ? "`has` takes a name as its only argument"
            : isMember
                ? "`\(name)` takes \(count) arguments, not \(given)"
                : "`\(name)` must follow a list or map and a `.`, and takes \(count) arguments"
        diagnostic.label = "arguments given: \(given)"
        diagnostic.check = .conditionArity
        let operands = Array(tree.children(of: node))
        if name == "all", !isMember,
            offerConnective(name, operands: operands, at: node, to: &diagnostic)
        {
            return
        }
        let list = tree.childCount(node) > 0 ? tree.dottedName(tree.child(node, at: 0)) : nil
        let names = hasTwoNames ? "i, t" : "t"
        let example = "`\(list ?? "tags").\(name)(\(names), t == \"beta\")`"
        let needed =
            isMember
            ? "write a name for the items, and an expression that uses the name"
            : "write a list or map before `.\(name)`"
        diagnostic.help = [
            name == "has"
                ? "use a name as the argument, such as `has(user.plan)`"
                : "\(needed), such as \(example)"
        ]
    }

    /// Offers how a function of another language is written here; answers whether it is known.
    private func offerOurs(
        _ name: String, isMember: Bool, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        let operands = Array(tree.children(of: node))
        let folded = name.lowercased().filter { $0 != "_" }
        if ForeignCalls.containment.contains(folded), operands.count == 2 {
            return offerContainment(node, to: &diagnostic)
        }
        if let fields = ForeignCalls.fields[folded], let date = operands.first,
            let text = nameOfMoment(date), text == "now" || subject.checked.type(date) == .timestamp
        {
            let dates = folded == "date" ? helpsOnDate(of: text, in: node) : nil
            diagnostic.help = dates ?? helps(on: fields, of: text, in: node)
            return true
        }
        if operands.count == 1, offerTime(folded, operand: operands[0], at: node, to: &diagnostic) {
            return true
        }
        if offerEmptiness(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerEvents(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerSince(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerFact(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if helpOnRandom(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerVersionRange(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerVersion(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerSum(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerIntersection(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerLengthOfTime(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerConnective(folded, operands: operands, at: node, to: &diagnostic) { return true }
        if offerAny(folded, operands: operands, at: node, to: &diagnostic) { return true }
        guard let ours = ForeignCalls.ours(folded, operands: operands.count),
            !ours.isOfRules || environment.knowsDays
        else { return false }
        return offer(ours, insteadOf: name, operands: operands, at: node, to: &diagnostic)
    }

    /// Offers the equivalent call; returns whether there is one.
    private func offer(
        _ ours: ForeignCalls.Ours, insteadOf name: String, operands: [NodeID], at node: NodeID,
        to diagnostic: inout Diagnostic
    ) -> Bool {
        if ours.needsName, tree.dottedName(operands[0]) == nil { return false }
        if ours.template == "now" {
            offerNow(name, insteadOf: node, to: &diagnostic)
            return true
        }
        if ours.template == "size($0)", let parent = tree.parent(of: node),
            tree.operation(parent) == .not
        {
            offerEmptiness(of: operands[0], in: parent, to: &diagnostic)
            return true
        }
        let conversions = ["int($0)": "int", "double($0)": "double"]
        if let function = conversions[ours.template], let parent = tree.parent(of: node),
            offerConversion(
                function, of: operands[0], in: parent, converted: node, to: &diagnostic)
        {
            return true
        }
        var text = ours.template
        for (index, operand) in operands.enumerated() {
            text = text.replacing("$\(index)", with: tree.operand(operand))
        }
        let written = tree.fitted(text, isOperation: ours.isOperation, in: node)
        diagnostic.offer(ours.help, rewriting: tree.rewriting([(node, written)]), isSafe: false)
        return true
    }

    /// `tags.some(t, …)`: a macro by another name, whose variable nothing declares.
    mutating func reportForeignMacro(_ node: NodeID, name: String) -> Bool {
        guard tree.childCount(node) == 3,
            let ours = ForeignCalls.macros[name.lowercased()],
            let place = tree.placeOfName(node),
            tree.kind(of: tree.child(node, at: 1)) == .identifier
        else { return false }
        check(tree.child(node, at: 0))
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(name)`", at: tree.focus(node),
            label: "no such function")
        diagnostic.offer(
            "use `\(ours)` instead of `\(name)` to check the items of a list",
            rewriting: tree.rewriting([(place, ours)], in: tree.nodes[node].origin))
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(name)`"
        return true
    }

    /// Offers the check for a list item in place of a check of its index.
    func offerIndexOf(_ node: NodeID, to diagnostic: inout Diagnostic) {
        guard let parent = tree.parent(of: node), tree.child(parent, at: 0) == node,
            let operation = tree.operation(parent), tree.childCount(parent) == 2,
            case .int(let number)? = tree.literal(tree.child(parent, at: 1))
        else { return }
        let isInside: Bool
        switch (operation, number) {
        case (.greaterOrEqual, 0), (.greater, -1), (.notEqual, -1): isInside = true
        case (.less, 0), (.lessOrEqual, -1), (.equal, -1): isInside = false
        default: return
        }
        let asked =
            "\(tree.operand(tree.child(node, at: 1))) in \(tree.operand(tree.child(node, at: 0)))"
        let text = isInside ? asked : "!(\(asked))"
        diagnostic.offer(
            "use `in` to check whether a list contains a value",
            rewriting: tree.rewriting([
                (parent, tree.fitted(text, isOperation: isInside, in: parent))
            ]))
    }

    /// Offers `x in list` for `list.includes(x)`, and `text.contains(x)` for strings.
    func offerContainment(_ node: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        let (container, value) = (tree.child(node, at: 0), tree.child(node, at: 1))
        switch subject.checked.typeTable[subject.checked.type(container)] {
        case .list, .map:
            let text = "\(tree.operand(value)) in \(tree.operand(container))"
            let written = tree.fitted(text, isOperation: true, in: node)
            diagnostic.offer(
                "use `in` to check whether a list contains a value",
                rewriting: tree.rewriting([(node, written)]), isSafe: true)
            return true
        case .optional, .type, .wrapper, .opaque, .parameter, .variable, .primitive:
            guard subject.checked.type(container) == .string else { return false }
            let text = "\(tree.operand(container)).contains(\(tree.written(value)))"
            diagnostic.offer(
                "use `contains` to check whether a string contains another",
                rewriting: tree.rewriting([(node, text)]), isSafe: true)
            return true
        }
    }

    /// `days(30)` is a duration, `date("2026-01-01")` a moment.
    private func offerTime(
        _ name: String, operand: NodeID, at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        if let unit = ForeignCalls.lengths[name], case .int(let number)? = tree.literal(operand),
            let length = DurationText.advice(
                on: "\(number)\(unit)", knowsDays: environment.knowsDays)
        {
            diagnostic.offer(
                "use `duration(\"\(length)\")` for a duration",
                rewriting: tree.rewriting([(node, "duration(\"\(length)\")")]), isSafe: true)
            return true
        }
        guard ForeignCalls.dates.contains(name), case .string(let text)? = tree.literal(operand),
            let moment = timestamp(written: text)
        else { return false }
        diagnostic.offer(
            "use `timestamp` for a point in time", rewriting: tree.rewriting([(node, moment)]),
            isSafe: false)
        return true
    }

    /// Returns `timestamp("…")` for a date in a common notation; nil for other strings.
    func timestamp(written text: String) -> String? {
        guard let date = DateShape(text, separators: "T "), date.length == text.utf8.count,
            !date.hasFraction
        else { return nil }
        let written = timestampText(text.replacing(" ", with: "T"))
        let moment = written.dropFirst("timestamp(\"".count).dropLast(2)
        return Timestamp(parsing: String(moment)) == nil ? nil : written
    }
}

extension SyntaxTree {
    /// Returns the place of a called function's name in its string.
    func placeOfName(_ node: NodeID) -> Range<Int>? { nodes[node].placeOfName }

    /// Returns a string that replaces a node, in parentheses if the surrounding expression binds
    /// tighter.
    func fitted(_ text: String, isOperation: Bool, in node: NodeID) -> String {
        guard isOperation, let parent = parent(of: node) else { return text }
        switch nodes[parent].kind {
        case .list, .call, .map: return text
        case .operation:
            let isLogical = operation(parent) == .and || operation(parent) == .or
            let isLoose = text.contains(" ? ") || text.contains("||") || text.contains("&&")
            return isLogical && !isLoose ? text : "(\(text))"
        case .literal, .identifier, .select, .presence, .memberCall, .message, .optionalEntry,
            .macro:
            return "(\(text))"
        }
    }
}

/// The function that adds up what events were sent with.
let eventSum = "event_sum"

// Advice on sums of the payloads of events.
extension Checker {
    /// `sum("order.paid", "total", duration("30d"))`.
    func offerSum(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard sumNames.contains(name), environment.slotFunctions[eventSum] != nil,
            let first = operands.first, case .string? = tree.literal(first)
        else { return false }
        guard operands.count == 3 else {
            adviseOnSum(node, to: &diagnostic)
            return true
        }
        let arguments = operands.map { tree.written($0) }.joined(separator: ", ")
        diagnostic.offer(
            "use `\(eventSum)` to add up a field of events",
            rewriting: tree.rewriting([(node, "\(eventSum)(\(arguments))")]), isSafe: false)
        return true
    }

    /// Offers the whole call that is meant by one with names in another form; answers whether it is
    /// known.
    func offerNamesApart(of node: NodeID, to diagnostic: inout Diagnostic) -> Bool {
        guard let text = meantCall(node) else { return false }
        let operands = Array(tree.children(of: node))
        let areNames = operands.allSatisfy { operand in
            if case .string? = tree.literal(operand) { !isLength(operand) } else { false }
        }
        let lacksLength =
            text.hasPrefix(eventSum) && !tree.written(node).contains("duration")
        let names = "write each name in quotes as a separate argument"
        let help =
            lacksLength && areNames && operands.count == 2
            ? "add a duration, which sets how far to look back"
            : names + (lacksLength ? ", and add how far to look back" : "")
        diagnostic.offer(
            help, rewriting: tree.rewriting([(node, text)]), isSafe: false)
        return true
    }

    /// `event_sum("order.paid", "total", duration("30d"))` of `event_sum(order.paid.total, "30d")`;
    /// `acted("offer", "close")` of `acted(offer.close)`.
    private func meantCall(_ node: NodeID) -> String? {
        let function = tree.name(node)
        let operands = Array(tree.children(of: node))
        guard let first = operands.first, let firstName = nameForCall(first) else { return nil }
        var parts = [firstName]
        if operands.count > 1, !isLength(operands[1]), let second = nameForCall(operands[1]) {
            parts.append(second)
        }
        let rest = Array(operands.dropFirst(parts.count))
        if parts.count == 1 {
            guard let point = parts[0].lastIndex(of: ".") else { return nil }
            parts = [
                String(parts[0][..<point]), String(parts[0][parts[0].index(after: point)...]),
            ]
        }
        let quoted = parts.map { "\"\($0)\"" }.joined(separator: ", ")
        guard function == eventSum else { return rest.isEmpty ? "\(function)(\(quoted))" : nil }
        guard rest.count <= 1,
            environment.canCall("event_count", with: parts[0], at: tree.range(node))
        else { return nil }
        let time = rest.first.map { length($0) } ?? "duration(\"30d\")"
        return "\(eventSum)(\(quoted), \(time))"
    }

    /// The text that names something, with quotes or without.
    private func nameForCall(_ node: NodeID) -> String? {
        if case .string(let text)? = tree.literal(node) { return text }
        return tree.dottedName(node)
    }

    private func isLength(_ node: NodeID) -> Bool {
        guard case .string(let text)? = tree.literal(node) else { return false }
        return DurationText.advice(on: text, knowsDays: environment.knowsDays) != nil
    }

    /// Returns a duration as a call writes it.
    private func length(_ node: NodeID) -> String {
        if case .string(let text)? = tree.literal(node),
            let length = DurationText.advice(on: text, knowsDays: environment.knowsDays)
        {
            return "duration(\"\(length)\")"
        }
        return tree.written(node)
    }

    /// Reports missing or superfluous arguments of a call.
    func adviseOnSum(_ node: NodeID, to diagnostic: inout Diagnostic) {
        let names = tree.children(of: node).prefix(2).compactMap { child in
            if case .string? = tree.literal(child) { tree.written(child) } else { nil }
        }
        let event = names.first ?? "\"order.paid\""
        let field = names.count == 2 ? names[1] : "\"total\""
        diagnostic.help = [
            "to add up a field, use `\(eventSum)` with the event, the field and how far to look"
                + " back, such as `\(eventSum)(\(event), \(field), duration(\"30d\"))`"
        ]
    }
}

/// Names of sums in other languages.
private let sumNames: Set<String> = [
    "sum", "sumof", "total", "totalof", "eventtotal", "sumevent", "sumevents", "eventssum",
    "sumif", "addup",
]
