import PopCEL
import PopSource
import Testing

@testable import PopLanguageServer

/// The beginning and the end of a conversation, and input that isn't a conversation at all.
struct LifeTests {
    private func server() -> LanguageServer { LanguageServer { .min } }

    private func code(_ answers: [JSON]) -> Int? { answers.first?["error"]?["code"]?.index }

    private func request(_ method: String, _ parameters: JSON = .null) -> Message {
        .request(id: .int(1), method: method, parameters: parameters)
    }

    @Test func `no request is answered before initialize`() {
        var server = server()
        #expect(code(server.handle(request("textDocument/hover"))) == -32002)
        #expect(code(server.handle(request("initialize"))) == nil)
        #expect(code(server.handle(request("initialize"))) == -32600)
    }

    @Test func `an unknown request is refused, and an unknown notification is ignored`() {
        var server = server()
        _ = server.handle(request("initialize"))
        #expect(code(server.handle(request("textDocument/paint"))) == -32601)
        #expect(server.handle(.notification(method: "$/paint", parameters: .null)).isEmpty)
    }

    @Test func `only exit is accepted after shutdown`() {
        var server = server()
        _ = server.handle(request("initialize"))
        #expect(server.handle(request("shutdown")).first?["result"] == .null)
        #expect(code(server.handle(request("textDocument/hover"))) == -32600)
        _ = server.handle(.notification(method: "exit", parameters: .null))
        #expect(server.phase == .ended)
        #expect(!server.endedEarly)
    }

    @Test func `an exit without shutdown gives another exit code`() {
        var server = server()
        _ = server.handle(request("initialize"))
        _ = server.handle(.notification(method: "exit", parameters: .null))
        #expect(server.endedEarly)
    }

    @Test(arguments: [
        "", "{", "[]", "1", "{}", #"{"id": [], "method": "x"}"#, #"{"method": 1}"#,
        #"{"id": 1, "method": null}"#,
    ])
    func `an invalid message is refused`(_ text: String) {
        var server = server()
        _ = server.handle(request("initialize"))
        let answers = server.handle(Message(Array(text.utf8)))
        #expect(code(answers) == -32700 || code(answers) == -32600)
    }

    @Test func `parameters of any shape are refused or answered, and never cause a crash`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        let uri = JSON.string(editor.uri("rules/popups.yaml"))
        let document = JSON.object(["uri": uri])
        let shapes: [JSON] = [
            .null, [], "x", .object([]), .object(["textDocument": .null]),
            .object(["textDocument": document]),
            .object(["textDocument": document, "position": "x"]),
            .object([
                "textDocument": document,
                "position": .object(["line": .int(-5), "character": .int(1 << 40)]),
            ]),
            .object([
                "textDocument": document,
                "position": .object(["line": .int(1 << 40), "character": .int(-1)]),
                "range": .object([
                    "start": .object(["line": .int(9), "character": .int(9)]),
                    "end": .object(["line": .int(1), "character": .int(1)]),
                ]), "positions": ["x"], "newName": "", "item": [],
            ]),
        ]
        for feature in Feature.all {
            for shape in shapes { _ = try? editor.request(feature.method, shape) }
        }
        for method in [
            "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
            "textDocument/didSave", "workspace/didChangeWatchedFiles",
            "workspace/didChangeWorkspaceFolders", "$/setTrace", "$/cancelRequest",
        ] {
            for shape in shapes { editor.notify(method, shape) }
        }
        #expect(editor.phase == .running)
    }

    @Test func `a message may arrive in pieces`() {
        var buffer = MessageBuffer()
        let bytes = MessageBuffer.framed(.object(["method": "x"]))
        for byte in bytes.dropLast() {
            buffer.append([byte])
            #expect(buffer.next() == nil)
        }
        buffer.append([bytes[bytes.count - 1]])
        #expect(buffer.next() == .body(Array(#"{"method":"x"}"#.utf8)))
        #expect(buffer.next() == nil)
    }

    @Test func `a message that is too large is skipped, and the next message is read`() {
        var limits = ServerLimits.standard
        limits.messageBytes = 10
        var buffer = MessageBuffer(limits: limits)
        buffer.append(Array("Content-Length: 20\r\n\r\n".utf8) + Array(repeating: 65, count: 20))
        buffer.append(Array("Content-Length: 2\r\n\r\n{}".utf8))
        #expect(buffer.next() == .refused("a message is longer than 10 bytes"))
        #expect(buffer.next() == .body(Array("{}".utf8)))
    }

    @Test(arguments: [
        "Length: 2\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
    ])
    func `a header without a length is refused, and the next message is read`(_ header: String) {
        var buffer = MessageBuffer()
        buffer.append(Array(header.utf8))
        buffer.append(Array("content-length:2\r\n\r\n{}".utf8))
        guard case .refused = buffer.next() else {
            Issue.record("taken")
            return
        }
        #expect(buffer.next() == .body(Array("{}".utf8)))
    }

    @Test func `an endless header is refused`() {
        var buffer = MessageBuffer()
        buffer.append(Array(repeating: 65, count: 5_000))
        guard case .refused = buffer.next() else {
            Issue.record("taken")
            return
        }
    }

    /// All later requests were refused, since `initialize` had not been answered.
    @Test(arguments: ["initialize", "shutdown"])
    func `initialize and shutdown are handled even if they are cancelled`(method: String) {
        var inbox = Inbox()
        func add(_ text: String) { inbox.add(.body(Array(text.utf8))) }
        add(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#)
        add(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        guard case .request(.int(1), method, _)? = inbox.next() else {
            Issue.record("lost")
            return
        }
    }

    @Test func `a request that was cancelled before it started is answered as cancelled`() {
        var inbox = Inbox()
        func add(_ text: String) { inbox.add(.body(Array(text.utf8))) }
        add(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        add(#"{"jsonrpc":"2.0","id":2,"method":"b"}"#)
        add(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        guard case .malformed(.int(1), let failure)? = inbox.next() else {
            Issue.record("not cancelled")
            return
        }
        #expect(failure.code == .requestCancelled)
        guard case .request(.int(2), "b", _)? = inbox.next() else {
            Issue.record("lost")
            return
        }
        #expect(inbox.next() == nil)
    }

    @Test func `a document that is too large is reported and not read`() throws {
        let editor = try Editor(Shop.files)
        let large = String(repeating: "# x\n", count: 4 * 1024 * 1024 + 1)
        try editor.open("rules/large.yaml", large)
        #expect(editor.notifications.contains { $0["method"] == "window/logMessage" })
        #expect(editor.codes("rules/large.yaml").isEmpty)
    }

    @Test func `a document of sixteen megabytes is handled`() throws {
        let editor = try Editor([:])
        let large = "poprules: 1\n" + String(repeating: "# x\n", count: 4 * 1024 * 1024 - 3)
        try editor.open("large.yaml", large)
        editor.replace(0..<1, by: "p", in: "large.yaml")
        editor.settle()
        #expect(editor.phase == .running)
    }

    @Test func `a change for an older version is refused and reported`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/popups.yaml")
        editor.change("rules/popups.yaml", to: Shop.popups + "\n")
        let document = JSON.object([
            "uri": .string(editor.uri("rules/popups.yaml")), "version": .int(1),
        ])
        editor.notify(
            "textDocument/didChange",
            .object(["textDocument": document, "contentChanges": [.object(["text": ""])]]))
        #expect(
            editor.notifications.last?["params"]?["message"]?.text
                == "poprules: textDocument/didChange: version 1 is older than 2")
    }
}
