import PopCEL
import PopSource
import Testing

@Suite struct SlotValuesTests {
    private func environment() -> Environment {
        var environment = Environment()
        environment.declare(Variable("first", type: .int))
        environment.declare(Variable("second", type: .int))
        return environment
    }

    @Test func `slots beyond the count are missing`() throws {
        let program = try environment().compile("first > 1 || second > 1").get()
        var values = SlotValues(count: 1)
        #expect(throws: EvaluationError.self) { try program.evaluate(values) }
        #expect(throws: EvaluationError.self) { try program.evaluate(SlotValues(count: 0)) }
        values[0] = .value(5)
        #expect(try program.evaluate(values) == true)
        #expect(program.isTrue(values) == .yes)
    }

    @Test func `a part that never matters has no value in the explanation`() throws {
        let environment = environment()
        var slots = SlotTable()
        let programs = try ["false && first > 1", "second > 1"].map { text in
            try Expression.parse(text).then { expression in
                environment.compile(expression, slots: &slots)
            }.get()
        }
        // The slot of `second` is not mistaken for a slot of `first`, which has no slot.
        var values = SlotValues(count: slots.entries.count)
        for (slot, entry) in slots.entries.enumerated() where entry == .variable(identity: "second")
        {
            values[SlotIndex(slot)] = .value(5)
        }
        let root = try #require(programs[0].explain(values).root)
        #expect(try root.result?.get() == false)
        let unneeded = try #require(root.parts.first)
        #expect(!unneeded.wasNeeded)
        #expect(throws: EvaluationError.self) { try unneeded.result?.get() }
    }

    @Test func `a slot contains the last value that was set, of any type`() throws {
        let kinds: [SlotValue] = [
            .missing, .value(true), .value(5), .value(.uint(5)), .value(5.5), .value("short"),
            .value("longer than fifteen bytes"), .value([1, "x"]), .value(.null),
            .value(.duration(.seconds(3))), .error(EvaluationError("it failed")),
        ]
        var values = SlotValues(count: 2)
        for before in kinds {
            for after in kinds {
                values[1] = before
                #expect(values[1] == before)
                values[1] = after
                #expect(values[1] == after)
                #expect(values[0] == .missing)
            }
        }
    }

    @Test func `replacing a value reports whether the slot changed, which a sign of zero does not`()
    {
        var values = SlotValues(count: 1)
        let steps: [(SlotValue, Bool)] = [
            (.missing, false), (.value(1), true), (.value(1), false), (.value(1.0), true),
            (.value(.uint(1)), true), (.value(0.0), true), (.value(-0.0), false),
            (.value("a"), true), (.value("a"), false), (.value(["a"]), true),
            (.value(["a"]), false), (.value(["b"]), true), (.missing, true), (.missing, false),
            (.value(.double(.nan)), true), (.value(.double(.nan)), true),
        ]
        for (value, isOther) in steps {
            #expect(values.replace(0, by: value) == isOther, "\(value)")
        }
    }
}
