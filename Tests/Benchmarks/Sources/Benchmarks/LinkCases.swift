import Foundation
import Measuring
import PopRuleFiles
import PopScheduler
import PopSource
import RuleText

/// Measures how long an editor waits for diagnostics after one of 5,000 popups in 10 files was
/// changed, compared with checking from scratch.
func measureLinking() -> [Figure] {
    let sources = sources((0..<10).map { ruleText(popups: 500, startingAt: $0 * 500) })
    let cases = [
        update(sources, of: 4, "priority: low", to: "priority: 77", name: "a priority"),
        update(sources, of: 4, "popup_2250:", to: "popup_2250_new:", name: "an id"),
        update(sources, of: 4, "user.plan", to: "user.plam", name: "a mistake"),
        update(sources, of: 0, "default: home", to: "default: map", name: "a key of all"),
        Case("link 5,000: from scratch", .milliseconds, making: { RuleSet.check(sources) }),
    ]
    return measure(cases, rounds: 9)
}

/// Replaces the first occurrence of a text in a file, and restores it the next time.
private func update(
    _ sources: SourceSet, of file: Int, _ text: String, to other: String, name: String
) -> Case {
    let old = sources.files[file]
    let whole = old.text(in: old.range)
    guard let place = whole.range(of: text) else { preconditionFailure("no `\(text)`") }
    let edited = whole.replacingCharacters(in: place, with: other)
    let versions = [SourceFile(id: old.id, path: old.path, text: edited), old]
    var linked = LinkedFiles(sources)
    var next = 0
    return Case("link 5,000: \(name)", .milliseconds) {
        linked.update(versions[next])
        use(linked.diagnostics)
        next = 1 - next
    }
}
