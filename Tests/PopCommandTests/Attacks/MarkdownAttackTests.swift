import Foundation
import PopTestSupport
import Testing

/// S-M4: the content of rules is text in every comment and summary, and never markup.
@Suite struct `A value in Markdown` {
    private static let attack = #"`![i](http://evil.example/p.png) @admin <b>x</b>"#
    private static let never = [
        "image", "link", "html_inline", "html_block", "mention", "address", "reference", "em",
        "emoji", "commit", "mail",
    ]

    private func rules(owner: String, name: String) -> String {
        """
        poprules: 1
        context:
          name: { type: string, default: x }
        popups:
          welcome:
            owner: '\(owner)'
            tags: ['\(owner)']
            when: name == "\(name)"
            content: { title: '\(name)' }
        """
    }

    @Test(.enabled(if: RenderedMarkdown.isHere, "python3 has no module `markdown_it`"))
    func `a value is not an image, link or mention in the comment of a pull request (S-M4)`() throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(rules(owner: "x", name: "y"), to: "old/rules.yaml")
        try folder.write(rules(owner: Self.attack, name: Self.attack), to: "new/rules.yaml")
        let comment = try Program.shell(
            "poprules diff old new --format markdown", in: folder.url
        ).output
        let read = try #require(try RenderedMarkdown.reading([comment]).first)
        #expect(read.visible.contains("evil.example"), "\(comment)")
        // The mark in the first line is a comment of HTML.
        let body = try #require(
            try RenderedMarkdown.reading([comment.replacing("<!-- poprules diff -->\n", with: "")])
                .first)
        for kind in Self.never { #expect(!body.kinds.contains(kind), "\(kind): \(comment)") }
    }

    @Test(.enabled(if: RenderedMarkdown.isHere, "python3 has no module `markdown_it`"))
    func `a value is not an image, link or mention in the summary of a step (S-M4)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let wrong = """
            poprules: 1
            popups:
              a:
                '\(Self.attack)': 1
                priority: '`| x | <img src=x> a < b'
                after: ['\(Self.attack)']
                hide_after: '``\(Self.attack)`'
            """
        try folder.write(wrong, to: "rules/`![i](x)|.yaml")
        let summary = try Program.shell(
            "GITHUB_STEP_SUMMARY=summary poprules validate rules -f github > seen; cat summary",
            in: folder.url
        ).output
        let read = try #require(try RenderedMarkdown.reading([summary]).first)
        #expect(read.kinds.contains("table"), "\(summary)")
        #expect(read.visible.contains("evil.example") && read.visible.contains("a < b"))
        for kind in Self.never { #expect(!read.kinds.contains(kind), "\(kind): \(summary)") }
    }
}
