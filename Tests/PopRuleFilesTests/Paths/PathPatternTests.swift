import PopRuleFiles
import Testing

@Suite struct `A path pattern` {
    @Test(arguments: [
        ("*.yaml", "a.yaml"), ("rules/*.yaml", "rules/a.yaml"), ("**/*.yaml", "a.yaml"),
        ("**/*.yaml", "a/b/c.yaml"), ("a/**/z.yaml", "a/z.yaml"), ("a/**/z.yaml", "a/b/c/z.yaml"),
        ("?.yaml", "a.yaml"), ("[a-c].yaml", "b.yaml"), ("[!a].yaml", "b.yaml"),
        ("{a,b}/*.yaml", "b/x.yaml"), ("legacy", "legacy/old.yaml"),
        ("legacy/**", "legacy/a/b.yaml"),
        ("*a*b*c", "xaxbxc"), ("./rules/*.yaml", "rules/a.yaml"), ("[]", "[]"), ("{a", "{a"),
    ])
    func `matches its paths`(pattern: String, path: String) {
        #expect(PathPattern(pattern).matches(path))
    }

    @Test(arguments: [
        ("*.yaml", "rules/a.yaml"), ("rules/*.yaml", "rules/a/b.yaml"), ("?.yaml", "ab.yaml"),
        ("[a-c].yaml", "d.yaml"), ("[!a].yaml", "a.yaml"), ("{a,b}.yaml", "c.yaml"),
        ("legacy", "legacy2/old.yaml"), ("rules", "rule"), ("*a*b*c", "xaxcxb"),
    ])
    func `does not match other paths`(pattern: String, path: String) {
        #expect(!PathPattern(pattern).matches(path))
    }

    @Test func `stays fast on hostile input`() {
        let stars = String(repeating: "*a", count: 200) + "b"
        #expect(!PathPattern(stars).matches(String(repeating: "a", count: 2_000)))
        let folders = String(repeating: "**/", count: 100) + "b"
        #expect(!PathPattern(folders).matches(String(repeating: "a/", count: 200)))
        let braces = String(repeating: "{a,b}", count: 40)
        #expect(!PathPattern(braces).matches("c"))
    }

    @Test func `has a limit, beyond which it matches nothing`() {
        let many = (0..<65).map { "x\($0)" }.joined(separator: ",")
        #expect(PathPattern.excess(of: "{\(many)}.yaml") == "more than 64 alternatives in braces")
        #expect(!PathPattern("{\(many)}.yaml").matches("x1.yaml"))
        #expect(PathPattern.excess(of: "{a,b}{c,d}{e,f}.yaml") == nil)
        #expect(PathPattern("{a,b}{c,d}{e,f}.yaml").matches("ade.yaml"))
        // 36,000,000 alternatives in 60 kB.
        let wide = "{\((0..<6_000).map { "x\($0)" }.joined(separator: ","))}"
        #expect(PathPattern.excess(of: wide + "/" + wide) == "more than 1000 characters")
        let folders = String(repeating: "**/", count: 20_000)
        #expect(PathPattern.excess(of: folders) == "more than 1000 characters")
        #expect(throws: ReadError.self) { try PathPattern.search(folders + "*.yaml") }
    }

    @Test(arguments: [
        ("[^a].yaml", "b.yaml", true), ("[^a].yaml", "a.yaml", false), ("ä?.yaml", "äb.yaml", true),
        ("*é*", "caf\u{65}\u{301}.yaml", true), ("[à-é]", "é", true), ("?", "👍🏽", true),
        ("a/**", "a", true), ("**/**/**/a", "b/a", true), ("[z-a]", "m", false),
    ])
    func `compares whole characters`(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }

    @Test func `is distinguished from a plain path by its characters`() {
        #expect(PathPattern.isPattern("rules/*.yaml"))
        #expect(!PathPattern.isPattern("rules/a-b_c.yaml"))
    }
}
