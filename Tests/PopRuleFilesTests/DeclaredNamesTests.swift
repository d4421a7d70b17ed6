import PopSource
import Testing

@testable import PopRuleFiles

@Suite struct `The names that a schema offers` {
    @Test func `contain a name once that a popup shares with an event and a template`() throws {
        var sources = SourceSet()
        let text = """
            poprules: 1
            events: { x: {} }
            templates: { x: {}, others: {} }
            popups: { x: { template: x }, others: { template: others } }
            """
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        let names = DeclaredNames(try #require(RuleModel.check(sources).value)).byKind
        #expect(names["popup or event"] == ["x", "others"])
        #expect(names["popup or template"] == ["x", "others"])
    }
}
