import Foundation
import PopSource
import Testing

@testable import PopLanguageServer

/// Findings that are reported for files while they are edited.
struct FindingsTests {
    private static let popups = "rules/popups.yaml"

    @Test func `a mistake is reported as soon as it is typed, and removed when it is fixed`() throws
    {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        editor.settle()
        let clean = editor.codes(Self.popups)
        editor.change(Self.popups, to: Shop.popups.replacing("launches < 3", with: "lunches < 3"))
        #expect(editor.codes(Self.popups).contains("P0301"))
        editor.change(Self.popups, to: Shop.popups)
        #expect(!editor.codes(Self.popups).contains("P0301"))
        editor.settle()
        #expect(editor.codes(Self.popups) == clean)
    }

    @Test func `a change of one file updates the findings of another file that depends on it`()
        throws
    {
        let editor = try Editor(Shop.files)
        try editor.open("rules/app.yaml")
        #expect(!editor.codes(Self.popups).contains("P0301"))
        editor.change(
            "rules/app.yaml", to: Shop.app.replacing("user.launches:", with: "user.starts:"))
        #expect(editor.codes(Self.popups).contains("P0301"))
        editor.close("rules/app.yaml")
        #expect(!editor.codes(Self.popups).contains("P0301"))
    }

    @Test
    func
        `findings about tests and advice follow later, and keep their places while the user types`()
        throws
    {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        let nobodys = Shop.popups.replacing("    owner: growth\n    when", with: "    when")
        editor.change(Self.popups, to: nobodys)
        #expect(!editor.codes(Self.popups).contains("P0801"))
        editor.settle()
        #expect(editor.codes(Self.popups).contains("P0801"))
        editor.change(Self.popups, to: "# A line.\n" + nobodys)
        #expect(editor.codes(Self.popups).contains("P0801"))
    }

