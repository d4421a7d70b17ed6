import PopSource
import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct LinearTimeTests {
    private func program(_ pattern: String) throws -> RegexProgram {
        let node = try RegexParser.parse(pattern, limits: .standard)
        return try #require(RegexProgram(node, mostStates: 10_000))
    }

    @Test(arguments: [
        ("(a+)+$", "a", "b"), ("(a*)*b", "a", "c"), ("(a|aa)+$", "a", "b"), ("(x+x+)+y", "x", "z"),
        (String(repeating: "a?", count: 30) + String(repeating: "a", count: 30) + "c", "a", "b"),
        ("(.*)(.*)(.*)(.*)(.*)[^a]x", "a", "b"), (#"(\w+\s*)+:"#, "a ", "!"),
        ("(a|b)*a(a|b){14}c", "ab", "d"), ("(?m)(^a|a$|\\ba\\b|a)*c", "a\n", "d"),
    ])
    func `the number of steps grows only linearly with the text`(
        pattern: String, part: String, end: String
    ) throws {
        let program = try program(pattern)
        let steps = [250, 500, 1000].map { count in
            var machine = Determinizer(program)
            let text = String(repeating: part, count: count) + end
            let isMatch = machine.matches(text.utf8)
            #expect(!isMatch)
            let bytes = text.utf8.count
            #expect(machine.work <= 4 * (bytes + 1) * program.instructions.count)
            return machine.work
        }
        #expect(steps[2] <= 2 * steps[1] + 1000)
    }

    @Test func `the state table has a bounded size or is not built`() throws {
        #expect(StateTable(try program("(a+)+$"), limits: .standard) != nil)
        #expect(StateTable(try program("(a|b)*a(a|b){14}c"), limits: .standard) == nil)
        let large = try RegularExpression("(a|b)*a(a|b){14}c")
        #expect(large.stepsPerByte > 1)
        #expect(large.isMatch("bbba" + String(repeating: "ab", count: 7) + "c"))
        #expect(!large.isMatch("bbbb" + String(repeating: "bb", count: 7) + "c"))
    }

    @Test func `a discarded state set is built again`() throws {
        var random = SeededGenerator(seed: 8)
        let program = try program("(a|b)*a(a|b){18}c")
        let text = (0..<10_000).map { _ in Bool.random(using: &random) ? UInt8(0x61) : 0x62 }
        var machine = Determinizer(program)
        let isMatch = machine.matches(text)
        #expect(!isMatch)
        var other = Determinizer(program)
        let ending = Array(("a" + String(repeating: "b", count: 18) + "c").utf8)
        let isOtherMatch = other.matches(text + ending)
        #expect(isOtherMatch)
    }

    @Test func `matching a large pattern and compiling patterns count as work`() throws {
        var environment = Environment()
        environment.checking = .language
        environment.declare(Variable("text", type: .string))
        environment.declare(Variable("patterns", type: .list(.string)))
        let large = try environment.compile("text.matches('(a|b)*a(a|b){300}c')").get()
        let many = try environment.compile("patterns.exists(p, text.matches(p))").get()
        let short = String(repeating: "a", count: 10)
        let long = String(repeating: "a", count: 100_000)
        #expect(try large.evaluate(["text": .string(short)]) == false)
        #expect(throws: EvaluationError.self) { try large.evaluate(["text": .string(long)]) }
        let patterns = { (count: Int) in Value.list((0..<count).map { .string("x\($0)") }) }
        #expect(try many.evaluate(["text": "a", "patterns": patterns(20)]) == false)
        #expect(throws: EvaluationError.self) {
            try many.evaluate(["text": "a", "patterns": patterns(200)])
        }
    }
}
