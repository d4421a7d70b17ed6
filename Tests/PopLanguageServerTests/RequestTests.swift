import Foundation
import PopCEL
import PopSource
import Testing

@testable import PopLanguageServer

/// Every request that the server announces, with its answer as a golden.
struct RequestTests {
    private static let popups = "rules/popups.yaml"
    private static let tests = "rules/popups.test.yaml"

    private struct Story {
        var file: String
        /// The text that contains the place.
        var needle = ""
        var more: [(String, JSON)] = []
        /// True if the files are without a mistake.
        var isSound = false
    }

    private static let stories: [String: [Story]] = [
        "textDocument/hover": [
            Story(file: popups, needle: "rating:"), Story(file: popups, needle: "settled"),
            Story(file: popups, needle: "event.total"), Story(file: popups, needle: "every: 90m"),
            Story(file: popups, needle: "event_count"), Story(file: popups, needle: "owner"),
            Story(file: popups, needle: "user.id"), Story(file: tests, needle: "NOT_TRIGGERED"),
            Story(file: popups, needle: "settled", isSound: true),
        ],
        "textDocument/definition": [
            Story(file: popups, needle: "settled"), Story(file: popups, needle: "order.paid"),
            Story(file: tests, needle: "newcomer\n"),
        ],
        "textDocument/references": [
            Story(
                file: popups, needle: "welcome:",
                more: [("context", .object(["includeDeclaration": true]))])
        ],
        "textDocument/documentHighlight": [Story(file: popups, needle: "welcome:")],
        "textDocument/documentSymbol": [Story(file: popups), Story(file: tests)],
        "textDocument/foldingRange": [Story(file: popups)],
        "textDocument/selectionRange": [
            Story(
                file: popups,
                more: [
                    ("positions", [.object(["line": .int(16), "character": .int(12)])])
                ])
        ],
        "textDocument/documentLink": [Story(file: popups), Story(file: tests)],
        "textDocument/prepareRename": [
            Story(file: popups, needle: "welcome:"), Story(file: popups, needle: "user.id"),
        ],
        "textDocument/rename": [
            Story(file: popups, needle: "welcome:", more: [("newName", "greeting")]),
            Story(file: popups, needle: "order.paid", more: [("newName", "order.done")]),
            Story(file: popups, needle: "settled", more: [("newName", "regular")]),
        ],
        "textDocument/prepareCallHierarchy": [Story(file: popups, needle: "welcome:")],
        "textDocument/semanticTokens/full": [Story(file: popups)],
        "textDocument/semanticTokens/range": [
            Story(file: popups, more: [("range", lines(6, 7))])
        ],
        "textDocument/inlayHint": [Story(file: popups, more: [("range", lines(0, 40))])],
        "textDocument/codeLens": [
            Story(file: popups, isSound: true), Story(file: popups), Story(file: tests),
        ],
        "textDocument/codeAction": [
            Story(
                file: popups,
                more: [("range", lines(0, 40)), ("context", .object(["diagnostics": []]))])
        ],
        "textDocument/formatting": [Story(file: popups)],
        "textDocument/rangeFormatting": [Story(file: popups, more: [("range", lines(11, 12))])],
        "textDocument/onTypeFormatting": [
            Story(file: popups, needle: "  later:\n", more: [("ch", "\n")])
        ],
        "textDocument/completion": [
            Story(file: popups, needle: "free\"", more: []),
            Story(file: popups, needle: "after: [welcome"),
            Story(file: popups, needle: "cap: "),
        ],
        "textDocument/signatureHelp": [Story(file: popups, needle: "duration(\"")],
        "textDocument/diagnostic": [Story(file: popups)],
    ]

    private static func lines(_ first: Int, _ last: Int) -> JSON {
        .object([
            "start": .object(["line": .int(first), "character": .int(0)]),
            "end": .object(["line": .int(last), "character": .int(0)]),
        ])
    }

