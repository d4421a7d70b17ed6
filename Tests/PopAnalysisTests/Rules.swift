import PopRuleFiles
import PopScheduler
import PopSource

/// Rules as they are written in a file, and the result of reading them.
struct Rules {
    let sources: SourceSet
    let model: RuleModel
    let rules: RuleSet

    init(_ text: String) throws {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        self.sources = sources
        let model = RuleModel.check(sources)
        self.model = try model.get()
        rules = try RuleSet.compile(self.model).get()
    }
}
