import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopWire
import Testing

@testable import PopPages

@Suite struct `A page` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func page(
        of folder: String, title: String = "a page", earlier: RuleSet? = nil
    ) throws -> Page {
        let path = Self.root.appending(path: folder).path
        let workspace = try Workspace([path], home: path)
        let rules = try #require(workspace.main?.checked.value)
        return try Page(
            of: workspace, rules: rules, title: title, earlier: earlier.map { ($0, "before") })
    }

    @Test func `has all data about the rules and tests that its views need`() throws {
        let page = try page(of: "rules")
        let json = page.json
        #expect(json["popups"]?.items.count == 23)
        #expect(json["audiences"]?.items.count == 23)
        #expect(json["keys"]?.items.count == 19)
        #expect(json["personas"]?.items.isEmpty == false)
        #expect(json["collisions"]?["found"]?.items.isEmpty == false)
        #expect(json["coverage"]?["summary"] != nil)
        #expect(json["changes"] == nil)
        for story in try #require(json["stories"]?.items) {
            #expect(story["passed"] == .bool(true))
            for play in story["plays"]?.items ?? [] {
                #expect(play["happenings"]?.items.isEmpty == false)
                #expect(play["script"]?["steps"] != nil)
            }
        }
        #expect(try RuleSet(bundle: Array(page.bundle.utf8)).popups.count == 23)
    }

    @Test func `shows which values make a difference for a key`() throws {
        let keys = try #require(page(of: "rules").json["keys"]?.items)
        let launches = keys.first { $0["name"] == "user.launches" }
        #expect(launches?["asked"]?.items.contains(.int(3)) == true)
        #expect(launches?["description"] == "counted by the app, this launch included")
    }

    @Test func `shows the changes since other rules`() throws {
        let earlier = try RuleSet.load(Self.root.appending(path: "Examples/rules/news").path).get()
        let changes = try #require(page(of: "rules", earlier: earlier).json["changes"])
        #expect(changes["against"] == "before")
        #expect(changes["changes"]?.items.isEmpty == false)
        #expect(changes["bundle"] != nil)
    }

    @Test func `a page lets no content of the rules end one of its elements`() throws {
        let text = try page(
            of: "Web/tests/hostile", title: "</title><script>alert(1)</script>"
        ).file()
        let own = text.components(separatedBy: "<script").count
        #expect(text.components(separatedBy: "</script>").count == own)
        #expect(own == (WebEngine.packed == nil ? 4 : 5))
        #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt;"))
        #expect(!text.contains("<img"))
    }

    @Test
    func `a page allows only its own script and style, and a frame only when watched`() throws {
        let page = try page(of: "Web/tests/hostile")
        let lines = page.file().split(separator: "\n")
        let policy = try #require(lines.first { $0.contains("Policy") })
        #expect(policy.contains("default-src 'none'; script-src 'sha256-"))
        #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
        #expect(!policy.contains("frame-src"))
        #expect(!page.file().contains(" data-watch"))
        let watched = page.file(watchKey: WatchKey())
        #expect(watched.contains("frame-src 'self' file:"))
        #expect(watched.contains(/id="page" data-watch="[0-9a-f]{32}">/))
    }

    @Test func `a page has a different key in each watching run`() {
        #expect(Set((0..<100).map { _ in WatchKey().text }).count == 100)
    }

    @Test func `has the messages of the engine with placeholders`() {
        let events = PageText.json["events"]
        #expect(events?["shown"] == "{popup} shows")
        #expect(events?["dismissed"] == "{popup} is dismissed: {reason}")
        #expect(events?["acted"] == "the user used `{message}` of {popup}")
        #expect(PageText.json["ready"]?.items.contains("SLOT_BUSY") == true)
        #expect(PageText.json["reasons"]?["SLOT_BUSY"] == "the screen is taken by another popup")
    }

    @Test func `contains the changes of the bundle for users in a rollout`() throws {
        let stories = try #require(page(of: "rules").json["stories"]?.items)
        let patches = stories.flatMap { $0["plays"]?.items ?? [] }
            .compactMap { $0["script"]?["patch"]?.items }
        #expect(!patches.isEmpty)
        for patch in patches { #expect(patch.contains { $0["at"]?.items == ["checksum"] }) }
    }
}