    /// The files with mistakes that can be fixed: an unknown key, an unknown name, a crooked line,
    /// and a line that is only begun.
    private static var crooked: [String: String] {
        var files = Shop.files
        files[popups] =
            Shop.popups
            .replacingOccurrences(
                of: "# What sells.", with: "# yaml-language-server: $schema=poprules.schema.json"
            )
            .replacingOccurrences(of: "owner: growth\n    after", with: "owner:  growth\n    after")
            .replacingOccurrences(
                of: "has(popups", with: "user.plan == \"free\"\n        - has(popups")
            + "  broken: { priorty: high, when: user.plam == \"pro\" }\n  later:\n\n"
        return files
    }

    private func editor(_ files: [String: String]) throws -> Editor {
        let editor = try Editor(files, zone: "Europe/Berlin")
        try editor.open(Self.popups)
        try editor.open(Self.tests)
        editor.settle()
        return editor
    }

    private func parameters(
        of method: String, in story: Story, _ editor: Editor
    ) throws -> JSON {
        if story.needle.isEmpty { return editor.document(story.file) }
        let isBehind = ["completion", "signatureHelp", "onTypeFormatting"].contains {
            method.hasSuffix($0)
        }
        let length = story.needle.utf8.count
        let offset = isBehind ? length : story.needle.hasSuffix("\n") ? 1 : length / 2
        return try editor.place(story.file, story.needle, by: offset)
    }

    @Test(arguments: stories.keys.sorted())
    func `a request about a document is answered as in the golden file`(_ method: String) throws {
        let editors = try (sound: editor(Shop.files), crooked: editor(Self.crooked))
        var text = ""
        for story in Self.stories[method] ?? [] {
            let editor = story.isSound ? editors.sound : editors.crooked
            var parameters = try parameters(of: method, in: story, editor)
            for (name, value) in story.more { parameters = parameters.with(name, value) }
            text += "# \(story.file) \(story.needle.debugDescription)\n"
            do {
                text += try editor.request(method, parameters).pretty + "\n"
            } catch let refused as Editor.Refused {
                text += "refused: \(refused.message)\n"
            }
            text = text.replacingOccurrences(of: editor.folder.path, with: "/w")
        }
        try compare(text, with: Self.golden(of: method))
    }

