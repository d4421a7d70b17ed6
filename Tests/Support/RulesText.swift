internal import PopRuleFiles
package import PopScheduler
internal import PopSource

extension RuleSet {
    /// Returns the rules in a text; throws the findings if there are errors.
    package static func parse(_ text: String) throws -> RuleSet {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        return try check(sources).get()
    }
}
