import PopSource
import Testing

@testable import PopLanguageServer

/// S-H4: requests that take long wait until no message does. They block no other request, end when
/// they are cancelled or their document changes, and are answered at last whatever else comes.
struct PendingTests {
    private static let file = "rules/slow.yaml"
    /// A condition on strings that takes minutes to examine.
    private static let slow =
        "poprules: 1\ncontext: { k: { type: string, default: '' } }\npopups:\n  slow:\n    when: "
        + (0..<50).map { "k.contains('x\($0)y')" }.joined(separator: " && ") + "\n"

    /// Enough work to be interrupted, and little enough for a test.
    private static var limits: ServerLimits {
        var limits = ServerLimits.standard
        limits.workOfRequest[.logicSteps] = 500_000
        limits.workOfStep[.logicSteps] = 500_000
        return limits
    }

    private func editor(_ limits: ServerLimits = Self.limits) throws -> Editor {
        let editor = try Editor([Self.file: Self.slow], limits: limits)
        try editor.open(Self.file)
        return editor
    }

    private func hover(_ editor: Editor) throws -> JSON { try editor.place(Self.file, "slow:") }

    private func code(_ messages: [JSON], of id: JSON) -> Int? {
        messages.first { $0["id"] == id && $0["method"] == nil }?["error"]?["code"]?.index
    }

    private func isAnswered(_ messages: [JSON], _ id: JSON) -> Bool {
        messages.contains { $0["id"] == id && $0["method"] == nil }
    }

    private func cancel(_ id: JSON, in editor: Editor) -> [JSON] {
        editor.answers(to: "$/cancelRequest", .object(["id": id]))
    }

    @Test func `a quick request is answered before an earlier slow request`() throws {
        let editor = try editor()
        let slow = editor.begin("textDocument/hover", try hover(editor))
        #expect(!isAnswered(slow.messages, slow.id))
        let quick = editor.begin("textDocument/hover", try editor.place(Self.file, "when:"))
        #expect(isAnswered(quick.messages, quick.id))
        #expect(isAnswered(editor.step(), slow.id))
    }

    @Test func `a slow request is interrupted when a message waits, and answered later`() throws {
        let editor = try editor()
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let questions = Counter()
        let messages = editor.step { questions.next() > 1 }
        #expect(!isAnswered(messages, slow.id))
        #expect(questions.value == 2, "nobody is asked again once the work is interrupted")
        #expect(isAnswered(editor.step(), slow.id))
    }

    @Test func `a slow request is answered from partial results at the end of its budget`() throws {
        var limits = ServerLimits.standard
        limits.workOfRequest[.logicSteps] = 50_000
        let editor = try editor(limits)
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let text = editor.step().first { $0["id"] == slow.id }?["result"]?["contents"]?["value"]
        #expect(text?.text?.contains("takes too much work") == true, "\(text as Any)")
        #expect(text?.text?.contains("k.contains('x0y')") == true, "\(text as Any)")
        let lens = editor.begin("textDocument/codeLens", editor.document(Self.file))
        let answer = editor.step().first { $0["id"] == lens.id }?["result"]
        let titles = (answer?.items ?? []).compactMap { $0["command"]?["title"]?.text }
        #expect(titles.contains("audience not known"), "\(titles)")
    }

    @Test func `a budget is not renewed when a request is resumed`() throws {
        var limits = ServerLimits.standard
        limits.workOfRequest[.logicSteps] = 200_000
        let editor = try editor(limits)
        let slow = editor.begin("textDocument/hover", try hover(editor))
        var attempts = 0
        var messages: [JSON] = []
        while !isAnswered(messages, slow.id), attempts < 100 {
            attempts += 1
            let questions = Counter()
            messages += editor.step { questions.next() > 1 }
        }
        #expect((2..<100).contains(attempts))
    }

    @Test func `a cancelled request is answered as cancelled, and its work is never resumed`()
        throws
    {
        let editor = try editor()
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let questions = Counter()
        _ = editor.step { questions.next() > 1 }
        #expect(code(cancel(slow.id, in: editor), of: slow.id) == -32800)
        let asked = questions.value
        #expect(!editor.hasPending)
        #expect(!isAnswered(editor.step { questions.next() > asked }, slow.id))
        #expect(cancel(slow.id, in: editor).isEmpty)
    }

    @Test func `a change of the document cancels requests about it, and no other requests`() throws
    {
        let editor = try editor()
        let other = "rules/other.yaml"
        try editor.open(other, "poprules: 1\npopups:\n  other: { when: 'k == \"a\"' }\n")
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let kept = editor.begin("textDocument/hover", try editor.place(other, "other:"))
        let change = editor.document(Self.file).with(
            "contentChanges", [.object(["text": .string("# \n" + Self.slow)])])
        let messages = editor.answers(to: "textDocument/didChange", change)
        #expect(code(messages, of: slow.id) == -32801)
        #expect(!isAnswered(messages, kept.id))
        let answer = editor.step().first { $0["id"] == kept.id }
        #expect(answer?["result"]?["contents"] != nil, "\(answer as Any)")
    }

