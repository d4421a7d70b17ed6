import PopCEL
import PopLogic
import Testing

@Suite struct ClashTests {
    private func names() throws -> Names {
        try Names(
            Variable("plan", type: .string, allowedValues: ["free", "pro", "team"]),
            Variable("launches", type: .int, minimum: .int(0)),
            Variable("screen", type: .string), Variable("online", type: .bool),
            Variable("total", type: .double, mayBeMissing: true),
            naming: [("paying", "plan != \"free\" && online")])
    }

    @Test func `only the parts that conflict are reported, across named conditions`() throws {
        let names = try names()
        let condition = try names.condition(
            "launches > 3 && paying && screen == \"map\" && plan == \"free\"")
        var logic = names.logic(condition)
        let found = logic.clash(of: [condition])
        let clash = try #require(found)
        #expect(clash.parts.map(\.text) == ["plan != \"free\"", "plan == \"free\""])
        #expect(clash.parts.map(\.names) == [["paying"], []])
        #expect(clash.isSmallest)
    }

    @Test func `three parts may conflict although no two of them do`() throws {
        let names = try names()
        let condition = try names.condition(
            "(online || plan == \"pro\") && !online && launches > 1 && plan != \"pro\"")
        var logic = names.logic(condition)
        let found = logic.clash(of: [condition])
        let clash = try #require(found)
        #expect(
            clash.parts.map(\.text) == ["online || plan == \"pro\"", "!online", "plan != \"pro\""])
    }

    @Test func `parts that can be true together do not conflict`() throws {
        let names = try names()
        let condition = try names.condition("paying && launches > 3")
        var logic = names.logic(condition)
        #expect(logic.clash(of: [condition]) == nil)
    }

    @Test func `a part that must not be true may be true whenever the others are`() throws {
        let names = try names()
        let condition = try names.condition("launches > 3 && screen == \"map\"")
        let other = try names.condition("!online || launches > 2")
        var logic = names.logic(condition, other)
        let found = logic.clash(of: [condition], unless: [other])
        let clash = try #require(found)
        #expect(clash.parts.map(\.text) == ["launches > 3", "launches > 2"])
        #expect(clash.parts.map(\.place) == [0, 1])
        #expect(clash.parts.map(\.isForbidden) == [false, true])
        let alone = logic.clash(of: [], unless: [other])
        #expect(alone == nil)
    }

    @Test func `a failing part does not keep a forbidden part from being true`() throws {
        let names = try names()
        let condition = try names.condition("online")
        let other = try names.condition("total > 2.0 || total <= 2.0")
        var logic = names.logic(condition, other)
        let found = logic.clash(of: [condition], unless: [other])
        #expect(found == nil)
    }

    @Test func `forbidden parts are reported one by one`() throws {
        let names = try names()
        let condition = try names.condition("plan == \"pro\" && !(online || paying)")
        var logic = names.logic(condition)
        let found = logic.clash(of: [condition])
        #expect(found == nil)
        let second = try names.condition("plan == \"pro\" && !(launches < 2 || !paying || !online)")
        let third = try names.condition("!(launches >= 2 || screen == \"map\")")
        var other = names.logic(second, third)
        let otherFound = other.clash(of: [second, third])
        let clash = try #require(otherFound)
        #expect(clash.parts.map(\.text) == ["launches < 2", "launches >= 2"])
        #expect(clash.parts.map(\.isNegated) == [true, true])
    }

    @Test(
        arguments: [
            ("launches > 3 && launches > 2", "launches > 3", .says),
            ("launches > 3 || launches > 5", "launches > 3", .says),
            ("launches > 3 && (online || launches < 2)", "launches > 3", .clash),
            ("launches < 3 || online && launches > 1", "launches < 3", .leaves),
            ("!has(total) || online && has(total) && total > 3.0", "!has(total)", .leaves),
        ] as [(String, String, Logic.IdlePart.Reason.Kind)])
    func `the reason why a part changes nothing is the part that decides (A96)`(
        text: String, reason: String, kind: Logic.IdlePart.Reason.Kind
    ) throws {
        let names = try names()
        let condition = try names.condition(text)
        var logic = names.logic(condition)
        let parts = logic.idleParts(of: condition)
        let found = try #require(parts.first?.reason)
        #expect(found.text == reason)
        #expect(found.kind == kind)
    }

    @Test func `conditions for the same users have the same audience`() throws {
        let names = try names()
        let texts = ["plan == \"pro\" || plan == \"team\"", "plan != \"free\"", "plan == \"pro\""]
        let conditions = try texts.map { try names.condition($0) }
        var logic = names.logic(conditions[0], conditions[1], conditions[2])
        let numbers = conditions.map { logic.audience(of: [$0]) }
        #expect(numbers[0] != nil && numbers[0] == numbers[1] && numbers[0] != numbers[2])
    }

    @Test(arguments: [
        ("plan == \"pro\" && plan != \"free\"", ["plan != \"free\""]),
        ("launches > 3 && launches > 2", ["launches > 2"]),
        ("online && screen == \"a\" && online", ["online"]),
        ("online || online && launches > 3", ["online && launches > 3"]),
        ("has(total) && total > 3.0", []),
        ("plan == \"pro\" && launches > 3", []),
    ])
    func `parts that change nothing are reported, but guards are not`(
        text: String, idle: [String]
    ) throws {
        let names = try names()
        let condition = try names.condition(text)
        var logic = names.logic(condition)
        #expect(logic.idleParts(of: condition).map(\.text) == idle)
    }

    @Test func `the smallest change that makes a condition true is reported`() throws {
        let names = try names()
        let condition = try names.condition(
            "(plan == \"pro\" && screen == \"map\" && online) || (launches > 7 && online)")
        var logic = names.logic(condition)
        let now: [SlotTable.Entry: Value] = [
            .variable(identity: "plan"): "free", .variable(identity: "screen"): "home",
            .variable(identity: "launches"): .int(2), .variable(identity: "online"): true,
        ]
        let entries = ["plan", "screen", "launches", "online"].map {
            SlotTable.Entry.variable(identity: $0)
        }
        let demand = Requirement([condition])
        let changes = logic.changes(of: now, toMeet: demand, among: entries) { _ in true }
        #expect(changes.found.map { $0.changed.map(\.entry) } == [[entries[2]]])
        #expect(changes.found.first?.changed.first?.value == .int(8))
        #expect(changes.isSmallest)
        let others = entries.filter { $0 != .variable(identity: "launches") }
        let two = logic.changes(of: now, toMeet: demand, among: others) { _ in true }
        #expect(two.found.map { $0.changed.count } == [2])
        #expect(two.found.allSatisfy { $0.after.truth(of: condition) == .yes })
        #expect(two.isSmallest)
        #expect(logic.changes(of: now, toMeet: demand, among: []) { _ in true }.found.isEmpty)
    }
}
