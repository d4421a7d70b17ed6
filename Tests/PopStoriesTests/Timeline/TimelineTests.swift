import PopReports
import PopScheduler
import PopSource
import PopStories
import Testing

/// Finding E: the timeline of a test must be useful.
@Suite struct `A timeline` {
    @Test func `explains which popups wait for which popup, and why`() throws {
        let text = try drawn(
            """
            context: { a: { type: bool, default: false } }
            popups: { first: { priority: high }, next: {}, last: { when: a } }
            """, "[{ after: 1s, close: first }]")
        #expect(
            text == """
                t
                starts 2026-11-20T09:00:00Z, no expectations
                    main
                0s  ┌   first shows
                    │   waiting: next – the screen is taken by another popup (SLOT_BUSY)
                    │   waiting: last – its condition is not met (CONDITION_FALSE)
                1s  │ > close first
                    └   first is dismissed after 1s: the user closed it (USER_CLOSED)
                    ┌   next shows

                """)
    }

    @Test func `shows the total visible time of a popup that was preempted and returned`() throws {
        let text = try drawn(
            "popups: { a: { switch: latent }, b: { trigger: manual, priority: high } }",
            "[{ after: 2s, enqueue: b }, { after: 1s, close: b }, { after: 3s, close: a }]")
        #expect(text.contains("└   a gives way after 2s and waits to come back"))
        #expect(text.contains("┌   a is back"))
        #expect(text.contains("└   a is dismissed after 3s, 5s in total: the user closed it"))
    }

    @Test func `explains why a dismissed popup stays`() throws {
        let text = try drawn(
            "popups: { a: { min_show: 5s } }", "[{ after: 1s, dismiss: a }, { after: 5s }]")
        #expect(text.contains("a stays until its `min_show` is over, then is dismissed: the app"))
        #expect(text.contains("5s  └   a is dismissed after 5s: the app dismissed it (DISMISSED)"))
    }

    @Test func `marks long pauses, with the date after the pause`() throws {
        let text = try drawn(
            "popups: { a: { hide_after: 2s, cap: { every: 3d } } }",
            "[{ after: 3s, enqueue: a }, { after: 4d }]")
        #expect(text.contains("(COOLDOWN), until"))
        #expect(text.contains("≈      2d 23h 59m 57s later: 2026-11-23T09:00:00Z"))
    }

    @Test func `marks an expectation that is not met, and explains why`() throws {
        let text = try drawn(
            "context: { a: { type: bool, default: false } }\npopups: { p: { when: a } }",
            """
            [{ expect: { showing: { main: p } } }, \
            { after: 1s, set: { a: true }, expect: { showing: { main: p } } }]
            """)
        #expect(text.contains("starts 2026-11-20T09:00:00Z, 1 expectation is not met\n"))
        #expect(text.contains("      ✗ expected `p`: `main` shows nothing at 0s\n"))
        #expect(text.contains("          `a` is false\n"))
        #expect(text.contains("    │ ✓ as expected\n"))
    }

    @Test func `has every popup that the test names, even if it never appears`() throws {
        let rules = "popups: { a: {}, b: { trigger: manual }, c: { trigger: manual } }"
        let text = try drawn(
            rules,
            "[{ expect: { reasons: { b: NOT_TRIGGERED } } }, { expect: { shown: { c: 0 } } }]")
        for name in ["b", "c"] {
            let line = "\(name) is not queued: nothing has triggered it (NOT_TRIGGERED)"
            #expect(text.split(separator: line).count == 2, "\(text)")
        }
    }

    @Test func `shows the result of events without a task, and of failures`() throws {
        let text = try drawn(
            """
            events: { e: { n: int } }
            context: { m: int }
            popups:
              small: { trigger: { event: e, where: event.n > 1 } }
              wrong: { trigger: { event: e }, when: m > 0 }
              there: { trigger: { event: e } }
            """, "[{ send: { e: { n: 0 } } }, { send: { e: { n: 0 } } }, { fail: there }]")
        #expect(
            text.contains(
                "× small does not show: the event does not match the `where` of its\n"
                    + "          trigger (TRIGGER_FILTERED)\n"))
        #expect(text.contains("there is requested again and is already on the screen"))
        #expect(text.contains("! wrong, when: "))
    }

    @Test func `fits the page however many lanes and long names there are`() throws {
        let long = String(repeating: "a_name_that_is_rather_long_", count: 4)
        let lanes = (1...20).map { "lane\($0)_\(long)" }
        let text = try drawn(
            """
            context: { k: { type: string, default: "" } }
            schedulers: { \(lanes.map { "\($0): {}" }.joined(separator: ", ")) }
            popups:
            \(lanes.map { "  \($0): { scheduler: \($0), hide_after: 1s }" }.joined(separator: "\n"))
              other: { trigger: manual }
            """,
            """
            [{ after: 2s }, { set: { k: \(String(repeating: "x", count: 2000)) }, \
            expect: { showing: { \(lanes[0]): \(lanes[0]) } } }]
            """, name: String(repeating: "歩", count: 200))
        for line in text.split(separator: "\n") {
            #expect(TerminalText(line).width <= 80, "\(line)")
        }
    }

    @Test func `omits schedulers on which nothing happens`() throws {
        let text = try drawn(
            "schedulers: { toast: {} }\npopups: { a: {} }", "[{ after: 1s }, { close: a }]")
        #expect(!text.contains("toast"))
    }

    @Test func `names some of many waiting popups and counts the others`() throws {
        let popups = (0..<2_000).map { "  p\($0): { priority: \($0 == 1_999 ? 1 : 2) }" }
        let text = try drawn(
            "popups:\n" + popups.joined(separator: "\n"),
            "[{ expect: { waiting: { main: [p1999] } } }]")
        #expect(text.contains("waiting: p1999, p1, p2, p3, p4, p5, p6, p7 and 1991 more"))
    }

    @Test func `ends after a number of lines and counts the others`() throws {
        let steps = Array(repeating: "{ after: 1s, poke: true }", count: 3_000)
        let text = try drawn("popups: { a: {} }", "[\(steps.joined(separator: ", "))]")
        #expect(text.split(separator: "\n").count <= DrawingLimits.happenings + 4)
        #expect(text.contains("… and 2001 more lines"))
    }

    @Test func `stops its search for waiting popups if it takes too long`() throws {
        let popups = (0..<2_000).map { "  p\($0): {}" }
        let steps = Array(repeating: "{ after: 1s, remove: p0, enqueue: p0 }", count: 150)
        let text = try drawn(
            "popups:\n" + popups.joined(separator: "\n"), "[\(steps.joined(separator: ", "))]")
        #expect(text.contains("from here, waiting popups are not listed"))
    }
}

