import PopCEL
import PopSource
import PopTestSupport
import Testing

/// C12, C7: what one expression gets wrong in several places, and durations in days.
@Suite struct `The mistakes of one expression` {
    private let environment: Environment = {
        var environment = Environment.advised
        environment.knowsDays = true
        return environment
    }()

    private func messages(_ text: String) -> [String] {
        environment.compile(text, expecting: .bool).diagnostics.sorted.map(\.message)
    }

    @Test func `are all reported in one run`() {
        #expect(
            messages("user.plna == \"pro\" && user.launches > \"3\" && lenght(user.tags) > 1")
                == [
                    "unknown context key `user.plna`", "cannot compare an int with a string",
                    "unknown function `lenght`",
                ])
        #expect(
            messages("user.plan = \"pro\" and user.plna == 3 or user.launches > \"3\"")
                == [
                    "there is no operator `=`", "there is no operator `and`",
                    "unknown context key `user.plna`", "there is no operator `or`",
                    "cannot compare an int with a string",
                ])
    }

    @Test func `are reported together with a part that cannot be parsed`() {
        #expect(
            messages("user.plan == && user.launches > \"3\"")
                == [
                    "expected a value before the next `&&` or `||`",
                    "cannot compare an int with a string",
                ])
    }

    @Test func `include a value that a key never has, next to an error`() {
        #expect(
            messages("user.plna == 1 && user.plan == \"prp\"")
                == ["unknown context key `user.plna`", "`user.plan` is never `\"prp\"`"])
    }

    /// An expression of 2 bytes, `&&`, ended the program.
    @Test(arguments: [
        "&&", "||", "&& ||", "&&&&", "&&1.&&", "&&1()&&", "||.||", "&&1 1&&", "not or #",
        "has( not or in , 1", "unless or", "a unless or",
    ])
    func `have ranges inside the expression, even if it begins with an operator`(text: String) {
        for finding in environment.compile(text, expecting: .bool).diagnostics.list {
            #expect(finding.range.upper <= text.utf8.count, "\(finding)")
        }
    }

    @Test(arguments: 0..<40) func `have ranges inside the expression, whatever its tokens are`(
        seed: UInt64
    ) {
        let tokens = [
            "&&", "||", "!", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "==", "<", "-", "+",
            "in", "and", "or", "not", "=", "1", "1.5", "\"a\"", "'b'", "true", "null",
            "user.plan", "user.tags", "size(", "has(", ".exists(x, ", "💥", "\"", " ", "\n", "#",
        ]
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let count = Int.random(in: 1...7, using: &generator)
            let text = (0..<count).map { _ in
                tokens.randomElement(using: &generator) ?? ""
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            let found = environment.compile(text, expecting: .bool).diagnostics.list
            #expect(found.allSatisfy { $0.range.upper <= text.utf8.count }, "\(text): \(found)")
        }
    }

    @Test func `do not include a duration in days`() throws {
        #expect(messages("now - now < duration(\"30d\")").isEmpty)
        let program = try environment.compile("duration(\"1d12h\") == duration(\"36h\")").get()
        #expect(try program.evaluate([:]) == .bool(true))
        #expect(
            Environment.advised.compile("duration(\"30d\") > duration(\"1h\")").diagnostics.list
                .first?.fixes.first?.edits.map(\.replacement) == ["duration(\"720h\")"])
    }
}
