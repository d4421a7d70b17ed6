import PopCEL
import PopSource
import Testing

@testable import PopLanguageServer

/// Messages that no editor should send, and documents that nobody would write.
struct MalformedTests {
    private func code(_ answers: [JSON]) -> Int? { answers.first?["error"]?["code"]?.index }

    @Test(arguments: ["[", #"{"a":"#, #"{"id":1,"method":"initialize","params":["#])
    func `JSON of any depth is refused, and the next message is read`(_ opening: String) {
        var server = LanguageServer { .min }
        var inbox = Inbox()
        inbox.add(.body(Array(String(repeating: opening, count: 200_000).utf8)))
        inbox.add(.body(Array(#"{"jsonrpc":"2.0","id":2,"method":"initialize"}"#.utf8)))
        var answers: [JSON] = []
        while let message = inbox.next() { answers += server.handle(message) }
        #expect(code(answers) == -32700)
        #expect(answers.last?["result"]?["capabilities"] != nil)
    }

    @Test(arguments: [
        [0xFF, 0xFE], [0x22, 0xC3, 0x22], [0x7B, 0x00, 0x7D], Array(#"{"id":1e999}"#.utf8),
        Array(#"{"id":"\ud800","method":"x"}"#.utf8),
    ])
    func `bytes that aren't UTF-8 are refused or answered`(_ body: [UInt8]) {
        var server = LanguageServer { .min }
        _ = server.handle(.request(id: .int(1), method: "initialize", parameters: .null))
        #expect(code(server.handle(Message(body))) != nil)
        #expect(server.phase == .running)
    }

    @Test func `a duplicate length, and lines without CR, are read or refused`() {
        var buffer = MessageBuffer()
        buffer.append(Array("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}".utf8))
        buffer.append(Array("Content-Type: x\r\nContent-Length: 2\r\n\r\n{}".utf8))
        var pieces: [MessageBuffer.Piece] = []
        while let piece = buffer.next() { pieces.append(piece) }
        #expect(pieces.last == .body(Array("{}".utf8)))
        buffer.append(Array("Content-Length: 2\n\n{}".utf8))
        #expect(buffer.next() == nil)
    }

    @Test func `a change with an invalid part changes nothing`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        let document = editor.document("rules/popups.yaml")
        let start = JSON.object(["line": .int(0), "character": .int(0)])
        let good = JSON.object(["start": start, "end": start])
        for broken in [JSON.object(["range": good]), .object(["range": "x", "text": "y"]), "x"] {
            editor.notify(
                "textDocument/didChange",
                document.with(
                    "contentChanges", [.object(["range": good, "text": "broken: [\n"]), broken]))
        }
        #expect(editor.notifications.count { $0["method"] == "window/logMessage" } == 3)
        let symbols = try editor.request("textDocument/documentSymbol", document)
        let first = symbols.items.first?["range"]?["start"]?["line"]?.index
        #expect(first == 1, "nothing stands in front of `poprules`: \(symbols.compact)")
        // The text is as the editor left it, so that its next edit fits.
        editor.replace(0..<0, by: "# A comment.\n", in: "rules/popups.yaml")
        #expect(editor.codes("rules/popups.yaml").isEmpty)
    }

    @Test func `a change for an older version leaves the text unchanged`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        editor.change("rules/popups.yaml", to: Shop.popups + "\n")
        let version = JSON.object([
            "uri": .string(editor.uri("rules/popups.yaml")), "version": .int(1),
        ])
        let old = JSON.object(["textDocument": version])
        let change = JSON.object(["text": "["])
        editor.notify("textDocument/didChange", old.with("contentChanges", [change]))
        #expect(editor.codes("rules/popups.yaml").isEmpty)
        editor.replace(0..<0, by: "# A comment.\n", in: "rules/popups.yaml")
        #expect(editor.codes("rules/popups.yaml").isEmpty)
    }

    @Test(arguments: ["[", "{a: ", "- ", "\"", "&a [", "{{", "? ", "when: {all: ["])
    func `all announced features handle a document of any depth`(
        _ opening: String
    ) throws {
        let editor = try Editor(Shop.files)
        let text = "poprules: 1\npopups:\n  a: " + String(repeating: opening, count: 5_000)
        try editor.open("rules/deep.yaml", text)
        let place = editor.place("rules/deep.yaml", at: text.utf8.count - 1)
        let parameters =
            place.with("positions", [place["position"] ?? .null])
            .with("newName", "b").with("context", .object([]))
        for feature in Feature.all { _ = try? editor.request(feature.method, parameters) }
        editor.settle()
        #expect(editor.phase == .running)
    }
}
