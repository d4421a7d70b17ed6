import PopSource
import PopYAML
import Testing

@Suite struct MappingTests {
    @Test func `own keys take precedence over merged keys, and earlier maps over later maps`()
        throws
    {
        let text = """
            x-base: &base { a: 1, b: 2 }
            x-more: &more
              b: 3
              c: 4
            one: { <<: *base, b: 5 }
            two:
              <<: [*base, *more]
              d: *more
            three: { <<: { z: 9 } }
            """
        let root = try YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).get().root
        func shown(_ key: String) -> [String] {
            root[key]?.entries.map {
                "\($0.key.scalar?.text ?? "") \($0.value.scalar?.text ?? "-")"
            } ?? []
        }
        #expect(shown("one") == ["b 5", "a 1"])
        #expect(shown("two") == ["d -", "a 1", "b 2", "c 4"])
        #expect(shown("three") == ["z 9"])
    }

    @Test func `only a map can be merged`() {
        expectFinding(
            .yamlMergeKey, in: "a: { <<: «3» }\n",
            "`<<` merges maps, but its value is not a map")
        expectFinding(
            .yamlMergeKey, in: "a: { <<: [{ b: 1 }, «x»] }\n",
            "`<<` merges maps, but its value is not a map")
    }

    @Test func `a quoted merge sign is an ordinary key`() throws {
        let file = SourceFile(path: "a.yaml", text: "'<<': 1\n")
        #expect(try YAMLDocument.parse(file).get().root["<<"]?.scalar?.value == .int(1))
    }

    @Test(arguments: [
        "a: 1\n«a»: 2\n", "a: 1\n«'a'»: 2\n", "1: a\n«0x1»: b\n", "null: a\n«~»: b\n",
        "\"\\u0061\": 1\n«a»: 2\n", "{ a: 1, «a»: 2 }\n", "true: 1\n«True»: 2\n",
    ])
    func `a key may occur only once, however it is written`(marked: String) {
        let text = MarkedText(marked)
        let key = text.file.text(in: SourceRange(file: text.file.id, text.place))
        let found = expectFinding(
            .yamlDuplicateKey, in: marked, "the key `\(key)` appears twice in the same map")
        #expect(found?.secondary.map(\.text) == ["the key appears here first"])
    }

    @Test(arguments: ["1: a\n\"1\": b\n", "1: a\n1.0: b\n", "a: 1\nA: 2\n", "true: a\n'true': b\n"])
    func `keys of other types are different keys`(text: String) {
        #expect(YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.isEmpty)
    }

    @Test(arguments: ["low: 1\nlaw: 2\n", "{ title: 1, ta-le: 2, \"tiele\": 3 }\n"])
    func `keys of the same length with the same start and end are different keys`(text: String) {
        #expect(YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.isEmpty)
    }

    @Test func `the first of two equal keys is kept, even among many`() throws {
        for count in [2, 5, 23, 24, 25, 26, 40, 500] {
            var text = (0..<count).map { "k\($0): \($0)\n" }.joined()
            text += "k1: again\n"
            let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", text: text))
            #expect(checked.diagnostics.list.map(\.check) == [.yamlDuplicateKey])
            #expect(checked.value?.root.entries.count == count)
            #expect(checked.value?.root["k1"]?.scalar?.value == .int(1))
        }
    }
}
