internal import Dispatch
internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import Synchronization

extension Compiler {
    /// Fewer popups are compiled faster than threads start.
    private static let chunk = 256
    private static let chunksAtATime = 8

    /// Compiles all popups; when they are many, on all cores.
    ///
    /// The first popups are compiled alone and give most slots their numbers. The conditions of the others are compiled
    /// ahead, each text once, and then the popups. What has findings or needs a slot of its own is thrown away and
    /// compiled again in its turn, so that slots and findings are the same as those of one core.
    mutating func popups(_ named: NamedConditions, keepsModel: Bool) -> [PopupRule] {
        let all = 0..<model.popups.entries.count
        guard all.count >= 2 * Self.chunk else { return popups(all, named) }
        var rules: [PopupRule] = []
        rules.reserveCapacity(all.count)
        rules += popups(0..<Self.chunk, named)
        if !keepsModel { forgetContents(of: 0..<Self.chunk) }
        compileAhead(from: Self.chunk)
        // A few chunks at a time, so that no more than those are held twice.
        for first in stride(from: Self.chunk, to: all.count, by: Self.chunk * Self.chunksAtATime) {
            for (chunk, ahead) in popupsAhead(from: first, named) {
                rules += ahead ?? popups(chunk, named)
                if !keepsModel { forgetContents(of: chunk) }
            }
        }
        return rules
    }

    private mutating func popups(
        _ positions: Range<Int>, _ named: NamedConditions
    ) -> [PopupRule] {
        var rules: [PopupRule] = []
        rules.reserveCapacity(positions.count)
        for index in positions { rules.append(popup(model.popups.entries[index], named)) }
        return rules
    }

    /// The next popups from `first` on in chunks; nil where compiling them reports something or changes what is known.
    private func popupsAhead(
        from first: Int, _ named: NamedConditions
    ) -> [(chunk: Range<Int>, rules: [PopupRule]?)] {
        let count = min(model.popups.entries.count, first + Self.chunk * Self.chunksAtATime)
        let chunks = stride(from: first, to: count, by: Self.chunk)
            .map { $0..<min($0 + Self.chunk, count) }
        let compiler = self
        let found = Mutex([Int: [PopupRule]]())
        DispatchQueue.concurrentPerform(iterations: chunks.count) { position in
            var own = compiler.withoutFindings()
            let rules = own.popups(chunks[position], named)
            guard own.decoder.diagnostics.isEmpty, own.knowsNoMore(than: compiler) else { return }
            found.withLock { $0[position] = rules }
        }
        let rules = found.withLock { $0 }
        return chunks.indices.map { (chunks[$0], rules[$0]) }
    }

    private mutating func compileAhead(from first: Int) {
        let expressions = unknownExpressions(from: first)
        let chunks = stride(from: 0, to: expressions.count, by: Self.chunk)
            .map { expressions[$0..<min($0 + Self.chunk, expressions.count)] }
        let (environment, known) = (environment, slots)
        let found = Mutex([ObjectIdentifier: Program]())
        DispatchQueue.concurrentPerform(iterations: chunks.count) { position in
            var slots = known
            var programs: [(ObjectIdentifier, Program)] = []
            for expression in chunks[position] {
                let compiled = environment.compile(expression, expecting: .bool, slots: &slots)
                guard compiled.diagnostics.isEmpty, let program = compiled.value,
                    program.slots.allSatisfy({ $0 < known.count })
                else { continue }
                programs.append((expression.origin, program))
            }
            found.withLock { $0.merge(programs) { first, _ in first } }
        }
        learn(found.withLock { $0 })
    }

    /// One expression for each text that has no program yet.
    private func unknownExpressions(from first: Int) -> [Expression] {
        var seen: Set<ObjectIdentifier> = []
        var expressions: [Expression] = []
        func note(_ condition: Located<ConditionModel>?) {
            guard case .expression(let expression)? = condition?.value.form,
                !knows(expression), seen.insert(expression.origin).inserted
            else { return }
            expressions.append(expression)
        }
        for index in first..<model.popups.entries.count {
            let popup = model.popups.entries[index]
            note(popup.when)
            note(popup.dismissWhen)
        }
        return expressions
    }
}
