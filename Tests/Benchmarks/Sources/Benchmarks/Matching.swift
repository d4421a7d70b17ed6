import Measuring
import PopCEL

/// Conditions that look for a pattern, and what making a pattern ready costs. `RE2Reference`
/// measures the same.
func measureMatching() throws -> [Figure] {
    let simple = #"^[a-z0-9.]+@[a-z]+\.(com|org)$"#
    let nested = "(a+)+$"
    let letters = String(repeating: "a", count: 18) + "!"
    let longLetters = String(repeating: "a", count: 18_000) + "!"
    let figures = measure([
        try matching("matches", .nanoseconds, "anna.b42@example.org", simple),
        try matching("matches, nested repetition", .nanoseconds, letters, nested),
        try matching(
            "matches, nested repetition, 18,000 letters", .microseconds, longLetters, nested),
        Case("compile a pattern", .microseconds) { use(try? RegularExpression(simple)) },
    ])
    return figures + (try measureElsewhere("RE2Reference"))
}

private func matching(
    _ name: String, _ unit: Unit, _ text: String, _ pattern: String
) throws -> Case {
    var environment = Environment()
    environment.declare(Variable("text", type: .string))
    let program = try environment.compile("text.matches(r'\(pattern)')", expecting: .bool).get()
    let slots = program.slotValues(["text": .string(text)])
    return Case(name, unit) { use(isMet(program, slots)) }
}