    @Test func `slow advice is postponed if a message waits`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        let isOver = editor.settle { true }
        #expect(!isOver)
        let isOverThen = editor.settle { false }
        #expect(isOverThen)
    }

    @Test func `a broken line hides no findings of the other files`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        editor.change(Self.popups, to: Shop.popups + "  x: [\n")
        #expect(editor.codes(Self.popups).contains { $0.hasPrefix("P00") })
        #expect(editor.codes("rules/app.yaml").isEmpty)
    }

    @Test func `a new unsaved file belongs to its folder`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(
            "rules/new.yaml", "poprules: 1\npopups:\n  x: { when: settled, after: [welcom] }\n")
        #expect(editor.codes("rules/new.yaml") == ["P0202"])
    }

    @Test func `the first rule files of an empty folder are checked before they are saved`()
        throws
    {
        let editor = try Editor([:])
        try editor.open("rules/app.yaml", "")
        editor.change("rules/app.yaml", to: Shop.app)
        try editor.open("rules/new.yaml", "poprules: 1\npopups:\n  x: { when: settled }\n")
        #expect(editor.codes("rules/new.yaml").isEmpty)
        editor.change("rules/new.yaml", to: "poprules: 1\npopups:\n  x: { when: setled }\n")
        #expect(editor.codes("rules/new.yaml") == ["P0301"])
        try editor.write(Shop.app, to: "rules/app.yaml")
        editor.notify("textDocument/didSave", editor.document("rules/app.yaml"))
        #expect(editor.codes("rules/new.yaml") == ["P0301"])
    }

    @Test func `a test file next to the folder of rules hides no findings of the rules`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("x.yaml", "poprules_test: 1\ntests: { a: {} }\n")
        try editor.open(Self.popups)
        editor.change(Self.popups, to: "x: 1\n" + Shop.popups)
        #expect(!editor.codes(Self.popups).isEmpty)
    }

    @Test func `other YAML files are ignored`() throws {
        let editor = try Editor(Shop.files.merging(["ci.yaml": "on: push\n"]) { $1 })
        try editor.open("ci.yaml")
        editor.settle()
        #expect(editor.findings["ci.yaml"] == nil)
    }

    @Test func `a configuration sets the levels of checks, even while it is edited`() throws {
        let files = Shop.files.merging(["poprules.yaml": "poprules_config: 1\n"]) { $1 }
        let editor = try Editor(files)
        try editor.open(Self.popups)
        editor.change(Self.popups, to: Shop.popups.replacing("launches < 3", with: "lunches < 3"))
        #expect(editor.codes(Self.popups).contains("P0301"))
        try editor.open("poprules.yaml")
        editor.change(
            "poprules.yaml",
            to: "poprules_config: 1\nchecks: { condition/unknown-key: off }\n")
        #expect(!editor.codes(Self.popups).contains("P0301"))
        editor.change("poprules.yaml", to: "poprules_config: 1\nchecks: { nonsense: off }\n")
        #expect(!editor.codes("poprules.yaml").isEmpty)
    }

    @Test func `each folder of a workspace has its own rules`() throws {
        let other = "poprules: 1\npopups:\n  x: { when: settled }\n"
        let editor = try Editor(
            [
                "a/rules/app.yaml": Shop.app, "a/rules/popups.yaml": Shop.popups,
                "b/rules/x.yaml": other,
            ], folders: ["a", "b"])
        #expect(editor.codes("b/rules/x.yaml") == ["P0301"])
        #expect(!editor.codes("a/rules/popups.yaml").contains("P0301"))
    }

    @Test func `a file that changes outside the editor is read, unless it is open`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        try editor.write(Shop.app.replacing("launches", with: "starts"), to: "rules/app.yaml")
        func tell(_ name: String, type: Int) {
            let change = JSON.object(["uri": .string(editor.uri(name)), "type": .int(type)])
            editor.notify("workspace/didChangeWatchedFiles", .object(["changes": [change]]))
        }
        tell("rules/app.yaml", type: 2)
        #expect(editor.codes(Self.popups).contains("P0301"))
        try editor.write("", to: Self.popups)
        tell(Self.popups, type: 2)
        #expect(editor.codes(Self.popups).contains("P0301"))
        try editor.write(
            "poprules: 1\ncontext: { user.launches: int }\n", to: "rules/more.yaml")
        tell("rules/more.yaml", type: 1)
        #expect(!editor.codes(Self.popups).contains("P0301"))
    }

    @Test func `one action applies every safe fix of a document`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(
            "rules/new.yaml", "poprules: 1\npopups:\n  x: { enabled: yes, urgent: no }\n")
        let parameters = editor.document("rules/new.yaml").with(
            "context", .object(["only": ["source.fixAll"]]))
        let actions = try editor.request("textDocument/codeAction", parameters)
        let edits = actions.items.first?["edit"]?["documentChanges"]?.items.first?["edits"]
        #expect(edits?.items.first?["newText"]?.text == "true, urgent: false")
    }

    @Test func `a fix that neighboring findings share is offered once`() throws {
        let editor = try Editor(Shop.files)
        let wrong = Shop.popups.replacingOccurrences(
            of: "user.launches < 3", with: "NOT user.launches > 3 AND user.plan = \"free\"")
        try editor.open("rules/popups.yaml", wrong)
        let lines = TextLines(Array(wrong.utf8), encoding: .utf16)
        let actions = try editor.request(
            "textDocument/codeAction",
            editor.document("rules/popups.yaml").with("range", lines.json(0..<wrong.utf8.count)))
        let titles = actions.items.compactMap { $0["title"]?.text }
        #expect(
            titles.filter { $0.contains("fix this") } == [
                "fix this and all other mistakes in the expression"
            ])
    }

    @Test func `the fixes of a finding are offered anywhere on its line, the nearest first`() throws
    {
        let editor = try Editor(Shop.files)
        let text =
            "poprules: 1\npopups:\n  x:\n    cap: { lifetim: 1, evry: 1d }\n    urgent: no\n"
        try editor.open("rules/new.yaml", text)
        func titles(at needle: String) throws -> [String] {
            let place = try editor.place("rules/new.yaml", needle, by: 0)
            let position = try #require(place["position"])
            let range = JSON.object(["start": position, "end": position])
            let parameters = editor.document("rules/new.yaml").with("range", range)
            return try editor.request("textDocument/codeAction", parameters).items
                .filter { $0["diagnostics"] != nil }.compactMap { $0["title"]?.text }
        }
        let all = try titles(at: "cap: ")
        #expect(all.count == 2)
        #expect(try titles(at: "lifetim") == all)
        #expect(try titles(at: "evry") == all.reversed())
        #expect(try titles(at: "x:") == [])
    }

    /// The document was parsed again for each finding, and other requests waited.
    @Test func `code actions are computed for the first hundred findings of a large range`() throws
    {
        let editor = try Editor(Shop.files)
        let popups = (0..<300).map { "  p\($0): { urgnt: true }\n" }.joined()
        let text = "poprules: 1\npopups:\n\(popups)"
        try editor.open("rules/new.yaml", text)
        let lines = TextLines(Array(text.utf8), encoding: .utf16)
        let actions = try editor.request(
            "textDocument/codeAction",
            editor.document("rules/new.yaml").with("range", lines.json(0..<text.utf8.count)))
        #expect(actions.items.count { $0["diagnostics"] != nil } == 100)
    }

    @Test(arguments: [PositionEncoding.utf8, .utf16, .utf32])
    func `a column after the end of a line means the end of the line`(encoding: PositionEncoding) {
        let lines = TextLines(Array("a: 1\nb: 2\n".utf8), encoding: encoding)
        #expect(lines.offset(line: 1, character: .max) == 9)
        #expect(lines.offset(line: .max, character: .max) == 10)
        #expect(lines.offset(line: 1, character: .min) == 5)
    }

    @Test func `no space is left after a key without a value`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.yaml", "poprules: 1\npopups:\n  a:  \n")
        let edits = try editor.request(
            "textDocument/onTypeFormatting",
            editor.place("rules/new.yaml", at: 27).with("ch", "\n"))
        #expect(edits.items.map { $0["newText"]?.text } == ["", "    "])
        #expect(edits.items.first?["range"]?["start"]?["character"]?.index == 4)
    }

    @Test func `leading tabs become spaces after a line break`() throws {
        let editor = try Editor(Shop.files)
        try editor.open("rules/new.yaml", "poprules: 1\npopups:\n  a:\n\t")
        let edits = try editor.request(
            "textDocument/onTypeFormatting",
            editor.place("rules/new.yaml", at: 26).with("ch", "\n"))
        #expect(edits.items.map { $0["newText"]?.text } == ["    "])
        #expect(edits.items.first?["range"]?["end"]?["character"]?.index == 1)
    }

    @Test func `a test that is run and fails is reported where it fails, until something changes`()
        throws
    {
        let file = "rules/popups.test.yaml"
        let wrong = Shop.tests.replacing("main: welcome", with: "main: rating")
        let editor = try Editor(Shop.files.merging([file: wrong]) { $1 })
        try editor.open(file)
        editor.settle()
        #expect(!editor.codes(file).contains("P0906"))
        let arguments: JSON = [.string(editor.uri(file)), "a newcomer is greeted"]
        let answer = try editor.request(
            "workspace/executeCommand",
            .object(["command": "poprules.runTest", "arguments": arguments]))
        #expect(answer["text"]?.text?.hasPrefix("FAIL a newcomer is greeted") == true)
        #expect(editor.codes(file).contains("P0906"))
        editor.change(file, to: Shop.tests)
        #expect(!editor.codes(file).contains("P0906"))
    }

    @Test func `a client that requests findings is sent no notifications`() throws {
        let capabilities = JSON.object([
            "textDocument": .object(["diagnostic": .object([])])
        ])
        let editor = try Editor(Shop.files, capabilities: capabilities)
        try editor.open("rules/new.yaml", "poprules: 1\npopups:\n  x: { priorty: high }\n")
        #expect(editor.findings.isEmpty)
        let report = try editor.request(
            "textDocument/diagnostic", editor.document("rules/new.yaml"))
        #expect(report["kind"] == "full")
        #expect(report["items"]?.items.count == 1)
        let again = try editor.request(
            "textDocument/diagnostic",
            editor.document("rules/new.yaml").with("previousResultId", report["resultId"] ?? .null))
        #expect(again["kind"] == "unchanged")
    }

    @Test
    func `a popup is renamed in expectations of tests, and a new test name is quoted if needed`()
        throws
    {
        let file = "rules/popups.test.yaml"
        let tests = Shop.tests.replacing("always: ['", with: "always: ['shown.welcome < 5', '")
        let editor = try Editor(Shop.files.merging([file: tests]) { $1 })
        try editor.open(Self.popups)
        try editor.open(file)
        let popup = try editor.place(Self.popups, "welcome:").with("newName", "greeting")
        #expect(try editor.request("textDocument/rename", popup).compact.contains("greeting"))
        let test = try editor.place(file, "a newcomer").with("newName", "&y: #z")
        let edit = try editor.request("textDocument/rename", test)
        #expect(edit.compact.contains(#""newText":"\"&y: #z\"""#), "\(edit.compact)")
    }

    @Test func `rules that a configuration excludes are checked with their folder`() throws {
        let files = Shop.files.merging(["poprules.yaml": "poprules_config: 1\n"]) { $1 }
        let editor = try Editor(files)
        try editor.open(Self.popups, Shop.popups.replacing("launches < 3", with: "lunches < 3"))
        try editor.open("poprules.yaml")
        editor.change("poprules.yaml", to: "poprules_config: 1\nrules: [nope]\n")
        #expect(editor.codes(Self.popups).contains("P0301"))
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a comment that ignores a finding is inserted above the block scalar with the finding`(
        _ end: String
    ) throws {
        let text = """
            poprules: 1
            context: { n: { type: int, default: 0 } }
            popups:
              x:
                owner: a
                description: b
                when: >-
                  n > 1
                  && n > 0
              y:
                owner: a
                when: true

            """.replacing("\n", with: end)
        let editor = try Editor([:])
        try editor.open("rules/new.yaml", text)
        editor.settle()
        let codes = Set(editor.codes("rules/new.yaml"))
        #expect(!codes.isEmpty)
        for finding in editor.findings["rules/new.yaml"] ?? [] {
            let parameters = editor.document("rules/new.yaml")
                .with("range", finding["range"] ?? .null)
            let actions = try editor.request("textDocument/codeAction", parameters).items
            let code = finding["code"]?.text ?? ""
            guard
                let action = actions.first(where: {
                    $0["title"]?.text?.hasPrefix("ignore \(code)") == true
                })
            else { continue }
            let new = try editor.applied(try #require(action["edit"]))["rules/new.yaml"] ?? ""
            #expect(
                new.split(separator: "\r\n").joined().contains("\n") == (end == "\n"),
                "\(new.debugDescription)")
            let other = try Editor([:])
            try other.open("rules/new.yaml", new)
            other.settle()
            let left = other.findings["rules/new.yaml"] ?? []
            #expect(!left.contains { $0["message"] == finding["message"] }, "\(code): \(new)")
            #expect(Set(other.codes("rules/new.yaml")).isSubset(of: codes), "\(new)")
        }
    }

    @Test func `a document that contains a NUL hides no findings of the others`() throws {
        let editor = try Editor([:])
        try editor.open("rules/one.yaml", "poprules: 1\npopups:\n  x: { when: setled }\n")
        try editor.open("rules/two.yaml", "poprules: 1\npopups:\n  y\0: {}\n")
        #expect(editor.codes("rules/one.yaml") == ["P0301"])
        #expect(editor.codes("rules/two.yaml") == ["P0011"])
        editor.notify("textDocument/didSave", editor.document("rules/two.yaml"))
        #expect(editor.codes("rules/one.yaml") == ["P0301"])
        editor.close("rules/two.yaml")
        #expect(editor.codes("rules/one.yaml") == ["P0301"])
    }

    @Test func `a document without a file may contain a NUL`() throws {
        let editor = try Editor([:])
        let uri = "untitled:x"
        editor.notify(
            "textDocument/didOpen",
            .object([
                "textDocument": .object([
                    "uri": .string(uri), "languageId": "yaml", "version": .int(1),
                    "text": "poprules: 1\npopups:\n  y\0: {}\n",
                ])
            ]))
        #expect(editor.codes(uri) == ["P0011"])
    }

    @Test func `a folder and a link to it are the same folder`() throws {
        let editor = try Editor(Shop.files)
        try FileManager.default.createSymbolicLink(
            at: editor.folder.appending(path: "link"),
            withDestinationURL: editor.folder.appending(path: "rules"))
        let wrong = Shop.popups.replacing("launches < 3", with: "lunches < 3")
        try editor.open("link/popups.yaml", wrong)
        #expect(editor.codes("link/popups.yaml").contains("P0301"))
        #expect(editor.findings["rules/popups.yaml"] ?? [] == [])
        editor.change("link/popups.yaml", to: Shop.popups)
        #expect(!editor.codes("link/popups.yaml").contains("P0301"))
    }

    @Test func `slow work is reported to a client that shows progress`() throws {
        let capabilities = JSON.object(["window": .object(["workDoneProgress": true])])
        var limits = ServerLimits.standard
        limits.quietPopups = 0
        let editor = try Editor(Shop.files, capabilities: capabilities, limits: limits)
        editor.settle()
        let created = editor.notifications.filter {
            $0["method"] == "window/workDoneProgress/create"
        }
        let told = editor.notifications.filter { $0["method"] == "$/progress" }
        let token = created.first?["params"]?["token"]
        #expect(created.count == 1 && token != nil)
        #expect(told.allSatisfy { $0["params"]?["token"] == token })
        let kinds = told.compactMap { $0["params"]?["value"]?["kind"]?.text }
        #expect(kinds.first == "begin" && kinds.last == "end" && kinds.count > 2, "\(kinds)")
        let silent = try Editor(Shop.files, limits: limits)
        silent.settle()
        #expect(!silent.notifications.contains { $0["method"] == "$/progress" })
    }

    @Test func `work that a keystroke cancels is restarted, and its progress is ended`() throws {
        let capabilities = JSON.object(["window": .object(["workDoneProgress": true])])
        var limits = ServerLimits.standard
        limits.quietPopups = 0
        let editor = try Editor(Shop.files, capabilities: capabilities, limits: limits)
        try editor.open(Self.popups)
        let steps = Counter()
        _ = editor.settle { steps.next() > 4 }
        editor.change(Self.popups, to: Shop.popups + "\n")
        let told = editor.notifications.filter { $0["method"] == "$/progress" }
        #expect(told.last?["params"]?["value"]?["kind"] == "end")
        editor.settle()
        let kinds = editor.notifications.compactMap { $0["params"]?["value"]?["kind"]?.text }
        #expect(kinds.count { $0 == "begin" } == kinds.count { $0 == "end" })
    }

    @Test func `a rename to a name that would collide or is invalid is refused`() throws {
        let editor = try Editor(Shop.files)
        try editor.open(Self.popups)
        func refused(_ name: String) throws -> String? {
            let place = try editor.place(Self.popups, "settled").with("newName", .string(name))
            do {
                _ = try editor.request("textDocument/rename", place)
                return nil
            } catch let refused as Editor.Refused {
                return refused.message
            }
        }
        #expect(try refused("user.plan") == "there is already a context key `user.plan`")
        #expect(try refused("not a name")?.hasPrefix("`not a name` cannot be the name") == true)
        #expect(try refused("now")?.hasPrefix("renaming causes an error: `now` cannot be") == true)
        #expect(try refused("in") != nil)
        #expect(try refused("user.plan.x") != nil)
        #expect(try refused("regular") == nil)
    }
}

/// Columns as the three encodings count them.
struct PositionTests {
    @Test(arguments: [
        (PositionEncoding.utf8, [0, 1, 3, 4, 8, 9]), (.utf16, [0, 1, 2, 3, 5, 6]),
        (.utf32, [0, 1, 2, 3, 4, 5]),
    ])
    func `a position maps to its column, and the column to the position`(
        _ encoding: PositionEncoding, _ columns: [Int]
    ) {
        let lines = TextLines(Array("x\naéb😀c\r\ny\rz".utf8), encoding: encoding)
        for (offset, column) in zip([2, 3, 5, 6, 10, 11], columns) {
            #expect(lines.position(at: offset) == (1, column))
            #expect(lines.offset(line: 1, character: column) == offset)
        }
        #expect(lines.count == 4)
        #expect(lines.offset(line: 1, character: 99) == 11)
        #expect(lines.offset(line: 9, character: 9) == 16)
    }

    @Test(arguments: ["/a b/ü.yaml", "/x#?%.yaml", "/a-b_c~.yaml"])
    func `a path converts to a URI and back`(_ path: String) {
        #expect(DocumentURI.path(of: DocumentURI.uri(of: path)) == path)
    }

    @Test(arguments: ["untitled:x", "file://host/x", "file:///%00", "file:///%zz", "http://x/"])
    func `a URI that isn't a file has no path`(_ uri: String) {
        #expect(DocumentURI.path(of: uri) == nil)
    }
}
