import Foundation
import PopCEL
import PopDebugging
import PopEngine
import PopRuleFiles
import PopScheduler
import PopStories
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `A recorded session` {
    private static let shop = """
        templates: { sheet: { actions: [accept, later] } }
        schedulers: { main: {}, toast: { strategy: fifo, gap: 1s } }
        context: { app.screen: { type: string, default: splash } }
        events: { order.paid: { total: double } }
        popups:
          offer: { template: sheet, when: app.screen == "map", trigger: start, hide_after: 5s }
          thanks: { scheduler: toast, trigger: { event: order.paid }, hide_after: 3s }
          later: { scheduler: toast, trigger: { event: order.paid }, delay: 2s }
          off: { enabled: false }
        """

    /// Returns the failures of a test; empty if it passes.
    private func failures(_ story: String, rules: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "recorded-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [("rules", "poprules: 1\n" + rules), ("recorded.test", story)] {
            try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml"))
        }
        return try failures(in: try Workspace([folder.path]))
    }

    private func failures(in workspace: Workspace) throws -> [String] {
        var options = TestOptions()
        let report = try workspace.run(&options)
        let wrong = workspace.diagnostics.list.filter { $0.level == .error }.map(\.message)
        let results = report.files.filter { $0.path.hasSuffix("recorded.test.yaml") }
            .flatMap(\.results)
        return wrong + results.flatMap { $0.failures.map(\.message) }
            + (results.count == 1 ? [] : ["\(results.count) tests were run"])
    }

    @Test func `is a scenario that contains the inputs and what was shown`() async throws {
        let driver = EngineDriver(
            rules: try .parse(Self.shop), context: ["app.screen": "home"], user: "ann", seed: 7)
        driver.engine.debug.record()
        await driver.start()
        await driver.advance(by: .seconds(2))
        driver.engine.context["app.screen"] = "map"
        await driver.settle()
        driver.presenter.answers["later"] = .postpone(.seconds(4))
        driver.engine.send("order.paid", ["total": 8.0])
        await driver.advance(by: .seconds(4))
        driver.engine.acted("offer", "later")
        driver.engine.userClosed("offer")
        await driver.advance(by: .seconds(10))
        driver.engine.debug.force("off")
        await driver.settle()
        let story = try #require(driver.engine.debug.stop())
        #expect(
            story == """
                # The recorded session of an app. Animations take no time here.
                poprules_test: 1
                start: 2026-01-01T00:00:00Z
                seed: 7
                user: "ann"

                tests:
                  "recorded session":
                    context: { app.screen: "home" }
                    steps:
                      - expect: { showing: { main: none, toast: none } }
                      - after: 2s
                        set: { app.screen: "map" }
                        expect: { showing: { main: offer } }
                      - send: { order.paid: { total: 8.0 } }
                        expect: { showing: { toast: thanks } }
                      - after: 3s
                        expect: { showing: { toast: none } }
                      - postpone: { later: 4s }
                      - after: 1s
                        act: { offer: later }
                      # close offer: it did not show
                      - expect: { showing: { main: none } }
                      - postpone: { later: 4s }
                      - after: 4s
                        postpone: { later: 4s }
                      - after: 6s
                        force: "off"
                        expect: { showing: { main: "off", toast: none }, \
                shown: { "off": 1, offer: 1, thanks: 1 } }

                """)
        #expect(try failures(story, rules: Self.shop) == [])
        #expect(driver.engine.debug.story() == nil)
    }

    @Test func `writes infinite numbers in the notation of YAML`() async throws {
        let rules = """
            context: { share: { type: double, default: 0.5 } }
            popups: { offer: { when: share > 1.0 } }
            """
        let driver = EngineDriver(rules: try .parse(rules))
        driver.engine.debug.record()
        await driver.start()
        for number in [-Double.infinity, .infinity] {
            driver.engine.context["share"] = .double(number)
            await driver.settle()
        }
        let story = try #require(driver.engine.debug.stop())
        #expect(story.contains("set: { share: -.inf }"), "\(story)")
        #expect(story.contains("set: { share: .inf }"), "\(story)")
        #expect(try failures(story, rules: rules) == [])
    }

    @Test func `contains switches of users, erased histories and changes while a popup shows`()
        async throws
    {
        let rules = """
            context: { user.plan: { type: string, default: free }, app.screen: string }
            popups:
              once: { cap: { lifetime: 1 }, content: { share: 0.0 } }
              upsell: { after: [once], when: user.plan == "free" }
            """
        let store = MemoryHistoryStore()
        let clock = VirtualClock()
        let parsed = try RuleSet.parse(rules)
        let before = await EngineDriver(rules: parsed, user: "bob", history: store, clock: clock)
        await before.start()
        before.engine.userClosed("once")
        await before.advance(by: .seconds(5))
        await before.engine.stop()
        let driver = await EngineDriver(rules: parsed, user: "ann", history: store, clock: clock)
        let engine = driver.engine
        engine.debug.record()
        await driver.start()
        engine.updateContent(of: "once", ["share": 0.5])
        engine.didDisappear("once")
        await driver.settle()
        await engine.switchUser("bob", context: ["user.plan": "pro"])
        await driver.settle()
        try await engine.debug.reset("once")
        engine.enqueue("once")
        await driver.advance(by: .seconds(2))
        try await engine.forget(user: "ann")
        await engine.switchUser("ann")
        await driver.settle()
        let story = try #require(engine.debug.stop())
        #expect(
            story.components(separatedBy: "steps:\n").last == """
                      - expect: { showing: { main: once } }
                      # the app set the content of once to { share: 0.5 }
                      - disappear: once
                        expect: { showing: { main: upsell } }
                      - switch_user: { user: "bob", context: { user.plan: "pro" }, \
                history: { once: { shown: [2026-01-01T00:00:00Z], reason: USER_CLOSED }, \
                upsell: { shown: [2026-01-01T00:00:00Z] }, session: { begun: 1, \
                ended: 2026-01-01T00:00:00Z, first: 2026-01-01T00:00:00Z } } }
                        expect: { showing: { main: none } }
                      - reset: once
                      - enqueue: once
                        expect: { showing: { main: once } }
                      - after: 2s
                        forget: "ann"
                      - switch_user: "ann"
                        expect: { showing: { main: once }, shown: { once: 3, upsell: 1 } }

                """)
        #expect(try failures(story, rules: rules) == [])
    }

    @Test func `starts from the history of earlier sessions`() async throws {
        let rules = try RuleSet.parse(
            """
            events: { order.paid: { total: double } }
            popups:
              once: { cap: { lifetime: 1 } }
              tip: { trigger: session, when: session.count > 1 && event_count("order.paid") > 0 }
            """)
        let store = MemoryHistoryStore()
        let clock = VirtualClock()
        let first = await EngineDriver(rules: rules, history: store, clock: clock)
        await first.start()
        first.engine.send("order.paid", ["total": 8.0])
        first.engine.userClosed("once")
        await first.advance(by: .seconds(60))
        await first.engine.stop()
        let second = await EngineDriver(rules: rules, history: store, clock: clock)
        second.engine.debug.record()
        await second.start()
        let story = try #require(second.engine.debug.stop(named: "the second day"))
        #expect(story.contains("once: { shown: [2026-01-01T00:00:00Z], reason: USER_CLOSED"))
        #expect(story.contains("expect: { showing: { main: tip }, shown: { tip: 1 } }"))
        #expect(
            try failures(
                story,
                rules: """
                    events: { order.paid: { total: double } }
                    popups:
                      once: { cap: { lifetime: 1 } }
                      tip:
                        trigger: session
                        when: session.count > 1 && event_count("order.paid") > 0
                    """) == [])
    }

    @Test func `contains what the app refused at its start`() async throws {
        let rules = """
            popups: { a: { priority: high }, b: {}, c: { priority: low, cap: { lifetime: 1 } } }
            """
        let driver = EngineDriver(rules: try .parse(rules), seed: 7)
        driver.engine.debug.record()
        driver.presenter.answers = ["a": .cancel, "b": .postpone(.seconds(4))]
        await driver.start()
        driver.presenter.answers = [:]
        driver.engine.userClosed("c")
        await driver.advance(by: .seconds(5))
        let story = try #require(driver.engine.debug.stop())
        #expect(story.contains("    at_start: { postpone: { b: 4s }, veto: [a] }\n"), "\(story)")
        #expect(try failures(story, rules: rules) == [])
    }

    @Test func `keeps the arms and the goals of a returning user`() async throws {
        let rules = """
            context: { user.id: { type: string, default: "" } }
            events: { bought: {} }
            popups:
              offer:
                trigger: session
                experiment: { by: user.id, control: 30, variants: { short: {} } }
                goals: [{ name: buy, event: bought, within: 1h, ends: true }]
              again: { trigger: session, when: popups.offer.converted }
            """
        let parsed = try RuleSet.parse(rules)
        for arm in ["short", "control"] {
            let store = MemoryHistoryStore()
            let clock = VirtualClock()
            let first = await EngineDriver(
                rules: parsed, context: ["user.id": "ann"], history: store, clock: clock)
            first.engine.forceArm(arm, of: "offer")
            await first.start()
            await first.advance(by: .seconds(5))
            first.engine.send("bought")
            await first.settle()
            await first.engine.stop()
            let second = await EngineDriver(
                rules: parsed, context: ["user.id": "ann"], history: store, clock: clock)
            second.engine.debug.record()
            await second.start()
            #expect(second.engine.showing == ["main": "again"])
            let story = try #require(second.engine.debug.stop())
            #expect(story.contains("variant: \(arm), converted: [2026-01-01T00:00:05Z]"))
            #expect(!story.contains("more than a test can express"), "\(story)")
            #expect(try failures(story, rules: rules) == [])
        }
    }

    @Test func `reports inputs that a test cannot express`() async throws {
        let driver = EngineDriver(rules: try .parse(Self.shop), seed: 7)
        await driver.start()
        driver.engine.send("order.paid", ["total": 8.0])
        await driver.settle()
        driver.engine.debug.record()
        driver.engine.enqueue(ForeignPopup(id: "alert"))
        driver.engine.send("nothing")
        driver.engine.userClosed("off")
        let story = try #require(driver.engine.debug.stop())
        for comment in [
            "# The app was already running when the recording started; a test starts with the start"
                + " of the app.",
            "# At that time: thanks showed, offer waited, later waited.",
            "# a test cannot express this: the hand-made popup alert",
            "# refused: send nothing", "# close off: it did not show",
        ] { #expect(story.contains(comment), "\(comment) in \(story)") }
    }

    @Test func `keeps no more inputs than its limit`() async throws {
        let driver = EngineDriver(rules: try .parse(Self.shop), seed: 7)
        driver.engine.debug.record()
        await driver.start()
        for _ in 0..<10_100 { driver.engine.poke() }
        let story = try #require(driver.engine.debug.stop())
        #expect(story.contains("more inputs were not recorded."))
    }

    /// The seeds of the random sessions to record; POPRULES_RECORDINGS sets their number.
    private nonisolated static var seeds: Range<Int> {
        let asked = ProcessInfo.processInfo.environment["POPRULES_RECORDINGS"].flatMap { Int($0) }
        return 0..<max(asked ?? 12, 1)
    }

    @Test(arguments: seeds)
    func `passes as a test for any session`(_ seed: Int) async throws {
        let rules = try RuleSet.load("rules").get()
        var session = RandomSession(rules, seed: UInt64(seed))
        let story = try #require(await session.play())
        // Only the rule files: the other tests of the folder need not run.
        let files = try FileManager.default.contentsOfDirectory(atPath: "rules")
            .filter { RuleFiles.isRuleFile($0) }.sorted().map { "rules/\($0)" }
        let workspace = try Workspace(
            files + ["rules/recorded.test.yaml"],
            given: ["rules/recorded.test.yaml": Array(story.utf8)])
        let failures = try failures(in: workspace)
        #expect(failures == [], "\(story)")
    }
}
