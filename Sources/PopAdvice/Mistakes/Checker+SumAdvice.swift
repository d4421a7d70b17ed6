internal import PopCEL
internal import PopSource

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
        diagnostic.offer(
            "call it with separate names in quotes"
                + (text.hasPrefix(eventSum) && !tree.written(node).contains("duration")
                    ? ", and with the duration to look back" : ""),
            rewriting: tree.rewriting([(node, text)]), isSafe: false)
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
            "call it with an event, a field of its payload and the duration to look back,"
                + " such as `\(eventSum)(\(event), \(field), duration(\"30d\"))`"
        ]
    }
}

/// Names of sums in other languages.
private let sumNames: Set<String> = [
    "sum", "sumof", "total", "totalof", "eventtotal", "sumevent", "sumevents", "eventssum",
    "sumif", "addup",
]
