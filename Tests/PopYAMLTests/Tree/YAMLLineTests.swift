import PopSource
import PopYAML
import Testing

@Suite struct `A value on one line` {
    private func node(_ text: String) throws -> YAMLNode {
        try YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).get().root
    }

    @Test(arguments: [
        ("a: 1\nb:\n  - x\n  - 0x10\n", "{ a: 1, b: [x, 0x10] }"),
        ("when: a == \"x\", b", "{ when: 'a == \"x\", b' }"),
        ("'12'", "\"12\""), ("!!str 12", "\"12\""), ("~", "~"), ("a:\n", "{ a: null }"),
        ("[{}, [], '']", "[{}, [], \"\"]"), ("|\n  a\n  b\n", #""a\nb\n""#),
        ("a b\n  c d\n", "a b c d"), ("\"it's \\\"so\\\"\"", "'it''s \"so\"'"),
        ("\"a\\u202Eb\"", #""a\U0000202eb""#), ("{ ? [a] : b }", "{ [a]: b }"),
        ("- &x { k: v }\n- *x\n", "[{ k: v }, { k: v }]"),
    ])
    func `is written in YAML syntax, and keeps its meaning`(text: String, line: String) throws {
        let node = try node(text)
        #expect(node.line == line)
        #expect(try self.node(node.line).json == node.json)
    }

    @Test func `is also a valid JSON value`() throws {
        let node = try node(
            "{ a: [1, -2, 18446744073709551615, 1.5, .inf, true, null, x], 2: y }")
        #expect(
            node.json.compact
                == #"{"a":[1,-2,18446744073709551615,1.5,".inf",true,null,"x"],"2":"y"}"#)
    }
}
