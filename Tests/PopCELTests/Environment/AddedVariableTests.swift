import PopCEL
import PopSource
import Testing

/// The fields of an event are added to the names that all conditions share.
@Suite("An environment with added variables")
struct AddedVariableTests {
    private let outer: Environment
    private let inner: Environment

    init() {
        var outer = Environment()
        outer.declare(Variable("kept", type: .int))
        outer.declare(Variable("hidden", type: .int))
        self.outer = outer
        inner = outer.adding([
            Variable("hidden", identity: "inner.hidden", type: .string),
            Variable("event.total", type: .double),
        ])
    }

    private static func slots(_ text: String, in environment: Environment) -> [SlotTable.Entry]? {
        var slots = SlotTable()
        let program = Expression.parse(text).then {
            environment.compile($0, expecting: .bool, slots: &slots)
        }
        return program.value?.slotEntries.map(\.entry)
    }

    @Test("has its own variables and those of the original environment")
    func hasBoth() {
        let condition = "kept > 1 && event.total > 2.0"
        #expect(
            Self.slots(condition, in: inner) == [
                .variable(identity: "kept"), .variable(identity: "event.total"),
            ])
        #expect(Self.slots(condition, in: outer) == nil)
    }

    @Test("hides a variable of the same name, but not in the original environment")
    func hides() {
        #expect(Self.slots("hidden == 'a'", in: inner) == [.variable(identity: "inner.hidden")])
        #expect(Self.slots("hidden == 1", in: inner) == nil)
        #expect(Self.slots("hidden == 1", in: outer) == [.variable(identity: "hidden")])
        #expect(inner.variableNames.sorted() == ["event.total", "hidden", "kept"])
        #expect(inner.variable(named: "hidden")?.type == .string)
        #expect(outer.variableNames.sorted() == ["hidden", "kept"])
    }

    @Test("can be extended again, and its declarations leave the original environment unchanged")
    func nests() {
        var third = inner.adding([Variable("more", type: .int)])
        third.declare(Variable("last", type: .int))
        third.declare(Variable("kept", type: .bool))
        #expect(
            Self.slots("kept && last == more && event.total > 1.0", in: third)?.count == 4)
        #expect(Self.slots("kept > 1", in: inner) == [.variable(identity: "kept")])
        #expect(third.variableNames.count { $0 == "kept" } == 1)
    }
}
