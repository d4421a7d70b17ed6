import PopCEL
import PopSource
import Testing

/// Conditions that a product manager wrote who knew no such language: after the advice is followed,
/// a condition must mean what the author meant. The numbers are those of the findings.
@Suite struct `Advice that is followed` {
    private let environment: Environment = {
        var environment = Environment.advised
        environment.declare(Variable("user.tier", type: .string))
        environment.declare(Variable("user.mail", type: .string, mayBeMissing: true))
        environment.declare(Variable("user.birthday", type: .timestamp, mayBeMissing: true))
        environment.declare(Variable("a.size", type: .int))
        environment.declare(Variable("b.size", type: .int))
        environment.knowsDays = true
        return environment
    }()

    private func findings(_ text: String) -> [Diagnostic] {
        environment.compile(text, expecting: .bool).diagnostics.sorted
    }

    private func ends(_ text: String) throws -> [String] {
        try #require(findings(text).first).fixes.map { fix in
            var bytes = Array(text.utf8)
            for edit in fix.edits.sorted(by: { $0.range > $1.range }) {
                bytes.replaceSubrange(edit.range.bytes, with: edit.replacement.utf8)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("tier == \"plus\"", "user.tier == \"plus\""),
        ("tier != \"plus\"", "user.tier != \"plus\""), ("launches > 3", "user.launches > 3"),
        ("tags.contains(\"vip\")", "user.tags.contains(\"vip\")"),
    ])
    func `completes a name of which only the last part is written (3)`(text: String, mended: String)
        throws
    {
        #expect(try ends(text) == [mended])
    }

    @Test func `suggests each name if several have the same last part (3)`() throws {
        let found = try #require(findings("size > 3").first)
        #expect(found.fixes.isEmpty)
        #expect(found.help == ["did you mean `a.size` or `b.size`?"])
    }

    @Test(arguments: ["level > 3", "level == \"a\"", "level in [\"a\", \"b\"]", "\"a\" == level"])
    func `never produces a comparison of constants (3)`(text: String) throws {
        #expect(try ends(text) == [])
    }

    @Test(arguments: [
        ("count(\"x\") > 1", "event_count(\"x\") > 1"),
        ("COUNT(\"x\") > 1", "event_count(\"x\") > 1"),
    ])
    func `turns count into event_count (4)`(text: String, mended: String) throws {
        #expect(try ends(text) == [mended])
    }

    @Test(arguments: [
        "has(user.birthday) && now == user.birthday",
        "has(user.birthday) && now != user.birthday",
        "now == timestamp(\"2026-12-24T00:00:00Z\")",
    ])
    func `warns about equality of times to the nanosecond (5)`(text: String) throws {
        let found = try #require(findings(text).first)
        #expect(found.check == .conditionSuspiciousCompare)
        #expect(found.message.hasPrefix("`now` is practically"))
    }

    @Test(arguments: ["TODAY() == user.birthday", "CURRENT_DATE == user.birthday"])
    func `does not replace a day with a point in time (5)`(text: String) throws {
        let found = try #require(findings(text).first)
        #expect(found.fixes.isEmpty)
        #expect(found.help.first?.hasPrefix("to check for the same day and month") == true)
    }

    @Test(arguments: [
        (
            "ISBLANK(user.mail)",
            [
                "!has(user.mail) || size(user.mail) == 0",
                "has(user.mail) && size(user.mail) == 0",
            ]
        ),
        (
            "net.online && isEmpty(user.mail)",
            [
                "net.online && (!has(user.mail) || size(user.mail) == 0)",
                "net.online && (has(user.mail) && size(user.mail) == 0)",
            ]
        ),
        (
            "user.mail is empty",
            [
                "(!has(user.mail) || size(user.mail) == 0)",
                "(has(user.mail) && size(user.mail) == 0)",
            ]
        ),
        ("isNotEmpty(user.mail)", ["has(user.mail) && size(user.mail) > 0"]),
        ("user.birthday == null", ["!has(user.birthday)"]),
        ("user.birthday != null", ["has(user.birthday)"]),
        ("last_event(\"x\") == null", ["!has(last_event(\"x\"))"]),
        ("user.tier IS NULL", ["user.tier == \"\""]),
        ("user.tier IS NOT NULL", ["user.tier != \"\""]),
        ("user.tier == null", ["user.tier == \"\""]),
        ("user.tags == null", ["size(user.tags) == 0"]), ("net.online == null", []),
        ("isNull(user.tier)", ["user.tier == \"\""]), ("isset(net.online)", []),
    ])
    func `adds no comparison with a value to keys that may lack one (6)`(
        text: String, mended: [String]
    ) throws {
        #expect(try ends(text) == mended)
    }

