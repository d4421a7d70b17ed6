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
        return Page(
            of: workspace, rules: rules, title: title, earlier: earlier.map { ($0, "before") })
    }

    @Test func `has everything that its views need of the rules and of their tests`() throws {
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

    @Test func `says which values make a difference to a key`() throws {
        let keys = try #require(page(of: "rules").json["keys"]?.items)
        let launches = keys.first { $0["name"] == "user.launches" }
        #expect(launches?["asked"]?.items.contains(.int(3)) == true)
        #expect(launches?["description"] == "counted by the app, this launch included")
    }

    @Test func `says what changed since other rules`() throws {
        let earlier = try RuleSet.load(Self.root.appending(path: "Examples/rules/news").path).get()
        let changes = try #require(page(of: "rules", earlier: earlier).json["changes"])
        #expect(changes["against"] == "before")
        #expect(changes["changes"]?.items.isEmpty == false)
        #expect(changes["bundle"] != nil)
    }

    @Test func `lets nothing of the rules end one of its elements`() throws {
        let text = try page(
            of: "Web/tests/hostile", title: "</title><script>alert(1)</script>"
        ).file()
        let own = text.components(separatedBy: "<script").count
        #expect(text.components(separatedBy: "</script>").count == own)
        #expect(own == (WebEngine.packed == nil ? 4 : 5))
        #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt;"))
        #expect(!text.contains("<img"))
    }

    @Test func `lets in its own script and style, and a frame only where it is watched`() throws {
        let page = try page(of: "Web/tests/hostile")
        let lines = page.file().split(separator: "\n")
        let policy = try #require(lines.first { $0.contains("Policy") })
        #expect(policy.contains("default-src 'none'; script-src 'sha256-"))
        #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
        #expect(!policy.contains("frame-src"))
        #expect(page.file(isWatched: true).contains("frame-src 'self' file:"))
        #expect(page.file(isWatched: true).contains(" data-watch>"))
    }

    @Test func `has the words of the engine's answers with places to fill in`() {
        let events = PageWords.json["events"]
        #expect(events?["shown"] == "{popup} shows")
        #expect(events?["dismissed"] == "{popup} goes: {reason}")
        #expect(events?["acted"] == "a person used `{message}` of {popup}")
        #expect(PageWords.json["ready"]?.items.contains("SLOT_BUSY") == true)
        #expect(PageWords.json["reasons"]?["SLOT_BUSY"] == "the screen is taken")
    }

    @Test func `says where the bundle is another one for who is in a rollout`() throws {
        let stories = try #require(page(of: "rules").json["stories"]?.items)
        let patches = stories.flatMap { $0["plays"]?.items ?? [] }
            .compactMap { $0["script"]?["patch"]?.items }
        #expect(!patches.isEmpty)
        for patch in patches { #expect(patch.contains { $0["at"]?.items == ["checksum"] }) }
    }
}

@Suite struct `Looks of templates` {
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

    @Test func `that are no text are refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([0xFF, 0xFE]).write(to: folder.appending(path: "sheet.html"))
        #expect(throws: LookError.self) { try TemplateLook.all(inFolder: folder.path) }
        #expect(throws: LookError.self) { try TemplateLook.all(inFolder: "/nowhere") }
    }
}
