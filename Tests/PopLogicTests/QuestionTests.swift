import PopCEL
import PopLogic
import Testing

@Suite struct QuestionTests {
    private static func names() throws -> Names {
        try Names(
            Variable("plan", type: .string, allowedValues: ["free", "pro", "team"]),
            Variable("name", type: .string, mayBeMissing: true),
            Variable("launches", type: .int, minimum: .int(0)),
            Variable("total", type: .double), Variable("online", type: .bool, mayBeMissing: true),
            Variable("tags", type: .list(.string)), Variable("now", type: .timestamp),
            Variable("seen", type: .timestamp, mayBeMissing: true),
            Variable("app", type: .version),
            Variable("limits", type: .map(.string, .int)),
            naming: [("paying", "plan in [\"pro\", \"team\"]"), ("fresh", "launches <= 3")])
    }

    @Test(arguments: [
        "plan == \"pro\" && plan == \"free\"",
        "paying && plan == \"free\"",
        "launches < 0",
        "launches > 2 && launches < 3",
        "total > 1.0 && total <= 1.0",
        "!(total <= 1.0) && !(total > 1.0) && total == total + 0.0 && total < 0.0",
        "has(online) && !has(online)",
        "online && !online",
        "name.startsWith(\"ab\") && name.startsWith(\"b\")",
        "name.startsWith(\"abc\") && size(name) < 3",
        "name.matches(\"^[0-9]+$\") && name.contains(\"x\")",
        "name < \"b\" && name.startsWith(\"c\")",
        "name.lowerAscii() == \"AB\"",
        "\"beta\" in tags && size(tags) == 0",
        "tags.all(t, t == \"a\") && tags.exists(t, t.startsWith(\"b\"))",
        "\"a\" in tags && \"b\" in tags && size(tags) < 2",
        "now - seen > duration(\"48h\") && seen > now",
        "seen > now && now > seen",
        "app >= version(\"2.0\") && app < version(\"1.10\")",
        "!has(limits.a) && limits.a > 0",
        "fresh && launches * 2 > 3 && !(launches * 2 > 3)",
    ])
    func `an impossible condition is never true`(text: String) throws {
        let names = try Self.names()
        let condition = try names.condition(text)
        var logic = names.logic(condition)
        #expect(logic.isNever(condition).word == "yes")
    }

    @Test(arguments: [
        "paying && launches >= 3 && fresh",
        "!(total <= 1.0) && !(total > 1.0)",
        "name.contains(\"needle\") && name.endsWith(\"x\") && size(name) == 9",
        "name > \"b\" && name < \"ba\" && name != \"b\"",
        "name.matches(\"^[^a-z]+$\") && size(name) > 2",
        "\"a\" in tags && tags.exists(t, t.startsWith(\"b\")) && size(tags) == 3",
        "now - seen > duration(\"48h\") && seen > timestamp(\"2026-06-01T00:00:00Z\")",
        "app > version(\"1.2\") && app < version(\"1.3\")",
        "limits.a > 3 && !has(limits.b)",
        "!has(name) && plan == \"team\"",
        "launches * 3 == 12",
    ])
    func `a possible condition has a witness`(text: String) throws {
        let names = try Self.names()
        let condition = try names.condition(text)
        var logic = names.logic(condition)
        let found = logic.witness(of: condition)
        let witness = try #require(found)
        #expect(witness.truth(of: condition) == .yes)
    }

    @Test func `a failing part is neither true nor false`() throws {
        let names = try Self.names()
        let online = try names.condition("online || !online")
        let present = try names.condition("has(online)")
        var logic = names.logic(online, present)
        #expect(logic.isAlways(online).word == "no")
        #expect(logic.equivalent(online, present).word == "yes")
        let absorbed = try names.condition("online || true")
        #expect(logic.isAlways(absorbed).word == "yes")
    }

    @Test func `a condition implies another condition, or a witness disproves it`() throws {
        let names = try Self.names()
        let (team, paying) = (
            try names.condition("plan == \"team\" && launches > 4"), try names.condition("paying")
        )
        var logic = names.logic(team, paying)
        #expect(logic.implies(team, paying).word == "yes")
        #expect(logic.implies(paying, team).word == "no")
        #expect(logic.disjoint(team, try names.condition("fresh")).word == "yes")
        #expect(logic.disjoint(team, paying).word == "no")
    }

    @Test func `a condition that takes too many steps is not called always true`() throws {
        let names = try Self.names()
        let condition = try names.condition(
            "tags.exists(a, tags.exists(b, tags.exists(c, a + b == c)))"
                + " || !tags.exists(a, tags.exists(b, tags.exists(c, a + b == c)))")
        var logic = names.logic(condition)
        #expect(logic.isAlways(condition).word == "not known")
    }

    @Test func `named conditions are shared and not expanded`() throws {
        var conditions = [("c0", "launches > 0 && plan == \"pro\"")]
        for number in 1..<30 {
            let last = "c\(number - 1)"
            conditions.append(("c\(number)", "(\(last) && fine) || (\(last) && !fine)"))
        }
        let names = try Names(
            Variable("launches", type: .int),
            Variable("plan", type: .string), Variable("fine", type: .bool),
            naming: conditions)
        let condition = try names.condition("c29")
        var logic = names.logic(condition)
        let simple = try names.condition("launches > 0 && plan == \"pro\"")
        #expect(logic.equivalent(condition, simple).word == "yes")
    }

    @Test func `a query knows diagrams that are created in its arguments`() throws {
        let names = try Self.names()
        let (first, second) = (try names.condition("launches > 3"), try names.condition("fresh"))
        let other = try names.condition("plan == \"pro\"")
        // Made from no conditions, so that all diagrams are made in the arguments.
        var logic = names.logic()
        let areApart = logic.areApart(
            logic.people(meeting: Requirement([first])),
            logic.people(meeting: Requirement([second])))
        #expect(areApart)
        let areOthersApart = logic.areApart(
            logic.people(meeting: Requirement([other])),
            logic.people(meeting: Requirement([first, other])))
        #expect(!areOthersApart)
    }
}
