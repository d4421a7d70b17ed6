import PopSource
import Testing

@testable import PopYAML

@Suite struct YAMLPiecesTests {
    @Test func `entries of a map are told apart by their indentation`() throws {
        let text = "a: 1\nb:\n  c: 2\n  # note\n\n  d:\n    e: 3\nf: 4\n"
        let file = SourceFile(path: "a.yaml", text: text)
        let pieces = try #require(YAMLPieces(file, length: 1))
        #expect(
            pieces.list.map { file.text(in: SourceRange(file: file.id, $0.bytes)) }
                == ["a: 1\n", "b:\n  c: 2\n  # note\n\n", "  d:\n    e: 3\n", "f: 4\n"])
        #expect(
            pieces.list.map { $0.section.map { file.text(in: $0.name) } } == [nil, nil, "b", nil])
        #expect(facts(pieces) == facts(file))
    }

    @Test(arguments: [
        "a: 1\nb: \"x\n  c: y\n  d: z\"\n", "a:\n  b: &x 1\n  c: *x\n", "a:\n  b: !!str 1\n",
        "a:\n  <<: { b: 1 }\n  c: 2\n", "a:\n  b: 1\n  b: 2\n  c: [\n  d: 3\n  ]\n",
        "a: 1\n---\nb: 2\nc: 3\n", "a: 1\n...\n", "- a\n- b\n", "a: [1,\n  b: 2,\n  c: 3]\n",
        "a: |\n  b: 1\n  c: 2\nd: 1\n", "a:\n  b: 01\n  c: 1\n", "a:\n  b: \u{1}\n  c: 1\n",
        "a.b:\n  c: 1\n  d: 2\n",
    ])
    func `what cannot be read apart is not read in pieces`(text: String) {
        let file = SourceFile(path: "a.yaml", text: text)
        #expect(YAMLPieces(file, length: 1).flatMap(facts) == nil)
    }

    @Test func `the pieces of whatever file are together the whole`() {
        var random = SeededGenerator(seed: 31)
        var compared = 0
        for _ in 0..<6_000 {
            let file = SourceFile(path: "a.yaml", text: randomText(&random))
            let length = Int.random(in: 1...40, using: &random)
            guard let pieces = YAMLPieces(file, length: length), let found = facts(pieces) else {
                continue
            }
            compared += 1
            #expect(found == facts(file), "in pieces of \(length):\n\(file.text(in: file.range))")
        }
        #expect(compared > 500)
    }

    @Test func `samples of the syntax are together the whole`() {
        for text in Samples.all {
            for length in 1...60 {
                let file = SourceFile(path: "a.yaml", text: text)
                guard let found = YAMLPieces(file, length: length).flatMap(facts) else { continue }
                #expect(found == facts(file), "in pieces of \(length)")
            }
        }
    }

    /// Lines that are each likely to change what the lines around them mean. No key stands twice.
    private func randomText(_ random: inout SeededGenerator) -> String {
        let usual = [
            "  k#:\n", "    k#: text\n", "    k#: 12\n", "k#:\n", "  k#: { a: 1, b: [2] }\n",
        ]
        let odd = [
            "    k#: \"open\n", "close\"\n", "  close\"\n", "    k#: |\n", "      deep\n", "\n",
            "    k#: |+\n", "  \n", "# k: 1\n", "  # k: 1\n", "    k#: >-\n", "  - k#\n", "- k#\n",
            "    k#: [1,\n", "  2]\n", "  ? k#\n", "  : k#\n", "...\n", "---\n",
            "  <<: { k#: 1 }\n",
            "    &a k#: 1\n", "    k#: *a\n", "  'k#': 1\n", "\tk#: 1\n", "    k#: \u{E9}\n",
            "   k#: 1\n", "      k#: 1\n", "  k#\n", "k#: text\n", "  more text\n",
            "    k#: 'it''s\n",
            "  k#: \r\n", "    k#: 07\n", "%TAG ! x\n", "    k# : 1 # note\n",
        ]
        var text = "k:\n  first: 1\n"
        for number in 0..<Int.random(in: 2...14, using: &random) {
            let isOdd = Int.random(in: 0..<8, using: &random) == 0
            let line = (isOdd ? odd : usual).randomElement(using: &random) ?? ""
            text += line.replacing("#:", with: "\(number):").replacing("k#", with: "k\(number)")
        }
        return text
    }

    /// Every value of a file with its place, apart from the map of the file and those right below its keys; nil where
    /// there is anything to report.
    private func facts(_ file: SourceFile) -> [String]? {
        let checked = YAMLDocument.parse(file)
        guard checked.diagnostics.isEmpty, let root = checked.value?.root else { return nil }
        return root.entries.flatMap(factsOfFile)
    }

    private func facts(_ pieces: YAMLPieces) -> [String]? {
        var all: [String] = []
        for piece in pieces.list {
            guard let root = pieces.read(piece) else { return nil }
            all += root.entries.flatMap(piece.section == nil ? factsOfFile : facts)
        }
        return all
    }

    private func factsOfFile(_ entry: YAMLEntry) -> [String] {
        guard entry.value.kind == .mapping, !entry.value.isFlow else { return facts(entry) }
        return facts(entry.key) + entry.value.entries.flatMap(facts)
    }

    private func facts(_ entry: YAMLEntry) -> [String] { facts(entry.key) + facts(entry.value) }

    private func facts(_ node: YAMLNode) -> [String] {
        let text = node.scalar.map { "\($0.style) \($0.text) \($0.value) \($0.textMap)" } ?? ""
        return ["\(node.kind) \(node.range.bytes) \(text)"] + node.items.flatMap(facts)
            + node.entries.flatMap(facts)
    }
}
