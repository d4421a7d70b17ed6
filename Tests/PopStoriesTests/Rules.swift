import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories

/// Returns the rules of a file with this text.
func rules(_ text: String) throws -> RuleSet {
    var sources = SourceSet()
    sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
    return try RuleSet.check(sources).get()
}

/// The tests of a file about some rules.
func tests(_ text: String, of rules: RuleSet) throws -> RunnableTests {
    let source = SourceFile(path: "a.test.yaml", text: "poprules_test: 1\n" + text)
    let file = try TestFile.parse(source).get()
    return try TestLinker.link(file, of: source, rules: rules) { _ in nil }.get()
}

/// When everything begins.
let nine = Timestamp(seconds: 1_795_165_200)  // 2026-11-20T09:00:00Z

extension ExplainQuery {
    init(
        _ rules: RuleSet, _ context: [String: Value] = [:],
        within budget: WorkBudget = .ofCommand()
    ) {
        self.init(rules: rules, start: nine, budget: budget)
        self.context = context
    }

    /// The report on a popup.
    func report(on popup: String) -> PopupReport? {
        PopupReport.all([popup], question: self, in: played()).first
    }

    /// The changes that let a popup show, as they are printed.
    func changes(for popup: String) -> [String] { report(on: popup)?.changes.map(\.text) ?? [] }
}
