import PopSource
import PopYAML
import Testing

@Suite struct AnchorTests {
    @Test func `an alias has the value of its anchor, at the position of the alias`() throws {
        let file = SourceFile(path: "a.yaml", text: "a: &x\n  b: 1\nc: *x\n")
        let root = try YAMLDocument.parse(file).get().root
        let alias = try #require(root["c"])
        #expect(alias.isAlias)
        #expect(file.text(in: alias.range) == "*x")
        #expect(file.text(in: alias.definitionRange) == "b: 1")
        #expect(alias.anchorRange.map { file.text(in: $0) } == "&x")
        #expect(alias["b"]?.scalar?.value == .int(1))
    }

    @Test func `an undefined alias is an error`() {
        let found = expectFinding(
            .yamlUndefinedAlias, in: "when: «*p»\nb: 1\n",
            "no anchor `&p` is defined above `*p`", fixed: "when: \"*p\"\nb: 1\n")
        #expect(
            found?.notes
                == [
                    "a value that starts with `*` repeats the value marked with `&` above it"
                        + " in the same file; an anchor cannot be used in another file"
                ])
        expectFinding(
            .yamlUndefinedAlias, in: "a: &defaults 1\nb: «*default»\nc: *defaults\n",
            "no anchor `&default` is defined above `*default`",
            help: "did you mean `*defaults`?")
    }

    @Test func `a value that would contain itself is an error`() {
        let found = expectFinding(
            .yamlRecursiveAlias, in: "a: &a [«*a»]\n", "`*a` is inside the value that it refers to")
        #expect(found?.secondary.map(\.range.bytes) == [3..<5])
    }

    @Test func `an unused anchor is a warning, even below x- keys`() {
        let found = expectFinding(
            .yamlUnusedAnchor, in: "x-a: «&a» 1\n", "the anchor `&a` is never used")
        #expect(found?.level == .warning)
    }

    @Test func `an anchor may be defined again`() throws {
        let file = SourceFile(path: "a.yaml", text: "- &a 1\n- *a\n- &a 2\n- *a\n")
        let items = try YAMLDocument.parse(file).get().root.items
        #expect(items.map { $0.scalar?.text } == ["1", "1", "2", "2"])
    }
}
