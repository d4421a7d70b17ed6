import Foundation
import PopSource
import Testing

@testable import PopLanguageServer

/// Every request that the server announces, with its answer as a golden.
struct RequestTests {
    private static let popups = "rules/popups.yaml"
    private static let tests = "rules/popups.test.yaml"

    private struct Story {
        var file: String
        /// What the place is in, and how many bytes behind its beginning.
        var needle = ""
        var more: [(String, JSON)] = []
    }

    private static let stories: [String: [Story]] = [
        "textDocument/hover": [
            Story(file: popups, needle: "rating:"), Story(file: popups, needle: "settled"),
            Story(file: popups, needle: "event.total"), Story(file: popups, needle: "every: 90m"),
            Story(file: popups, needle: "event_count"), Story(file: popups, needle: "owner"),
            Story(file: popups, needle: "user.id"), Story(file: tests, needle: "NOT_TRIGGERED"),
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
        "textDocument/documentLink": [Story(file: tests)],
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
        "textDocument/codeLens": [Story(file: popups), Story(file: tests)],
        "textDocument/codeAction": [
            Story(
                file: popups,
                more: [("range", lines(0, 40)), ("context", .object(["diagnostics": []]))])
        ],
        "textDocument/formatting": [Story(file: popups)],
        "textDocument/rangeFormatting": [Story(file: popups, more: [("range", lines(4, 6))])],
        "textDocument/onTypeFormatting": [
            Story(file: popups, needle: "  welcome:", more: [("ch", "\n")])
        ],
        "textDocument/completion": [
            Story(file: popups, needle: "free\"", more: []),
            Story(file: popups, needle: "after: [welcome"),
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

    @Test(arguments: stories.keys.sorted())
    func `a request about a document is answered as the golden says`(_ method: String) throws {
        // What is wrong here has fixes; what is crooked has a layout.
        var files = Shop.files
        files[Self.popups] =
            Shop.popups
            .replacingOccurrences(of: "owner: growth\n    after", with: "owner:  growth\n    after")
            .replacingOccurrences(
                of: "has(popups", with: "user.plan == \"free\"\n        - has(popups")
            + "  broken: { priorty: high, when: user.plam == \"pro\" }\n"
        let editor = try Editor(files, zone: "Europe/Berlin")
        try editor.open(Self.popups)
        try editor.open(Self.tests)
        editor.settle()
        var text = ""
        for story in Self.stories[method] ?? [] {
            let length = story.needle.utf8.count
            var parameters =
                story.needle.isEmpty
                ? editor.document(story.file)
                : try editor.place(
                    story.file, story.needle, by: story.needle.hasSuffix("\n") ? 1 : length / 2)
            if method.hasSuffix("completion") || method.hasSuffix("signatureHelp") {
                parameters = try editor.place(story.file, story.needle, by: length)
            }
            for (name, value) in story.more { parameters = parameters.with(name, value) }
            text += "# \(story.file) \(story.needle.debugDescription)\n"
            do {
                text += try editor.request(method, parameters).pretty + "\n"
            } catch let refused as Editor.Refused {
                text += "refused: \(refused.message)\n"
            }
        }
        let name = method.replacingOccurrences(of: "/", with: "-")
        try compare(text.replacingOccurrences(of: editor.folder.path, with: "/w"), with: name)
    }

    @Test func `requests about the workspace are answered as the golden says`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        editor.settle()
        var text = ""
        func ask(_ method: String, _ parameters: JSON) throws {
            text += "# \(method)\n" + (try editor.request(method, parameters)).pretty + "\n"
        }
        try ask("workspace/symbol", .object(["query": "wlc"]))
        try ask("workspace/diagnostic", .object(["previousResultIds": []]))
        let items = try editor.request(
            "textDocument/prepareCallHierarchy", try editor.place(Self.popups, "welcome:"))
        let item = try #require(items.items.first)
        try ask("callHierarchy/incomingCalls", .object(["item": item]))
        try ask("callHierarchy/outgoingCalls", .object(["item": item]))
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

    @Test func `every request that is known is in one of the goldens`() {
        let others: Set<String> = [
            "workspace/symbol", "workspace/diagnostic", "callHierarchy/incomingCalls",
            "callHierarchy/outgoingCalls", "workspace/executeCommand",
        ]
        #expect(
            Set(Feature.all.map(\.method)) == Set(Self.stories.keys).union(others))
    }

    private func compare(_ text: String, with name: String) throws {
        // The number of a result hangs on the folder.
        let text = text.replacing(#/"resultId": "[0-9a-f]+"/#, with: #""resultId": "…""#)
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            return try Data(text.utf8).write(to: url)
        }
        let kept = try String(contentsOf: url, encoding: .utf8)
        #expect(kept == text, "\(name) is out of step; run the tests with UPDATE_GOLDEN=1")
    }
}
