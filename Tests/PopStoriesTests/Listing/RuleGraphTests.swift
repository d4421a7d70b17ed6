import PopReports
import PopSource
import PopStories
import Testing

/// Finding E: the graph says who interrupts whom and what fires what.
@Suite struct `A graph of rules` {
    @Test func `says who takes the screen from whom, and what becomes of it`() throws {
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
        #expect(text.contains("gone   gives way to top, back and is gone"))
        #expect(text.contains("low     stays\n"))
    }

    @Test func `knows newer equals, and that without a priority nobody gives way`() throws {
        let text = RuleGraph(
            try rules(
                """
                schedulers: { main: { tie_break: lifo }, toast: { strategy: fifo } }
                popups:
                  a: { switch: discard }
                  b: { scheduler: toast, switch: latent }
                """)
        ).text
        #expect(text.contains("a  gives way to newer ones of its priority and is gone"))
        #expect(text.contains("normal  b\n"))
    }

    @Test func `says what events fire, who comes after whom and what groups share`() throws {
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
        #expect(text.contains("paid       → a (every 3, filtered)\n"))
        #expect(text.contains("a  → b\n  b  → c\n"))
        #expect(text.contains("g  a, b (together at most 2 per 1d)"))
        #expect(text.contains("asks about a, event paid"))
    }

    @Test func `stays small for many popups, and counts what it leaves out`() throws {
        let popups = (0..<3_000).map {
            "  p\($0): { priority: \($0), switch: latent, after: [\($0 > 0 ? "p\($0 - 1)" : "")] }"
        }
        let graph = RuleGraph(try rules("popups:\n" + popups.joined(separator: "\n")))
        #expect(graph.text.contains("… and 2800 more popups"))
        for text in [graph.text, graph.mermaid, graph.dot] {
            #expect(text.split(separator: "\n").count < 1_000)
        }
        #expect(graph.mermaid.contains("and 2800 popups and"))
        for line in graph.text.split(separator: "\n") { #expect(TerminalText(line).width <= 80) }
    }
}
