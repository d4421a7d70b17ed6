import Foundation
import PopScheduler
import PopTestSupport
import Testing

@testable import PopRuleFiles
@testable import PopWire

/// What holds for each key of the table, those that are added one day too.
@Suite struct `Every key of a popup` {
    /// For each key a value that is not the usual one.
    private static let samples = [
        "description": "for people", "owner": "growth", "tags": "[new]", "enabled": "false",
        "scheduler": "toasts", "group": "promotions", "priority": "high",
        "untriggered": "discard", "switch": "latent", "after": "[b]", "trigger": "manual",
        "when": "plan == \"free\"", "dismiss_when": "plan == \"pro\"", "delay": "1s",
        "grace": "1s", "min_show": "1s", "hide_after": "1s", "max_wait": "1s",
        "schedule": "{ from: 2026-01-01, days: [mon], hours: 9:00-17:00, zone: Europe/Berlin }",
        "cap": "{ lifetime: 1, per_session: 1, every: 1h, windows: [{ max: 1, per: 1d }] }",
        "rollout": "{ percent: 12.5, by: plan, salt: x }", "template": "card",
        "content": "{ title: Hello }",
        "examples": "{ match: [{ plan: free }] }",
    ]

    /// Keys that people and checks read, and engines do not.
    private static let leftBehind: Set = ["examples"]

    private func rules(_ popup: String) throws -> RuleSet {
        try .parse(
            """
            context: { plan: { type: string, default: free } }
            schedulers: { toasts: {} }
            groups: { promotions: {} }
            templates: { card: {} }
            popups: { a: \(popup), b: {} }
            """)
    }

    @Test(arguments: Table.popup.keys.map(\.name))
    func `is written into bundles and read back`(key: String) throws {
        let sample = try #require(Self.samples[key], "a sample of `\(key)` belongs into this test")
        let bundle = try rules("{ \(key): \(sample) }").bundle()
        let without = try rules("{}").bundle()
        #expect((bundle == without) == Self.leftBehind.contains(key))
        #expect(try RuleSet(bundle: bundle).bundle() == bundle)
    }

    @Test(arguments: Table.popup.keys.map(\.name))
    func `stands in the rules of this package`(key: String) throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let folder = root.appending(path: "rules").path
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".yaml") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        #expect(texts.contains { $0.contains("\(key):") })
    }
}
