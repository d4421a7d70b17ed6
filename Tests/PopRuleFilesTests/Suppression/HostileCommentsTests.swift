import PopCEL
import PopSource
import Testing

@testable import PopRuleFiles

@Suite struct `Files full of comments` {
    private func checks(_ text: String, _ limits: RuleFileLimits = .standard) -> [Check] {
        let file = SourceFile(path: "a.yaml", text: text)
        let comments = IgnoreComments(in: [file], now: Timestamp(seconds: 0), limits: limits)
        return comments.apply(to: Diagnostics(), allChecksWereRun: false).sorted.map(\.check)
    }

    @Test func `are read up to a limit, and that is said once`() {
        var limits = RuleFileLimits.standard
        limits.ignoreComments = 2
        let comment = "# poprules:ignore[P0301] why\n"
        #expect(checks(String(repeating: comment, count: 2) + "a: 1\n", limits) == [])
        #expect(
            checks(String(repeating: comment, count: 9) + "a: 1\n", limits)
                == [.configMalformedComment])
    }

    @Test(arguments: [
        ("poprules: 1\n", false), ("poprules: 1 # one\n", false), ("a: '#\tpoprules:'\n", true),
        ("# poprules:ignore[P0301] why\n", true), ("##poprules:x", true), ("#", false),
    ])
    func `are looked for only in files that may have any`(text: String, may: Bool) {
        #expect((CommentSearch(SourceFile(path: "a.yaml", text: text)) != nil) == may)
    }

    @Test func `are read in one pass`() {
        let many = String(repeating: "# poprules:ignore[P0301] why\n", count: 50_000)
        #expect(checks(many + "a: 1\n") == [.configMalformedComment])
    }
}
