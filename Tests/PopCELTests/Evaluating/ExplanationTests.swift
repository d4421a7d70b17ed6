import PopCEL
import PopSource
import PopTestSupport
import Testing

@Suite struct ExplanationTests {
    /// Each part in a line: indented as it is nested, `-` when it was not needed.
    private func lines(_ text: String, _ variables: [String: Value]) throws -> [String] {
        let program = try Environment.sample.compile(text).get()
        let explanation = program.explain(program.slotValues(variables))
        return explanation.root.map { Self.lines($0, indent: "") } ?? []
    }

    private static func lines(_ part: Explanation.Part, indent: String) -> [String] {
        let result =
            switch part.result {
            case .success(let value)?: "\(value)"
            case .failure(let error)?: "error: \(error.message)"
            case nil: ""
            }
        return ["\(indent)\(part.wasNeeded ? "" : "- ")\(part.text) = \(result)"]
            + part.parts.flatMap { lines($0, indent: indent + "  ") }
    }

    @Test func `every part has its value, and a part that was not needed is marked`() throws {
        #expect(
            try lines(
                "user.plan == \"pro\" && user.launches + 1 > 3",
                ["user.plan": "free", "user.launches": 4]) == [
                    "user.plan == \"pro\" && user.launches + 1 > 3 = false",
                    "  user.plan == \"pro\" = false",
                    "    user.plan = \"free\"",
                    "  - user.launches + 1 > 3 = true",
                    "    - user.launches + 1 = 5",
                    "      - user.launches = 4",
                ])
    }

    @Test func `only the chosen branch of a conditional counts as needed`() throws {
        #expect(
            try lines(
                "net.online ? user.plan : user.version", ["net.online": true, "user.plan": "a"])
                == [
                    "net.online ? user.plan : user.version = \"a\"",
                    "  net.online = true",
                    "  user.plan = \"a\"",
                    "  - user.version = error: `user.version` has no value",
                ])
    }

    @Test func `the explanation of a macro shows the list or map that it iterates over`() throws {
        #expect(
            try lines("user.tags.exists(t, t == \"b\")", ["user.tags": ["a"]]) == [
                "user.tags.exists(t, t == \"b\") = false", "  user.tags = [\"a\"]",
            ])
    }
}
