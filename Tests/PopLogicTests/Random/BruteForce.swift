import PopCEL
import PopTestSupport

/// Evaluates conditions for many people, whose values lie around what conditions compare with.
struct BruteForce {
    let definitions: [String: Program]
    private static let missing: Set<String> = [
        "beta", "number", "total", "name", "scores", "limits", "app", "seen",
    ]

    static let candidates: [String: [Value]] = {
        let texts: [Value] = ["", "a", "ab", "b", "abb", "pro", "free", "team", "zba", "AB", "aXb"]
        let days = [0, 1, 2, 3, 5].map { day in
            Value.timestamp(Timestamp(seconds: 1_767_225_600 + 86_400 * Int64(day)))
        }
        let counts: [Value] = (0...5).map { .int($0) }
        return [
            "flag": [true, false], "beta": [true, false], "count": counts, "other": counts,
            "number": (-3...7).map { .int($0) }
                + [.int(.min), .int(.max), .int(9_007_199_254_740_992)],
            "amount": [.uint(0), .uint(1), .uint(2), .uint(3), .uint(9), .uint(.max)],
            "total": [0.0, .double(-0.0), 1.5, 2.0, 2.5, 9.0, -1.0].map { $0 }
                + [.double(.nan), .double(.infinity), .double(-.infinity)],
            "share": [0.0, 0.25, 0.5, 0.75, 1.0],
            "plan": ["free", "pro", "team"], "name": texts, "screen": texts,
            "tags": [
                [], ["a"], ["ab"], ["b"], ["a", "b"], ["pro", "a"], ["x", "y", "z"], ["a", "a"],
                ["", "free"], ["ab", "a", "a", "b"], ["team"], ["free"], ["pro"], [""],
            ],
            "scores": [
                [], [0], [1], [2], [3], [0, 1], [1, 1], [2, 3, 4], [-1], [0, 1, 2, 3], [9, 9],
            ],
            "limits": [
                [:], ["a": 0], ["a": 1], ["a": 2], ["b": 0], ["b": 2], ["a": 1, "b": 1],
                ["a": 3, "b": 0],
            ],
            "app": ["0.9", "1", "1.2", "1.5", "1.10", "1.11", "2.0.0-beta", "2.0.0", "2.0.0-alpha"]
                .compactMap { Version($0).map(Value.version) },
            "now": days, "seen": days,
            "wait": [0, 1, 3_600, 86_400, 172_800, 200_000, -5].map {
                .duration(.seconds($0))
            },
        ]
    }()

    func names(_ programs: [Program]) -> [String] {
        var found: [String] = []
        for program in programs {
            for (_, entry) in program.slotEntries {
                guard case .variable(let name) = entry else { continue }
                let names = definitions[name].map { self.names([$0]) } ?? [name]
                for name in names where !found.contains(name) { found.append(name) }
            }
        }
        return found
    }

    /// Calls `body` for people until it returns false: for all there are, or for so many drawn.
    func forEach(
        of programs: [Program], atMost limit: Int, random: inout SeededGenerator,
        _ body: ([String: Value]) -> Bool
    ) {
        let choices = names(programs).map { name in
            (name, Self.candidates[name].map { $0.map(Optional.some) } ?? [])
        }.map { name, values in (name, Self.missing.contains(name) ? values + [nil] : values) }
        let whole = choices.reduce(1.0) { $0 * Double($1.1.count) }
        if whole <= Double(limit) {
            for number in 0..<Int(whole) {
                var number = number
                var values: [String: Value] = [:]
                for (name, candidates) in choices {
                    values[name] = candidates[number % candidates.count]
                    number /= candidates.count
                }
                if !body(values) { return }
            }
            return
        }
        for _ in 0..<limit {
            var values: [String: Value] = [:]
            for (name, candidates) in choices {
                values[name] = candidates[Int.random(in: 0..<candidates.count, using: &random)]
            }
            if !body(values) { return }
        }
    }

    /// Prepares a condition, with the conditions that it names, for evaluation by the evaluator
    /// only.
    func prepared(_ program: Program) -> Prepared {
        var named: [(SlotIndex, Prepared)] = []
        var read: [(SlotIndex, String)] = []
        for (slot, entry) in program.slotEntries {
            guard case .variable(let name) = entry else { continue }
            if let definition = definitions[name] {
                named.append((slot, prepared(definition)))
            } else {
                read.append((slot, name))
            }
        }
        return Prepared(program: program, named: named, read: read)
    }

    /// A condition with the variables and named conditions that it reads.
    struct Prepared {
        let program: Program
        let named: [(SlotIndex, Prepared)]
        let read: [(SlotIndex, String)]

        func truth(_ values: [String: Value]) -> Truth {
            let last = (named.map { $0.0.number } + read.map { $0.0.number }).max() ?? -1
            var slots = SlotValues(count: last + 1)
            for (slot, name) in read {
                if let value = values[name] { slots[slot] = .value(value) }
            }
            for (slot, definition) in named {
                switch definition.truth(values) {
                case .yes: slots[slot] = .value(true)
                case .no: slots[slot] = .value(false)
                case .error(let error): slots[slot] = .error(error)
                }
            }
            return program.isTrue(slots)
        }
    }
}
