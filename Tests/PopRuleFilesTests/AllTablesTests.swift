import Testing

@testable import PopRuleFiles

struct AllTablesTests {
    @Test func `every key has a summary, and alternative names are unique within a shape`() {
        for table in allTables {
            for key in table.keys { #expect(!key.summary.isEmpty, "\(table.title) \(key.name)") }
            let maps = table.keys.filter { $0.schema.table != nil }
            let others = table.keys.filter { $0.schema.table == nil }
            for others in [
                maps.flatMap(\.alsoCalled), others.flatMap(\.alsoCalled),
                table.keys.flatMap(\.holds),
            ] {
                #expect(Set(others).count == others.count, "\(table.title)")
                #expect(Set(others).isDisjoint(with: table.keys.map(\.name)), "\(table.title)")
            }
        }
    }
}
