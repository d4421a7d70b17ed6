import Testing

@testable import PopRuleFiles

struct AllTablesTests {
    @Test func `every key says what it is for, and no two share another name`() {
        for table in allTables {
            for key in table.keys { #expect(!key.summary.isEmpty, "\(table.title) \(key.name)") }
            for others in [table.keys.flatMap(\.alsoCalled), table.keys.flatMap(\.holds)] {
                #expect(Set(others).count == others.count, "\(table.title)")
                #expect(Set(others).isDisjoint(with: table.keys.map(\.name)), "\(table.title)")
            }
        }
    }
}
