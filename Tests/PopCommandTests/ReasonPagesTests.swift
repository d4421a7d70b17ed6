import PopExplanations
import PopScheduler
import PopStories
import Testing

/// One page a reason code (C5 of the findings); the documentation tests run their examples.
@Suite struct `The pages on the reason codes` {
    private static let index = "docs/reference/reason-codes.md"

    private func pages() throws -> [String: String] {
        try Repository.pages(in: "docs/reference/reason-codes")
    }

    /// Returns the words that `explain` prints about a popup that it names. Pages name no popup, so
    /// they have "the popup" instead of "it".
    private static func meaning(of code: ReasonCode) -> String {
        let words = code.meaning
        if words.hasPrefix("dropped") || words.hasPrefix("dismissed") {
            return "the popup was \(words)"
        }
        return words.replacing(/\bit\b/, with: "the popup")
            .replacing(/\bits\b/, with: "the popup's")
    }

    @Test func `exist for all codes, and for no other code`() throws {
        #expect(try Set(pages().keys) == Set(ReasonCode.allCases.map(\.rawValue)))
    }

    @Test func `start with the words that explain prints, and recommend what to do`() throws {
        for code in ReasonCode.allCases {
            let page = try #require(try pages()[code.rawValue])
            let words = Self.meaning(of: code)
            let meaning = words.prefix(1).uppercased() + words.dropFirst()
            #expect(page.hasPrefix("# \(code.rawValue)\n\n\(meaning).\n\n"), "\(code)")
            for part in ["What to do", "Example"] {
                #expect(page.contains("\n## \(part)\n"), "\(code)")
            }
        }
    }

    /// The codes that no step of a test can cause.
    private static let withoutStory: Set<ReasonCode> = [.disappeared]

    @Test func `show a scenario that expects the code`() throws {
        for code in Set(ReasonCode.allCases).subtracting(Self.withoutStory) {
            let page = try #require(try pages()[code.rawValue])
            let files = Block.all(in: page).filter { $0.file == "rules.test.yaml" }
            #expect(files.first?.text.contains(": \(code.rawValue) }") == true, "\(code)")
            #expect(page.contains("\n1 passed, 0 failed"), "\(code)")
        }
    }

    @Test func `are listed in the index with their meanings`() throws {
        let index = try Repository.text(Self.index)
        for code in ReasonCode.allCases {
            let words = Self.meaning(of: code)
            let row = "| [\(code.rawValue)](reason-codes/\(code.rawValue).md) | \(words) |\n"
            #expect(index.contains(row), "\(row)")
        }
        #expect(index.matches(of: /\n\| \[/).count == ReasonCode.allCases.count)
    }

    @Test func `are printed by explain-check, whether the code is in upper or lower case`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let page = try Program.shell("poprules explain-check SLOT_BUSY", in: folder.url)
        #expect(page.output.hasPrefix("# SLOT_BUSY\n\n"))
        #expect(!page.output.contains("<!--"))
        #expect(page == (try Program.shell("poprules explain-check slot_busy", in: folder.url)))
    }
}
