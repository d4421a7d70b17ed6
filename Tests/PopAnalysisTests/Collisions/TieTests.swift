import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Findings about popups of the same priority, whose order the files decide.
@Suite struct TieTests {
    @Test func `the help on a tie does not suggest priority if the scheduler ignores it`() throws {
        let lanes = "schedulers: { toast: { strategy: fifo } }\n"
        let found = try findings([
            "poprules: 1\n\(lanes)popups: { a: { scheduler: toast } }\n",
            "poprules: 1\npopups: { b: { scheduler: toast }, c: { scheduler: toast, delay: 3s }"
                + " }\n",
        ]).filter { $0.check == .scheduleTie }
        #expect(found.map(\.message) == ["`a` shows before `b` only because of the file names"])
        #expect(
            found.flatMap(\.help) == [
                "move them into one file, with the popup that must show first above the others:"
                    + " `toast` ignores their `priority`"
            ])
    }

    @Test func `B8: one finding for all popups of a tie names the popup that has priority`() throws
    {
        let names = ["welcome", "survey", "offer", "tour"]
        let texts = names.map { "poprules: 1\npopups: { \($0): {} }\n" }
        let found = try findings(texts + ["poprules: 1\npopups: { last: { priority: low } }\n"])
            .filter { $0.check == .scheduleTie }
        #expect(
            found.map(\.message) == [
                "`welcome` shows before 3 others of the same priority only because of the file"
                    + " names"
            ])
        let ordered =
            texts.dropLast() + [
                "poprules: 1\npopups: { tour: { priority: low }, x: { after: [welcome] } }\n"
            ]
        #expect(try findings(Array(ordered)).count { $0.check == .scheduleTie } == 1)
    }

    @Test func `B8: popups of one file show in the order of the file`() throws {
        let found = try findings(["poprules: 1\npopups: { a: {}, b: {}, c: { priority: low } }\n"])
        #expect(!found.contains { $0.check == .scheduleTie })
    }

    @Test func `popups of one file are reported if the second popup is lost permanently`() throws {
        let found = try findings([
            "poprules: 1\npopups: { a: {}, b: { max_wait: 30s }, c: { priority: low } }\n"
        ]).filter { $0.check == .scheduleTie }
        #expect(found.map(\.level) == [.warning])
        #expect(
            found.map(\.message) == [
                "`a` shows before `b` of the same priority only because of the order of their lines"
            ])
        #expect(
            found.flatMap(\.notes).first == "`b` then does not show at all: WAITED_TOO_LONG")
    }

    @Test func `popups of one file that lose nothing by their order are not reported`() throws {
        let lanes = "schedulers: { toast: { strategy: fifo } }\n"
        let found = try findings([
            "poprules: 1\n\(lanes)popups: { a: { max_wait: 30s }, b: {}, c: { scheduler: toast },"
                + " d: { scheduler: toast, max_wait: 30s, after: [c] }, e: { priority: low } }\n"
        ]).filter { $0.check == .scheduleTie }
        #expect(found.map(\.message) == [])
    }

    @Test func `B8: a popup that waits for another popup does not tie with it`() throws {
        let found = try findings([
            "poprules: 1\npopups: { a: {} }\n", "poprules: 1\npopups: { b: { after: [a] } }\n",
            "poprules: 1\nevents: { x: {} }\npopups: { c: { trigger: { event: x } } , d: {"
                + " priority: 5 } }\n",
        ])
        #expect(!found.contains { $0.check == .scheduleTie })
    }

    private func findings(_ texts: [String]) throws -> [Diagnostic] {
        var sources = SourceSet()
        for (index, text) in texts.enumerated() {
            sources.add(path: "rules\(index).yaml", bytes: Array(text.utf8))
        }
        let model = try RuleModel.check(sources).get()
        let rules = try RuleSet.compile(model).get()
        return PairChecks.findings(in: model, rules: rules).list
    }
}
