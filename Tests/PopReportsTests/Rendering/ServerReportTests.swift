import PopReports
import PopSource
import Testing

/// Reports that build servers read.
@Suite struct ServerReportTests {
    private func report(_ path: String) -> Report {
        var sources = SourceSet()
        let file = sources.add(path: path, bytes: Array("a: 1\n".utf8))
        let diagnostics = Diagnostics([
            Diagnostic(.schemaType, message: "found", at: SourceRange(file: file.id, 0..<1))
        ])
        return Report(
            diagnostics, sources: sources,
            summary: Summary(popups: 0, files: 1, diagnostics: diagnostics))
    }

    @Test(
        "GitLab gets paths relative to the project (R12)",
        arguments: [
            ("/builds/app/rules/a.yaml", "rules/a.yaml"), ("a.yaml", "rules/a.yaml"),
            ("./a.yaml", "rules/a.yaml"), ("../shared/a.yaml", "shared/a.yaml"),
            ("/elsewhere/a.yaml", "/elsewhere/a.yaml"), ("../../a.yaml", "../../a.yaml"),
        ])
    func gitLabPath(given: String, printed: String) {
        let renderer = GitLabRenderer(root: "/builds/app", folder: "/builds/app/rules")
        let text = renderer.render(report(given))
        #expect(text.contains("\"path\": \"\(printed)\""), "\(text)")
    }

    @Test("suites of JUnit have a package and a number, but no duration of the run (R14)")
    func junitSuite() {
        let text = ReportFormat.junit.renderer().render(report("a.yaml"))
        #expect(text.contains("package=\"poprules\" id=\"0\""), "\(text)")
        #expect(!text.contains("timestamp"))
    }
}
