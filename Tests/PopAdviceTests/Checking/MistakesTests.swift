import PopCEL
import PopSource
import Testing

/// Mistakes of authors who know other languages, fixed as advised until nothing is wrong.
@Suite struct `Following the help on a mistake` {
    private let environment: Environment = {
        var environment = Environment.advised
        environment.declare(Variable("cart.total", type: .double))
        environment.declare(Variable("user.joined", type: .timestamp))
        environment.declare(Variable("user.country", type: .string))
        environment.knowsDays = true
        return environment
    }()

    private func errors(_ text: String) -> [Diagnostic] {
        environment.compile(text, expecting: .bool).diagnostics.sorted.filter {
            $0.level == .error
        }
    }

    private func applied(_ fix: Diagnostic.Fix, to text: String) -> String {
        var bytes = Array(text.utf8)
        for edit in fix.edits.sorted(by: { $0.range > $1.range }) {
            bytes.replaceSubrange(edit.range.bytes, with: edit.replacement.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the final text after each fix of the first finding, or the remaining failure.
    private func ends(_ text: String) -> [String] {
        let first = errors(text).first { !$0.fixes.isEmpty }
        return (first?.fixes ?? []).map { fix in
            var text = applied(fix, to: text)
            for _ in 0..<4 {
                guard let next = errors(text).first else { return text }
                guard let fix = next.fixes.first else { return "\(text): \(next.message)" }
                text = applied(fix, to: text)
            }
            return text
        }
    }

    @Test(arguments: [
        ("now - user.joined > INTERVAL 30 DAY", ["now - user.joined > duration(\"30d\")"]),
        ("now - user.joined > INTERVAL '3 weeks'", ["now - user.joined > duration(\"21d\")"]),
    ])
    func `from SQL leads to a valid condition`(text: String, mended: [String]) {
        #expect(ends(text) == mended)
    }

    @Test(arguments: [
        ("DATEDIFF(day, user.joined, now) > 7", "7d"),
        ("DATEDIFF('hour', user.joined, now) > 7", "7h"),
        ("date_diff(user.joined, now, WEEK) > 2", "14d"),
        ("datediff(user.joined, now) > 7", "7d"), ("daysBetween(user.joined, now) > 7", "7d"),
    ])
    func `about two times in either order offers both differences`(text: String, length: String) {
        #expect(
            ends(text) == [
                "now - user.joined > duration(\"\(length)\")",
                "user.joined - now > duration(\"\(length)\")",
            ])
    }

    @Test(arguments: [
        ("typeof app.screen !== \"undefined\"", ["has(app.screen)"]),
        ("typeof app.screen == 'undefined'", ["!has(app.screen)"]),
        ("/^2\\./.test(user.version)", ["user.version.matches(r\"^2\\.\")"]),
        ("net.online? && user.tags.include?(\"beta\")", ["net.online && \"beta\" in user.tags"]),
        ("user.plan == :free", ["user.plan == \"free\""]),
        ("user.plan == .free", ["user.plan == \"free\""]),
        (
            "user.plan == \"free\" if net.online else False",
            ["net.online ? user.plan == \"free\" : false"]
        ),
        ("user.launches in 3..10", ["user.launches >= 3 && user.launches <= 10"]),
        ("user.launches in 3..<10", ["user.launches >= 3 && user.launches < 10"]),
        (
            "(3...10).contains(user.launches)",
            [
                "user.launches >= 3 && user.launches <= 10",
                "user.launches >= 3 && user.launches < 10",
            ]
        ),
        ("user.tags.contains(where: { $0 == \"beta\" })", ["user.tags.exists(x, x == \"beta\")"]),
        ("user.country.isNullOrBlank()", ["size(user.country) == 0"]),
        (
            "now - user.joined > 86400000",
            [
                "now - user.joined > duration(\"1d\")",
                "now - user.joined > duration(\"86400000s\")",
            ]
        ),
        ("if (net.online) user.launches > 3", ["(net.online) && user.launches > 3"]),
        ("if (net.online) { return true }", ["(net.online)"]),
    ])
    func `from programming languages leads to a valid condition`(text: String, mended: [String]) {
        #expect(ends(text) == mended)
    }

    @Test(arguments: [
        (
            "OR(user.plan=\"free\"; user.plan=\"pro\")",
            [
                "(user.plan==\"free\") || (user.plan==\"pro\")"
            ]
        ),
        ("TODAY() - user.joined > 7", ["now - user.joined > duration(\"7d\")"]),
        ("{% if user.plan == 'free' %}true{% endif %}", ["user.plan == 'free'"]),
        ("{{custom_attribute.${plan}}} == 'free'", ["user.plan == 'free'"]),
    ])
    func `from spreadsheets and templates leads to a valid condition`(
        text: String, mended: [String]
    ) {
        #expect(ends(text).first == mended.first)
    }

    @Test(arguments: [
        ("user.plan ist \"free\" und user.launches größer als 3", "user.launches > 3"),
        ("user.plan ist \"free\" und user.launches mindestens 3", "user.launches >= 3"),
        ("user.plan est \"free\" et user.launches supérieur à 3", "user.launches > 3"),
        ("user.plan es \"free\" y user.launches es mayor que 3", "user.launches > 3"),
    ])
    func `in natural language leads to a valid condition`(text: String, last: String) {
        #expect(ends(text) == ["user.plan == \"free\" && \(last)"])
    }

    @Test(arguments: [
        ("cart.total > 1,000.50", ["cart.total > 1000.50"]),
        ("cart.total > 1.000,50", ["cart.total > 1000.50"]),
        ("cart.total > 1.000.000,5", ["cart.total > 1000000.5"]),
        ("cart.total >= 50€", ["cart.total >= 50"]),
        ("cart.total >= €50", ["cart.total >= 50"]),
        ("cart.total >= 49.99 EUR", ["cart.total >= 49.99"]),
        ("cart.total >= $49.99", ["cart.total >= 49.99"]),
    ])
    func `in amounts leads to a valid condition`(text: String, mended: [String]) {
        #expect(ends(text) == mended)
    }

    @Test(arguments: [
        "user.lanches in 3..10", "user.plan == fre if net.online else false",
        "/^2/.test(user.vershion)",
    ])
    func `that hides another mistake loses nothing of the rest`(text: String) {
        for end in ends(text) {
            #expect(end.contains("3") || end.contains("?") || end.contains("^2"))
        }
    }

    @Test func `about days before now offers each unit`() {
        let units = ["d", "h", "m", "s"]
        #expect(
            ends("user.joined < now - 30")
                == units.map { "user.joined < now - duration(\"30\($0)\")" })
    }

    @Test(arguments: ["\"!= free\"", "\"not free\"", "\">= pro\""])
    func `about an operator inside a string never inverts the condition`(text: String) {
        #expect(errors("user.plan == \(text)").flatMap(\.fixes).isEmpty)
    }

    @Test func `about a day of the week gives the number of the day`() throws {
        let help = try #require(errors("now.dayOfWeek == \"monday\"").first?.help.first)
        #expect(help.contains("`now.getDayOfWeek(\"Europe/Berlin\") == 1`"))
        #expect(
            ends("now.getDayOfWeek(\"Europe/Berlin\") == \"Monday\"")
                == ["now.getDayOfWeek(\"Europe/Berlin\") == 1"])
    }
}