@Suite struct `The appearances of templates` {
    @Test func `are read from a folder`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: LookError.self) { try TemplateLook.all(inFolder: folder.path) }
        try Data("<p>{{title}}</p>".utf8).write(to: folder.appending(path: "sheet.html"))
        try Data("p { color: red }".utf8).write(to: folder.appending(path: "sheet.css"))
        let looks = try TemplateLook.all(inFolder: folder.path)
        #expect(looks.map(\.name) == ["sheet"])
        #expect(looks.first?.style == "p { color: red }")
    }

    /// A link in a pull request published any file that CI could read.
    @Test func `looks that are links out of their folder are refused`() throws {
        let top = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let folder = top.appending(path: "look")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: top) }
        try Data("secret".utf8).write(to: top.appending(path: "key"))
        try Data("<p>{{title}}</p>".utf8).write(to: folder.appending(path: "own.html"))
        for (name, target) in [("sheet.html", "../key"), ("own.css", "../key")] {
            let link = folder.appending(path: name).path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            #expect(throws: LookError.self) { try TemplateLook.all(inFolder: folder.path) }
            try FileManager.default.removeItem(atPath: link)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "sheet.html").path, withDestinationPath: "own.html")
        #expect(try TemplateLook.all(inFolder: folder.path).map(\.name) == ["own", "sheet"])
    }

    @Test func `that aren't text are refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([0xFF, 0xFE]).write(to: folder.appending(path: "sheet.html"))
        #expect(throws: LookError.self) { try TemplateLook.all(inFolder: folder.path) }
        #expect(throws: LookError.self) { try TemplateLook.all(inFolder: "/nowhere") }
    }
}

/// S-M2: pages have limits that are named on the page.
@Suite struct `A page of many popups` {
    /// A workspace in a folder of its own.
    private func page(
        _ files: [String: String], _ limits: PageLimits = .standard
    ) throws -> Page {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let workspace = try Workspace([folder.path], home: folder.path)
        let rules = try #require(workspace.main?.checked.value)
        return try Page(of: workspace, rules: rules, title: "many", limits: limits)
    }

    private func rules(_ count: Int) -> String {
        "poprules: 1\ncontext: { user.id: string, k: { type: int, default: 0 } }\npopups:\n"
            + (0..<count).map { place in
                "  p\(place): { when: k > \(place), rollout: { percent: 50, by: user.id } }\n"
            }.joined()
    }

    private func tests(_ count: Int) -> String {
        "poprules_test: 1\nstart: 2026-11-25T12:00:00Z\ntests:\n"
            + (0..<count).map { place in
                "  t\(place):\n    persona: { user.id: u, rollout: { p0: in } }\n"
                    + "    steps: [{ expect: { showing: { main: none } } }]\n"
            }.joined()
    }

    @Test func `is not written beyond its limit, which is reported`() throws {
        var limits = PageLimits.standard
        limits.popups = 3
        #expect(throws: PageError.self) { try page(["r.yaml": rules(4)], limits) }
        #expect(try page(["r.yaml": rules(3)], limits).leftOut.isEmpty)
    }

    @Test func `a page of many popups reports what it omits, also on the page`() throws {
        var limits = PageLimits.standard
        limits.plays = 2
        limits.comparedPopups = 3
        limits.work[.logicSteps] = 0
        let page = try page(["r.yaml": rules(2), "r.test.yaml": tests(5)], limits)
        #expect(
            page.leftOut == [
                "3 test runs that are not drawn",
                "1 test run that cannot be played step by step",
                "which users may see some popups, because finding them takes too much work",
            ])
        #expect(page.json["leftOut"]?.items.count == 3)
        #expect(page.json["stories"]?.items.count == 5)
    }

    @Test func `plays no more tests than fit into its size`() throws {
        var limits = PageLimits.standard
        limits.playBytes = 1
        let page = try page(["r.yaml": rules(1), "r.test.yaml": tests(3)], limits)
        #expect(page.leftOut == ["2 test runs that are not drawn"])
    }

    @Test func `omits nothing that fits`() throws {
        let page = try page(["r.yaml": rules(4), "r.test.yaml": tests(5)])
        #expect(page.leftOut.isEmpty)
        #expect(page.json["leftOut"] == nil)
        let plays = (page.json["stories"]?.items ?? []).flatMap { $0["plays"]?.items ?? [] }
        #expect(plays.allSatisfy { $0["script"]?["steps"] != nil })
    }
}
