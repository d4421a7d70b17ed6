import Foundation
import Testing

/// The page that `diff --format html` writes.
@Suite struct ChangePageTests {
    private static let hostile = ##"<script>alert(1)</script>"'`&<!--]]>\u{202E}"##

    private static func rules(_ text: String, priority: Int, title: String) -> String {
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return """
            poprules: 1
            context:
              name: { type: string, default: "\(quoted)" }
            popups:
              a:
                priority: \(priority)
                owner: "\(quoted) \(priority)"
                description: "\(quoted) \(priority)"
                tags: ["\(quoted) \(priority)"]
                when: { name: { ne: "\(quoted)\(priority)" } }
                content: { "\(quoted)": "\(title)" }
            """
    }

    private static func page(_ old: String, _ new: String) throws -> (text: String, status: Int32) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(old, to: "old/rules.yaml")
        try folder.write(new, to: "new/rules.yaml")
        let outcome = try Program.shell("poprules diff old new --format html", in: folder.url)
        return (outcome.output, outcome.status)
    }

    @Test func `content of rules is shown as text and never as markup`() throws {
        let (page, status) = try Self.page(
            Self.rules(Self.hostile, priority: 1, title: "Hi"),
            Self.rules(Self.hostile, priority: 2, title: "<img src=x onerror=alert(1)>"))
        #expect(status == 0, "\(page)")
        #expect(page.contains("&lt;script&gt;"), "\(page)")
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("-->"))
        #expect(!page.unicodeScalars.contains("\u{202E}"))
        // Every tag is one of ours, with a class at most.
        let tags = page.matches(of: #/<[^>]*>/#).map { String($0.output) }
        let own = [
            #/<\/?[a-z0-9]+>/#, #/<(?:!doctype html|html lang="en"|p class="open")>/#,
            #/<meta [a-z-]+="[^<]*">/#, #/<section class="[a-z]+">/#,
        ]
        for tag in tags { #expect(own.contains { tag.wholeMatch(of: $0) != nil }, "\(tag)") }
    }

    @Test func `a page of long strings is no longer than what users can read`() throws {
        let long = String(repeating: "<&\u{E9}", count: 250_000)
        let (page, status) = try Self.page(
            Self.rules("x", priority: 1, title: "Hi"), Self.rules("x", priority: 2, title: long))
        #expect(status == 0)
        #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
        #expect(page.utf8.count < 100_000, "\(page.utf8.count)")
    }

    @Test func `a page loads nothing and has both color schemes`() throws {
        let (page, _) = try Self.page(
            Self.rules("x", priority: 1, title: "Hi"), Self.rules("x", priority: 2, title: "Ho"))
        #expect(page.contains("default-src 'none'"))
        #expect(page.contains("prefers-color-scheme:dark"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("url("))
    }
}
