import PopCEL
import PopSource
import PopTestSupport
import Testing

@Suite struct EvaluationTests {
    private func value(_ text: String, _ variables: [String: Value] = [:]) throws -> Value {
        var environment = Environment()
        for (name, value) in variables { environment.declare(Variable(name, type: value.type)) }
        return try environment.compile(text).get().evaluate(variables)
    }

    private func message(_ text: String, _ variables: [String: Value]) -> String? {
        do {
            return "\(try value(text, variables))"
        } catch let error as EvaluationError {
            return error.message
        } catch {
            return nil
        }
    }

    @Test func `usual conditions are decided`() throws {
        let variables: [String: Value] = [
            "age": 30, "plan": "free", "new": true, "tags": ["a", "beta"], "score": 1.5,
            "long": "a text of more than fifteen bytes",
        ]
        let expected: [(String, Bool)] = [
            ("new && plan == \"free\"", true), ("age >= 18 && age < 30", false),
            ("plan in [\"pro\", \"free\"]", true), ("age in [1, 2, 3]", false),
            ("plan != \"free\" || !(age > 40)", true), ("tags.exists(t, t == \"beta\")", true),
            ("size(tags) > 2 || tags.size() == 2", true), ("plan.startsWith(\"fr\")", true),
            ("plan.startsWith(\"free \")", false), ("score > 1 && score <= 1.5", true),
            ("long == \"a text of more than fifteen bytes\"", true),
            ("long == \"a text of more than fifteen byteS\"", false),
            ("long.startsWith(\"a text of more \")", true), ("long in [\"a\", \"b\"]", false),
            ("plan < \"free \" && plan >= \"free\"", true),
        ]
        for (text, truth) in expected {
            #expect(try value(text, variables) == .bool(truth), "\(text)")
        }
    }

    @Test func `errors are absorbed if another part decides`() throws {
        let zero: [String: Value] = ["zero": 0, "yes": true]
        #expect(try value("1 / zero == 1 || yes", zero) == true)
        #expect(try value("yes || 1 / zero == 1", zero) == true)
        #expect(try value("1 / zero == 1 && !yes", zero) == false)
        #expect(message("1 / zero == 1 && yes", zero) == "division by zero")
        #expect(message("1 / zero == 1 && (1 % zero == 0 || yes)", zero) == "division by zero")
        #expect(try value("[zero, 1].exists(i, 1 / i == 1)", zero) == true)
        #expect(message("[zero, 1].exists(i, 1 / i == 2)", zero) == "division by zero")
    }

