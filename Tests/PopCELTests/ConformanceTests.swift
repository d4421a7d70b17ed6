import Foundation
import Testing

@testable import CELConformance

/// The language's own cases, where they are at hand.
@Suite struct ConformanceTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The path in `CEL_CONFORMANCE`, or a folder next to the project.
    private static let cases: String? = {
        let path =
            ProcessInfo.processInfo.environment["CEL_CONFORMANCE"]
            ?? root.deletingLastPathComponent().appendingPathComponent("shared/conformance/cel")
            .path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    @Test(
        .enabled(
            if: cases != nil,
            "no conformance cases: set CEL_CONFORMANCE or put them at ../shared/conformance/cel"))
    func `every conformance case passes`() throws {
        let path = try #require(Self.cases)
        var count = 0
        for file in ConformanceFile.files(in: [path]) {
            for conformanceCase in try ConformanceFile.cases(in: file) {
                count += 1
                if let complaint = conformanceCase.run() {
                    Issue.record(Comment(rawValue: complaint))
                }
            }
        }
        #expect(count > 0)
    }
}
