internal import PopCEL
internal import PopSource

/// The function that adds up what events were sent with.
let eventSum = "event_sum"

// What is said about sums of what events were sent with.
extension Checker {
    /// `sum("order.paid", "total", duration("30d"))`.
    func offerSum(
        _ name: String, operands: [NodeID], at node: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard sumNames.contains(name), environment.slotFunctions[eventSum] != nil,
            let first = operands.first, case .string? = tree.literal(first)
        else { return false }
        guard operands.count == 3 else {
            adviseOnSum(node, &diagnostic)
            return true
        }
        let arguments = operands.map { tree.written($0) }.joined(separator: ", ")
        diagnostic.offer(
            "what events were sent with is added up with `\(eventSum)`",
            rewriting: tree.rewriting([(node, "\(eventSum)(\(arguments))")]), isSafe: false)
        return true
    }

    /// Says what is missing in a call, or is too much.
    func adviseOnSum(_ node: NodeID, _ diagnostic: inout Diagnostic) {
        let names = tree.children(of: node).prefix(2).compactMap { child in
            if case .string? = tree.literal(child) { tree.written(child) } else { nil }
        }
        let event = names.first ?? "\"order.paid\""
        let field = names.count == 2 ? names[1] : "\"total\""
        diagnostic.help = [
            "a field of the payload is added up with an event, the field and how far to look back,"
                + " such as `\(eventSum)(\(event), \(field), duration(\"30d\"))`"
        ]
    }
}

/// What others call adding up.
private let sumNames: Set<String> = [
    "sum", "sumof", "total", "totalof", "eventtotal", "sumevent", "sumevents", "eventssum",
    "sumif", "addup",
]
