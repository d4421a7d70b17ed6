internal import PopCEL
internal import PopSource

extension SyntaxTree {
    /// Returns the whole string with nodes replaced; nil if they are not in one string that was
    /// parsed.
    func rewriting(_ nodes: [(node: NodeID, replacement: String)]) -> Rewriting? {
        guard let first = nodes.first else { return nil }
        let origin = self.nodes[first.node].origin
        guard nodes.allSatisfy({ self.nodes[$0.node].origin == origin }) else { return nil }
        let changes = nodes.map { change in
            let node = self.nodes[change.node]
            return (range: Int(node.start)..<Int(node.end), replacement: change.replacement)
        }
        return rewriting(changes, in: origin)
    }

    /// The whole text that is an origin with parts replaced.
    func rewriting(
        _ changes: [(range: Range<Int>, replacement: String)], in origin: UInt32
    ) -> Rewriting? {
        guard case .text(let map, let bytes) = origins[origin] else { return nil }
        return map.rewriting(
            bytes, changes: changes.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }

    /// A node as its author wrote it; empty when it was built.
    func written(_ node: NodeID) -> String {
        let part = nodes[node]
        guard case .text(_, let bytes) = origins[part.origin] else { return "" }
        return String(decoding: bytes[Int(part.start)..<Int(part.end)], as: UTF8.self)
    }

    /// Returns the same in parentheses, if it would be split without them.
    func operand(_ node: NodeID) -> String {
        nodes[node].kind == .operation && operation(node) != .index
            ? "(\(written(node)))" : written(node)
    }

    /// Offers a replacement for the string of `duration("…")`, which cannot be read.
    func offerDuration(
        _ text: String, in call: NodeID, environment: Environment,
        to diagnostic: inout Diagnostic
    ) {
        let help = DurationText.help(on: text, knowsDays: environment.knowsDays)
        diagnostic.help = []
        let readings = DurationText.readings(of: text, knowsDays: environment.knowsDays)
        for (meaning, length) in readings where length != text {
            diagnostic.offer(
                meaning.isEmpty ? help : "if you mean \(meaning)",
                rewriting: rewriting([(call, "duration(\"\(length)\")")]),
                isSafe: readings.count == 1)
        }
        if diagnostic.help.isEmpty { diagnostic.help = [help] }
    }
}

extension Diagnostic {
    /// Offers a change if there is one.
    mutating func offer(
        _ help: String, rewriting: Rewriting?, isSafe: Bool = true, inShort: String? = nil
    ) {
        guard let rewriting else { return }
        offer(help, rewriting: rewriting, isSafe: isSafe, inShort: inShort)
    }
}
