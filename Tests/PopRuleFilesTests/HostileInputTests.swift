import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

struct HostileInputTests {
    private static let example: [UInt8] = {
        let path = GoldenTests.folder.appending(path: "good-the-documented-example.yaml").path
        return (try? RuleFiles.read(path).files.first?.bytes) ?? []
    }()

    private func check(_ bytes: [UInt8]) -> Checked<RuleSet> {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: bytes)
        return RuleSet.check(sources)
    }

    @Test func `a file that ends anywhere is checked to its end`() {
        let bytes = Self.example
        #expect(!bytes.isEmpty)
        for end in stride(from: 0, to: bytes.count, by: 7) { _ = check(Array(bytes[..<end])) }
    }

    @Test func `places stay inside the file whatever stands in it`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = Self.example
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = "\0\n \t:-#{}[]'\"!&*|>%@`,x0\u{7f}".utf8.randomElement() ?? 0
            }
            let found = check(bytes).diagnostics.list
            let isInside = found.allSatisfy { $0.range.upper <= bytes.count }
            #expect(isInside, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func `a chain of conditions that is too long is reported once, at its beginning`() {
        var text = "poprules: 1\nconditions:\n"
        for number in 0..<2_000 { text += "  c\(number): c\(number + 1)\n" }
        text += "  c2000: true\n"
        let found = check(Array(text.utf8)).diagnostics.list
        #expect(found.map(\.check) == [.conditionCost])
        #expect(found.first?.subject == "condition `c0`")
    }

    @Test func `of very many findings about one file only their number is told`() {
        var text = "poprules: 1\npopups:\n  a:\n"
        for number in 0..<5_000 { text += "    k\(number): 1\n" }
        let found = check(Array(text.utf8)).diagnostics.sorted
        #expect(found.count == RuleFileLimits.standard.findings + 1)
        #expect(found.last?.message == "4000 more findings in this file are not shown")
        #expect(found.last?.level == .error)
    }

    @Test func `a long circle is shown in part`() {
        var text = "poprules: 1\npopups:\n"
        for number in 0..<500 { text += "  p\(number): { after: [p\((number + 1) % 500)] }\n" }
        let found = check(Array(text.utf8)).diagnostics.list
        #expect(found.map(\.check) == [.refCycle])
        #expect(found.allSatisfy { $0.secondary.count < 10 && $0.notes.joined().count < 200 })
    }

    @Test func `many popups with the same mistake are reported in time`() {
        var text = "poprules: 1\npopups:\n"
        for index in 0..<2_000 { text += "  p\(index): { group: none, after: [p\(index)x] }\n" }
        let checked = check(Array(text.utf8))
        #expect(checked.diagnostics.list.count == RuleFileLimits.standard.findings + 1)
    }

    @Test func `a section holds only so many entries`() {
        var limits = RuleFileLimits.standard
        limits.entries = 2
        var sources = SourceSet()
        sources.add(path: "a.yaml", bytes: Array("poprules: 1\npopups: { a: {}, b: {} }".utf8))
        sources.add(path: "b.yaml", bytes: Array("poprules: 1\npopups: { c: {}, d: {} }".utf8))
        let checked = RuleSet.check(sources, limits: limits)
        #expect(checked.diagnostics.list.map(\.check) == [.schemaLimit])
        #expect(checked.value == nil)
    }

    @Test func `too many entries are refused before any of them is read`() {
        var limits = RuleFileLimits.standard
        limits.entries = 2
        var sources = SourceSet()
        let text = "poprules: 1\npopups: { a: { when: 1 }, b: { none: 1 }, c: {}, d: {} }"
        sources.add(path: "a.yaml", bytes: Array(text.utf8))
        sources.add(path: "b.yaml", bytes: Array("poprules: 1\npopups: { e: { after: [a] } }".utf8))
        let found = RuleSet.check(sources, limits: limits).diagnostics.list
        #expect(found.map(\.message) == ["the rule set holds more than 2 popups"])
        #expect(found.map { sources[$0.range.file].text(in: $0.range) } == ["c"])
    }

    @Test func `a name that many files define is reported for each but the first`() {
        var sources = SourceSet()
        for index in 0..<50 {
            sources.add(
                path: "\(index).yaml",
                bytes: Array("poprules: 1\npopups: { a: {}, p\(index): { after: [a] } }".utf8))
        }
        let checked = RuleSet.check(sources)
        #expect(
            checked.diagnostics.list.map(\.check) == Array(repeating: .refDuplicateID, count: 49))
        #expect(checked.value?.popups.count == 51)
        #expect(checked.value?.popups.last?.after == [Predecessor(0)])
    }

    @Test func `many entries without a value are read in time`() {
        var text = "poprules: 1\ngroups:\n"
        for index in 0..<20_000 { text += "  g\(index):\n" }
        #expect(check(Array(text.utf8)).value?.groups.count == 20_000)
    }
}
