import PopScheduler
import PopSource
import Testing

@testable import PopRuleFiles

/// RULES, edition 1.1: own values, then the group's defaults, then the file's.
@Suite struct `The defaults of files and groups` {
    private func popups(_ texts: String...) throws -> [String: PopupRule] {
        var sources = SourceSet()
        for (number, text) in texts.enumerated() {
            sources.add(path: "\(number).yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        }
        let rules = try RuleSet.check(sources).get()
        return Dictionary(uniqueKeysWithValues: rules.popups.map { ($0.id, $0) })
    }

    private func occasion(of popup: PopupRule?) -> Trigger.Occasion? {
        if case .occasion(let occasion)? = popup?.triggers.first { occasion } else { nil }
    }

    @Test func `apply key by key, the nearest first`() throws {
        let found = try popups(
            """
            defaults: { priority: 300, switch: discard, min_show: 1s, group: g }
            groups: { g: { defaults: { priority: 200, switch: latent } } }
            popups:
              own: { priority: 100 }
              grouped: {}
              alone: { group: null }
            """)
        #expect(found["own"]?.priority == 100)
        #expect(found["own"]?.switch == .latent)
        #expect(found["grouped"]?.priority == 200)
        #expect(found["grouped"]?.timing.minShow == .seconds(1))
        #expect(found["alone"]?.priority == 300)
        #expect(found["alone"]?.switch == .discard)
        #expect(found["alone"]?.group == nil)
    }

    @Test func `replace whole keys`() throws {
        let found = try popups(
            """
            defaults: { cap: { lifetime: 3, every: 1d }, trigger: manual }
            popups: { a: { cap: { lifetime: 1 } }, b: {} }
            """)
        #expect(found["a"]?.caps == Caps(lifetime: 1))
        #expect(found["b"]?.caps == Caps(lifetime: 3, every: .seconds(86400)))
        #expect(occasion(of: found["b"]) == .manual)
    }

    @Test func `of a file apply to its own popups, and of a group to its popups in any file`()
        throws
    {
        let found = try popups(
            "defaults: { priority: 7 }\npopups: { a: { group: g } }",
            "popups: { b: { group: g }, c: {} }\ngroups: { g: { defaults: { switch: latent } } }")
        #expect(found.mapValues(\.priority) == ["a": 7, "b": 100, "c": 100])
        #expect(found.mapValues(\.switch) == ["a": .latent, "b": .latent, "c": .await])
    }

    @Test func `are cancelled by null, which restores the built-in default`() throws {
        let found = try popups(
            """
            defaults: { when: 'false', priority: high, trigger: manual }
            popups: { a: { when: null, priority: ~, trigger: null }, b: {} }
            """)
        #expect(found["a"]?.when == nil && found["b"]?.when != nil)
        #expect(found["a"]?.priority == 100)
        #expect(occasion(of: found["a"]) == .start)
    }

    @Test(arguments: ["priority: null", "priority:"])
    func `give null a meaning only if there are defaults`(entry: String) {
        let text = "popups:\n  a:\n    \(entry)\n"
        #expect(checked(text).diagnostics.list.map(\.check) == [.schemaType])
        // Nothing at all is a value that was forgotten.
        let isWritten = entry.hasSuffix("null")
        let found = checked("defaults: { priority: high }\n" + text).diagnostics.list
        #expect(found.map(\.check) == (isWritten ? [] : [.schemaType]))
        let grouped = checked("groups: { g: {} }\n" + text + "    group: g\n").diagnostics.list
        #expect(grouped.map(\.check) == (isWritten ? [] : [.schemaType]))
    }

    @Test func `are reported once if they are wrong, however many popups use them`() {
        let text = """
            defaults: { priority: hihg, template: shet, when: a ==, owner: team }
            popups: { a: {}, b: {}, c: {} }
            """
        #expect(
            pointed(text) == [
                "schema/enum: hihg", "ref/undefined-template: shet", "condition/syntax: =",
            ])
    }

    @Test func `in a merged map apply as if they were written there`() throws {
        let found = try popups(
            """
            x-common: &common { priority: 7, switch: latent }
            defaults: { <<: *common, priority: 8 }
            popups: { a: {} }
            """)
        #expect(found["a"]?.priority == 8 && found["a"]?.switch == .latent)
    }

    @Test(arguments: ["description: x", "content: { a: 1 }", "examples: {}", "experiment: {}"])
    func `cannot contain keys that are specific to each popup`(entry: String) {
        let found = checked("defaults: { \(entry) }\npopups: { a: {} }").diagnostics.list
        #expect(found.map(\.check) == [.schemaUnknownKey])
        let group = checked(
            "groups: { g: { defaults: { \(entry) } } }\npopups: { a: { group: g } }")
        #expect(group.diagnostics.list.map(\.check) == [.schemaUnknownKey])
    }
}
