import PopScheduler
import PopTesting
import Testing

@Suite struct `A timeline` {
    private func log(_ rulesText: String, _ steps: String) throws -> [Simulation.Entry] {
        let rules = try rules(rulesText)
        let tests = try tests("tests: { t: { steps: \(steps) } }", of: rules)
        return try #require(TestRunner.run(tests.tests[0], of: tests).plays.first).log
    }

    @Test func `keeps to the page however many lanes and long names there are`() throws {
        let lanes = ["one", "two", "three", "four"]
        let log = try log(
            """
            schedulers: { one: {}, two: {}, three: {}, four: {} }
            popups:
              a_name_that_is_rather_long: { scheduler: one, hide_after: 1s }
              another_name_that_is_rather_long: { scheduler: two, hide_after: 1s }
              c: { scheduler: three }
              d: { scheduler: four }
            """, "[{ after: 2s }, { close: [c, d] }]")
        let text = Timeline.draw(log, lanes: lanes)
        for line in text.split(separator: "\n") { #expect(line.count <= 80) }
        #expect(text.contains("┌ a_name_that_is_…"))
    }

    @Test func `leaves out schedulers on which nothing happens`() throws {
        let log = try log(
            "schedulers: { toast: {} }\npopups: { a: {} }", "[{ after: 1s }, { close: a }]")
        #expect(
            Timeline.draw(log, lanes: ["main", "toast"]) == """
                    main
                0s  ┌ a
                1s  > close a
                    └ a USER_CLOSED

                """)
    }

    @Test func `is one picture with every popup that was seen`() throws {
        let log = try log("popups: { a: { hide_after: 1s }, b: {} }", "[{ after: 2s }]")
        let picture = TimelinePicture.draw(log, lanes: ["main"], title: "a & b")
        #expect(picture.contains("<title>a &amp; b</title>"))
        #expect(picture.contains("<title>a: TIMED_OUT</title>"))
        #expect(picture.contains("<title>b: still showing</title>"))
    }
}
