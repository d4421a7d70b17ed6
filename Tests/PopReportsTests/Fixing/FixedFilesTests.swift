import PopReports
import PopSource
import Testing

@Suite struct `Safe fixes` {
    private func fixed(
        _ text: String, _ edits: [(Range<Int>, String, isSafe: Bool)], path: String = "a.yaml"
    ) -> (text: String?, count: Int) {
        var sources = SourceSet()
        let file = sources.add(path: path, bytes: Array(text.utf8))
        let findings = edits.map { bytes, replacement, isSafe in
            let range = SourceRange(file: file.id, bytes)
            return Diagnostic(
                .schemaType, message: "found", at: range,
                fixes: [
                    .init("mend", edits: [.init(range, replacement: replacement)], isSafe: isSafe)
                ])
        }
        let result = FixedFiles(Diagnostics(findings), sources: sources)
        return (result.contents[file.id].map { String(decoding: $0, as: UTF8.self) }, result.count)
    }

    @Test func `change only their ranges`() {
        let result = fixed(
            "é: yes # «\r\nb: no\r\n", [(4..<7, "true", true), (17..<19, "false", true)])
        #expect(result.text == "é: true # «\r\nb: false\r\n")
        #expect(result.count == 2)
    }

    @Test func `that overlap or touch wait for another round`() {
        #expect(fixed("abcdef", [(0..<3, "X", true), (2..<4, "Y", true)]).text == "Xdef")
        #expect(fixed("abcdef", [(0..<3, "X", true), (3..<4, "Y", true)]).text == "Xdef")
        #expect(fixed("abcdef", [(1..<1, "X", true), (1..<1, "Y", true)]).text == "aXbcdef")
    }

    @Test func `that are identical are applied once`() {
        let result = fixed("abc", [(0..<1, "X", true), (0..<1, "X", true)])
        #expect(result.text == "Xbc")
    }

    @Test func `are the only fixes that are applied, and only in files`() {
        #expect(fixed("abc", [(0..<1, "X", false)]).text == nil)
        #expect(fixed("abc", [(0..<1, "X", true)], path: "<stdin>").text == nil)
    }
}
