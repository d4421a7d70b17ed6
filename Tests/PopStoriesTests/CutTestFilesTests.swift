import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

/// The test files of this package, cut off.
@Suite struct `Truncated test files` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "rules")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { TestFile.isTestFile($0) }.sorted()

    @Test(arguments: names)
    func `test files give a finding with a place, wherever they are cut off`(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: name)))
        let rules = try RuleSet.load(Self.folder.path).get()
        // Every line, and every sixteenth byte: after some lines, each kind of place has been one.
        for end in bytes.indices where end.isMultiple(of: 16) || bytes[end] == UInt8(ascii: "\n") {
            let source = SourceFile(path: name, bytes: Array(bytes[..<end]))
            let linked = TestFile.parse(source).then { file in
                TestLinker.link(file, of: source, rules: rules) { _ in nil }
            }
            var findings = linked.diagnostics.list
            #expect(linked.value != nil || linked.diagnostics.hasErrors, "\(end) bytes")
            // A line is played once it is complete; the tests above were played when the file ended
            // there.
            let isLineEnd = bytes[end] == UInt8(ascii: "\n")
            if isLineEnd, let tests = linked.value, let last = tests.tests.last {
                findings += TestRunner.run(last, of: tests, within: .ofCommand()).failures
            }
            let isInside = findings.allSatisfy {
                $0.range.lower <= $0.range.upper && $0.range.upper <= end
            }
            #expect(isInside, "\(end) bytes")
        }
    }

    @Test func `exist in the test`() { #expect(Self.names.count > 3) }
}
