import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Rule sets so large that their popups are compiled in several parts in parallel.
struct ManyPopupsTests {
    @Test func `popups keep their order`() throws {
        let rules = try checked(popups(2_000) { "when: user.age > \($0 % 7)" }).get()
        #expect(rules.popups.map(\.id) == (0..<2_000).map { "p\($0)" })
        for (number, popup) in rules.popups.enumerated() {
            let condition = try #require(popup.when)
            #expect(condition.program.expression.description == "user.age > \(number % 7)")
        }
    }

    @Test func `slots are numbered in the order in which popups use them`() throws {
        let asking = [0, 3, 511, 512, 700, 1_030, 1_031, 1_999]
        let rules = try checked(
            popups(2_000) { asking.contains($0) ? "when: event_count('e\($0)') > 0" : "" },
            events: asking
        ).get()
        let events = rules.slots.compactMap { meaning -> String? in
            if case .eventCount(let event, nil) = meaning { event } else { nil }
        }
        #expect(events == asking.map { "e\($0)" })
        for number in asking {
            let read = try #require(rules.popups[number].when).program.slots
                .map { rules.slots[$0] }
            #expect(read == [.eventCount(event: "e\(number)", within: nil)])
        }
    }

    @Test func `every mistake is reported once, with its popup`() {
        let wrong = [5, 600, 601, 1_999]
        let found = checked(popups(2_000) { wrong.contains($0) ? "when: user.agee > 1" : "" })
            .diagnostics.sorted
        #expect(found.map(\.subject) == wrong.map { "popup `p\($0)`" })
        #expect(found.allSatisfy { $0.check == .conditionUnknownKey })
    }

    @Test func `examples may use the history of popups that are already compiled`() throws {
        let examples = "examples: { match: [{ popups.p3.shown_count: 2 }], no_match: [{}] }"
        let rules = checked(
            popups(2_000) { $0 % 500 == 499 ? "when: popups.p3.shown_count > 1, \(examples)" : "" })
        #expect(rules.diagnostics.list == [])
        #expect(rules.value?.popups.count == 2_000)
    }

    @Test func `a duplicate string has its errors at its own position`() throws {
        let rules = checked(
            """
            context: { user.tags: { type: list<int>, default: [] } }
            popups:
              a: { when: "user.tags[7] == 1" }
              b: { when: "user.tags[7] == 1" }
            """
        ).value
        let programs = try #require(rules).popups.compactMap { $0.when?.program }
        var slots = SlotValues(count: 1)
        slots[0] = .value(.list([]))
        let places = programs.map { program -> SourceRange? in
            if case .error(let error) = program.isTrue(slots) { error.range } else { nil }
        }
        let first = try #require(places[0])
        let second = try #require(places[1])
        #expect(second.lower > first.upper)
        #expect(programs[1].expression.range.lower <= second.lower)
    }

    private func popups(_ count: Int, _ key: (Int) -> String) -> String {
        var text = "context: { user.age: { type: int, default: 1 } }\npopups:\n"
        for number in 0..<count { text += "  p\(number): { \(key(number)) }\n" }
        return text
    }

    private func checked(_ text: String, events: [Int] = []) -> Checked<RuleSet> {
        let declared = events.map { "e\($0): {}" }.joined(separator: ", ")
        return PopRuleFilesTests.checked("events: { \(declared) }\n" + text)
    }
}
