import PopScheduler
import PopStories
import PopTestSupport
import Testing

@testable import PopRuleFiles

/// Fails if a key that suppresses a popup was added without counting it in the coverage.
@Suite struct `A behavior of a popup` {
    /// Keys that keep no popup away; of `trigger` the keys inside do.
    private static let silent: Set = [
        "description", "owner", "tags", "scheduler", "priority", "trigger", "template", "content",
        "examples",
        "urgent", "essential",
    ]

    private func counted(_ key: String) throws -> [String] {
        let rules = try PopupSamples.rules(having: key)
        return rules.behaviours(of: rules.popups[0]).map(\.key)
    }

    @Test(arguments: Table.popup.keys.map(\.name))
    func `is counted for each key`(key: String) throws {
        let isCounted = try counted(key).contains { $0 == key || $0.hasPrefix("\(key).") }
        #expect(isCounted != Self.silent.contains(key))
    }

    @Test func `is counted for each key of a cap`() throws {
        let keys = Table.cap.keys.map { "cap.\($0.name)" }
        #expect(try Set(counted("cap")) == Set(keys))
    }

    @Test func `is counted for the keys of a trigger`() throws {
        for key in ["where: event.n > 1", "nth: 2", "every: 2"] {
            let rules = try rules(
                """
                events: { e: { n: int } }
                popups: { a: { trigger: { event: e, \(key) } } }

                """)
            let name = key.prefix { $0 != ":" }
            #expect(rules.behaviours(of: rules.popups[0]).map(\.key) == ["trigger.\(name)"])
        }
    }
}