    @Test func `requests about the workspace are answered as in the golden file`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        editor.settle()
        var text = ""
        func ask(_ method: String, _ parameters: JSON) throws {
            text += "# \(method)\n" + (try editor.request(method, parameters)).pretty + "\n"
        }
        try ask("workspace/symbol", .object(["query": "wlc"]))
        try ask("workspace/diagnostic", .object(["previousResultIds": []]))
        for (method, popup) in [("incoming", "welcome:"), ("outgoing", "rating:")] {
            let items = try editor.request(
                "textDocument/prepareCallHierarchy", try editor.place(Self.popups, popup))
            let item = try #require(items.items.first)
            try ask("callHierarchy/\(method)Calls", .object(["item": item]))
        }
        for command in ServerCommand.allCases {
            let isTest = command == .run || command == .debug
            let arguments: JSON =
                isTest
                ? [.string(editor.uri(Self.tests)), "a newcomer is greeted"]
                : [.string(editor.uri(Self.popups)), "welcome"]
            if isTest { try editor.open(Self.tests) }
            let answer = try editor.request(
                "workspace/executeCommand",
                .object(["command": .string(command.rawValue), "arguments": arguments]))
            text += "# \(command.rawValue): \(answer["title"]?.text ?? "")\n"
            text += answer["text"]?.text ?? ""
        }
        try compare(
            text.replacingOccurrences(of: editor.folder.path, with: "/w"), with: "workspace")
    }

    @Test func `every announced feature has a golden file with an answer`() throws {
        var server = LanguageServer { .min }
        let client = Editor.capabilities.with(
            "textDocument", .object(["diagnostic": .object([])]))
        let answers = server.handle(
            .request(
                id: .int(1), method: "initialize",
                parameters: .object(["capabilities": client])))
        guard case .object(let members)? = answers.first?["result"]?["capabilities"] else {
            Issue.record("nothing is announced")
            return
        }
        var announced: Set<String> = []
        for member in members {
            guard let methods = Self.methods(of: member) else {
                Issue.record("`\(member.key)` is announced, and no request of it is known here")
                continue
            }
            announced.formUnion(methods)
        }
        #expect(announced == Set(Feature.all.map(\.method)))
        for method in announced.sorted() {
            #expect(try isAnswered(method), "no golden has an answer to `\(method)`")
        }
    }

    /// The requests that a capability announces; nil for one that is not known.
    private static func methods(of capability: JSON.Member) -> [String]? {
        let (name, value) = (capability.key, capability.value)
        func isSet(_ option: String) -> Bool { value[option].map { $0 != false } ?? false }
        func optional(_ option: String, _ method: String) -> [String] {
            isSet(option) ? [method] : []
        }
        // These announce notifications, or how messages are written.
        if ["positionEncoding", "textDocumentSync", "workspace"].contains(name) { return [] }
        switch name {
        case "executeCommandProvider": return ["workspace/executeCommand"]
        case "workspaceSymbolProvider":
            return ["workspace/symbol"] + optional("resolveProvider", "workspaceSymbol/resolve")
        case "callHierarchyProvider":
            return ["incomingCalls", "outgoingCalls"].map { "callHierarchy/\($0)" }
                + ["textDocument/prepareCallHierarchy"]
        case "semanticTokensProvider":
            return optional("full", "textDocument/semanticTokens/full")
                + optional("range", "textDocument/semanticTokens/range")
                + (value["full"]?["delta"] == true
                    ? ["textDocument/semanticTokens/full/delta"] : [])
        case "diagnosticProvider":
            return ["textDocument/diagnostic"]
                + optional("workspaceDiagnostics", "workspace/diagnostic")
        case "renameProvider":
            return ["textDocument/rename"]
                + optional("prepareProvider", "textDocument/prepareRename")
        case "documentFormattingProvider": return ["textDocument/formatting"]
        case "documentRangeFormattingProvider": return ["textDocument/rangeFormatting"]
        case "documentOnTypeFormattingProvider": return ["textDocument/onTypeFormatting"]
        default:
            guard name.hasSuffix("Provider") else { return nil }
            let word = name.dropLast("Provider".count)
            return ["textDocument/\(word)"]
                + optional("resolveProvider", "\(word)/resolve")
        }
    }

    /// Returns true if a golden file has a non-empty answer to a request.
    private func isAnswered(_ method: String) throws -> Bool {
        let isOfDocument = Self.stories[method] != nil
        let kept = try String(
            contentsOf: Self.url(ofGolden: isOfDocument ? Self.golden(of: method) : "workspace"),
            encoding: .utf8)
        let answers = "\n\(kept)".components(separatedBy: "\n# ").dropFirst()
        if method == "workspace/executeCommand" {
            return ServerCommand.allCases.allSatisfy { command in
                answers.contains {
                    $0.hasPrefix("\(command.rawValue): ")
                        && $0.split(separator: "\n").count > 1
                }
            }
        }
        return answers.contains { answer in
            let lines = answer.split(separator: "\n")
            guard lines.count > 1, isOfDocument || lines[0] == method else { return false }
            return !["null", "[]"].contains(lines[1]) && !lines[1].hasPrefix("refused")
        }
    }

    private static func golden(of method: String) -> String {
        method.replacingOccurrences(of: "/", with: "-")
    }

    private static func url(ofGolden name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(name).txt")
    }

    private func compare(_ text: String, with name: String) throws {
        // The number of a result hangs on the folder.
        let text = text.replacing(#/"resultId": "[0-9a-f]+"/#, with: #""resultId": "…""#)
        let url = Self.url(ofGolden: name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            return try Data(text.utf8).write(to: url)
        }
        let kept = try String(contentsOf: url, encoding: .utf8)
        #expect(kept == text, "\(name) is out of step; run the tests with UPDATE_GOLDEN=1")
    }
}
