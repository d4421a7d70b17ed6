import PopCEL
import PopTestSupport

/// Few keys with few values, so that everybody can be tried.
enum FewValues {
    static let domains: [(variable: Variable, values: [Value?])] = [
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

    static func test(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0...4, using: &random)
        let names = ["count", "other"]
        let name = names[Int.random(in: 0...1, using: &random)]
        return [
            "flag", "!flag", "plan == \"pro\"", "plan in [\"free\", \"team\"]", "plan != \"team\"",
            "\(name) > \(number)", "\(name) == \(number)", "\(name) < \(number)", "count < other",
            "count + other == \(number)", "has(beta)", "beta", "!beta", "has(beta) && beta",
        ].randomElement(using: &random) ?? "flag"
    }

    static func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
        if depth == 0 { return test(&random) }
        let (one, other) = (condition(depth - 1, &random), condition(depth - 1, &random))
        return [
            "(\(one) && \(other))", "(\(one) || \(other))", "!(\(one))",
            "(\(one) ? \(other) : \(test(&random)))",
        ].randomElement(using: &random) ?? one
    }

    /// Everybody there is.
    static let everybody = people([:], domains[...])

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
