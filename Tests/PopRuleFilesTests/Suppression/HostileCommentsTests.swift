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

    @Test func `are read up to a limit, which is reported once`() {
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
    func `are searched only if they may contain an ignore comment`(text: String, may: Bool) {
        #expect((CommentSearch(SourceFile(path: "a.yaml", text: text)) != nil) == may)
    }

    @Test(arguments: 0..<50) func `apply the comments to the right lines`(seed: Int) {
        // Lines of comments and of mistakes in an order that the seed gives.
        let kinds = (0..<40).map { ($0 * 7 + seed * 13 + $0 * $0 * (seed % 5)) % 4 }
        var text = ""
        var expected: [Int] = []
        var isNextIgnored = false
        var open = 0
        for (line, kind) in kinds.enumerated() {
            switch kind {
            case 0:
                text += "# poprules:ignore[P0301] why\n"
                isNextIgnored = true
                continue
            case 1 where open < 3:
                text += "# poprules:ignore-begin[P0301] why\n"
                open += 1
            case 2 where open > 0:
                text += "# poprules:ignore-end\n"
                open -= 1
            default:
                text += "k\(line): 1\n"
                if !isNextIgnored, open == 0 { expected.append(line) }
                isNextIgnored = false
            }
        }
        let file = SourceFile(path: "a.yaml", text: text)
        var findings = Diagnostics()
        var place = 0
        for (line, row) in text.split(separator: "\n").enumerated() {
            if row.hasPrefix("k") {
                findings.report(
                    Diagnostic(
                        Check.named("P0301") ?? .schemaEnum, message: "\(line)",
                        at: SourceRange(file: file.id, place..<(place + 1))))
            }
            place += row.utf8.count + 1
        }
        let comments = IgnoreComments(in: [file], now: Timestamp(seconds: 0))
        let rest = comments.apply(to: findings, allChecksWereRun: false).list
            .filter { $0.check == Check.named("P0301") }.compactMap { Int($0.message) }
        #expect(rest.sorted() == expected, "\(text)")
    }

    @Test func `are read in one pass`() {
        let many = String(repeating: "# poprules:ignore[P0301] why\n", count: 50_000)
        #expect(checks(many + "a: 1\n") == [.configMalformedComment])
    }
}
