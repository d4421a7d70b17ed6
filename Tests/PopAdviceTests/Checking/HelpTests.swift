import PopCEL
import PopSource
import Testing

/// Helps for authors who write conditions as in other languages or in everyday words.
@Suite struct `The help` {
    private let environment: Environment = {
        var environment = Environment.advised
        environment.declare(Variable("cart.total", type: .double))
        return environment
    }()

    private func finding(_ text: String) throws -> Diagnostic {
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        #expect(found.count == 1, "\(found.map(\.message))")
        return try #require(found.first)
    }

    @Test func `on a duration in days shows the hours`() throws {
        for text in ["event_count(\"x\", duration(\"7d\")) > 1", "now - now > duration(\"7d\")"] {
            let found = try finding(text)
            #expect(
                found.message
                    == "`duration(\"7d\")` always fails: `7d` is not a valid duration")
            #expect(
                found.help == [
                    "use the units `h`, `m` and `s` in a duration: "
                        + "`\(text.replacing("7d", with: "168h"))`"
                ])
        }
        #expect(
            try finding("event_count(\"x\", duration(\"soon\")) > 1").help
                == ["use the units `h`, `m` and `s` in a duration"])
    }

    @Test func `on several mistakes titles each fix with everything that the fix does`() throws {
        let text = "NOT net.online AND app.screen = \"map\""
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        let titles = found.flatMap(\.fixes).map(\.title)
        #expect(
            titles == [
                "fix this and all other mistakes in the expression",
                "use `&&` instead of `AND`, and fix the rest",
                "use `==` to compare values, and fix the rest",
            ])
        for fix in found.flatMap(\.fixes) {
            #expect(applied(fix, to: text) == "!net.online && app.screen == \"map\"")
        }
        let beside = environment.compile("net.online AND app.scren == \"map\"", expecting: .bool)
        #expect(
            beside.diagnostics.sorted.flatMap(\.fixes).map(\.title) == [
                "fix this and all other mistakes in the expression",
                "fix this and all other mistakes in the expression",
            ])
    }

    /// For these conditions, no safe fix may change the meaning: nobody knows which part is to be
    /// repeated.
    @Test(arguments: [
        "user.launches + 1 > 3 AND < 9", "3 <= user.launches AND < 5",
        "user.launches + 1 BETWEEN 1 AND 3", "user.launches * 2 NOT BETWEEN 1 AND 3",
        "user.launches + 1 NOT IN (1, 2)", "user.plan + 'x' LIKE 'a%'",
        "user.plan + 'x' NOT LIKE 'a%b'", "user.launches - 1 IS NOT NULL",
    ])
    func `never repeats a part of an expression wrongly`(text: String) {
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        #expect(!found.isEmpty)
        let fixed = found.flatMap(\.fixes).map { applied($0, to: text) }
        #expect(fixed.filter { environment.compile($0, expecting: .bool).value != nil } == [])
    }

    @Test func `repeats the name or the call on the left of a comparison`() {
        for (text, expected) in [
            ("user.launches > 3 AND < 9", "user.launches > 3 && user.launches < 9"),
            ("size(user.plan) > 1 AND < 5", "size(user.plan) > 1 && size(user.plan) < 5"),
            ("5 == user.launches || 7", "5 == user.launches || user.launches == 7"),
        ] {
            let found = environment.compile(text, expecting: .bool).diagnostics.sorted
            let fixed = found.flatMap(\.fixes).map { applied($0, to: text) }
            #expect(fixed.contains(expected), "\(fixed)")
        }
    }

    @Test func `asks for the unit of a number where a duration is required`() throws {
        let help = try finding("event_count(\"x\", 7) > 1").help
        #expect(
            help.last == "if you mean seconds: `event_count(\"x\", duration(\"7s\")) > 1`",
            "\(help)")
    }

    @Test func `adds only the quotes inside a call of duration`() throws {
        let text = "now - now > duration(2h)"
        let fixes = try finding(text).fixes.map { applied($0, to: text) }
        #expect(fixes == ["now - now > duration(\"2h\")"])
    }

    @Test func `turns a percentage before a connective into a fraction of a key up to 1`() {
        var environment = environment
        environment.declare(Variable("battery", type: .double, maximum: .double(1)))
        let text = "battery < 20% and net.online"
        let fixed = environment.compile(text, expecting: .bool).diagnostics.sorted
            .flatMap(\.fixes).map { applied($0, to: text) }
        #expect(fixed.contains("battery < 0.2 && net.online"), "\(fixed)")
    }

    @Test func `explains that a quotient of integers has no fraction`() {
        let text = "user.launches > 0 && 7 / user.launches > 0.8"
        let fixed = environment.compile(text, expecting: .bool).diagnostics.sorted
            .flatMap(\.fixes).map { applied($0, to: text) }
        #expect(
            fixed.contains("user.launches > 0 && double(7) / double(user.launches) > 0.8"),
            "\(fixed)")
    }

    @Test func `shows how to check for one of several values`() throws {
        let text = "app.screen == \"a\" && app.screen == \"b\" && app.screen == \"c\""
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        #expect(
            found.flatMap(\.help).contains(
                "if one of these values is enough: `app.screen in [\"a\", \"b\", \"c\"]`"))
    }

    @Test func `suggests || for the two ends of a night`() throws {
        let text = "now.getHours(\"UTC\") >= 22 && now.getHours(\"UTC\") < 6"
        let found = try finding(text)
        #expect(found.check == .logicNeverTrue)
        #expect(found.help.first?.hasSuffix("`\(text.replacing("&&", with: "||"))`") == true)
        let day = "now.getHours(\"UTC\") >= 6 && now.getHours(\"UTC\") < 22"
        #expect(environment.compile(day, expecting: .bool).diagnostics.list.isEmpty)
    }

    /// (A10)
    @Test func `claims to fix everything only if the result compiles`() throws {
        let text = "net.online AND app.scren = \"map\" OR screen == \"map\""
        let found = environment.compile(text, expecting: .bool).diagnostics.sorted
        for fix in found.flatMap(\.fixes) where fix.isSafe || fix.title.contains("all of it") {
            let mended = applied(fix, to: text)
            #expect(environment.compile(mended, expecting: .bool).value != nil, "\(mended)")
        }
        let unknown = environment.compile("net.online AND nothing.known", expecting: .bool)
        let help = unknown.diagnostics.sorted.flatMap(\.help)
        #expect(!help.contains { $0.contains("all other mistakes") }, "\(help)")
        #expect(!unknown.diagnostics.sorted.flatMap(\.fixes).contains { $0.isSafe })
    }

    @Test(arguments: [
        ("event_count(\"x\", 7d) > 1", ["event_count(\"x\", duration(\"168h\")) > 1"]),
        ("now - now > 90m", ["now - now > duration(\"90m\")"]),
        ("net.online AND net.online", ["net.online && net.online"]),
        ("net.online OR net.online", ["net.online || net.online"]),
        ("not net.online", ["!net.online"]), ("NOT net.online", ["!net.online"]),
        (
            "net.online, user.launches > 1",
            ["net.online && user.launches > 1", "net.online || user.launches > 1"]
        ),
        ("app.screen is null", ["!has(app.screen)"]),
        ("app.screen is not null", ["has(app.screen)"]),
        ("app.screen is \"map\"", ["app.screen == \"map\""]),
        ("app.screen is not \"map\"", ["app.screen != \"map\""]),
        ("app.screen is user.plan", ["app.screen == user.plan"]),
        ("app.screen is not map", ["app.screen != \"map\""]),
        ("user.launches => 1", ["user.launches >= 1"]),
        ("user.launches =< 1", ["user.launches <= 1"]),
    ])
    func `on words of other languages shows the operators of poprules`(
        text: String, mended: [String]
    ) throws {
        let found = try finding(text)
        #expect(found.check == .conditionSyntax)
        #expect(found.fixes.map { applied($0, to: text) } == mended)
        for (help, mended) in zip(found.help, mended) { #expect(help.hasSuffix(": `\(mended)`")) }
    }

    private func applied(_ fix: Diagnostic.Fix, to text: String) -> String {
        var bytes = Array(text.utf8)
        for edit in fix.edits.reversed() {
            bytes.replaceSubrange(edit.range.bytes, with: edit.replacement.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("app.screen == null", "!has(app.screen)"), ("app.screen != null", "has(app.screen)"),
        ("user.tags.contains(\"x\")", "\"x\" in user.tags"),
        ("user.tags.length > 1", "size(user.tags) > 1"),
        ("user.plan.length() > 1", "size(user.plan) > 1"),
        ("len(user.tags) > 1", "size(user.tags) > 1"),
        ("cart.total == 50", "cart.total == 50.0"),
        ("user.launches == \"3\"", "user.launches == 3"),
        ("net.online == \"true\"", "net.online == true"),
        ("\"x\" in \"user.tags\"", "\"x\" in user.tags"),
        ("net.online && \"net.online\"", "net.online && net.online"),
        (
            "user.plan.endsWith(\"a\" || \"b\")",
            "user.plan.endsWith(\"a\") || user.plan.endsWith(\"b\")"
        ),
        ("NICHT(net.online)", "!net.online"),
        ("user.plan.matches(\"*pro*\")", "user.plan.contains(\"pro\")"),
        ("user.plan.matches(\"*pro\")", "user.plan.endsWith(\"pro\")"),
    ])
    func `on misuse shows what to write instead`(text: String, mended: String) throws {
        #expect(try finding(text).fixes.map { applied($0, to: text) } == [mended])
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

    @Test func `on the order of versions suggests nothing that fails`() throws {
        let advice =
            "declare a number for the version, such as an int `app.build`, and compare it, because"
            + " strings have no version order"
        #expect(try finding("user.version >= \"10.2\"").help == [advice])
        #expect(try finding("user.plan >= \"10.2.1\"").help == [advice])
        #expect(
            try finding("user.plan < \"9\"").help
                == [
                    "to compare numbers, use `double(user.plan)`, and remove the quotes of `\"9\"`"
                ])
    }
}
