import PopSource

extension FuzzTarget {
    /// Rules that are right as a rule, made of decisions, so that linking, compiling and scheduling
    /// are reached.
    static let ruleSet = FuzzTarget(
        name: "rule-set",
        body: .direct { bytes in
            var text = RuleText(bytes)
            let sources = Findings.sources(
                ("app.yaml", Array(text.declarations().utf8)),
                ("popups.yaml", Array(text.popups().utf8)))
            guard let rules = try Rules.check(sources) else { return }
            try Rules.compareWithBundle(rules, seed: text.dice.next(), steps: 24)
        })
}
