import PopSource
import Testing

@Suite struct `Checks` {
    @Test func `no two checks share an id or a name`() {
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
        #expect(Set(Check.all.map(\.name)).count == Check.all.count)
    }

    @Test func `a check is found by either of its names`() {
        #expect(Check.named("P0301") == .conditionUnknownKey)
        #expect(Check.named("condition/unknown-key") == .conditionUnknownKey)
        #expect(Check.named("P9999") == nil)
    }

    @Test func `the digits of the id show the group`() {
        let groups = [
            "yaml", "schema", "ref", "condition", "logic", "schedule", "time", "content", "hygiene",
            "test", "config",
        ]
        for check in Check.all {
            let number = Int(check.id.dropFirst().prefix(2))
            #expect(
                number == groups.firstIndex(of: String(check.group)), "\(check.id) \(check.name)")
        }
    }
}
