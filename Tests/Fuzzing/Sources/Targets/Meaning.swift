import PopCEL
import PopLogic
import PopSource

extension FuzzTarget {
    /// The texts of two conditions, on one line each: the claims about them are checked against
    /// their values for some users.
    static let meaning = FuzzTarget(
        name: "meaning",
        body: .direct { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let programs = lines.prefix(2).compactMap { program(String($0)) }
            guard let one = programs.first, let other = programs.last else { return }
            var logic = Logic(of: [one, other], limits: limits)
            let says = "`\(one.expression)` and `\(other.expression)`"
            let found = people.map { (isYes(one, $0), isYes(other, $0)) }
            try judge(logic.isNever(one), "never: \(says)", found.allSatisfy { !$0.0 }) {
                $0.truth(of: one) == .yes
            }
            try judge(logic.isAlways(one), "always: \(says)", found.allSatisfy(\.0)) {
                $0.truth(of: one) != .yes
            }
            try judge(logic.implies(one, other), "implies: \(says)", found.allSatisfy { !$0 || $1 })
            {
                $0.truth(of: one) == .yes && $0.truth(of: other) != .yes
            }
            try judge(
                logic.disjoint(one, other), "disjoint: \(says)", found.allSatisfy { !$0 || !$1 }
            ) {
                $0.truth(of: one) == .yes && $0.truth(of: other) == .yes
            }
            if logic.clash(of: [one, other]) != nil {
                try require(found.allSatisfy { !$0 || !$1 }, "clash: \(says)")
            }
            _ = logic.idleParts(of: one)
        })

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

    private static func program(_ text: String) -> Program? {
        guard let expression = Expression.parse(text).value else { return nil }
        var slots = SlotTable()
        return environment.compile(expression, expecting: .bool, slots: &slots).value
    }

    private static func isYes(_ program: Program, _ values: [String: Value]) -> Bool {
        program.isTrue(program.slotValues(values)) == .yes
    }

    /// Small limits, so that the analysis soon gives up on hard conditions.
    private static let limits: LogicLimits = {
        var limits = LogicLimits()
        limits.nodes = 20_000
        limits.steps = 200_000
        limits.theorySteps = 40_000
        limits.lemmas = 40
        limits.terms = 5_000
        return limits
    }()

    private static let environment: Environment = {
        var environment = Environment()
        environment.declare(Variable("flag", type: .bool))
        environment.declare(Variable("count", type: .int, minimum: .int(0)))
        environment.declare(
            Variable(
                "plan", type: .string, allowedValues: [.string("free"), .string("pro"), "team"]))
        for (name, type) in types {
            environment.declare(Variable(name, type: type, mayBeMissing: true))
        }
        return environment
    }()

    private static let types: [(String, CELType)] = [
        ("number", .int), ("total", .double), ("name", .string), ("since", .timestamp),
        ("wait", .duration), ("tags", .list(.string)), ("limits", .map(.string, .int)),
    ]

    private static let people: [[String: Value]] = [
        ["flag": true, "count": 0, "plan": "free"],
        ["flag": false, "count": 3, "plan": "pro", "number": -1, "name": "", "tags": []],
        [
            "flag": true, "count": 9, "plan": "team", "number": 4, "total": .double(.nan),
            "name": "abé", "since": .timestamp(Timestamp(seconds: 1_793_000_000)),
            "wait": .duration(.seconds(90)), "tags": ["a", "b"], "limits": ["a": 1],
        ],
    ]
}
