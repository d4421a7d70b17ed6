import Foundation
import Testing

/// The test files that commands write are files that `validate` finds nothing wrong with.
@Suite struct WrittenTestFilesTests {
    /// Rule sets, as paths from the root of the repository: all of them if `WRITTEN_TESTS` is set,
    /// since they take minutes.
    private static let rules: [String] = {
        let sets = "Tests/PopAnalysisTests/Sets"
        guard ProcessInfo.processInfo.environment["WRITTEN_TESTS"] != nil else {
            return ["Examples/Web/rules", "\(sets)/game.yaml"]
        }
        let names = ["bank", "fitness", "game", "media", "school", "travel"]
        return ["rules", "Examples/rules/news", "Examples/Web/rules"]
            + names.map { "\(sets)/\($0).yaml" }
    }()

    /// Events with fields of all types, which only triggers of other popups read.
    private static let fields = """
        poprules: 1
        context: { plan: { type: string, default: free }, screen: { type: string, default: home } }
        events:
          paid: { total: double, count: int, kind: string, at: timestamp, took: duration, big: bool }
        popups:
          thanks: { trigger: { event: paid }, when: plan == "pro" }
          large: { priority: high, trigger: { event: paid, where: event.total > 50.0 && event.big } }
          odd:
            scheduler: toast
            trigger: { event: paid, where: event.kind == "odd" && event.count > 2 }
          late:
            scheduler: toast
            trigger: { event: paid, where: now - event.at > duration("1h") && event.took > duration("1s") }
          moved: { scheduler: toast, trigger: { changed: screen }, when: screen == "cart" }
        schedulers: { main: {}, toast: {} }
        limits: [{ max: 1, per: 1d }]

        """

    /// Copies rules without their tests into a folder.
    private static func copy(_ path: String, to folder: TemporaryFolder, as name: String) throws {
        let source = Repository.root.appending(path: path)
        let names =
            try path.hasSuffix(".yaml")
            ? [""] : FileManager.default.subpathsOfDirectory(atPath: source.path)
        for file in names
        where (file.isEmpty || file.hasSuffix(".yaml")) && !file.hasSuffix(".test.yaml")
            && !file.hasSuffix("poprules.yaml")
        {
            let text = try String(
                contentsOf: file.isEmpty ? source : source.appending(path: file), encoding: .utf8)
            try folder.write(text, to: "\(name)/\(file.isEmpty ? "rules.yaml" : file)")
        }
    }

    /// Returns the findings of `validate` about the made files of a folder, except infos.
    private static func findings(in folder: TemporaryFolder, of name: String) throws -> [String] {
        let (_, output) = try Program.shell("poprules validate \(name) -f short", in: folder.url)
        return output.split(separator: "\n").map { String($0) }
            .filter { $0.contains("made") && !$0.contains("info") }
    }

    private static func made(
        _ command: String, in folder: TemporaryFolder, rules name: String
    ) throws -> [String] {
        _ = try Program.shell("\(command) 2>/dev/null > made.yaml", in: folder.url)
        let text = try String(
            contentsOf: folder.url.appending(path: "made.yaml"), encoding: .utf8)
        guard text.contains("steps:") else { return [] }
        let files = text.components(separatedBy: "---\n")
        for (number, file) in files.enumerated() {
            try folder.write(file, to: "\(name)/made\(number).test.yaml")
        }
        let found = try findings(in: folder, of: name)
        for number in files.indices {
            try? FileManager.default.removeItem(
                at: folder.url.appending(path: "\(name)/made\(number).test.yaml"))
        }
        return found
    }

