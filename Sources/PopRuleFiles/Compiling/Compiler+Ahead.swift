internal import Dispatch
internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import Synchronization

extension Compiler {
    /// Fewer conditions are compiled faster than threads start.
    private static let chunk = 256

    /// Compiles all popups; when they are many, their conditions on all cores.
    ///
    /// The first popups are compiled alone and give most slots their numbers. The conditions of the others are compiled
    /// ahead, each text once. What then has findings or needs a slot of its own is thrown away and compiled again in its
    /// turn, so that slots and findings are the same as those of one core.
    mutating func popups(_ named: NamedConditions) -> [PopupRule] {
        let count = model.popups.entries.count
        var rules: [PopupRule] = []
        rules.reserveCapacity(count)
        for index in 0..<count {
            if index == Self.chunk, count >= 2 * Self.chunk { compileAhead(from: index) }
            rules.append(popup(model.popups.entries[index], named))
        }
        return rules
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
        for index in first..<model.popups.entries.count {
            guard case .expression(let expression)? = model.popups.entries[index].when?.value.form,
                !knows(expression), seen.insert(expression.origin).inserted
            else { continue }
            expressions.append(expression)
        }
        return expressions
    }
}
