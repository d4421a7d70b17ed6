import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// The rules of this package, cut off.
@Suite struct CutRulesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "rules")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { RuleFiles.isRuleFile($0) }.sorted()

    @Test(arguments: names)
    func `truncated rules give a finding with a place, wherever they are cut off`(name: String)
        throws
    {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: name)))
        // Every thirteenth byte: after some lines, each kind of place has been one.
        for end in stride(from: 0, to: bytes.count, by: 13) {
            var sources = SourceSet()
            sources.add(path: name, bytes: Array(bytes[..<end]))
            let checked = RuleSet.check(sources)
            #expect(checked.value != nil || checked.diagnostics.hasErrors)
            let isInside = checked.diagnostics.list.allSatisfy {
                $0.range.lower <= $0.range.upper && $0.range.upper <= end
            }
            #expect(isInside, "\(end) bytes")
        }
    }

    @Test func `the test has rule files`() { #expect(Self.names.count > 3) }
}
