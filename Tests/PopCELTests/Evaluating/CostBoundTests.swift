import PopCEL
import PopSource
import PopTestSupport
import Testing

@Suite struct `The cost bound` {
    private func bound(_ text: String) throws -> Int? {
        try Environment.sample.compile(text).get().costBound
    }

    private static let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"

    /// Loops over ten elements inside each other.
    private func loops(_ depth: Int) -> String {
        (0..<depth).reduce("user.launches > 0") { "\(Self.list).exists(v\($1), \($0))" }
    }

    @Test func `is known for constants and for loops over constant lists`() throws {
        #expect(try bound("user.launches > 1 && user.launches in [1, 2]") == 0)
        #expect(try bound("user.plan == \"pro\" || user.plan.startsWith(\"p\")") == 0)
        #expect(try bound(loops(1)) ?? 0 >= 10)
        #expect(try bound(loops(2)) ?? 0 >= 100)
    }

    @Test func `uses the sizes that are declared`() throws {
        #expect(try bound("user.plan.contains(\"p\")") == 0)
        #expect(try bound("user.version.contains(\"p\")") == nil)
    }

    @Test func `counts a step for every 16 bytes that are compared`() throws {
        #expect(try bound("user.version == \"fifteen  bytes.\"") == 0)
        #expect(try bound("user.version != \"sixteen   bytes.\"") == 1)
        let long = String(repeating: "x", count: 160)
        #expect(try bound("net.online && user.version == \"\(long)\"") == 10)
    }

    @Test func `is unknown if a size is unknown`() throws {
        #expect(try bound("user.tags.exists(t, t == \"a\")") == nil)
        #expect(try bound("\"a\" in user.tags") == nil)
        #expect(try bound("\"a\" in flags") == 0)
    }

    @Test func `beyond the limit is refused at the smallest part that is too expensive`() throws {
        let loops = loops(6)
        for (start, end) in [("net.online && ", ""), ("\(Self.list).all(x, ", ")")] {
            let text = start + loops + end
            let found = Environment.sample.compile(text, expecting: .bool).diagnostics.list
            #expect(
                found.map(\.message) == ["evaluating this may take more than 2000000 steps"])
            let place = start.utf8.count..<(start + loops).utf8.count
            #expect(found.first?.range.bytes == place)
        }
        var unchecked = Environment.sample
        unchecked.checking = .none
        #expect(unchecked.compile(loops).value != nil)
    }

    @Test func `does not overflow`() throws {
        let found = Environment.sample.compile(loops(25)).diagnostics.list
        #expect(found.map(\.check) == [.conditionCost])
    }

    /// An evaluation that has no more than the bound to spend never runs out.
    @Test(arguments: FormulaGenerator.Kind.allCases)
    func `the cost bound is never exceeded`(kind: FormulaGenerator.Kind) throws {
        var generator = FormulaGenerator(SeededGenerator(seed: 14))
        var known = 0
        for _ in 0..<300 {
            let formula = generator.formula(kind, depth: 5)
            let values = generator.values()
            for text in [formula.text, formula.replacing(values).text] {
                guard let bound = try environment(.standard).compile(text).get().costBound else {
                    continue
                }
                known += bound > 0 ? 1 : 0
                var limits = CELLimits.standard
                limits.cost = bound
                let program = try environment(limits).compile(text).get()
                do throws(EvaluationError) {
                    _ = try program.evaluate(values)
                } catch {
                    #expect(error.message != "the evaluation takes too many steps", "\(text)")
                }
                if case .error(let error) = program.isTrue(program.slotValues(values)) {
                    #expect(error.message != "the evaluation takes too many steps", "\(text)")
                }
            }
        }
        // Bounds that are always zero or unknown would show nothing.
        #expect(known >= (kind == .map ? 0 : 40), "\(known) known")
    }

    private func environment(_ limits: CELLimits) -> Environment {
        var environment = Environment(limits: limits)
        environment.checking = .none
        for variable in FormulaGenerator.variables {
            environment.declare(Variable(variable.name, type: variable.type, mayBeMissing: true))
        }
        return environment
    }
}
