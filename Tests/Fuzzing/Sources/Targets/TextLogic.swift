@testable import PopCEL
@testable import PopLogic
@testable import PopSource

extension FuzzTarget {
    /// Two conditions about strings, made of decisions. The logic's claims about them are checked
    /// against their values for many short strings, and the logic must not exceed its budget.
    static let textLogic = FuzzTarget(
        name: "text-logic",
        body: .direct { bytes in
            var generator = TextCondition(SeededGenerator(bytes: bytes))
            let (first, second) = (generator.condition(depth: 3), generator.condition(depth: 2))
            let (one, other) = (try program(first), try program(second))
            let budget = WorkBudget([.logicSteps: mostSteps])
            let answers = try ask(one, other, budget: budget)
            // The limits end the work by themselves; the budget is for work that they don't count.
            try require(
                !budget.isUsedUp, "more than \(mostSteps) steps: `\(first)` and `\(second)`")
            let used = mostSteps - budget.rest(of: .logicSteps)
            let small = WorkBudget([.logicSteps: used / 3])
            for (answer, hurried) in zip(answers, try ask(one, other, budget: small)) {
                switch (answer, hurried) {
                case (.yes, .no), (.no, .yes):
                    throw Violation(
                        description: "with less work something else: \(first), \(second)")
                default: break
                }
            }
        })

    /// About ten times what such conditions take.
    private static let mostSteps = 10_000_000

    /// Asks all questions about both conditions, checks that each answer is right, and returns the
    /// answers.
    private static func ask(
        _ one: Program, _ other: Program, budget: WorkBudget
    ) throws -> [Answer] {
        var limits = limits
        limits.budget = budget
        var logic = Logic(of: [one, other], limits: limits)
        let says = "`\(one.expression)` and `\(other.expression)`"
        let found = TextPeople.all.map { person in
            (isYes(one, person), isYes(other, person))
        }
        let never = logic.isNever(one)
        try judge(never, "never: \(says)", found.allSatisfy { !$0.0 }) {
            $0.truth(of: one) == .yes
        }
        let always = logic.isAlways(one)
        try judge(always, "always: \(says)", found.allSatisfy(\.0)) { $0.truth(of: one) != .yes }
        let implies = logic.implies(one, other)
        try judge(implies, "implies: \(says)", found.allSatisfy { !$0 || $1 }) {
            $0.truth(of: one) == .yes && $0.truth(of: other) != .yes
        }
        let disjoint = logic.disjoint(one, other)
        try judge(disjoint, "disjoint: \(says)", found.allSatisfy { !$0 || !$1 }) {
            $0.truth(of: one) == .yes && $0.truth(of: other) == .yes
        }
        if logic.clash(of: [one, other]) != nil {
            try require(found.allSatisfy { !$0 || !$1 }, "clash: \(says)")
        }
        try require(!budget.isUsedUp || logic.isCutShort, "no word of too much work: \(says)")
        return [never, always, implies, disjoint]
    }

    /// An answer is right: yes of all people here, no of the one it names.
    private static func judge(
        _ answer: Answer, _ says: String, _ holds: Bool, fails: (Witness) -> Bool
    ) throws {
        switch answer {
        case .yes: try require(holds, says)
        case .no(let witness): try require(fails(witness), "not \(says)")
        case .notKnown: break
        }
    }

    private static func isYes(_ program: Program, _ person: [String: Value]) -> Bool {
        program.isTrue(program.slotValues(person)) == .yes
    }

    private static func program(_ text: String) throws -> Program {
        var slots = SlotTable()
        let parsed = Expression.parse(text)
        guard let expression = parsed.value,
            let program = environment.compile(expression, expecting: .bool, slots: &slots).value
        else { throw Violation(description: "`\(text)` is no condition") }
        return program
    }

    private static let limits: LogicLimits = {
        var limits = LogicLimits()
        limits.nodes = 10_000
        limits.edges = 100_000
        limits.steps = 50_000
        limits.textSteps = 8_000
        limits.shortTextSteps = 2_000
        limits.theorySteps = 40_000
        limits.allTheorySteps = 100_000
        limits.lemmas = 40
        limits.terms = 2_000
        return limits
    }()

