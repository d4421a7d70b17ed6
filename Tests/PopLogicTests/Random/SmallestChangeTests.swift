import PopCEL
import PopLogic
import PopTestSupport
import Testing

/// That fewer changes are not enough, held against all there are.
struct SmallestChangeTests {
    /// Few keys with few values, so that every change can be tried.
    private static let domains: [(variable: Variable, values: [Value?])] = [
        (Variable("flag", type: .bool), [true, false]),
        (
            Variable("plan", type: .string, allowedValues: ["free", "pro", "team"]),
            ["free", "pro", "team"]
        ),
        (
            Variable("count", type: .int, minimum: .int(0), maximum: .int(3)),
            (0...3).map { .int($0) }
        ),
        (
            Variable("other", type: .int, minimum: .int(0), maximum: .int(3)),
            (0...3).map { .int($0) }
        ),
        (Variable("beta", type: .bool, mayBeMissing: true), [nil, true, false]),
    ]

    private static func test(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0...4, using: &random)
        let names = ["count", "other"]
        let name = names[Int.random(in: 0...1, using: &random)]
        return [
            "flag", "!flag", "plan == \"pro\"", "plan in [\"free\", \"team\"]", "plan != \"team\"",
            "\(name) > \(number)", "\(name) == \(number)", "\(name) < \(number)", "count < other",
            "count + other == \(number)", "has(beta)", "beta", "!beta", "has(beta) && beta",
        ].randomElement(using: &random) ?? "flag"
    }

    private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
        if depth == 0 { return test(&random) }
        let (one, other) = (condition(depth - 1, &random), condition(depth - 1, &random))
        return [
            "(\(one) && \(other))", "(\(one) || \(other))", "!(\(one))",
            "(\(one) ? \(other) : \(test(&random)))",
        ].randomElement(using: &random) ?? one
    }

    @Test func `as few values change as any that are enough, where that is said`() throws {
        var random = SeededGenerator(seed: 7)
        let names = try Names(all: Self.domains.map(\.variable))
        let entries = Self.domains.map { SlotTable.Entry.variable(identity: $0.variable.name) }
        let people = Self.people([:], Self.domains[...])
        var claims = 0
        for _ in 0..<300 {
            let text = Self.condition(2, &random)
            let program = try names.condition(text)
            let person = people[Int.random(in: 0..<people.count, using: &random)]
            let enough = people.filter { program.isTrue(program.slotValues($0)) == .yes }
                .map { other in
                    Self.domains.count { person[$0.variable.name] != other[$0.variable.name] }
                }
                .min()
            var logic = names.logic(program)
            let values = Dictionary(
                uniqueKeysWithValues: person.map {
                    (SlotTable.Entry.variable(identity: $0.key), $0.value)
                })
            let changes = logic.changes(
                of: values, toMeet: Demand([program]), among: entries
            ) { _ in true }
            guard let found = changes.found.first else {
                let isFar = enough.map { $0 > LogicLimits.standard.changes } ?? true
                #expect(isFar || !changes.isSmallest, "nothing is found for \(text) of \(person)")
                continue
            }
            #expect(changes.found.allSatisfy { $0.after.truth(of: program) == .yes })
            if changes.isSmallest {
                claims += 1
                #expect(found.changed.count == enough, "\(text) of \(person)")
            } else if let enough {
                #expect(found.changed.count >= enough, "\(text) of \(person)")
            }
        }
        #expect(claims > 200, "something is said at all: \(claims)")
    }

    private static func people(
        _ person: [String: Value], _ rest: ArraySlice<(variable: Variable, values: [Value?])>
    ) -> [[String: Value]] {
        guard let first = rest.first else { return [person] }
        return first.values.flatMap { value in
            var person = person
            person[first.variable.name] = value
            return people(person, rest.dropFirst())
        }
    }
}
