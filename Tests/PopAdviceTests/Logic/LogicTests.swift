import PopAdvice
import PopCEL
import PopSource
import Testing

/// B1: parts of one condition that clash, or that always hold.
@Suite struct `The logic of a condition` {
    private static let environment: Environment = {
        var environment = Environment.ofRules()
        environment.advice = .full
        environment.declare(
            Variable("user.plan", type: .string, allowedValues: ["free", "pro", "team"]))
        environment.declare(Variable("user.name", type: .string))
        let place = SourceRange(file: FileID(index: 0), 0..<1)
        environment.declare(
            Variable("n", type: .int, minimum: 0, maximum: 1_000, declaredAt: place))
        environment.declare(Variable("m", type: .int))
        environment.declare(Variable("share", type: .double))
        environment.declare(Variable("on", type: .bool))
        environment.declare(Variable("screen", type: .string, mayBeMissing: true))
        environment.declare(Variable("now", type: .timestamp))
        var paying = Variable("paying", type: .bool)
        paying.definition = Expression.parse("user.plan == 'pro' || user.plan == 'team'").value
        environment.declare(paying)
        environment.declare(Variable("since", type: .int, mayBeMissing: true))
        environment.declare(Variable("u", type: .uint))
        var enabled = Variable("enabled", type: .bool)
        enabled.definition = Expression.parse("false").value
        environment.declare(enabled)
        return environment
    }()

    private func found(_ text: String) -> [String] {
        Self.environment.compile(text, expecting: .bool).diagnostics.sorted
            .filter { $0.check.group == "logic" }.map { "\($0.level.name) \($0.message)" }
    }

    @Test(arguments: [
        (
            "user.plan == 'pro' && user.plan == 'free'",
            "error `user.plan` cannot be `pro` and `free` at the same time"
        ),
        ("m > 10 && m < 5", "error `m` cannot be `> 10` and `< 5` at the same time"),
        ("m > 10 && on && 5 > m", "error `m` cannot be `> 10` and `< 5` at the same time"),
        ("m > 3 && m < 4", "error `m` cannot be `> 3` and `< 4` at the same time"),
        ("on && !on", "warning two parts of the condition can never both be true"),
        (
            "paying && user.plan == 'free'",
            "warning two parts of the condition can never both be true"
        ),
        ("on && (m > 10 && m < 5 || false)", "warning `false` is never true"),
        (
            "now < timestamp('2026-01-01T00:00:00Z') && now > timestamp('2027-01-01T00:00:00Z')",
            "error `now` cannot be `< timestamp('2026-01-01T00:00:00Z')` and "
                + "`> timestamp('2027-01-01T00:00:00Z')` at the same time"
        ),
        (
            "n > 2000 && on",
            "error `n` is at least `0` and at most `1000`, so the comparison is never true"
        ),
        (
            "n >= 0 && on",
            "warning `n` is at least `0` and at most `1000`, so the comparison is always true"
        ),
        (
            "user.name != 'a' || user.name != 'b'",
            "warning `user.name != \"a\" || user.name != \"b\"` is true for every value of"
                + " `user.name`"
        ),
        (
            "screen != 'a' || screen != 'b'",
            "warning `screen != \"a\" || screen != \"b\"` is true for every value of `screen`"
        ),
        ("m > 10 && m < 5 || on", "warning `m` cannot be `> 10` and `< 5` at the same time"),
        (
            "m > 3 && m < 6 && m != 4 && m != 5",
            "warning several parts of the condition can never all be true"
        ),
        ("on || 1 < 1.5", "warning `1 < 1.5` is always true"),
        ("on || true", "warning `true` is always true"),
        ("'text' == 'text'", "warning `'text' == 'text'` is always true"),
        (
            "user.plan in ['pro'] && user.plan == 'free'",
            "error two parts of the condition can never both be true"
        ),
    ])
    func `reports parts that cannot be meant`(text: String, message: String) {
        #expect(found(text).contains(message), "\(found(text))")
    }

    @Test(arguments: [
        "true", "false", "m > 3 && m < 5", "share < 5.0 || share >= 5.0",
        "share > 3.0 && share < 4.0",
        "user.name == 'a' || user.name == 'b'", "user.name != 'a' && user.name != 'b'",
        "m > n && m < n", "on || m > 3", "paying && user.plan != 'team'",
        "has(screen) && screen == 'a'", "!has(screen) || screen != 'a'",
        "user.name.startsWith('a') && user.name.startsWith('b')", "on ? m > 3 : m < 3",
        "has(since) && has(since)", "has(screen) && has(screen)", "m == 1e16 && m > 1",
        "u > 9223372036854775813u && u > 9223372036854775814u",
        "m > 9007199254740992.0 && m < 9007199254740995.0",
        "now > timestamp('2026-01-01T00:00:00Z') && now < timestamp('2026-01-01T00:00:01Z')",
        "share != share && share > 1.0", "enabled && m > 3 && m < 9",
    ])
    func `reports nothing that can be meant`(text: String) {
        #expect(found(text).isEmpty)
    }
}
