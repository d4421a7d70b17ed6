import Measuring
import PopRuleFiles
import PopScheduler
import PopSource
import RuleText

/// Measures the way from bytes to a compiled rule set, compared with libyaml's events of the same
/// bytes. Freeing the rule set doesn't count: it happens after the clock was stopped.
func measureLoading() -> [Figure] {
    // First, as in an app that starts: a heap in which 10,000 popups have been freed makes each
    // request for memory dearer.
    let few = sources([ruleText(popups: 20)])
    let small = measure([
        Case("load 20", .microseconds, making: { RuleSet.check(few) }),
        Case("load 20: raw libyaml events", .microseconds) {
            use(countEvents(few.files[0].bytes))
        },
    ])
    let many = sources([ruleText(popups: 10_000)])
    let several = sources((0..<4).map { ruleText(popups: 2_500, startingAt: $0 * 2_500) })
    let bytes = many.files[0].bytes
    let large = measure(
        [
            Case("load 10,000", .milliseconds, making: { RuleSet.check(many) }),
            Case("load 10,000: raw libyaml events", .milliseconds) { use(countEvents(bytes)) },
            Case("load 10,000 from 4 files", .milliseconds, making: { RuleSet.check(several) }),
        ], rounds: 9)
    return large + small
}

func sources(_ texts: [String]) -> SourceSet {
    var sources = SourceSet()
    for (number, text) in texts.enumerated() {
        sources.add(path: "rules/\(number).yaml", bytes: Array(text.utf8))
    }
    return sources
}
