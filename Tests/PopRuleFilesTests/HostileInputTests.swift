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

    @Test func `a truncated file is checked to its end`() {
        let bytes = Self.example
        #expect(!bytes.isEmpty)
        for end in stride(from: 0, to: bytes.count, by: 7) { _ = check(Array(bytes[..<end])) }
    }

    @Test func `places stay inside the file whatever it contains`() {
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

    @Test func `a chain of conditions that is too long is reported once, at its start`() {
        var text = "poprules: 1\nconditions:\n"
        for number in 0..<2_000 { text += "  c\(number): c\(number + 1)\n" }
        text += "  c2000: true\n"
        let found = check(Array(text.utf8)).diagnostics.list
        #expect(found.map(\.check) == [.conditionCost])
        #expect(found.first?.subject == "condition `c0`")
    }

    @Test func `very many findings about one file are only counted`() {
        var text = "poprules: 1\npopups:\n  a:\n"
        for number in 0..<5_000 { text += "    k\(number): 1\n" }
        let found = check(Array(text.utf8)).diagnostics.sorted
        #expect(found.count == RuleFileLimits.standard.findings + 1)
        #expect(found.last?.message == "4000 more findings in this file are not shown")
        #expect(found.last?.level == .error)
    }

    @Test(arguments: [true, false])
    func `defaults that are too long for the number of their popups are refused`(isOfFile: Bool) {
        let condition = (0..<2_000).map { "k == \($0)" }.joined(separator: " || ")
        let defaults = "defaults: { when: '\(condition)' }"
        func text(_ popups: Int) -> String {
            "poprules: 1\ncontext: { k: { type: int, default: 0 } }\n"
                + (isOfFile ? defaults : "groups: { g: { \(defaults) } }") + "\npopups:\n"
                + (0..<popups).map { "  p\($0): { \(isOfFile ? "" : "group: g") }\n" }.joined()
        }
        #expect(check(Array(text(2).utf8)).diagnostics.list.isEmpty)
        let found = check(Array(text(2_000).utf8)).diagnostics.list
        #expect(found.map(\.check) == [.schemaLimit])
        #expect(found.first?.message == "these defaults are too long for 2000 popups")
    }

    @Test func `a long cycle is shown in part`() {
        var text = "poprules: 1\npopups:\n"
        for number in 0..<500 { text += "  p\(number): { after: [p\((number + 1) % 500)] }\n" }
        let found = check(Array(text.utf8)).diagnostics.list
        #expect(found.map(\.check) == [.refCycle])
        #expect(found.allSatisfy { $0.secondary.count < 10 && $0.notes.joined().count < 220 })
    }

    @Test func `many popups with the same mistake are reported in time`() {
        var text = "poprules: 1\npopups:\n"
        for index in 0..<2_000 { text += "  p\(index): { group: none, after: [p\(index)x] }\n" }
        let checked = check(Array(text.utf8))
        #expect(checked.diagnostics.list.count == RuleFileLimits.standard.findings + 1)
    }

    /// S-M2: tags of limits times tags of popups.
    @Test func `limits that cannot be compared with all popups are refused`() throws {
        func findings(limits: Int, popups: Int) -> [String] {
            var text = "poprules: 1\nlimits:\n"
            let tags = (0..<100).map { "t\($0)" }.joined(separator: ", ")
            for _ in 0..<limits { text += "  - { max: 1, per: 1d, tags: [\(tags)] }\n" }
            text += "popups:\n"
            for index in 0..<popups { text += "  p\(index): { tags: [t1] }\n" }
            return check(Array(text.utf8)).diagnostics.list.filter { $0.level == .error }
                .map(\.message)
        }
        #expect(findings(limits: 100, popups: 1_000) == [])
        #expect(
            findings(limits: 100, popups: 3_000)
                == ["`limits` has too many entries (100) for 3000 popups"])
        #expect(
            findings(limits: 101, popups: 1)
                == ["`limits` has 101 items, more than the limit of 100"])
    }

    /// S-M2: popups times languages.
    @Test func `only a few of very many languages without a string are named`() throws {
        let letters = (0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }
        let names = letters.flatMap { one in letters.map { "q\(one)\($0)" } }
        func found(_ names: [String]) -> [Diagnostic] {
            let text = """
                poprules: 1
                context: { l: string }
                locales: { key: l, required: [\(names.joined(separator: ", "))], fallback: en }
                templates: { t: { required: { x: { type: string, localized: true } } } }
                popups: { p: { template: t, content: { x: { en: Hi } } } }
                """
            return check(Array(text.utf8)).diagnostics.list
        }
        let missing = found(names)
        #expect(missing.map(\.check) == [.contentMissingLocale])
        #expect(missing.first?.message.hasSuffix("`qal` and 664 more") == true)
        let tooMany = found(names + names.map { $0 + "-XX" })
        #expect(tooMany.first?.check == .schemaLimit)
    }

    /// S-M2: popups times the fields of their template.
    @Test func `the number of fields of a template is limited`() {
        func checks(_ count: Int) -> [Check] {
            let fields = (0..<count).map { "x\($0): string" }.joined(separator: ", ")
            let text =
                "poprules: 1\ntemplates: { t: { optional: { \(fields) } } }\npopups: { p: { template: t } }"
            return check(Array(text.utf8)).diagnostics.list.map(\.check)
        }
        #expect(checks(1_000) == [])
        #expect(checks(1_001) == [.schemaLimit])
    }

    /// S-M2: all entries of a section are processed together.
    @Test(arguments: [
        ("popups", 10_000), ("groups", 10_000), ("schedulers", 99), ("schedulers, main", 100),
    ])
    func `the number of entries of a section is limited`(section: String, limit: Int) {
        func checks(_ count: Int) -> [Check] {
            let name = section.prefix { $0 != "," }
            let main = section.hasSuffix("main") ? "  main: {}\n" : ""
            let own = (main.isEmpty ? 0 : 1)..<count
            let entries = own.map { "  e\($0): {}\n" }.joined()
            let popups = name == "popups" ? "" : "popups: { p: {} }\n"
            let text = "poprules: 1\n\(name):\n\(main)\(entries)\(popups)"
            return check(Array(text.utf8)).diagnostics.list.filter { $0.level == .error }.map(
                \.check)
        }
        #expect(checks(limit) == [])
        #expect(checks(limit + 1) == [.schemaLimit])
    }

    @Test func `the number of actions of a template is limited`() {
        func checks(_ count: Int) -> [Check] {
            let actions = (0..<count).map { "a\($0)" }.joined(separator: ", ")
            let text =
                "poprules: 1\ntemplates: { t: { actions: [\(actions)] } }\n"
                + "popups: { p: { template: t } }"
            return check(Array(text.utf8)).diagnostics.list.map(\.check)
        }
        #expect(checks(1_000) == [])
        #expect(checks(1_001) == [.schemaLimit])
    }

    @Test func `a language with very many parts is invalid`() throws {
        let name = "en" + String(repeating: "-a", count: 200_000)
        let text =
            "poprules: 1\ncontext: { l: string }\nlocales: { key: l, required: [\(name)], fallback: en }"
        #expect(check(Array(text.utf8)).diagnostics.list.map(\.check) == [.contentUnknownLocale])
        let tag = LocaleTag(name)
        #expect(tag.widening.count < 70)
        #expect(tag.match(in: ["de", "en"]) == "en")
    }

    /// S-M2: values of a key times conditions that name others.
    @Test func `similar values are searched as often as similar names`() throws {
        let values = (0..<500).map { "value\($0)" }.joined(separator: ", ")
        var text = "poprules: 1\ncontext: { k: { type: string, values: [\(values)] } }\npopups:\n"
        for index in 0..<500 { text += "  p\(index): { when: 'k == \"valuX\(index)\"' }\n" }
        let found = check(Array(text.utf8)).diagnostics.list.filter {
            $0.check == .conditionEnumValue
        }
        #expect(found.count == 500)
        #expect(found.count { !$0.fixes.isEmpty || $0.help.count > 1 } == 100)
    }

    @Test func `the number of values in a section is limited`() {
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
        #expect(found.map(\.message) == ["the rule set has more than 2 popups"])
        #expect(found.map { sources[$0.range.file].text(in: $0.range) } == ["c"])
    }

    @Test func `a name that many files define is reported for each file but the first`() {
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
        for index in 0..<10_000 { text += "  g\(index):\n" }
        #expect(check(Array(text.utf8)).value?.groups.count == 10_000)
    }
}
