import Foundation
import PopAnalysis
import PopLogic
import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

@Suite struct MeaningTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// Files that belong together, and the findings in them.
    private struct Look {
        let sources: SourceSet
        let rules: RuleSet
        let known: Diagnostics
        let found: [Diagnostic]

        init(_ files: [(path: String, text: String)], limits: AnalysisLimits = .standard) throws {
            var sources = SourceSet()
            for file in files { sources.add(path: file.path, bytes: Array(file.text.utf8)) }
            let model = RuleModel.check(sources)
            let rules = RuleSet.compile(try model.get())
            self.sources = sources
            self.rules = try rules.get()
            var known = model.diagnostics
            known.report(contentsOf: rules.diagnostics)
            self.known = known
            found = Meaning.findings(in: self.rules, known: known, limits: limits).sorted
        }

        /// The popups that any check reports as never shown.
        var impossible: Set<String> {
            let all = (known.list + found).filter { $0.check == .logicNeverTrue }
            return Set(
                all.compactMap { diagnostic in
                    rules.popups.last { $0.range.lower <= diagnostic.range.lower }?.id
                })
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["bank", "game", "media", "travel", "fitness", "school"])
    func `thirty sensible popups give no findings`(_ name: String) throws {
        let look = try Look([("\(name).yaml", Self.text("Sets/\(name).yaml"))])
        #expect(look.rules.popups.count == 30)
        #expect(look.found.map { "\($0.check.id): \($0.message)" } == [])
    }

    @Test(arguments: ["rules", "Examples/rules/news"])
    func `the rules of this repository give no findings`(_ path: String) throws {
        let folder = Self.folder.appending(path: "../../\(path)").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let files = try names.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        let look = try Look(files)
        #expect(!look.rules.popups.isEmpty)
        #expect(look.found.map { "\($0.check.id): \($0.message)" } == [])
    }

    @Test func `all of twenty planted faults are reported`() throws {
        let look = try Look([("rules.yaml", Self.text("Sets/impossible.yaml"))])
        #expect(look.impossible == Set(look.rules.popups.map(\.id)))
        #expect(look.rules.popups.count == 20)
    }

    @Test func `twenty rules one step away from a fault give no findings`() throws {
        let head = try Self.text("Sets/impossible.yaml").split(separator: "popups:\n")[0]
        let look = try Look([("rules.yaml", head + Self.text("Sets/possible.yaml"))])
        #expect(look.rules.popups.count == 20)
        #expect(look.found.map { "\($0.check.id): \($0.message)" } == [])
        #expect(look.impossible == [])
    }

    @Test(arguments: ["meaning-never", "meaning-always", "meaning-redundant", "meaning-same"])
    func `the findings match the committed output`(_ name: String) throws {
        let look = try Look([("\(name).yaml", Self.text("Golden/\(name).yaml"))])
        var renderer = TextRenderer(sources: look.sources)
        let output = renderer.render(Diagnostics(look.found))
        let golden = Self.folder.appending(path: "Golden/\(name).out")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try output.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(output == (try? String(contentsOf: golden, encoding: .utf8)))
    }

    @Test func `beyond the limits nothing is reported`() throws {
        var limits = AnalysisLimits.standard
        limits.logic.nodes = 1
        let text = try Self.text("Sets/impossible.yaml")
        #expect(try Look([("rules.yaml", text)], limits: limits).found.isEmpty)
    }

    @Test func `a fault that another finding reports is not reported twice`() throws {
        let look = try Look([
            (
                "rules.yaml",
                """
                poprules: 1
                context: { a: { type: int, default: 0 }, b: { type: bool, default: false } }
                popups: { p: { when: b || a > 3 && a < 2 } }

                """
            )
        ])
        #expect(look.known.list.map(\.check) == [.logicNeverTrue])
        #expect(look.found.isEmpty)
    }

    @Test func `a key at the trigger and the same key at the impression are separate values`()
        throws
    {
        let look = try Look([
            (
                "rules.yaml",
                """
                poprules: 1
                context: { screen: { type: string, values: [home, cart], default: home } }
                events: { bought: {} }
                popups:
                  p: { trigger: { event: bought, where: screen == "cart" }, when: screen == "home" }

                """
            )
        ])
        #expect(look.found.isEmpty)
    }

    @Test func `a constant condition used as a switch makes nothing impossible`() throws {
        let look = try Look([
            (
                "rules.yaml",
                """
                poprules: 1
                context: { n: { type: int, default: 0 } }
                conditions: { beta: false, everyone: true }
                groups: { off: { when: false } }
                popups:
                  p: { when: beta && n > 3 }
                  q: { when: everyone || n > 3, group: off }

                """
            )
        ])
        #expect(look.found.isEmpty)
    }
}
