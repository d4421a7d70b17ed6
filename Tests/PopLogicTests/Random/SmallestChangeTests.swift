import PopCEL
import PopLogic
import PopTestSupport
import Testing

/// The smallest set of changes, checked against all sets of changes.
struct SmallestChangeTests {
    @Test func `a change reported as smallest changes as few values as possible`() throws {
        var random = SeededGenerator(seed: 7)
        let names = try Names(all: FewValues.domains.map(\.variable))
        let entries = FewValues.domains.map { SlotTable.Entry.variable(identity: $0.variable.name) }
        let people = FewValues.everybody
        var claims = 0
        for _ in 0..<300 {
            let text = FewValues.condition(2, &random)
            let program = try names.condition(text)
            let person = people[Int.random(in: 0..<people.count, using: &random)]
            let enough = people.filter { program.isTrue(program.slotValues($0)) == .yes }
                .map { other in
                    FewValues.domains.count { person[$0.variable.name] != other[$0.variable.name] }
                }
                .min()
            var logic = names.logic(program)
            let values = Dictionary(
                uniqueKeysWithValues: person.map {
                    (SlotTable.Entry.variable(identity: $0.key), $0.value)
                })
            let changes = logic.changes(
                of: values, toMeet: Requirement([program]), among: entries
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
}
