import PopCEL
import PopSource
import Testing

/// What is said to somebody who writes what other languages, or people, would write.
@Suite struct `The help` {
    private let environment: Environment = {
        var environment = Environment.sample
        environment.declare(Variable("cart.total", type: .double))
        return environment
    }()

    private func finding(_ text: String) throws -> Diagnostic {
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        #expect(found.count == 1, "\(found.map(\.message))")
        return try #require(found.first)
    }

    @Test func `on a duration in days says the hours`() throws {
        for text in ["event_count(\"x\", duration(\"7d\")) > 1", "now - now > duration(\"7d\")"] {
            let found = try finding(text)
            #expect(
                found.message
                    == "`duration(\"7d\")` always fails: `7d` cannot be read as duration")
            #expect(found.help == ["the units of a duration are `h`, `m` and `s`: write `168h`"])
        }
        #expect(
            try finding("event_count(\"x\", duration(\"soon\")) > 1").help
                == ["the units of a duration are `h`, `m` and `s`"])
    }

    @Test(arguments: [
        ("event_count(\"x\", 7d) > 1", "a length of time is written `duration(\"168h\")`"),
        ("now - now > 90m", "a length of time is written `duration(\"90m\")`"),
        ("net.online AND net.online", "and is written `&&`"),
        ("net.online OR net.online", "or is written `||`"),
        ("not net.online", "not is written `!`, such as `!net.online`"),
        ("NOT net.online", "not is written `!`, such as `!net.online`"),
        (
            "net.online, user.launches > 1",
            "conditions are joined with `&&` (and) or `||` (or)"
        ),
        (
            "app.screen is null",
            "whether `app.screen` has no value is asked with `!has(app.screen)`"
        ),
        (
            "app.screen is not null",
            "whether `app.screen` has a value is asked with `has(app.screen)`"
        ),
        ("app.screen is \"map\"", "values are compared with `==`"),
        ("app.screen is not \"map\"", "values are compared with `!=`"),
        ("app.screen is user.plan", "values are compared with `==`"),
        (
            "app.screen is not map",
            "values are compared with `!=`, and a text is written in quotes: `\"map\"`"
        ),
        ("user.launches => 1", "at least is written `>=`"),
        ("user.launches =< 1", "at most is written `<=`"),
    ])
    func `on words of other languages says what they are here`(
        text: String, help: String
    ) throws {
        let found = try finding(text)
        #expect(found.check == .conditionSyntax)
        #expect(found.help == [help])
    }

    @Test(arguments: [
        (
            "app.screen == null",
            "whether a key has a value is asked with `has`: `!has(app.screen)`"
        ),
        (
            "app.screen != null",
            "whether a key has a value is asked with `has`: `has(app.screen)`"
        ),
        (
            "user.tags.contains(\"x\")",
            "whether a list holds a value is asked with `in`: `\"x\" in user.tags`"
        ),
        (
            "user.tags.length > 1",
            "how long a text or list is, is asked with `size(user.tags)`"
        ),
        ("user.plan.length() > 1", "how long a text or list is, is asked with `size(user.plan)`"),
        ("len(user.tags) > 1", "how long a text or list is, is asked with `size(user.tags)`"),
        ("cart.total == 50", "a number with a fraction is compared with `50.0`"),
        ("user.launches == \"3\"", "numbers are written without quotes: `3`"),
        ("net.online == \"true\"", "bools are written without quotes: `true`"),
    ])
    func `on misuse says what to write`(text: String, help: String) throws {
        #expect(try finding(text).help == [help])
    }

    @Test(arguments: [
        ("us\u{435}r.plan == \"pro\"", "unexpected Cyrillic letter `\u{435}`"),
        ("net.\u{3BF}nline", "unexpected Greek letter `\u{3BF}`"),
        ("net.online\u{A0}&& true", "unexpected no-break space"),
        ("net.online \u{200B}", "unexpected zero-width space"),
    ])
    func `names characters that look like others`(text: String, message: String) throws {
        #expect(try finding(text).message == message)
    }

    @Test func `on the order of versions does not advise what fails`() throws {
        let advice =
            "a version has no order as a text: declare a number for it, such as an int "
            + "`app.build`, and compare that"
        #expect(try finding("user.version >= \"10.2\"").help == [advice])
        #expect(try finding("user.plan >= \"10.2.1\"").help == [advice])
        #expect(
            try finding("user.plan < \"9\"").help
                == ["numbers are compared without quotes: `double(user.plan)` and `9`"])
    }
}
