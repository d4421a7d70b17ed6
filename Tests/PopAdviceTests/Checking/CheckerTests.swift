import PopCEL
import PopSource
import Testing

@Suite struct CheckerTests {
    @Test func `an unknown key is reported with a similar key and where that key is declared`() {
        let expression = MarkedExpression("«user.plna» == \"pro\"")
        expression.expect(.conditionUnknownKey, "unknown context key `user.plna`")
        let found = Environment.advised.compile(expression.text).diagnostics.list.first
        #expect(found?.help == ["did you mean `user.plan`?"])
        #expect(found?.secondary.map(\.range.bytes) == [10..<19])
    }

    @Test func `a prefix of a key is not a key`() {
        MarkedExpression("«user» == \"pro\"").expect(
            .conditionUnknownKey, "unknown context key `user`")
    }

    @Test func `a string has no fields`() {
        MarkedExpression("user.plan.«name» == \"x\"").expect(
            .conditionTypeMismatch, "`user.plan` is a string and has no field `name`")
    }

    @Test func `an error about types that do not compare names both types`() {
        MarkedExpression("«user.plan == 3»").expect(
            .conditionTypeMismatch, "cannot compare a string with an int")
        MarkedExpression("«user.launches == 3.5»").expect(
            .conditionTypeMismatch, "cannot compare an int with a double")
        MarkedExpression("«user.tags < user.tags»").expect(
            .conditionTypeMismatch, "cannot compare a list<string> with a list<string>")
    }

    @Test func `an error about arithmetic on other types names the types`() {
        MarkedExpression("«user.launches + \"1\"» == 2").expect(
            .conditionTypeMismatch, "cannot add an int and a string")
        MarkedExpression("«user.launches / 2.0» > 1.0").expect(
            .conditionTypeMismatch, "cannot divide an int by a double")
    }

    @Test func `each mistake is reported once`() {
        MarkedExpression("(«user.plan + 1» + 2) * 3 > 4").expect(
            .conditionTypeMismatch, "cannot add a string and an int")
    }

    @Test func `logical operators need conditions on both sides`() {
        MarkedExpression("net.online && «user.launches»").expect(
            .conditionTypeMismatch, "both sides of `&&` must be true or false, not an int")
        MarkedExpression("!«user.plan»").expect(
            .conditionTypeMismatch, "`!` needs true or false, not a string")
    }

    @Test func `a condition evaluates to true or false`() {
        MarkedExpression("«user.plan»").expect(
            .conditionNotBool, "a condition must be true or false, not a string")
    }

    @Test func `membership needs a list of the same type`() {
        MarkedExpression("\"a\" in «user.plan»").expect(
            .conditionTypeMismatch, "the right side of `in` must be a list or a map, not a string")
        MarkedExpression("«3 in user.tags»").expect(
            .conditionTypeMismatch, "a list<string> cannot contain an int")
    }

    @Test func `calls are checked for the function's name, argument count and argument types`() {
        MarkedExpression("user.plan.«startWith»(\"p\")").expect(
            .conditionUnknownFunction, "unknown function `startWith`")
        MarkedExpression("«user.plan.startsWith()»").expect(
            .conditionArity, "`startsWith` takes 1 argument, not 0")
        MarkedExpression("user.plan.startsWith(«1»)").expect(
            .conditionTypeMismatch, "an argument of `startsWith` must be a string, not an int")
        MarkedExpression("«user.launches».startsWith(\"1\")").expect(
            .conditionTypeMismatch, "`startsWith` works only with a string, not with an int")
        MarkedExpression("«startsWith»(user.plan, \"p\")").expect(
            .conditionArity, "`startsWith` must follow a value and a `.`")
        MarkedExpression("user.tags.«exists»(\"a\")").expect(
            .conditionArity, "`exists` takes 2 or 3 arguments, not 1")
    }

    @Test func `macros iterate over lists and maps`() {
        MarkedExpression("«user.plan».exists(t, t == \"a\")").expect(
            .conditionTypeMismatch, "`exists` works on a list or a map, not on a string")
        MarkedExpression("user.tags.exists(t, «size(t)»)").expect(
            .conditionTypeMismatch,
            "the condition inside `exists` must be true or false, not an int")
        MarkedExpression("user.tags.exists(t, «t == 1»)").expect(
            .conditionTypeMismatch, "cannot compare a string with an int")
    }

    @Test func `an error about an unavailable value explains why it is unavailable`() {
        MarkedExpression("«event.total» > 5.0").expect(
            .conditionUnavailableHere,
            "`event.total` cannot be used in this condition: only `where` of a trigger has an"
                + " event")
    }

    @Test func `slot functions take only constants`() {
        MarkedExpression("event_count(«user.plan») > 1").expect(
            .conditionTypeMismatch, "the arguments of `event_count` must be fixed values")
        MarkedExpression("event_count(\"a\", «\"1h\"») > 1").expect(
            .conditionTypeMismatch,
            "an argument of `event_count` must be a duration, not a string")
    }

    @Test func `each distinct call of a slot function gets one slot`() throws {
        let text = """
            event_count("a") > 5 || event_count("a") == 1 || event_count("a", duration("1h")) > 1
            """
        var slots = SlotTable()
        let expression = try Expression.parse(text).get()
        _ = try Environment.advised.compile(expression, slots: &slots).get()
        #expect(
            slots.entries == [
                .call(function: "event_count", arguments: ["a"]),
                .call(function: "event_count", arguments: ["a", .duration(.seconds(3600))]),
            ])
    }

    @Test func `names are resolved in the container first`() throws {
        var environment = Environment(container: "a.b")
        environment.declare(Variable("a.b.x", type: .int))
        environment.declare(Variable("x", type: .string))
        #expect(try environment.compile("x").get().resultType == .int)
        #expect(try environment.compile(".x").get().resultType == .string)
        #expect(try environment.compile("[1.5].map(x, x)").get().resultType == .list(.double))
    }

    @Test func `the longest declared name takes precedence over fields`() throws {
        var environment = Environment()
        environment.declare(Variable("a.b", type: .map(.string, .int)))
        environment.declare(Variable("a.b.c", type: .string))
        #expect(try environment.compile("a.b.c").get().resultType == .string)
        #expect(try environment.compile("a.b[\"d\"]").get().resultType == .int)
    }

    @Test(arguments: [
        ("[1, 2]", CELType.list(.int)), ("[1, \"a\"]", .list(.dyn)),
        ("{\"a\": [1.0]}", .map(.string, .list(.double))), ("[]", .list(.dyn)),
        ("optional.of(1)", .optional(.int)), ("type(1)", .type(.int)),
        ("[1, 2].map(x, string(x))", .list(.string)), ("{\"a\": 1}.?a", .optional(.int)),
        ("true ? [] : [1]", .list(.int)), ("dyn(1) + 1", .int), ("math.greatest(1, 2.0)", .dyn),
        ("now - now", .duration), ("\"a\".split(\"b\")[0]", .string),
    ])
    func `types are inferred`(text: String, type: CELType) {
        #expect(Environment.advised.compile(text).value?.resultType == type)
    }
}
