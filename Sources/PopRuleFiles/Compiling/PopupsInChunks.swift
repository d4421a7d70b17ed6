internal import Dispatch
internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import Synchronization

extension Compiler {
    /// Fewer popups are compiled faster than threads start.
    private static let chunk = 512

    /// Compiles all popups, many of them on all cores.
    ///
    /// The first chunk is compiled alone and gives most slots their numbers. The others are compiled at once, each with a
    /// copy of what is known then; one that needs slots of its own is compiled again in its turn. So slots and findings
    /// are the same as those of one core.
    mutating func popups(_ named: NamedConditions) -> [PopupRule] {
        let all = model.popups.entries.indices
        var rules: [PopupRule] = []
        rules.reserveCapacity(all.count)
        rules += popups(all.prefix(Self.chunk), named)
        let chunks = stride(from: Self.chunk, to: all.count, by: Self.chunk)
            .map { $0..<min($0 + Self.chunk, all.count) }
        if chunks.isEmpty { return rules }
        let known = slots.count
        for (chunk, trial) in zip(chunks, trials(of: chunks, named)) {
            if let trial, trial.compiler.slots.count == known {
                rules += trial.rules
                adopt(trial.compiler)
            } else {
                rules += popups(chunk, named)
            }
        }
        return rules
    }

    private mutating func popups(_ chunk: Range<Int>, _ named: NamedConditions) -> [PopupRule] {
        chunk.map { popup(model.popups.entries[$0], named) }
    }

    /// Each chunk as it is when none of the others needs a slot.
    private func trials(
        of chunks: [Range<Int>], _ named: NamedConditions
    ) -> [(rules: [PopupRule], compiler: Compiler)?] {
        let fresh = withoutFindings()
        let found = Mutex([Int: (rules: [PopupRule], compiler: Compiler)]())
        DispatchQueue.concurrentPerform(iterations: chunks.count) { position in
            var compiler = fresh
            let rules = compiler.popups(chunks[position], named)
            found.withLock { $0[position] = (rules, compiler) }
        }
        return found.withLock { found in chunks.indices.map { found[$0] } }
    }
}