    @Test("`test --bootstrap` writes tests that `validate` accepts (R7, A31)", arguments: rules)
    func bootstrap(path: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.copy(path, to: folder, as: "rules")
        #expect(
            try Self.made("poprules test rules --bootstrap", in: folder, rules: "rules") == [])
    }

    @Test("`collisions --story` writes tests that `validate` accepts (R7)", arguments: rules)
    func collisions(path: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.copy(path, to: folder, as: "rules")
        try Self.expectStories(of: "rules", in: folder)
    }

    private static func expectStories(of name: String, in folder: TemporaryFolder) throws {
        let at = "--at 2026-11-20T09:00:00Z"
        let (_, output) = try Program.shell(
            "poprules collisions --rules \(name) \(at) -f json 2>/dev/null", in: folder.url)
        let json = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        let found = try #require(json?["collisions"] as? [[String: Any]])
        let stories = found.compactMap { $0["story"] as? String }.prefix(12)
        for (number, story) in stories.enumerated() {
            for (part, text) in story.components(separatedBy: "---\n").enumerated() {
                try folder.write(text, to: "\(name)/made\(number)-\(part).test.yaml")
            }
        }
        #expect(try findings(in: folder, of: name) == [])
    }

    /// The rules before, and after a change.
    private static let changes = [
        (" >= ", " > "), ("lifetime: 1", "lifetime: 2"), ("priority: high", "priority: low"),
        ("== \"", "!= \""), ("hide_after: ", "delay: 1s, hide_after: "),
    ]

    @Test("`diff --story` writes tests that `validate` accepts (R7)", arguments: rules)
    func diff(path: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.copy(path, to: folder, as: "old")
        try Self.copy(path, to: folder, as: "new")
        let new = folder.url.appending(path: "new")
        for file in try FileManager.default.subpathsOfDirectory(atPath: new.path)
        where file.hasSuffix(".yaml") {
            var text = try String(contentsOf: new.appending(path: file), encoding: .utf8)
            for (one, other) in Self.changes {
                text = text.replacingOccurrences(of: one, with: other)
            }
            try folder.write(text, to: "new/\(file)")
        }
        #expect(try Self.made("poprules diff old new --story", in: folder, rules: "new") == [])
    }

    @Test("scenarios send all fields that triggers of any popup read (R7)")
    func allFields() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.fields, to: "rules/rules.yaml")
        #expect(
            try Self.made("poprules test rules --bootstrap", in: folder, rules: "rules") == [])
        let later = Self.fields.replacingOccurrences(of: "plan == \"pro\"", with: "plan != \"pro\"")
        try folder.write(later, to: "new/rules.yaml")
        let diff = "poprules diff rules new --story"
        #expect(try Self.made(diff, in: folder, rules: "new") == [])
        let (_, story) = try Program.shell(diff, in: folder.url)
        #expect(story.contains("send: { paid: { at:"), "\(story)")
        try Self.expectStories(of: "rules", in: folder)
    }

    @Test("a field that only the new rules declare is sent only to the new rules (R7)")
    func newField() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let head = "poprules: 1\npopups:\n  tip: "
        try folder.write(
            head + "{ trigger: { event: saved } }\nevents: { saved: {} }\n", to: "old/r.yaml")
        try folder.write(
            head
                + "{ trigger: { event: saved, where: 'event.type in [\"\", \"save\"]' } }\n"
                + "events: { saved: { type: string } }\n", to: "new/r.yaml")
        let diff = "poprules diff old new --story"
        #expect(try Self.made(diff, in: folder, rules: "new") == [])
        let (_, story) = try Program.shell(diff, in: folder.url)
        #expect(story.contains("send: { saved: { type: "), "\(story)")
    }

    @Test("the name of a test for changed limits is a phrase of English (A30)")
    func changedLimits() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (name, most) in [("old", 1), ("new", 2)] {
            try folder.write(
                "poprules: 1\npopups: { a: {}, b: {} }\nlimits: [{ max: \(most), per: 1d }]\n",
                to: "\(name)/r.yaml")
        }
        let (_, story) = try Program.shell("poprules diff old new --story", in: folder.url)
        #expect(story.contains("\n  b with changed limits:\n"), "\(story)")
    }

    @Test("a test for a popup triggered by a changed key sets that key (A31)")
    func changedKey() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.fields, to: "rules/rules.yaml")
        let (_, text) = try Program.shell("poprules test rules --bootstrap", in: folder.url)
        #expect(text.contains("set: { screen: \"cart\" }"), "\(text)")
        #expect(!text.contains("enqueue: moved"), "\(text)")
    }

    @Test("`init` writes files that `validate` accepts (R7)")
    func initialFiles() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        _ = try Program.shell("poprules init", in: folder.url)
        let (status, output) = try Program.shell("poprules validate rules -f short", in: folder.url)
        #expect(status == 0 && output.contains("0 errors, 0 warnings"), "\(output)")
    }
}
