import PopRuleFiles
import PopScheduler
import PopSource

/// Rules written in a test: the version line is put in front.
func checked(_ text: String) -> Checked<RuleSet> {
    var sources = SourceSet()
    sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
    return RuleSet.check(sources)
}

/// The text of the places that findings point at, with the names of their checks.
func pointed(_ text: String) -> [String] {
    let file = SourceFile(path: "rules.yaml", text: "poprules: 1\n" + text)
    return checked(text).diagnostics.sorted.map { "\($0.check.name): \(file.text(in: $0.range))" }
}
