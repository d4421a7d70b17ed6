import PopSource
import PopTestSupport
import Testing

@testable import PopLanguageServer

/// S-M4: the content of rules is text in an editor, and never markup.
@Suite struct `A string of rules in an editor` {
    private static let file = "rules/rules.yaml"
    private static let attack =
        "![i](http://evil.example/p.png) [x](command:evil) <b>x</b> `![j](a:b)"
    private static let never = ["image", "link", "html_inline", "html_block", "address"]
    private static let rules = """
        poprules: 1
        context:
          name: { type: string, values: ['\(attack)', b], description: '\(attack)' }
        events:
          '\(attack)': { total: double }
          sent: { '\(attack)': double }
        conditions:
          mine: 'name == "\(attack)"'
        popups:
          welcome:
            description: '\(attack)'
            owner: '\(attack)'
            when: name == "\(attack)"
          tour:
            after: [welcome]
            when: mine && name == "b"
            trigger: { event: sent }
        """

    @Test(
        .enabled(if: RenderedMarkdown.isHere, "python3 has no module `markdown_it`"),
        arguments: ["welcome:", "name == ", "mine:", "mine &&", "sent }", "name: {"])
    func `a string of rules is not an image, link or command in a hover (S-M4)`(
        needle: String
    ) throws {
        let editor = try Editor([Self.file: Self.rules])
        try editor.open(Self.file)
        editor.settle()
        let answer = try editor.request(
            "textDocument/hover", editor.place(Self.file, needle, by: 2))
        guard let text = answer["contents"]?["value"]?.text else { return }
        try check(text)
    }

    @Test(.enabled(if: RenderedMarkdown.isHere, "python3 has no module `markdown_it`"))
    func `a string of rules is not an image, link or command in a completion (S-M4)`() throws {
        let editor = try Editor([Self.file: Self.rules])
        try editor.open(Self.file)
        editor.settle()
        for needle in ["after: [", "when: ", "trigger: { event: "] {
            let answer = try editor.request(
                "textDocument/completion",
                editor.place(Self.file, needle, by: needle.utf8.count))
            for item in answer["items"]?.items ?? [] {
                guard let text = item["documentation"]?["value"]?.text else { continue }
                try check(text)
            }
        }
    }

    private func check(_ text: String) throws {
        let read = try #require(try RenderedMarkdown.reading([text]).first)
        for kind in Self.never { #expect(!read.kinds.contains(kind), "\(kind): \(text)") }
    }
}