    @Test func `explains that now is never null only where rules are written (6)`() {
        var other = environment
        other.knowsDays = false
        #expect(!other.compile("now == null", expecting: .bool).diagnostics.hasErrors)
    }

    @Test(arguments: [
        ("user.plan LIKE 'a_n'", "user.plan.matches(r\"^a.n$\")"),
        ("user.plan LIKE '%a_n'", "user.plan.matches(r\"a.n$\")"),
        ("user.plan LIKE 'a%n'", "user.plan.matches(r\"^a.*n$\")"),
        ("user.plan ILIKE 'an%'", "user.plan.matches(r\"(?i)^an\")"),
        ("user.plan NOT ILIKE '%a.n%'", "!user.plan.matches(r\"(?i)a\\.n\")"),
        ("user.plan LIKE 'fr%'", "user.plan.startsWith(\"fr\")"),
    ])
    func `keeps the whole meaning of an SQL pattern (10)`(text: String, mended: String) throws {
        #expect(try ends(text) == [mended])
        #expect(findings(mended).isEmpty)
    }

    @Test(arguments: [
        ("user.tier in \"free\", \"plus\"", ["user.tier in [\"free\", \"plus\"]"]),
        ("user.tier == (\"free\" || \"plus\")", ["user.tier in [\"free\", \"plus\"]"]),
        ("user.tier != (\"free\" || \"plus\")", ["!(user.tier in [\"free\", \"plus\"])"]),
        ("new Date() > now", ["now > now"]),
        ("net.online == yes", ["net.online == true"]),
        ("no == net.online", ["false == net.online"]),
        (
            "user.tags.containsAny([\"vip\"])", ["user.tags.exists(t, t in [\"vip\"])"]
        ),
        (
            "user.tags.containsAll([\"a\", \"b\"])", ["[\"a\", \"b\"].all(t, t in user.tags)"]
        ),
        ("(now - now).getDays() > 7", ["(now - now) > duration(\"7d\")"]),
        ("user.plan starts_with \"A\"", ["user.plan.startsWith(\"A\")"]),
        ("user.tier not_in [\"a\", \"b\"]", ["!(user.tier in [\"a\", \"b\"])"]),
    ])
    func `leads to a valid condition in one step (15, 16, 25)`(text: String, mended: [String])
        throws
    {
        #expect(try ends(text) == mended)
        for text in mended { #expect(!findings(text).contains { $0.level == .error }) }
    }

    @Test(arguments: [
        ("now.getMonth(\"UTC\") == 12", ["now.getMonth(\"UTC\") == 11"]),
        ("now.getDayOfWeek(\"UTC\") == 7", ["now.getDayOfWeek(\"UTC\") == 0"]),
        ("now.getDayOfWeek(\"UTC\") in [6, 7]", ["now.getDayOfWeek(\"UTC\") in [6, 0]"]),
        ("now.getHours(\"UTC\") >= 24", []), ("31 < now.getDate(\"UTC\")", []),
        ("now.getDate(\"UTC\") == 0", []),
    ])
    func `corrects numbers outside the range of a date field (21)`(text: String, mended: [String])
        throws
    {
        let found = try #require(findings(text).first)
        #expect(found.check == .conditionSuspiciousCompare)
        #expect(found.message.hasSuffix(" is never true"))
        #expect(try ends(text) == mended)
    }

    @Test(arguments: [
        "now.getMonth(\"UTC\") == 11", "now.getDayOfWeek(\"UTC\") == 0",
        "now.getHours(\"UTC\") >= 23", "now.getDate(\"UTC\") <= 30", "now.getHours(\"UTC\") > 0",
    ])
    func `does not warn about numbers inside the range of a date field (21)`(text: String) {
        #expect(findings(text).isEmpty)
    }
}
