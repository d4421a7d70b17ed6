package import PopCEL
internal import PopSource

extension RuleSet {
    /// The named conditions that a program reads, also through others.
    package func conditions(usedBy program: Program) -> [ConditionIndex] {
        var found: Set<ConditionIndex> = []
        var pending = program.slots
        while let slot = pending.popLast() {
            guard case .condition(let index) = slots[slot], found.insert(index).inserted else {
                continue
            }
            pending += conditions[index].condition.program.slots
        }
        return found.ordered()
    }

    /// The context keys that some programs read, also through named conditions.
    package func keys(readBy programs: [Program]) -> [KeyIndex] {
        let used = programs.flatMap { conditions(usedBy: $0) }
            .map { conditions[$0].condition.program }
        let keys = (programs + used).flatMap { $0.slots }.compactMap { slot -> KeyIndex? in
            if case .key(let key) = slots[slot] { key } else { nil }
        }
        return Set(keys).ordered()
    }
}
