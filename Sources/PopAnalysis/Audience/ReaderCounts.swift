internal import PopCEL
internal import PopLogic
internal import PopScheduler

/// The number of times that conditions of popups read a key or an event, directly or through named
/// conditions.
struct ReaderCounts {
    /// The count for each entry that conditions read, at most `most`.
    private(set) var counts: [SlotTable.Entry: Int] = [:]

    /// A maximum that is large enough to compare. A chain of conditions that use each other twice
    /// doubles the count at each step.
    private static let most = 1 << 40

    /// Counts the reads. Examines each condition once, even if popups share it.
    init(of rules: RuleSet) {
        var programs: [ObjectIdentifier: (program: Program, popups: Int)] = [:]
        for program in rules.popups.lazy.flatMap({ $0.demand(in: rules).conditions }) {
            programs[program.identity, default: (program, 0)].popups += 1
        }
        for (program, popups) in programs.values {
            for (_, entry) in program.slotEntries { add(popups, to: entry) }
        }
        addNamed(in: rules)
    }

    /// Adds the entries that named conditions read. Each follows all conditions that use its name.
    private mutating func addNamed(in rules: RuleSet) {
        var entries: [SlotTable.Entry: [SlotTable.Entry]] = [:]
        for condition in rules.conditions {
            entries[.variable(identity: condition.name)] =
                condition.condition.program.slotEntries.map(\.entry)
        }
        var uses: [SlotTable.Entry: Int] = [:]
        for entry in entries.values.joined() where entries[entry] != nil {
            uses[entry, default: 0] += 1
        }
        var ready = entries.keys.filter { uses[$0] == nil }
        while let name = ready.popLast() {
            for entry in entries[name] ?? [] {
                add(counts[name] ?? 0, to: entry)
                guard let left = uses[entry] else { continue }
                uses[entry] = left - 1
                if left == 1 { ready.append(entry) }
            }
        }
    }

    private mutating func add(_ count: Int, to entry: SlotTable.Entry) {
        counts[entry] = min((counts[entry] ?? 0) + count, Self.most)
    }
}
