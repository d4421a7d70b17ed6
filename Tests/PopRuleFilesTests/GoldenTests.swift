import Foundation
import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Pairs of a rule file, or a folder of them, and the verbatim findings: `NAME.yaml` or `NAME/`,
/// and `NAME.out`.
///
/// With `UPDATE_GOLDEN=1` in the environment the outputs are rewritten: read the difference as a
/// stranger would.
struct GoldenTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Golden")

    static let names: [String] = {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return entries.filter { $0.hasSuffix(".out") == false }
            .map { $0.hasSuffix(".yaml") ? String($0.dropLast(5)) : $0 }.sorted()
    }()

    @Test(arguments: names)
    func `a file gives the committed findings`(_ name: String) throws {
        let output = try findings(in: name)
        let golden = Self.folder.appending(path: name + ".out")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try output.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(output == (try? String(contentsOf: golden, encoding: .utf8)))
    }

    @Test(arguments: names)
    func `only lines of the file and code to copy are wider than the page`(
        _ name: String
    ) throws {
        for line in try findings(in: name).split(separator: "\n") where line.count > 80 {
            let own = line.drop { " =".contains($0) }
            if own.first == "|" || own.first?.isNumber == true || own.hasPrefix("--> ") { continue }
            let text = own.replacing(#/^(help|note): /#, with: "")
            #expect(wrapped(String(text), to: 1, keepsCode: true).count == 1, "\(line)")
        }
    }

    @Test func `the test has enough golden files`() { #expect(Self.names.count >= 60) }

    private func findings(in name: String) throws -> String {
        var path = Self.folder.appending(path: name).path
        if !FileManager.default.fileExists(atPath: path) { path += ".yaml" }
        var sources = SourceSet()
        for file in try RuleFiles.read(path).files {
            let shown = String(file.path.dropFirst(Self.folder.path.count + 1))
            sources.add(path: shown, bytes: file.bytes)
        }
        var renderer = TextRenderer(sources: sources)
        return renderer.render(RuleSet.check(sources).diagnostics)
    }
}
