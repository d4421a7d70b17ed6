import PopRuleFiles
import PopScheduler
import PopSource

@testable import PopStories

extension FuzzTarget {
    /// Test files: read, linked with rules, and run.
    static let testFile = FuzzTarget(
        name: "test-file",
        body: .direct { bytes in
            let sources = Findings.sources(
                ("rules.yaml", Array(shop.utf8)), ("a.test.yaml", bytes))
            let source = sources.files[1]
            let linked = TestFile.parse(source).then { file in
                TestLinker.link(file, of: source, rules: shopRules) { _ in shopRules }
            }
            try Findings.check(linked.diagnostics, in: sources)
            guard let runnable = try? linked.get() else { return }
            for test in runnable.tests.prefix(3) {
                let result = TestRunner.run(test, of: runnable, within: .ofCommand())
                try Findings.check(Diagnostics(result.failures), in: sources)
            }
        })

    /// Empty when the text has a mistake, which the replay of the corpus would show.
    static let shopRules =
        (try? RuleSet.check(Findings.sources(("rules.yaml", Array(shop.utf8)))).get()) ?? RuleSet()

    private static let shop = """
        poprules: 1
        schedulers: { toast: { strategy: fifo, gap: [1s, 3s] } }
        context:
          app.screen: { type: string, default: splash }
          user.launches: { type: int, min: 0, default: 0 }
          user.plan: { type: string, values: [free, pro], default: free }
          user.tags: list<string>
        events: { checkout.completed: { total: double, currency: string } }
        conditions: { newcomer: user.launches <= 3 }
        popups:
          welcome: { priority: high, when: newcomer && app.screen == "home", min_show: 2s, cap: { lifetime: 1 }, switch: latent }
          sale: { when: user.plan == "free", cap: { every: 1h }, hide_after: 10s, after: [welcome] }
          thanks: { scheduler: toast, trigger: { event: checkout.completed, where: event.total > 50.0 }, hide_after: 3s }
          hint: { trigger: manual, delay: 1s, grace: 300ms, max_wait: 1m }
        """
}