    @Test func `a missing slot is an error, and has checks for it`() throws {
        var environment = Environment()
        environment.declare(Variable("user.plan", type: .string, mayBeMissing: true))
        let program = try environment.compile("user.plan == \"pro\"").get()
        #expect(
            throws: EvaluationError(
                "`user.plan` has no value", at: SourceRange(file: FileID(index: 0), 0..<9))
        ) {
            try program.evaluate([String: Value]())
        }
        let guarded = try environment.compile("has(user.plan) && user.plan == \"pro\"").get()
        #expect(try guarded.evaluate([String: Value]()) == false)
        #expect(try guarded.evaluate(["user.plan": "pro"]) == true)
    }

    @Test func `an error in a slot is an error of the expression that reads it`() throws {
        var environment = Environment()
        environment.declare(Variable("paying", type: .bool))
        let program = try environment.compile("paying || 1 > 2").get()
        var slots = SlotValues(count: 1)
        let error = EvaluationError("broken")
        slots[0] = .error(error)
        #expect(program.isTrue(slots) == .error(error))
        slots[0] = .value(true)
        #expect(program.isTrue(slots) == .yes)
        slots[0] = .value("text")
        #expect(
            program.isTrue(slots)
                == .error(
                    EvaluationError(
                        "expected true or false, found a string",
                        at: program.expression.rangeOfFirstPart)))
    }

    @Test func `constant parts are folded`() throws {
        let environment = Environment.sample
        #expect(try environment.compile("1 + 2 * 3").get().constantValue == 7)
        #expect(
            try environment.compile("duration(\"1h\") > duration(\"1m\")").get().constantValue
                == true)
        #expect(try environment.compile("net.online && false").get().constantValue == false)
        #expect(try environment.compile("net.online && true").get().constantValue == nil)
    }

    @Test func `a program lists the slots that it reads`() throws {
        var slots = SlotTable()
        let environment = Environment.sample
        _ = try environment.compile(Expression.parse("net.online").get(), slots: &slots).get()
        let program = try environment.compile(
            Expression.parse("user.plan == \"pro\" && user.launches > 1").get(), slots: &slots
        ).get()
        #expect(program.slots == [1, 2])
        #expect(slots.entries.count == 3)
    }

    @Test func `folding a part forgets no slot`() throws {
        var slots = SlotTable()
        let program = try Environment.sample.compile(
            Expression.parse(
                "user.launches > 1 + 1 && user.plan == \"p\" + \"ro\" && user.launches < 2 * 5"
            ).get(), slots: &slots
        ).get()
        #expect(program.slots == [0, 1])
        #expect(try program.evaluate(["user.launches": 9, "user.plan": "pro"]) == true)
        #expect(try program.evaluate(["user.launches": 10, "user.plan": "pro"]) == false)
        #expect(try program.evaluate(["user.launches": 2, "user.plan": "pro"]) == false)
    }

    @Test func `strings are equal by their scalars`() throws {
        #expect(try value("a == \"e\\u0301\"", ["a": "\u{E9}"]) == false)
        #expect(try value("a == \"\\u00e9\"", ["a": "\u{E9}"]) == true)
        #expect(try value("size(a)", ["a": "e\u{301}"]) == 2)
    }

    @Test func `numbers compare across their types`() throws {
        let dynamic: [String: Value] = ["list": [1, 2.0, .uint(3)]]
        #expect(try value("2 in list && 3.0 in list && 4u in list", dynamic) == false)
        #expect(try value("list == [1.0, 2, 3]", dynamic) == true)
    }

    @Test func `built expressions are the same as parsed ones`() throws {
        let place = SourceRange(file: FileID(index: 0), 0..<4)
        let built = Expression.all(
            [
                .call(
                    "_==_", arguments: [.name("user.plan", at: place), .literal("pro", at: place)],
                    at: place),
                .call("!_", arguments: [.has("app.screen", at: place)], at: place),
                .any([], at: place).negated(at: place),
                .call(
                    "contains", on: .name("user.version", at: place),
                    arguments: [.literal("a", at: place)],
                    at: place),
            ], at: place)
        #expect(
            built.description
                == "(user.plan == \"pro\") && (!has(app.screen)) && (!false) && user.version.contains(\"a\")"
        )
        var slots = SlotTable()
        let program = try Environment.sample.compile(built, expecting: .bool, slots: &slots).get()
        #expect(try program.evaluate(["user.plan": "pro", "user.version": "1a"]) == true)
    }

    @Test func `the host's functions are called`() throws {
        var environment = Environment()
        environment.declare(
            HostFunction("twice", parameters: [.int], result: .int, isMethod: true) {
                (arguments) throws(EvaluationError) in
                guard case .int(let number)? = arguments.first else {
                    throw EvaluationError("not a number")
                }
                return .int(number * 2)
            })
        environment.declare(Variable("n", type: .int))
        #expect(try environment.compile("n.twice() + 1").get().evaluate(["n": 4]) == 9)
    }

    @Test(arguments: ["", "shop", "shop.basket.deep"])
    func `the host's functions may have names with dots`(container: String) throws {
        let place = SourceRange(file: FileID(index: 0), 0..<1)
        let environment = Environment.withTotal(container: container)
        for call in ["shop.basket.total(2)", ".shop.basket.total(2)", "shop.`basket`.total(2)"] {
            #expect(try environment.compile(call).get().evaluate([:]) == 3, "\(call)")
        }
        let built = Expression.call(
            "total", on: .name("shop.basket", at: place), arguments: [.literal(2, at: place)],
            at: place)
        var slots = SlotTable()
        #expect(try environment.compile(built, slots: &slots).get().evaluate([:]) == 3)
        let isInside = try? environment.compile("basket.total(2)").get().evaluate([:]) == 3
        #expect(isInside == (container.isEmpty ? nil : true))
    }

    @Test func `a variable of a macro hides functions of a namespace with the same name`() throws {
        let hidden = Environment.withTotal().compile("[1].map(shop, shop.basket.total(2))")
        #expect(hidden.diagnostics.hasErrors)
        let other = Environment.withTotal().compile("[1].map(n, shop.basket.total(n))")
        #expect(try other.get().evaluate([:]) == .list([2]))
    }

    @Test
    func `a program has the position of its expression, even if another one has the same text`()
        throws
    {
        let text = "missing == 1"
        let first = try Expression.parse(text).get()
        let second = first.moved(
            to: TextMap(file: FileID(index: 1), offset: 40, length: text.utf8.count))
        var environment = Environment()
        environment.declare(Variable("missing", type: .int))
        for (expression, other) in [(first, second), (second, first)] {
            var slots = SlotTable()
            let program = try environment.compile(expression, slots: &slots).get()
            #expect(program.expression.range == expression.range)
            let moved = program.moved(to: other)
            #expect(moved.expression.range == other.range)
            #expect(moved.expression.description == text)
            let error = #expect(throws: EvaluationError.self) { try moved.evaluate([:]) }
            #expect(error?.range?.file == other.range.file)
            #expect(error?.range?.lower == other.range.lower)
        }
    }
}

extension Environment {
    /// With a function that adds one.
    fileprivate static func withTotal(container: String = "") -> Environment {
        var environment = Environment(container: container)
        environment.declare(
            HostFunction("shop.basket.total", parameters: [.int], result: .int) {
                (arguments) throws(EvaluationError) in
                guard case .int(let number)? = arguments.first else {
                    throw EvaluationError("not a number")
                }
                return .int(number + 1)
            })
        return environment
    }
}

extension Expression {
    fileprivate func negated(at place: SourceRange) -> Expression {
        .call("!_", arguments: [self], at: place)
    }

    fileprivate var rangeOfFirstPart: SourceRange {
        SourceRange(file: range.file, range.lower..<range.lower + "paying".utf8.count)
    }
}
