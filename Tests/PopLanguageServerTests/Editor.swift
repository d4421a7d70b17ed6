import Foundation
import PopCEL
import PopSource
import Synchronization
import Testing

@testable import PopLanguageServer

/// An editor in a folder of its own, which speaks to a server.
final class Editor {
    let folder: URL
    private var server: LanguageServer
    private var requests = 0
    private var versions: [String: Int] = [:]
    private(set) var texts: [String: String] = [:]
    /// The last findings that were reported for each file, by path.
    private(set) var findings: [String: [JSON]] = [:]
    /// The other messages that came without a request.
    private(set) var notifications: [JSON] = []

    static let capabilities = JSON.object([
        "textDocument": .object([
            "completion": .object(["completionItem": .object(["snippetSupport": true])]),
            "hover": .object(["contentFormat": ["markdown"]]),
            "documentSymbol": .object(["hierarchicalDocumentSymbolSupport": true]),
        ]),
        "workspace": .object(["workspaceEdit": .object(["documentChanges": true])]),
    ])

    init(
        _ files: [String: String], capabilities: JSON = Editor.capabilities,
        folders: [String] = [""], zone: String? = nil, limits: ServerLimits = .standard
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "poprules-editor-\(UUID())")
        server = LanguageServer(limits: limits, zone: zone) {
            Timestamp(parsing: "2026-11-25T12:00:00Z") ?? .min
        }
        for (path, text) in files { try write(text, to: path) }
        let folders = folders.map { JSON.object(["uri": .string(uri($0)), "name": "w"]) }
        _ = try request(
            "initialize",
            .object(["capabilities": capabilities, "workspaceFolders": .array(folders)]))
        notify("initialized", .object([]))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var phase: LanguageServer.Phase { server.phase }

    func path(_ name: String) -> String {
        name.isEmpty ? folder.path : folder.appending(path: name).path
    }

    func uri(_ name: String) -> String { DocumentURI.uri(of: path(name)) }

