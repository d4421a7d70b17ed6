import PopReports
import PopSource
import Testing

@Test func `the JSON of a finding names each place by line, column and byte`() {
    var sources = SourceSet()
    let file = sources.add(path: "a.yaml", bytes: Array("é: 1\nb: 2\n".utf8))
    let diagnostics = Diagnostics([
        Diagnostic(
            .schemaUnknownKey, message: "unknown key `b`", at: SourceRange(file: file.id, 6..<7))
    ])
    let summary = Summary(popups: 0, files: 1, diagnostics: diagnostics)
    let report = Report(diagnostics, sources: sources, summary: summary)
    let text = ReportFormat.json.renderer().render(report)
    #expect(text.contains(#""check": "P0101""#))
    #expect(
        text.contains(
            "\"start\": {\n          \"line\": 2,\n          \"column\": 1,\n          \"byte\": 6")
    )
    #expect(text.contains("\"errors\": 1"))
}
