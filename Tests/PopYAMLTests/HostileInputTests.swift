import PopSource
import PopTestSupport
import PopYAML
import Testing

/// Behavior that no input may cause: a crash, a hang, a place outside of the file, or a character
/// that is mapped to another.
@Suite struct HostileInputTests {
    @Test func `a file cut off at any byte gives a finding with a place`() {
        for sample in Samples.all {
            let bytes = Array(sample.utf8)
            for end in 0..<bytes.count { check(Array(bytes[..<end])) }
        }
    }

    @Test func `invalid bytes at every position are reported at that position`() throws {
        let bytes = Array(Samples.conditions.utf8)
        for position in bytes.indices {
            var changed = bytes
            changed[position] = [0xFF, 0xC0, 0x80, 0xED][position % 4]
            let found = check(changed).filter { $0.check == .yamlEncoding }
            #expect(found.contains { $0.range.bytes.contains(position) })
        }
    }

    @Test func `NUL and other control characters are reported at their position`() {
        let bytes = Array(Samples.conditions.utf8)
        for position in bytes.indices {
            var changed = bytes
            changed[position] = [0x00, 0x07, 0x7F, 0x1B][position % 4]
            let found = check(changed).filter { $0.check == .yamlEncoding }
            #expect(found.contains { $0.range.bytes == position..<position + 1 })
        }
    }

    @Test(arguments: 0..<8) func `random changes cause no crash`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("'\"[]{}:,#&*!|>%@`-? \n\t\\ax0\u{E9}\u{2028}\u{85}\r".utf8)
        for sample in Samples.all {
            for _ in 0..<25 {
                var bytes = Array(sample.utf8)
                for _ in 0...Int.random(in: 0..<6, using: &random) {
                    let position = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes[position] = alphabet.randomElement(using: &random) ?? 0
                    case 2:
                        bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: position)
                    default: bytes.remove(at: position)
                    }
                }
                check(bytes)
            }
        }
    }

    @Test(arguments: 0..<8) func `random syllables of YAML cause no crash`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        let syllables = [
            "a", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\n    ", "'", "\"", "[", "]", "{", "}",
            ", ",
            "&a ", "*a", "!t ", "!!str ", "| ", "|2-\n", ">\n", ">+\n   ", "#c", " #", "\t", "\\n",
            "\\",
            "%", "@", "<<: ", "---\n", "...\n", "\u{FEFF}", "\u{2028}", "\u{E9}", "\r\n", "\r", "x",
            "1",
        ]
        for _ in 0..<150 {
            let count = Int.random(in: 1..<40, using: &random)
            let text = (0..<count).map { _ in syllables.randomElement(using: &random) ?? "" }
            check(Array(text.joined().utf8))
        }
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "a:\n ", "[{", "\"", "'", "&a [", "!", "*", "<<: {"])
    func `ten thousand equal tokens cause no crash`(unit: String) {
        check(Array(String(repeating: unit, count: 10_000).utf8))
    }

    @Test func `deep indentation stops at the limit`() {
        let text = (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(check(Array(text.utf8)).map(\.check) == [.yamlLimit])
    }

    @Test func `aliases of aliases stop at the limit`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<12 {
            let uses = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(uses)]\n"
        }
        #expect(check(Array(text.utf8)).contains { $0.check == .yamlLimit })
    }

    /// S-M2: a long text counts as many values.
    @Test func `aliases of a long string stop at the limit`() {
        func checks(length: Int) -> [Check] {
            var text = "a: &a \"\(String(repeating: "x", count: length))\"\n"
            for number in 0..<1_000 { text += "b\(number): *a\n" }
            return check(Array(text.utf8)).map(\.check)
        }
        #expect(checks(length: 100) == [])
        #expect(checks(length: 7_000) == [.yamlLimit])
    }

    @Test func `a chain of aliases is as deep as it is long`() {
        var text = "a0: &a0 [x]\n"
        for level in 1..<200 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(check(Array(text.utf8)).contains { $0.check == .yamlLimit })
    }

    @Test func `merge keys that multiply are limited`() {
        var text = "a0: &a0 { k: 1 }\n"
        for level in 1..<40 {
            text += "a\(level): &a\(level) { <<: [*a\(level - 1), *a\(level - 1)], k\(level): 1 }\n"
        }
        #expect(check(Array(text.utf8)).contains { $0.check == .yamlLimit })
    }

    @Test func `many keys are compared in linear time`() throws {
        var text = ""
        for key in 0..<100_000 { text += "k\(key): \n" }
        text += "k500: again\n"
        let found = check(Array(text.utf8))
        #expect(found.map(\.check) == [.yamlDuplicateKey])
    }

    @Test func `long runs of spaces in many words are refused`() {
        var text = "a: x" + String(repeating: " ", count: 400_000) + "x"
        for _ in 0..<50_000 { text += " x" }
        #expect(check(Array(text.utf8)).map(\.check) == [.yamlLimit])
    }

    @Test func `a long scalar is read as one scalar`() throws {
        let long = String(repeating: "abc ", count: 500_000) + "d"
        let file = SourceFile(path: "a.yaml", text: "a: \(long)\nb: \"\(long)\\n\"\n")
        let root = try YAMLDocument.parse(file).get().root
        #expect(root["a"]?.scalar?.utf8Count == long.utf8.count)
        #expect(root["b"]?.scalar?.utf8Count == long.utf8.count + 1)
    }

    @Test func `hundreds of directives are refused`() {
        let text = (0..<500).map { "%TAG !t\($0)! tag:x,\($0):\n" }.joined() + "---\na: 1\n"
        #expect(check(Array(text.utf8)).map(\.check) == [.yamlLimit])
    }

    @Test func `a file over the size limit is not read`() {
        var limits = YAMLLimits.standard
        limits.bytes = 10
        let checked = YAMLDocument.parse(
            SourceFile(path: "a.yaml", text: "abcdef: ghijkl"), limits: limits)
        #expect(checked.value == nil)
        #expect(checked.diagnostics.list.map(\.check) == [.yamlLimit])
    }
}

/// Reads the bytes, and checks all results.
@discardableResult
func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> [Diagnostic] {
    let file = SourceFile(path: "a.yaml", bytes: bytes)
    let checked = YAMLDocument.parse(file)
    for found in checked.diagnostics.list {
        let places =
            [found.range] + found.secondary.map(\.range)
            + found.fixes.flatMap { $0.edits.map(\.range) }
        for place in places where place.upper > bytes.count || place.lower > place.upper {
            Issue.record("\(found.message) lies outside", sourceLocation: sourceLocation)
        }
    }
    if checked.value == nil {
        #expect(checked.diagnostics.hasErrors, "\(bytes)", sourceLocation: sourceLocation)
    }
    if let root = checked.value?.root { walk(root, in: file, sourceLocation) }
    return checked.diagnostics.list
}

/// Checks the place and the text map of every node that doesn't replace a broken value.
private func walk(_ node: YAMLNode, in file: SourceFile, _ sourceLocation: SourceLocation) {
    var rest = [node]
    var visited = 0
    while let node = rest.popLast(), visited < 5_000 {
        visited += 1
        if node.range.upper > file.bytes.count || node.range.lower > node.range.upper {
            Issue.record("a node lies outside of \(file.bytes)", sourceLocation: sourceLocation)
        }
        rest += node.items
        for entry in node.entries { rest += [entry.key, entry.value] }
        guard let scalar = node.scalar, !node.isBroken else { continue }
        let problem = TextMapCheck.problem(of: scalar)
        if let problem {
            Issue.record("\(problem) in \(file.bytes)", sourceLocation: sourceLocation)
        }
    }
}
