import PopReports
import PopSource
import PopStories
import Testing

/// Finding E: the graph shows which popup interrupts which, and what fires what.
@Suite struct `A graph of rules` {
    @Test func `shows which popup preempts which, and what happens to the preempted popup`() throws
    {
        let text = RuleGraph(
            try rules(
                """
                popups:
                  top: { priority: high }
                  back: { switch: latent }
                  gone: { priority: low, switch: discard }
                  stays: { priority: low }
                """)
        ).text
        #expect(text.contains("high    top\n"))
        #expect(text.contains("back   gives way to top and comes back"))
        #expect(text.contains("gone   gives way to top, back and is dismissed"))
        #expect(text.contains("low     stays\n"))
    }

    @Test func `includes newer popups of equal priority, and no preemption without priorities`()
        throws
    {
        let text = RuleGraph(
            try rules(
                """
                schedulers: { main: { tie_break: lifo }, toast: { strategy: fifo } }
                popups:
                  a: { switch: discard }
                  b: { scheduler: toast, switch: latent }
                """)
        ).text
        #expect(
            text.contains("a  gives way to newer popups with the same priority and is dismissed"))
        #expect(text.contains("normal  b\n"))
    }

    @Test func `shows the events that fire popups, the order of successors and shared groups`()
        throws
    {
        let text = RuleGraph(
            try rules(
                """
                events: { paid: { n: int } }
                context: { k: { type: int, default: 0 } }
                groups: { g: { cap: { max: 2, per: 1d } } }
                popups:
                  a: { group: g, trigger: { event: paid, where: event.n > 1, every: 3 } }
                  b: { group: g, after: [a], trigger: { changed: k } }
                  c: { after: [b], when: popups.a.shown_count > 1 && event_count("paid") > 2 }
                """)
        ).text
        #expect(text.contains("changed k  → b\n"))
        #expect(text.contains("paid       → a (every 3rd time, with a condition)\n"))
        #expect(text.contains("a  → b\n  b  → c\n"))
        #expect(text.contains("g  a, b (together at most 2 per 1d)"))
        #expect(text.contains("reads a, event paid"))
    }

    @Test func `shows variants, their users, goals and shared limits`() throws {
        let text = RuleGraph(
            try rules(
                """
                context: { id: { type: string, default: "" } }
                events: { paid: { n: int } }
                holdout: { percent: 2.5, by: id }
                quiet: { hours: 22:30-06:00, zone: Europe/Berlin }
                limits:
                  - { max: 3, per: session, schedulers: [main] }
                  - { max: 1, per: 7d, tags: [promo] }
                layers: { prices: { by: id } }
                experiments: { tone: { by: id, control: 10, variants: { b: 1, a: 2 } } }
                popups:
                  one: { experiment: { of: tone }, tags: [promo] }
                  two: { experiment: { of: tone } }
                  three:
                    experiment: { layer: prices, range: [0, 60], share: 50, variants: { x: {} } }
                    goals: [{ name: buy, event: paid, within: 1d }]
                """)
        ).text
        let blocks = """
            goals
              paid  ← three (buy)

            experiments
              tone   control 10 %; b 1, a 2; shown by one, two
              three  x 1; of the layer prices 0 to 60 %; 50 % take part

            limits for many popups
              holdout  2.5 % of the users see essential popups only
              quiet    22:30-06:00 (`zone: Europe/Berlin`)
              limit    at most 3 per session, on main
              limit    at most 1 per 7d, with the tag promo

            """
        #expect(text.hasSuffix(blocks), "\(text)")
    }

    @Test func `stays small for many popups, and counts what it omits`() throws {
        let popups = (0..<3_000).map {
            "  p\($0): { priority: \($0), switch: latent, after: [\($0 > 0 ? "p\($0 - 1)" : "")] }"
        }
        let graph = RuleGraph(try rules("popups:\n" + popups.joined(separator: "\n")))
        #expect(graph.text.contains("… and 2800 more popups"))
        for text in [graph.text, graph.mermaid, graph.dot] {
            #expect(text.split(separator: "\n").count < 1_000)
        }
        #expect(graph.mermaid.contains("and 2800 popups and"))
        let drawing = try Drawing(graph.svg)
        #expect(drawing.texts.contains { $0.text == "… and 2800 more popups" })
        drawing.expectRoom()
        for line in graph.text.split(separator: "\n") { #expect(TerminalText(line).width <= 80) }
    }

    @Test func `is drawn with higher priorities above and successors to the right`()
        throws
    {
        let drawing = try Drawing(
            RuleGraph(
                try rules(
                    """
                    events: { paid: { n: int } }
                    popups:
                      last: { priority: low, after: [first, between] }
                      first: { trigger: { event: paid, every: 3 } }
                      between: { after: [first], enabled: false }
                    """)
            ).svg)
        func text(_ name: String) throws -> Drawing.Text {
            try #require(drawing.texts.first { $0.text == name })
        }
        let (first, between) = (try text("first"), try text("between"))
        let last = try text("last")
        #expect(first.y < between.y && between.y < last.y)
        #expect(first.x < between.x && between.x < last.x)
        #expect(try text("paid (every 3rd time)").y == first.y)
        #expect(drawing.texts.contains { $0.text == "switched off; after first" })
        drawing.expectRoom()
    }

    @Test func `has room for all its labels when drawn, whatever the popups are`() throws {
        let long = String(repeating: "a_name_that_is_rather_long_", count: 4)
        let popups = (0..<40).map { number in
            let after = number % 3 == 0 ? [] : ["p\(number - 1)_\(long)", "p0_\(long)"]
            return """
                  p\(number)_\(long): { priority: \(number * 7 % 11), switch: latent, \
                scheduler: \(number % 2 == 0 ? "main" : long), \
                after: [\(Set(after).sorted().joined(separator: ", "))] }
                """
        }
        let head = "schedulers: { main: {}, \(long): { strategy: fifo } }\npopups:\n"
        let drawing = try Drawing(
            RuleGraph(try rules(head + popups.joined(separator: "\n"))).svg)
        #expect(drawing.texts.count > 120)
        drawing.expectRoom()
    }
}