    func write(_ text: String, to name: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    // MARK: messages

    /// Sends a request and returns the result; throws if it is refused.
    func request(_ method: String, _ parameters: JSON) throws -> JSON {
        requests += 1
        let id = JSON.int(requests)
        func isAnswer(_ message: JSON) -> Bool { message["id"] == id && message["method"] == nil }
        var answers = server.handle(
            .request(id: id, method: method, parameters: parameters))
        while !answers.contains(where: isAnswer), server.hasPending { answers += server.settle() }
        take(answers)
        let answer = try #require(answers.first(where: isAnswer))
        if let error = answer["error"] {
            throw Refused(message: error["message"]?.text ?? "", code: error["code"]?.index ?? 0)
        }
        return answer["result"] ?? .null
    }

    struct Refused: Error, Equatable {
        var message: String
        var code: Int
    }

    func notify(_ method: String, _ parameters: JSON) {
        take(server.handle(.notification(method: method, parameters: parameters)))
    }

    func handle(_ message: Message, hasMore: Bool = false) -> [JSON] {
        server.handle(message, hasMore: hasMore)
    }

    var hasPending: Bool { server.hasPending }

    /// Sends a request and takes the messages that come immediately; returns the request's id and
    /// these messages.
    func begin(_ method: String, _ parameters: JSON) -> (id: JSON, messages: [JSON]) {
        requests += 1
        let id = JSON.int(requests)
        return (id, server.handle(.request(id: id, method: method, parameters: parameters)))
    }

    /// Opens documents whose messages arrive together.
    func openTogether(_ texts: [(name: String, text: String)]) {
        for (place, document) in texts.enumerated() {
            let item = JSON.object([
                "uri": .string(uri(document.name)), "version": .int(1),
                "text": .string(document.text),
            ])
            let message = Message.notification(
                method: "textDocument/didOpen", parameters: .object(["textDocument": item]))
            take(server.handle(message, hasMore: place + 1 < texts.count))
        }
    }

    /// The number of files, documents and projects that were checked so far.
    var steps: Int { server.desk.steps }

    /// Takes the next step of the work that takes long, and returns its messages.
    func step(until isInterrupted: @escaping @Sendable () -> Bool = { false }) -> [JSON] {
        server.settle(isInterrupted: isInterrupted)
    }

    /// Sends a notification and returns the messages that follow it.
    func answers(to method: String, _ parameters: JSON) -> [JSON] {
        server.handle(.notification(method: method, parameters: parameters))
    }

    /// Lets the server finish the checks that take longer.
    func settle() { while server.isUnsettled { take(server.settle()) } }

    /// Does the same until a key is pressed; returns true if the server finished.
    func settle(until isInterrupted: @escaping @Sendable () -> Bool) -> Bool {
        while server.isUnsettled, !isInterrupted() {
            take(server.settle(isInterrupted: isInterrupted))
        }
        return !server.isUnsettled
    }

    private func take(_ messages: [JSON]) {
        for message in messages where message["method"] != nil {
            guard message["method"] == "textDocument/publishDiagnostics",
                let uri = message["params"]?["uri"]?.text
            else {
                notifications.append(message)
                continue
            }
            let path = DocumentURI.path(of: uri) ?? uri
            findings[name(of: path)] = message["params"]?["diagnostics"]?.items ?? []
        }
    }

    private func name(of path: String) -> String {
        path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path
    }

    // MARK: documents

    func open(_ name: String, _ text: String? = nil) throws {
        let text =
            try text ?? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        texts[name] = text
        versions[name] = 1
        notify(
            "textDocument/didOpen",
            .object([
                "textDocument": .object([
                    "uri": .string(uri(name)), "languageId": "yaml", "version": .int(1),
                    "text": .string(text),
                ])
            ]))
    }

    func change(_ name: String, to text: String) {
        texts[name] = text
        send(name, .object(["text": .string(text)]))
    }

    /// Replaces bytes of a document.
    func replace(_ range: Range<Int>, by text: String, in name: String) {
        var bytes = Array((texts[name] ?? "").utf8)
        let lines = TextLines(bytes, encoding: .utf16)
        send(name, .object(["range": lines.json(range), "text": .string(text)]))
        bytes.replaceSubrange(range, with: text.utf8)
        texts[name] = String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces a part of a document, counted in UTF-16 and moved out of the middle of characters.
    func replace(utf16 range: Range<Int>, by text: String, in name: String) {
        let old = texts[name] ?? ""
        func offset(_ place: Int) -> Int {
            let index = old.utf16.index(old.startIndex, offsetBy: place)
            let whole = index.samePosition(in: old.unicodeScalars) ?? old.startIndex
            return old.utf8.distance(from: old.startIndex, to: whole)
        }
        let (start, end) = (offset(range.lowerBound), offset(range.upperBound))
        replace(start..<max(start, end), by: text, in: name)
    }

    private func send(_ name: String, _ change: JSON) {
        versions[name, default: 0] += 1
        notify(
            "textDocument/didChange",
            .object([
                "textDocument": .object([
                    "uri": .string(uri(name)), "version": .int(versions[name] ?? 0),
                ]), "contentChanges": [change],
            ]))
    }

    func close(_ name: String) {
        texts[name] = nil
        notify("textDocument/didClose", document(name))
    }

    func document(_ name: String) -> JSON {
        .object(["textDocument": .object(["uri": .string(uri(name))])])
    }

    /// Returns the parameters of a request about the place of a string in a document.
    func place(_ name: String, _ needle: String, by offset: Int = 1) throws -> JSON {
        let text = try #require(texts[name])
        if needle.isEmpty { return place(name, at: offset) }
        let range = try #require(text.range(of: needle), "no `\(needle)` in \(name)")
        let bytes = text[..<range.lowerBound].utf8.count + offset
        return place(name, at: bytes)
    }

    /// Returns the parameters of a request about a byte of a document.
    func place(_ name: String, at offset: Int) -> JSON {
        let lines = TextLines(Array((texts[name] ?? "").utf8), encoding: .utf16)
        return document(name).with("position", lines.json(at: offset))
    }

    /// Returns the completions at the `§` in a string; the document then has the string without it.
    func completions(_ name: String, _ text: String) throws -> [String] {
        try items(name, text).compactMap { $0["label"]?.text }
    }

    /// Returns the completions in the order in which an editor shows them.
    func sorted(_ name: String, _ text: String) throws -> [String] {
        try items(name, text).sorted { ($0["sortText"]?.text ?? "") < ($1["sortText"]?.text ?? "") }
            .compactMap { $0["label"]?.text }
    }

    /// Returns the text that each completion would write.
    func insertions(_ name: String, _ text: String) throws -> [String: String] {
        Dictionary(
            try items(name, text).map {
                ($0["label"]?.text ?? "", $0["textEdit"]?["newText"]?.text ?? "")
            }
        ) { first, _ in first }
    }

    /// The text once something that is offered is chosen.
    func applied(_ name: String, _ text: String, choosing label: String) throws -> String? {
        guard let item = try items(name, text).first(where: { $0["label"]?.text == label }) else {
            return nil
        }
        var bytes = Array((texts[name] ?? "").utf8)
        let lines = TextLines(bytes, encoding: .utf16)
        guard let range = lines.range(item["textEdit"]?["range"]) else { return nil }
        let new = item["textEdit"]?["newText"]?.text ?? ""
        let isSnippet = item["insertTextFormat"]?.index == 2
        bytes.replaceSubrange(
            range, with: (isSnippet ? Completion.withoutPlaces(new) : new).utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the texts of open documents after an edit of the workspace, by name.
    func applied(_ edit: JSON) throws -> [String: String] {
        var texts = texts
        for change in edit["documentChanges"]?.items ?? [] {
            let uri = try #require(change["textDocument"]?["uri"]?.text)
            let name = name(of: try #require(DocumentURI.path(of: uri)))
            var bytes = Array(try #require(texts[name]).utf8)
            let lines = TextLines(bytes, encoding: .utf16)
            let edits = (change["edits"]?.items ?? []).compactMap { edit in
                lines.range(edit["range"]).map { ($0, edit["newText"]?.text ?? "") }
            }.sorted { $0.0.lowerBound < $1.0.lowerBound }
            for (one, next) in zip(edits, edits.dropFirst()) {
                #expect(one.0.upperBound <= next.0.lowerBound, "edits overlap")
            }
            for (range, text) in edits.reversed() { bytes.replaceSubrange(range, with: text.utf8) }
            texts[name] = String(decoding: bytes, as: UTF8.self)
        }
        return texts
    }

    private func items(_ name: String, _ text: String) throws -> [JSON] {
        let bytes = try #require(text.range(of: "§")).lowerBound
        let offset = text[..<bytes].utf8.count
        let plain = text.replacingOccurrences(of: "§", with: "")
        change(name, to: plain)
        let lines = TextLines(Array(plain.utf8), encoding: .utf16)
        let list = try request(
            "textDocument/completion",
            .object([
                "textDocument": .object(["uri": .string(uri(name))]),
                "position": lines.json(at: offset),
            ]))
        return list["items"]?.items ?? []
    }

    /// Returns the codes of the findings of a file, in order.
    func codes(_ name: String) -> [String] {
        (findings[name] ?? []).compactMap { $0["code"]?.text }
    }
}

/// Counts from 1 on, from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

extension JSON {
    /// With other members, or others of the same name.
    func with(_ name: String, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != name } + [Member(key: name, value: value)])
    }
}

/// A small shop, as three teams write it.
enum Shop {
    static let app = """
        poprules: 1
        schedulers:
          main: { gap: 500ms }
          toast: { strategy: fifo }
        context:
          app.screen: { type: string, values: [home, cart], default: home, momentary: true }
          user.plan: { type: string, values: [free, pro], default: free, description: what is paid for }
          user.launches: { type: int, min: 0, default: 0 }
          user.id: string
          user.zone: { type: string, default: Europe/Berlin }
        events:
          order.paid: { total: double }
        templates:
          sheet:
            required: { title: string }
            optional: { body: string }
            actions: [accept, { later: { refusal: true } }]
        conditions:
          settled: user.launches >= 3 && user.plan == "free"

        """
    static let popups = """
        # What sells.
        poprules: 1
        popups:
          welcome:
            description: Greets a new user
            owner: growth
            when: user.launches < 3
            template: sheet
            content: { title: "Hello {{user.id}}" }
          rating:
            description: Asks for stars
            owner: growth
            after: [welcome]
            trigger: { event: order.paid, where: event.total > 10.0 }
            when:
              all:
                - settled
                - event_count("order.paid", duration("720h")) > 2
                - has(popups.welcome.last_shown)
            schedule: { until: 2027-01-01T09:00:00Z }
            cap: { lifetime: 1, every: 90m }
            template: sheet
            content: { title: Stars }

        """
    static let tests = """
        poprules_test: 1
        start: 2026-11-25T12:00:00Z
        personas:
          newcomer: { user.launches: 1 }
        tests:
          a newcomer is greeted:
            persona: newcomer
            always: ['showing.main != "rating"']
            steps:
              - expect: { showing: { main: welcome } }
              - expect: { reasons: { rating: NOT_TRIGGERED } }

        """
    static let files = [
        "rules/app.yaml": app, "rules/popups.yaml": popups, "rules/popups.test.yaml": tests,
    ]
}
