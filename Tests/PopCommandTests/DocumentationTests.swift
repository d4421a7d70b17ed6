import Foundation
import Testing

/// Every example in the documentation is run: files are written to the paths on the page, and
/// commands must print the output that it shows.
///
/// A fence that follows `<!-- file: PATH -->` is the content of that file. A `console` fence is a
/// `Transcript`.
@Suite struct `The documentation` {
    static let pages =
        ["README.md"]
        + (FileManager.default.enumerator(atPath: Repository.root.appending(path: "docs").path)?
        .compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }

    @Test(arguments: pages)
    func `shows what the commands really print`(page: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var text = try Repository.text(page)
        for block in Block.all(in: text) {
            if let file = block.file { try folder.write(block.text, to: file) }
            guard block.language == "console" else { continue }
            let transcript = Transcript(block.text)
            let replayed = try transcript.replayed(in: folder.url)
            if Golden.isBeingUpdated {
                text.replace(block.text, with: replayed)
            } else {
                #expect(replayed == transcript.text, "\(page) now prints\n\(replayed)")
            }
        }
        if Golden.isBeingUpdated { try Golden.write(text, to: page) }
    }

    /// (A20, A23, A33, A107, A108, A113, A114, A115, A118)
    @Test(arguments: [
        ("reference/rule-files/triggers", "because its turn comes after the delay"),
        ("reference/rule-files/triggers", "may show hours after the start of the app"),
        ("reference/rule-files/triggers", "`delay` doesn't start again"),
        ("reference/rule-files/triggers", "the change is ignored"),
        ("reference/rule-files/triggers", "Waiting popups don't survive a restart"),
        ("reference/rule-files/frequency-caps", "doesn't put the popup into the queue"),
        ("reference/rule-files/limits", "whatever its scheduler is"),
        ("reference/rule-files/quiet-hours", "Quiet hours have no days"),
        ("reference/rule-files/quiet-hours", "quiet hours also suppress service messages"),
        ("reference/test-files/initial-state", "by default the values at the start of the test"),
        ("reference/test-files/steps", "the history and the context are kept"),
        ("how-to/show-and-dismiss-popups", "`popup.isControl` (a `Bool`) is true"),
        ("reference/reason-codes/DISMISS_CONDITION", "A waiting popup is not shown"),
        (
            "how-to/campaigns",
            "once after each update of the app, but not after the first installation"
        ),
        ("how-to/campaigns", "on one screen, or on any screen after an event"),
        ("reference/exit-codes", "a rule file that you have no permission to read | 1 |"),
        ("reference/mapping-files", "`.` is the row itself"),
        ("reference/reason-codes/IN_GAP", "`urgent: true` also waits for the gap"),
    ])
    func `answers what readers searched for in vain`(page: String, part: String) throws {
        let text = try Repository.text("docs/\(page).md").split(separator: "\n")
            .joined(separator: " ")
        #expect(text.contains(part), "\(page): \(part)")
    }

    /// `make size` measures the app, and compares it with the threshold.
    @Test func `shows the size of an app within two percent of its threshold (E28)`() throws {
        let script = try Repository.text("Tests/Benchmarks/size")
        let most = try #require(script.firstMatch(of: /most=(\d+)/).flatMap { Double($0.1) })
        let page = try Repository.text("docs/explain/performance.md")
        let row = page.firstMatch(of: /an app that loads a bundle.*\| ([\d.]+) MB/)
        let shown = try #require(row.flatMap { Double($0.1) })
        #expect(abs(shown * 1_000_000 - most) < most / 50, "\(shown) MB, at most \(most) bytes")
    }
}

/// A fenced block of a Markdown page.
struct Block {
    var language: String
    var file: String?
    var text: String

    static func all(in page: String) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        var file: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if var block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    block.text += line + "\n"
                    open = block
                }
            } else if line.hasPrefix("```") {
                open = Block(language: String(line.dropFirst(3)), file: file, text: "")
                file = nil
            } else if let match = line.wholeMatch(of: /<!-- file: (.+) -->/) {
                file = String(match.1)
            }
        }
        return blocks
    }
}
