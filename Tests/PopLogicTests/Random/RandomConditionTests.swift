import Foundation
import PopCEL
import PopLogic
import PopSource
import PopTestSupport
import Testing

/// Random conditions, checked against the evaluator; `make logic` runs more of them.
@Suite struct RandomConditionTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private static let count = setting("POPRULES_LOGIC_FORMULAS") ?? 600
    private static let firstSeed = setting("POPRULES_LOGIC_SEED") ?? 0
    private static let people = 200

    /// The number of questions, and the number of missing answers by question.
    private struct Tally {
        var asked = 0
        var notKnown: [String: Int] = [:]

        var share: Double { Double(notKnown.values.reduce(0, +)) / Double(max(1, asked)) }
    }

    /// So many parts of all are judged side by side.
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func `claims about random conditions are true, and few answers are unknown`(part: Int) throws {
        var tally = Tally()
        let end = Self.firstSeed + (Self.count + 1) / 2
        for seed in stride(from: Self.firstSeed + part, to: end, by: Self.parts) {
            try judge(seed, &tally)
        }
        #expect(tally.share <= 0.05, "\(tally)")
    }

    private func judge(_ seed: Int, _ tally: inout Tally) throws {
        var maker = RandomCondition(seed: UInt64(seed))
        var environment = Environment.ofRules()
        environment.checking = .language
        for variable in RandomCondition.variables { environment.declare(variable) }
        var definitions: [String: Program] = [:]
        for name in ["first", "second"] {
            let text = maker.condition(depth: 1)
            let compiled = try #require(program(text, environment), "\(text)")
            definitions[name] = compiled
            environment.declare(Variable(name, type: .bool))
            maker.named.append(name)
        }
        let texts = [maker.condition(depth: maker.number(0...3)), maker.condition(depth: 2)]
        let programs = try texts.map { try #require(program($0, environment), "\($0)") }
        var logic = Logic(of: programs, declarations: Declarations(conditions: definitions))
        let force = BruteForce(definitions: definitions)
        var seen = Seen()
        let (one, other) = (force.prepared(programs[0]), force.prepared(programs[1]))
        force.forEach(of: programs, atMost: Self.people, random: &maker.random) { values in
            seen.note(one.truth(values), other.truth(values))
            return true
        }
        let says = "seed \(seed): \(texts) with \(definitions.mapValues(\.expression.description))"
        for (name, question) in seen.questions {
            tally.asked += 1
            switch question.ask(&logic, programs[0], programs[1]) {
            case .yes: #expect(!question.wasSeen, "\(name): \(says)")
            case .no(let witness):
                let holds = question.holds(
                    witness.truth(of: programs[0]), witness.truth(of: programs[1]))
                #expect(holds, "\(name): \(says)")
            case .notKnown: tally.notKnown[name, default: 0] += 1
            }
        }
    }

    private func program(_ text: String, _ environment: Environment) -> Program? {
        var slots = SlotTable()
        let expression = Expression.parse(text).value
        return expression.flatMap {
            environment.compile($0, expecting: .bool, slots: &slots).value
        }
    }
}

/// The results of two conditions for some users, and the questions that follow from them.
private struct Seen {
    private var pairs: Set<[Bool]> = []

    mutating func note(_ one: Truth, _ other: Truth) { pairs.insert([one == .yes, other == .yes]) }

    struct Question {
        /// True if there was a user that refutes the claim.
        let wasSeen: Bool
        /// Returns true if a user with these results refutes the claim.
        let holds: (Truth, Truth) -> Bool
        let ask: (inout Logic, Program, Program) -> Answer
    }

    var questions: [(String, Question)] {
        func question(
            _ fails: @escaping (Bool, Bool) -> Bool,
            _ ask: @escaping (inout Logic, Program, Program) -> Answer
        ) -> Question {
            Question(
                wasSeen: pairs.contains { fails($0[0], $0[1]) },
                holds: { fails($0 == .yes, $1 == .yes) }, ask: ask)
        }
        return [
            ("never", question({ one, _ in one }) { $0.isNever($1, or: $2) }),
            ("implies", question({ $0 && !$1 }) { $0.implies($1, $2) }),
            ("disjoint", question({ $0 && $1 }) { $0.disjoint($1, $2) }),
            ("equivalent", question({ $0 != $1 }) { $0.equivalent($1, $2) }),
            ("always", question({ one, _ in !one }) { logic, one, _ in logic.isAlways(one) }),
        ]
    }
}

extension Logic {
    fileprivate mutating func isNever(_ condition: Program, or _: Program) -> Answer {
        isNever(condition)
    }
}