    @Test func `closing a document cancels requests about it`() throws {
        let editor = try editor()
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let messages = editor.answers(to: "textDocument/didClose", editor.document(Self.file))
        #expect(code(messages, of: slow.id) == -32801)
    }

    @Test func `a client that never stops sending gets an answer to a slow request too`() throws {
        var limits = ServerLimits.standard
        limits.workOfRequest[.logicSteps] = 200_000
        limits.questionsOfTurn = 2
        let editor = try editor(limits)
        let slow = editor.begin("textDocument/hover", try hover(editor))
        let quick = try editor.place(Self.file, "when:")
        var sent = 0
        var isOver = false
        while !isOver, sent < 2_000 {
            let answer = editor.begin("textDocument/hover", quick)
            #expect(isAnswered(answer.messages, answer.id))
            isOver = isAnswered(answer.messages, slow.id)
            sent += 1
        }
        #expect(isOver, "no answer after \(sent) messages")
    }

    @Test func `requests beyond the limit of waiting requests are refused`() throws {
        var limits = ServerLimits.standard
        limits.pendingRequests = 2
        let editor = try editor(limits)
        let place = try hover(editor)
        for _ in 0..<2 {
            let request = editor.begin("textDocument/hover", place)
            #expect(!isAnswered(request.messages, request.id))
        }
        let refused = editor.begin("textDocument/hover", place)
        #expect(code(refused.messages, of: refused.id) == -32803)
    }

    @Test func `shutdown ends waiting requests`() throws {
        let editor = try editor()
        let slow = editor.begin("textDocument/rename", try hover(editor).with("newName", "quick"))
        let last = editor.begin("shutdown", .null)
        #expect(code(last.messages, of: slow.id) == -32800)
        #expect(isAnswered(last.messages, last.id))
        #expect(editor.step().isEmpty)
    }

    @Test func `a rename is interrupted when a message waits, and answered later`() throws {
        let editor = try editor()
        let slow = editor.begin("textDocument/rename", try hover(editor).with("newName", "quick"))
        #expect(editor.step { true }.isEmpty)
        let answer = editor.step().first { $0["id"] == slow.id }
        #expect(answer?["result"]?["documentChanges"] != nil, "\(answer as Any)")
    }

    @Test func `advice on conditions is interrupted when a message waits`() throws {
        let editor = try editor()
        let questions = Counter()
        #expect(!editor.settle { questions.next() > 20 })
        #expect(questions.value < 100)
        let quick = editor.begin("textDocument/hover", try editor.place(Self.file, "when:"))
        #expect(isAnswered(quick.messages, quick.id))
    }

    @Test func `a hundred thousand cancellations of unknown requests are ignored`() throws {
        let editor = try editor()
        var inbox = Inbox()
        for id in 0..<100_000 {
            let cancel = JSON.object([
                "jsonrpc": "2.0", "method": "$/cancelRequest",
                "params": .object(["id": .int(id + 1_000)]),
            ])
            inbox.add(.body(Array(cancel.compact.utf8)))
        }
        var answers: [JSON] = []
        while let message = inbox.next() { answers += editor.handle(message) }
        #expect(answers.isEmpty)
        let request = editor.begin("textDocument/hover", try editor.place(Self.file, "when:"))
        #expect(isAnswered(request.messages, request.id))
    }

    @Test func `a message of any length is refused, and later messages are read again`() {
        var limits = ServerLimits.standard
        limits.skippedBytes = 100
        var buffer = MessageBuffer(limits: limits)
        buffer.append(Array("Content-Length: \(Int.max)\r\n\r\n".utf8))
        buffer.append(Array("Content-Length: 2\r\n\r\n{}".utf8))
        #expect(
            buffer.next() == .refused("a message is longer than \(limits.messageBytes) bytes"))
        #expect(buffer.next() == .body(Array("{}".utf8)))
    }

    @Test func `changes of one message that are too much work are refused and reported`() throws {
        var limits = ServerLimits.standard
        limits.changedBytes = 10_000
        let editor = try editor(limits)
        let start = JSON.object(["line": .int(0), "character": .int(0)])
        let change = JSON.object([
            "range": .object(["start": start, "end": start]), "text": "#",
        ])
        let changes = JSON.array(Array(repeating: change, count: 1_000))
        let messages = editor.answers(
            to: "textDocument/didChange",
            editor.document(Self.file).with("contentChanges", changes))
        let text = messages.last?["params"]?["message"]?.text ?? ""
        #expect(text.contains("too many changes"), "\(messages)")
    }

    @Test func `more positions than are allowed in one request are refused`() throws {
        let editor = try editor()
        let place = try #require(try hover(editor)["position"])
        let request = editor.begin(
            "textDocument/selectionRange",
            editor.document(Self.file).with(
                "positions", .array(Array(repeating: place, count: 1_001))))
        #expect(code(request.messages, of: request.id) == -32602)
    }
}