    private static let environment: Environment = {
        var environment = Environment()
        environment.declare(Variable("x", type: .string))
        environment.declare(Variable("y", type: .string, mayBeMissing: true))
        environment.declare(
            Variable("plan", type: .string, allowedValues: ["", "ab", "free", "é"]))
        environment.declare(Variable("tags", type: .list(.string), mayBeMissing: true))
        return environment
    }()
}

/// Users with short strings.
private enum TextPeople {
    static let all: [[String: Value]] = {
        let plans = ["", "ab", "free", "é"]
        var people: [[String: Value]] = []
        for (number, text) in texts.enumerated() {
            var person: [String: Value] = [
                "x": .string(text), "plan": .string(plans[number % plans.count]),
            ]
            if number % 5 > 0 { person["y"] = .string(texts[number * 7 % texts.count]) }
            if number % 4 > 0 {
                person["tags"] = .list(
                    (0..<number % 4 - 1).map { .string(texts[(number + $0 * 3) % texts.count]) })
            }
            people.append(person)
        }
        return people
    }()

    private static let texts: [String] = {
        let letters = ["a", "b", "A", "é", "\n"]
        var texts = [
            "", "free", "ab.", "abab", "aabb", "e\u{301}", "a.b", "abé", "bab", "baa", "aba",
        ]
        for letter in letters {
            texts.append(letter)
            texts += letters.map { letter + $0 }
        }
        return texts
    }()
}

/// Writes conditions about strings from decisions.
private struct TextCondition {
    private var dice: SeededGenerator

    init(_ dice: SeededGenerator) { self.dice = dice }

    private static let constants = [
        "\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"A\"", "\"é\"", "\"aé\"", "\"abab\"", "\"free\"",
        "\"e\\u0301\"", "\"\\n\"", "\".\"",
    ]
    private static let patterns = [
        "\"a\"", "\"^a\"", "\"b$\"", "\"^$\"", "\"^(a|b)*$\"", "\"^[^a]+$\"", "\"^.{2}$\"",
        "\"(?i)^AB\"", "\"^a.*b$\"", "\"é|b\"", "\"^(ab)+$\"", "\"a{2,3}\"", "\"\\\\.\"",
        "\"^.*[^a]$\"", "\"\\\\bb\"", "\"[[:alpha:]]\"",
    ]

    mutating func condition(depth: Int) -> String {
        guard depth > 0, dice.isLucky(65) else { return test() }
        switch dice.roll(6) {
        case 0, 1: return "(\(condition(depth: depth - 1)) && \(condition(depth: depth - 1)))"
        case 2, 3: return "(\(condition(depth: depth - 1)) || \(condition(depth: depth - 1)))"
        case 4: return "!(\(condition(depth: depth - 1)))"
        default:
            return "(\(test()) ? \(condition(depth: depth - 1)) : \(condition(depth: depth - 1)))"
        }
    }

    private mutating func text() -> String { dice.pick(["x", "x", "y", "plan"]) }

    private mutating func test() -> String { test(of: text(), among: dice.roll(12)) }

    private mutating func test(of text: String, among kind: Int) -> String {
        let constant = dice.pick(Self.constants)
        switch kind {
        case 0: return "\(text).contains(\(constant))"
        case 1: return "\(text).startsWith(\(constant))"
        case 2: return "\(text).endsWith(\(constant))"
        case 3: return "\(text).matches(\(dice.pick(Self.patterns)))"
        case 4: return "size(\(text)) \(dice.pick(["==", "<", ">", ">=", "!="])) \(dice.roll(5))"
        case 5: return "\(text) \(dice.pick(["==", "!="])) \(constant)"
        case 6: return "\(text) in [\(constant), \(dice.pick(Self.constants))]"
        case 7: return "\(text) \(dice.pick(["<", "<=", ">", ">="])) \(constant)"
        case 8: return "\(text).lowerAscii().startsWith(\(constant))"
        case 9:
            let macro = dice.pick(["exists", "all"])
            return "tags.\(macro)(t, \(test(of: "t", among: dice.roll(9))))"
        case 10: return "\(constant) in tags"
        default: return dice.pick(["x == y", "x.contains(y)", "size(tags) > 1", "y.startsWith(x)"])
        }
    }
}
