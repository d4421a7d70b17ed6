import PopCEL
import PopLogic
import PopSource
import Testing

/// S-H4, S-M2: work grows with the size of a condition and not with its square, whatever it asks.
@Suite struct `The work of a condition` {
    /// A form of condition of as many parts as wanted.
    struct Form: Sendable, CustomTestStringConvertible {
        let name: String
        let type: CELType
        let joint: String
        let part: @Sendable (Int) -> String

        var testDescription: String { name }

        func condition(_ count: Int) -> String {
            (0..<count).map(part).joined(separator: joint)
        }
    }

    static let forms = [
        Form(name: "contains", type: .string, joint: " && ") { "k.contains('x\($0)y')" },
        Form(name: "matches", type: .string, joint: " && ") { "k.matches('x\($0).*y')" },
        Form(name: "list items", type: .list(.string), joint: " && ") { "'t\($0)' in k" },
        Form(name: "remainders", type: .int, joint: " && ") { "k % \($0 + 2) == 1" },
        Form(name: "products", type: .int, joint: " && ") { "k * \($0 + 2) != \($0)" },
        Form(name: "doubles", type: .double, joint: " && ") { "k * \($0 + 2).5 < \($0).25" },
        Form(name: "strings", type: .string, joint: " || ") { "k == 'v\($0)'" },
        Form(name: "versions", type: .version, joint: " || ") { "k == version('\($0).1')" },
        Form(name: "lists of strings", type: .string, joint: " || ") {
            "k in ['v\($0)', 'w\($0)']"
        },
    ]

    /// The steps that validating a condition takes.
    private func steps(_ form: Form, _ count: Int) throws -> Int {
        let names = try Names(Variable("k", type: form.type))
        let condition = try names.condition(form.condition(count))
        let most = 1_000_000_000_000
        var limits = LogicLimits.standard
        limits.budget = WorkBudget([.logicSteps: most])
        // Parts beyond it are not compared with each other.
        limits.comparedParts = 50
        var logic = names.logic(condition, limits: limits)
        _ = logic.clash(of: [condition])
        _ = logic.clash(of: [], unless: [condition])
        _ = logic.idleParts(of: condition)
        return most - limits.budget.rest(of: .logicSteps)
    }

    @Test(arguments: forms)
    func `the work of a condition grows no faster than its parts`(form: Form) throws {
        let (few, many) = (try steps(form, 60), try steps(form, 240))
        #expect(many <= few * 5, "\(few) steps, then \(many)")
    }

    /// The steps that putting a condition in other words takes.
    private func stepsOfCover(_ condition: String, _ variables: Variable...) throws -> Int {
        let names = try Names(variables[0])
        let most = 1_000_000_000_000
        var limits = LogicLimits.standard
        limits.budget = WorkBudget([.logicSteps: most])
        let program = try names.condition(condition)
        var logic = names.logic(program, limits: limits)
        _ = logic.cover(of: Requirement([program]))
        return most - limits.budget.rest(of: .logicSteps)
    }

    /// Each of the tests is dropped and widened, and the rest is put together again each time.
    @Test func `rewriting a condition uses up the budget quadratically`() throws {
        func steps(_ count: Int) throws -> Int {
            let parts = (0..<count).map { "!k.startsWith('v\($0)')" }
            return try stepsOfCover(
                parts.joined(separator: " && "), Variable("k", type: .string))
        }
        let (few, many) = (try steps(20), try steps(80))
        #expect(many >= few * 12, "\(few) steps, then \(many)")
    }

    @Test func `an analysis ends and reports that it was cut short by its budget`() throws {
        let names = try Names(Variable("k", type: .string))
        let form = Self.forms[0]
        let condition = try names.condition(form.condition(50))
        var limits = LogicLimits.standard
        limits.budget = WorkBudget([.logicSteps: 1_000])
        var logic = names.logic(condition, limits: limits)
        #expect(logic.isNever(condition).word == "not known")
        #expect(logic.isCutShort)
        // The next one shares the budget.
        var other = names.logic(condition, limits: limits)
        #expect(other.isNever(condition).word == "not known")
        #expect(other.isCutShort)
    }

    /// Wherever the budget ends, nothing is claimed that was not found out.
    @Test func `an analysis gives no certain answer that a small budget prevents`() throws {
        let names = try Names(
            Variable("k", type: .string), Variable("m", type: .string), Variable("n", type: .int))
        let tests = (0..<6).map { "k.contains('v\($0)') || m.startsWith('w\($0)') && n > \($0)" }
        let condition = try names.condition(tests.map { "(\($0))" }.joined(separator: " && "))
        let other = try names.condition("!(n < 4 || k.endsWith('x')) || m == 'w'")
        for budget in stride(from: 0, to: 30_000, by: 97) {
            var limits = LogicLimits.standard
            limits.budget = WorkBudget([.logicSteps: budget])
            var logic = names.logic(condition, other, limits: limits)
            let answers = [
                logic.isNever(condition), logic.isAlways(condition),
                logic.disjoint(condition, other),
                logic.implies(other, condition),
            ]
            #expect(!answers.map(\.word).contains("yes"), "\(budget) steps")
            #expect(logic.clash(of: [condition, other]) == nil, "\(budget) steps")
        }
    }

    /// A witness evaluated a condition once for each path of names that leads to it: 2.7 kB took 7
    /// seconds, and each further condition half as much again.
    @Test func `ends if conditions use each other along 2³⁰ paths`() throws {
        var conditions = [("c0", "n != 0"), ("c1", "n != 1")]
        for place in 2..<30 {
            let (one, other) = ("c\(place - 1)", "c\(place - 2)")
            conditions.append(
                ("c\(place)", "!(\(one) && \(other) && !b) && (\(one) || \(other) || b)"))
        }
        let names = try Names(
            Variable("n", type: .int), Variable("b", type: .bool), naming: conditions)
        let condition = try names.condition("c29")
        var logic = names.logic(condition)
        #expect(logic.isNever(condition).word == "no")
    }

    @Test func `suffices to find a string that many comparisons use`() throws {
        let names = try Names(Variable("k", type: .string))
        let condition = try names.condition(Self.forms[0].condition(20))
        var logic = names.logic(condition)
        #expect(logic.isNever(condition).word == "no")
        #expect(!logic.isCutShort)
    }
}