/// A test of these rules as it was played.
func story(_ rulesText: String, _ steps: String, name: String = "t") throws -> Story {
    let rules = try rules(rulesText)
    let tests = try tests(
        "start: 2026-11-20T09:00:00Z\ntests: { \"\(name)\": { steps: \(steps) } }", of: rules)
    let play = TestRunner.run(tests.tests[0], of: tests, isDrawn: true, within: .ofCommand()).plays
        .first
    return Story(
        of: try #require(play), test: tests.tests[0], lanes: rules.schedulers.map(\.name))
}

private func drawn(_ rules: String, _ steps: String, name: String = "t") throws -> String {
    Timeline.draw(try story(rules, steps, name: name))
}

extension `A timeline` {
    /// (A14)
    @Test func `shows that a popup enqueued again waits already`() throws {
        let text = try drawn(
            "events: { go: {} }\npopups: { a: { trigger: { event: go }, when: false }, b: {} }",
            "[{ send: go }, { send: go }, { enqueue: b }]")
        #expect(text.contains("a is requested again and already waits"), "\(text)")
        #expect(text.contains("b is requested again and is already on the screen"), "\(text)")
    }

    /// (A14)
    @Test func `shows what suppressed a popup that was dropped`() throws {
        let text = try drawn(
            """
            events: { go: {} }
            popups:
              a: { trigger: { event: go }, untriggered: discard, cap: { windows: [{ max: 1, per: 90d }] } }
            """,
            "[{ send: go }, { close: a }, { after: 1d, send: go }]")
        #expect(
            text.split { $0.isWhitespace }.joined(separator: " ").contains(
                "a does not show: dropped because it could not show when its turn came"
                    + " (DISCARDED_UNTRIGGERED): its cap per period is reached (PERIOD_CAP)"),
            "\(text)")
    }
}

extension `A timeline` {
    @Test("has times in the time zone of its test (A24)")
    func zoneOfTest() throws {
        let rules = try rules("popups: { a: { cap: { every: 3d } }, b: { priority: low } }")
        let tests = try tests(
            """
            start: 2026-11-20T09:00:00Z
            zone: Europe/Berlin
            tests: { t: { steps: [{ after: 1s, close: a }, { after: 2d, close: b }] } }
            """, of: rules)
        let test = tests.tests[0]
        let result = TestRunner.run(test, of: tests, isDrawn: true, within: .ofCommand())
        let play = try #require(result.plays.first)
        let text = Timeline.draw(Story(of: play, test: test, lanes: ["main"]))
        #expect(text.contains("starts 2026-11-20T10:00:00+01:00 (Europe/Berlin)"), "\(text)")
        #expect(text.contains("later: 2026-11-22T10:00:01+01:00"), "\(text)")
        #expect(!text.contains("Z"), "\(text)")
    }

    @Test("shows only once which popups wait at the start of all tests (A35)")
    func waitingOnce() throws {
        let rules = "popups: { a: { priority: high }, b: {}, c: {}, d: {} }"
        let one = try story(rules, "[{ after: 1s, expect: { showing: { main: a } } }]", name: "one")
        let two = try story(rules, "[{ after: 2s, expect: { showing: { main: a } } }]", name: "two")
        let named = try story(
            rules, "[{ after: 2s, expect: { reasons: { b: SLOT_BUSY } } }]", name: "three")
        var told: Set<String> = []
        let texts = [one, two, named].map { Timeline.draw($0, after: &told) }
        #expect(
            texts[0].contains("waiting: b, c, d – the screen is taken by another popup"),
            "\(texts[0])")
        #expect(texts[1].contains("waiting as in a test above: 3 popups"), "\(texts[1])")
        #expect(!texts[1].contains("waiting: b"), "\(texts[1])")
        // A test that names one of them is about it.
        #expect(texts[2].contains("waiting: "), "\(texts[2])")
    }
}
