import PopCEL
import Synchronization

@testable import PopLanguageServer
@testable import PopSource

extension FuzzTarget {
    /// The messages of an editor: edits, requests and bytes that aren't messages. Afterwards the
    /// diagnostics must be the same as if the resulting texts had just been opened.
    static let edits = FuzzTarget(
        name: "edits",
        body: .direct { bytes in
            var editing = Editing()
            for (name, text) in Editing.files { editing.open(name, text) }
            var rest = bytes[...]
            for _ in 0..<Editing.mostSteps {
                guard let action = rest.popFirst() else { break }
                editing.take(action, &rest)
            }
            editing.settle()
            var anew = Editing()
            for (name, text) in editing.texts.sorted(by: { $0.key < $1.key }) {
                anew.open(name, String(decoding: text, as: UTF8.self))
            }
            anew.settle()
            for name in editing.texts.keys {
                let (after, opened) = (editing.findings(of: name), anew.findings(of: name))
                try require(
                    after == opened, "\(name): after edits \(after), opened anew \(opened)")
            }
        })
}

/// An editor whose documents lie in no folder of the disk.
private struct Editing {
    static let mostSteps = 40
    private static let folder = "/poprules-fuzzing/rules"
    /// The beginnings that each file must keep, so that the files are about popups.
    private static let heads = ["app": "poprules: 1\n", "popups": "poprules: 1\n", "a.test": ""]

    static let files = [
        (
            "app",
            """
            poprules: 1
            context:
              user.plan: { type: string, values: [free, pro], default: free }
              user.launches: { type: int, default: 0 }
            events: { order.paid: { total: double } }
            conditions: { settled: user.launches >= 3 }

            """
        ),
        (
            "popups",
            """
            poprules: 1
            popups:
              welcome: { when: user.launches < 3, content: { title: "Hi {{user.plan}}" } }
              rating:
                after: [welcome]
                trigger: { event: order.paid, where: event.total > 10.0 }
                when: settled && user.plan == "free"

            """
        ),
        (
            "a.test",
            """
            poprules_test: 1
            tests:
              it shows:
                always: ['showing.main != "rating"']
                steps:
                  - expect: { showing: { main: welcome } }

            """
        ),
    ]

    private var server = LanguageServer { Timestamp(seconds: 1_793_000_000) }
    private(set) var texts: [String: [UInt8]] = [:]
    private var versions: [String: Int] = [:]
    private var told: [String: Set<String>] = [:]

    init() {
        send(.request(id: .int(0), method: "initialize", parameters: .object([])))
        send(.notification(method: "initialized", parameters: .object([])))
    }

    func findings(of name: String) -> [String] { (told[Self.uri(name)] ?? []).sorted() }

    mutating func open(_ name: String, _ text: String) {
        texts[name] = Array(text.utf8)
        versions[name] = 1
        let document = JSON.object([
            "uri": .string(Self.uri(name)), "version": .int(1), "text": .string(text),
        ])
        note("didOpen", .object(["textDocument": document]))
    }

    mutating func settle() {
        while server.isUnsettled { take(server.settle()) }
    }

    /// Performs the action of a byte, with the bytes after it.
    mutating func take(_ action: UInt8, _ rest: inout ArraySlice<UInt8>) {
        let name = Self.files[Int(rest.popFirst() ?? 0) % Self.files.count].0
        switch action % 8 {
        case 0...3: edit(name, &rest)
        case 4: ask(name, &rest)
        case 5:
            let left = Mutex(Int(rest.popFirst() ?? 0) % 64)
            take(
                server.settle {
                    left.withLock { left in
                        left -= 1
                        return left < 0
                    }
                })
        case 6:
            let count = min(Int(rest.popFirst() ?? 0), rest.count)
            send(Message(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        default: note("didSave", .object(["textDocument": document(name)]))
        }
    }

    private mutating func edit(_ name: String, _ rest: inout ArraySlice<UInt8>) {
        let text = texts[name] ?? []
        let head = Self.heads[name]?.utf8.count ?? 0
        let place = Int(rest.popFirst() ?? 0) << 8 | Int(rest.popFirst() ?? 0)
        var start = head + place % (text.count - head + 1)
        while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
        var end = min(start + Int(rest.popFirst() ?? 0) % 16, text.count)
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        let count = min(Int(rest.popFirst() ?? 0) % 32, rest.count)
        let new = String(decoding: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        let lines = TextLines(text, encoding: .utf16)
        versions[name, default: 1] += 1
        note(
            "didChange",
            .object([
                "textDocument": document(name),
                "contentChanges": [
                    .object(["range": lines.json(start..<end), "text": .string(new)])
                ],
            ]))
        // An editor can't name a place between CR and LF.
        texts[name] = server.desk.document(Self.uri(name))?.bytes
    }

    private mutating func ask(_ name: String, _ rest: inout ArraySlice<UInt8>) {
        let feature = Feature.all[Int(rest.popFirst() ?? 0) % Feature.all.count]
        let offset = Int(rest.popFirst() ?? 0) << 8 | Int(rest.popFirst() ?? 0)
        let text = texts[name] ?? []
        let lines = TextLines(text, encoding: .utf16)
        let place = lines.json(at: offset % (text.count + 1))
        send(
            .request(
                id: .int(1), method: feature.method,
                parameters: .object([
                    "textDocument": document(name), "position": place,
                    "range": .object(["start": place, "end": place]), "newName": "fresh",
                ])))
    }

    private func document(_ name: String) -> JSON {
        .object(["uri": .string(Self.uri(name)), "version": .int(versions[name] ?? 1)])
    }

    private static func uri(_ name: String) -> String { "file://\(folder)/\(name).yaml" }

    private mutating func note(_ method: String, _ parameters: JSON) {
        send(.notification(method: "textDocument/\(method)", parameters: parameters))
    }

    private mutating func send(_ message: Message) {
        // A conversation that has ended sends nothing.
        if case .notification("exit", _) = message { return }
        if case .request(_, "shutdown", _) = message { return }
        take(server.handle(message))
    }

    private mutating func take(_ messages: [JSON]) {
        for message in messages
        where message["method"] == "textDocument/publishDiagnostics" {
            guard let uri = message["params"]?["uri"]?.text else { continue }
            told[uri] = Set((message["params"]?["diagnostics"]?.items ?? []).map(\.compact))
        }
    }
}
