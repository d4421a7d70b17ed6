import PopReports
import PopSource
import Testing

@Suite struct `Fingerprints` {
    private func fingerprints(_ text: String, path: String = "a.yaml", at offsets: [Int])
        -> [String]
    {
        var sources = SourceSet()
        let file = sources.add(path: path, bytes: Array(text.utf8))
        let findings = offsets.map {
            Diagnostic(.schemaType, message: "found", at: SourceRange(file: file.id, $0..<$0 + 1))
        }
        let diagnostics = Diagnostics(findings)
        let summary = Summary(popups: 0, files: 1, diagnostics: diagnostics)
        return Report(diagnostics, sources: sources, summary: summary).fingerprints.map(\.text)
    }

    @Test func `stay the same when lines are added and indentation changes`() {
        #expect(fingerprints("a: 1\n", at: [3]) == fingerprints("# new\n\n  a: 1  \n", at: [11]))
    }

    @Test func `differ by file and by the text of the line`() {
        #expect(fingerprints("a: 1\n", at: [3]) != fingerprints("a: 2\n", at: [3]))
        #expect(fingerprints("a: 1\n", at: [3]) != fingerprints("a: 1\n", path: "b.yaml", at: [3]))
    }

    @Test func `number findings on identical lines`() {
        let found = fingerprints("a: 1\na: 1\n", at: [3, 8])
        #expect(found.map { $0.suffix(2) } == [":1", ":2"])
    }
}
