import PopCEL
import PopSource
import Testing

@Suite struct AdviceTests {
    @Test func `reading a key without a default needs has`() {
        MarkedExpression("«app.screen» == \"map\"").expect(
            .conditionMayError, "`app.screen` may have no value here")
        MarkedExpression("«app.screen» == \"a\" || app.screen == \"b\"").expect(
            .conditionMayError, "`app.screen` may have no value here")
        MarkedExpression("has(app.screen) || «app.screen» == \"map\"").expect(
            .conditionMayError, "`app.screen` may have no value here")
    }

    @Test(arguments: [
        "has(app.screen) && app.screen == \"map\"",
        "app.screen == \"map\" && has(app.screen)",
        "!has(app.screen) || app.screen == \"map\"",
        "has(app.screen) ? app.screen == \"map\" : false",
        "has(app.screen) && (net.online || app.screen == \"map\")",
        "has(app.screen) && has(app.retries) && app.retries > size(app.screen)",
        "has(last_event(\"a\")) && now - last_event(\"a\") > duration(\"1h\")",
        "has(flags.beta) && flags.beta", "has(flags.beta) && flags[\"beta\"]",
        "flags.exists(name, flags[name])", "user.tags.exists(i, t, user.tags[i] == t)",
        "\"beta\" in flags && flags.beta", "flags.?beta.orValue(false)",
        "size(user.tags) > 0 && user.tags[0] == \"a\"",
        "user.launches != 0 && 10 / user.launches > 1",
        "user.launches > 2 && 10 % user.launches > 1", "10 / steps > 1", "user.launches / 2 > 1",
    ])
    func `guards are understood`(text: String) {
        MarkedExpression.expectNothing(text)
    }

    @Test func `divisors may be zero`() {
        MarkedExpression("10 / «user.launches» > 1").expect(
            .conditionMayError, "`user.launches` may be zero, and a division by zero fails")
        MarkedExpression("user.launches / «0» > 1").expect(
            .conditionConstantError, "a division by zero always fails")
    }

    @Test func `elements and entries may be missing`() {
        MarkedExpression("«user.tags[0]» == \"a\"").expect(
            .conditionMayError, "`user.tags` may have too few items")
        MarkedExpression("size(user.tags) > 0 && «user.tags[1]» == \"a\"").expect(
            .conditionMayError, "`user.tags` may have too few items")
        MarkedExpression("flags.«beta»").expect(
            .conditionMayError, "the map may have no entry for `flags.beta`")
        MarkedExpression("«last_event(\"a\")» > now").expect(
            .conditionMayError, "`last_event(\"a\")` may have no value here")
    }

    @Test func `a value that a key does not declare is never equal to it`() {
        let expression = MarkedExpression("user.plan == «\"Pro\"»")
        expression.expect(.conditionEnumValue, "`user.plan` is never `\"Pro\"`")
        let found = Environment.advised.compile(expression.text).diagnostics.list.first
        #expect(
            found?.help == [
                "did you mean `\"pro\"`: `user.plan == \"pro\"`",
                "use one of `\"free\"`, `\"pro\"`, `\"team\"`",
            ])
        #expect(found?.secondary.map(\.range.bytes) == [10..<19])
        MarkedExpression("user.plan in [\"pro\", «\"gold\"»]").expect(
            .conditionEnumValue, "`user.plan` is never `\"gold\"`")
        MarkedExpression.expectNothing("\"team\" != user.plan")
    }

    @Test func `numbers in quotes compare as strings`() {
        MarkedExpression("«user.version < \"9.1\"»").expect(
            .conditionSuspiciousCompare,
            "`<` compares strings letter by letter, so for example \"10.2\" is less than \"9.1\"")
        MarkedExpression("«\"9.1\" < user.version»").expect(
            .conditionSuspiciousCompare,
            "`<` compares strings letter by letter, so for example \"10.2\" is less than \"9.1\"")
        MarkedExpression.expectNothing("user.version < \"b\"")
    }

    @Test func `an invalid pattern is reported at its position inside the string`() {
        MarkedExpression("user.plan.matches(\"a«(»b\")").expect(
            .conditionRegexInvalid,
            "invalid regular expression: "
                + ((try? Self.complaint("a(b")) ?? ""))
    }

    private static func complaint(_ pattern: String) throws -> String {
        do {
            _ = try RegularExpression(pattern)
            return ""
        } catch {
            return error.message
        }
    }

    @Test func `constant parts that fail are reported`() {
        MarkedExpression("«duration(\"1x\")» > duration(\"1s\")").expect(
            .conditionConstantError,
            "`duration(\"1x\")` always fails: `1x` is not a valid duration")
        MarkedExpression("net.online || «1 / 0» > 1").expect(
            .conditionConstantError, "`1 / 0` always fails: division by zero")
    }

    @Test func `advice can be turned off`() {
        var environment = Environment.advised
        environment.checking = .language
        #expect(environment.compile("app.screen == \"map\"").diagnostics.isEmpty)
    }
}
