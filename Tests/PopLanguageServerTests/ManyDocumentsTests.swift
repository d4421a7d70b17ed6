import PopSource
import Testing

@testable import PopLanguageServer

/// S-M2: documents that are opened together are read together.
struct ManyDocumentsTests {
    private static func documents(
        _ count: Int, _ name: (Int) -> String
    ) -> [(name: String, text: String)] {
        (0..<count).map { (name($0), "poprules: 1\npopups:\n  p\($0): {}\n") }
    }

    /// Where documents lie.
    enum Place: CaseIterable {
        case savedRules, newFiles, ownFolders

        func name(_ number: Int) -> String {
            switch self {
            case .savedRules: "rules/p\(number).yaml"
            case .newFiles: "new/p\(number).yaml"
            case .ownFolders: "folder\(number)/p.yaml"
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `four times as many documents take four times as many steps`(_ place: Place) throws {
        var counts: [Int] = []
        for size in [20, 80] {
            let documents = Self.documents(size, place.name)
            var files: [String: String] = [:]
            if place == .savedRules { for (name, text) in documents { files[name] = text } }
            let editor = try Editor(files)
            let before = editor.steps
            editor.openTogether(documents)
            counts.append(editor.steps - before)
        }
        #expect(counts[0] > 0)
        #expect(counts[1] <= 5 * counts[0], "\(counts)")
    }

    @Test func `documents opened together get the same findings as documents opened one by one`()
        throws
    {
        let documents =
            Self.documents(10) { "new/p\($0).yaml" }
            + [("new/broken.yaml", "poprules: 1\npopups:\n  x: { when: nothing }\n")]
        let together = try Editor([:])
        together.openTogether(documents)
        let apart = try Editor([:])
        for (name, text) in documents { try apart.open(name, text) }
        #expect(together.codes("new/broken.yaml") == ["P0301"])
        #expect(apart.codes("new/broken.yaml") == ["P0301"])
    }

    @Test func `a request between documents is answered for the documents before it`() throws {
        let editor = try Editor([:])
        let name = "new/a.yaml"
        let item = JSON.object([
            "uri": .string(editor.uri(name)), "version": .int(1),
            "text": .string("poprules: 1\npopups:\n  first: {}\n"),
        ])
        _ = editor.handle(
            .notification(
                method: "textDocument/didOpen", parameters: .object(["textDocument": item])),
            hasMore: true)
        let symbols = try editor.request("textDocument/documentSymbol", editor.document(name))
        #expect(symbols.compact.contains("first"))
    }

    @Test func `an unreadable folder is not read again for each of its documents`() throws {
        let documents = Self.documents(1_100) { "new/p\($0).yaml" }
        let editor = try Editor([:])
        editor.openTogether(documents)
        let before = editor.steps
        for number in 2_000..<2_010 {
            try editor.open("new/p\(number).yaml", "poprules: 1\npopups:\n  p\(number): {}\n")
        }
        #expect(editor.steps - before < 1_000)
        #expect(editor.notifications.count { $0["method"] == "window/logMessage" } == 1)
    }

    @Test func `documents that are closed are forgotten`() throws {
        let editor = try Editor([:])
        let documents = Self.documents(5) { "new/p\($0).yaml" }
        editor.openTogether(documents)
        for (name, _) in documents { editor.close(name) }
        try editor.open("new/p0.yaml", "poprules: 1\npopups:\n  p1: { after: [p2] }\n")
        #expect(editor.codes("new/p0.yaml") == ["P0202"])
    }
}
