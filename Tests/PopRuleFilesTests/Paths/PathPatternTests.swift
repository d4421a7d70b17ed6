import PopRuleFiles
import Testing

@Suite struct `Path patterns` {
    @Test(arguments: [
        ("*.yaml", "a.yaml"), ("rules/*.yaml", "rules/a.yaml"), ("**/*.yaml", "a.yaml"),
        ("**/*.yaml", "a/b/c.yaml"), ("a/**/z.yaml", "a/z.yaml"), ("a/**/z.yaml", "a/b/c/z.yaml"),
        ("?.yaml", "a.yaml"), ("[a-c].yaml", "b.yaml"), ("[!a].yaml", "b.yaml"),
        ("{a,b}/*.yaml", "b/x.yaml"), ("legacy", "legacy/old.yaml"),
        ("legacy/**", "legacy/a/b.yaml"),
        ("*a*b*c", "xaxbxc"), ("./rules/*.yaml", "rules/a.yaml"), ("[]", "[]"), ("{a", "{a"),
    ])
    func `match`(pattern: String, path: String) {
        #expect(PathPattern(pattern).matches(path))
    }

    @Test(arguments: [
        ("*.yaml", "rules/a.yaml"), ("rules/*.yaml", "rules/a/b.yaml"), ("?.yaml", "ab.yaml"),
        ("[a-c].yaml", "d.yaml"), ("[!a].yaml", "a.yaml"), ("{a,b}.yaml", "c.yaml"),
        ("legacy", "legacy2/old.yaml"), ("rules", "rule"), ("*a*b*c", "xaxcxb"),
    ])
    func `do not match`(pattern: String, path: String) {
        #expect(!PathPattern(pattern).matches(path))
    }

    @Test func `stay fast on hostile input`() {
        let stars = String(repeating: "*a", count: 200) + "b"
        #expect(!PathPattern(stars).matches(String(repeating: "a", count: 2_000)))
        let folders = String(repeating: "**/", count: 100) + "b"
        #expect(!PathPattern(folders).matches(String(repeating: "a/", count: 200)))
        let braces = String(repeating: "{a,b}", count: 40)
        #expect(!PathPattern(braces).matches("c"))
    }

    @Test func `are told from plain paths by their characters`() {
        #expect(PathPattern.isPattern("rules/*.yaml"))
        #expect(!PathPattern.isPattern("rules/a-b_c.yaml"))
    }
}
