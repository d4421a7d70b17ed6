import PopCEL
import PopSource
import PopTestSupport
import Testing

/// Messages of an engine that carries no advice: they report only what is wrong.
@Suite struct `Without advice` {
    private func findings(_ text: String, knowsDays: Bool = false) -> [Diagnostic] {
        var environment = Environment.sample
        environment.knowsDays = knowsDays
        return environment.compile(text, expecting: .bool).diagnostics.sorted
    }

    @Test(arguments: [
        ("user.plna == \"pro\"", ["unknown context key `user.plna`"]),
        ("lenght(user.tags) > 1", ["unknown function `lenght`"]),
        ("user.plan == 3", ["cannot compare a string with an int"]),
        ("user.plan = \"pro\"", ["unexpected `=`"]),
        ("!user.launches > 3", ["`!` needs true or false, not an int"]),
        ("event_count(order.paid) > 1", ["unknown context key `order.paid`"]),
        ("user['plan'] == \"pro\"", ["unknown context key `user`"]),
        ("user.launches && net.online", ["both sides of `&&` must be true or false, not an int"]),
        ("net.\u{A0}online", ["unexpected `\u{A0}`"]),
    ])
    func `a mistake gives one finding without help`(text: String, messages: [String]) {
        let found = findings(text)
        #expect(found.map(\.message) == messages)
        #expect(found.allSatisfy { $0.level == .error && $0.help.isEmpty && $0.fixes.isEmpty })
    }

    @Test func `a comparison with null is a mistake in conditions of rules`() {
        #expect(
            findings("now == null", knowsDays: true).map(\.message)
                == ["cannot compare a timestamp with null"])
    }

    @Test(arguments: [
        "app.screen == \"map\"", "user.plan == \"prp\"", "user.tags[0] == \"a\"",
        "user.plan == \"pro\" && user.plan == \"free\"", "1 / 0 == 1",
    ])
    func `likely mistakes are not reported`(text: String) {
        #expect(findings(text).isEmpty)
    }
}
