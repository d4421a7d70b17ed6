import PopSource
import PopStories
import Testing

/// R4: both tests failed; MBProgressHUD shows the view again.
@Suite struct `A popup enqueued while it is dismissed` {
    private static let text = """
        schedulers: { busy: { strategy: fifo } }
        popups:
          hud: { trigger: manual, scheduler: busy }
          slow_hud: { trigger: manual, scheduler: busy, min_show: 2s }

        """

    @Test(arguments: [
        """
        steps:
          - enqueue: slow_hud
          - after: 500ms
            dismiss: slow_hud
          - after: 500ms
            enqueue: slow_hud
          - after: 5s
            expect: { showing: { busy: slow_hud } }
        """,
        """
        steps:
          - enqueue: hud
          - hang_dismissal: hud
            dismiss: hud
          - enqueue: hud
          - after: 30s
            expect: { showing: { busy: hud } }
        """,
    ])
    func `is shown again (R4)`(story: String) throws {
        let indented = story.split(separator: "\n").map { "    \($0)\n" }.joined()
        let tests = try tests("tests:\n  t:\n\(indented)", of: rules(Self.text))
        let result = TestRunner.run(tests.tests[0], of: tests, within: .ofCommand())
        #expect(result.failures.map(\.message) == [])
    }
}
