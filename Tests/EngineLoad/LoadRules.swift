import PopRuleFiles
import PopScheduler
import PopSource

/// Rules that use everything that has to do with time, and whose parts meet all the time.
enum LoadRules {
    static func make() throws -> RuleSet { try parse(text) }

    /// The same without one popup, and with another order.
    static func others() throws -> RuleSet {
        try parse(
            text.split(separator: "\n").filter { !$0.hasPrefix("  c:") }.joined(separator: "\n")
                .replacing("priority: high", with: "priority: low"))
    }

    private static let text = """
        poprules: 1
        schedulers:
          main: { gap: [0s, 1ms] }
          toast: { strategy: lifo, gap: 1ms, max_waiting: 5 }
        context:
          n: { type: int, default: 0 }
          count: { type: int, default: 0 }
          ok: { type: bool, default: true }
        events: { e: { total: double } }
        groups: { g: { when: ok } }
        popups:
          a: { priority: high, when: n % 2 == 0, min_show: 1ms, hide_after: 2ms, trigger: [start, { changed: n }] }
          b: { switch: latent, grace: 1ms, hide_after: 5ms, dismiss_when: n > 40, trigger: [start, { event: e }] }
          c: { switch: discard, untriggered: discard, delay: 1ms, hide_after: 3ms, trigger: [manual, { event: e, where: event.total > 5.0 }] }
          d: { scheduler: toast, group: g, max_wait: 5ms, hide_after: 1ms, trigger: [manual, { event: e, every: 3 }] }
          e: { scheduler: toast, after: [d], hide_after: 2ms, trigger: [manual, { changed: ok }] }
          tally: { scheduler: toast, hide_after: 1ms, trigger: { event: e } }
          hand: { when: count % 3 != 0, hide_after: 1ms, trigger: manual }

        """

    private static func parse(_ text: String) throws -> RuleSet {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        return try RuleSet.check(sources).get()
    }
}
