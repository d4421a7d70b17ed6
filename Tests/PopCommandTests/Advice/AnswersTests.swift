import PopSource
import Testing

/// Mistakes that people typed, numbered as they were reported, and the text to write that one run
/// must show.
@Suite struct `A mistake that users make` {
    struct Typed: Sendable, CustomTestStringConvertible {
        var number: String
        var files: [String: String]
        /// Parts of the help that is shown.
        var help: [String]
        /// Messages that must not be there.
        var unwanted: [String] = []

        var testDescription: String { number }
    }

    private static let declared = """
        poprules: 1
        context:
          user.plan: { type: string, values: [free, pro, team], default: free }
          user.country: { type: string, default: DE }
          user.launches: { type: int, default: 0 }
          user.tags: { type: list<string>, default: [] }
          user.joined: { type: timestamp, default: "2026-01-01T00:00:00Z" }
          user.id: { type: string, default: "" }
          app.version: { type: string, default: "1.0" }
          app.minimum: { type: string, default: "1.0" }
        events:
          order.placed: { total: double }
        popups:
          promo: {}

        """

    private static func popup(
        _ number: String, _ lines: String, help: String..., unwanted: [String] = []
    ) -> Typed {
        let keys = lines.split(separator: "\n").map { "    \($0)\n" }.joined()
        return Typed(
            number: number, files: ["rules.yaml": "\(declared)  p:\n\(keys)"], help: help,
            unwanted: unwanted)
    }

    private static func test(
        _ number: String, _ text: String, help: String..., unwanted: [String] = []
    ) -> Typed {
        Typed(
            number: number,
            files: ["rules.yaml": declared, "a.test.yaml": "poprules_test: 1\n\(text)\n"],
            help: help, unwanted: unwanted)
    }

    private static let popups = [
        popup(
            "A60", "on: order.placed\nif: event.total > 50",
            help: "`trigger: { event: order.placed }`",
            "`trigger: { event: order.placed, where: event.total > 50 }`"),
        popup(
            "A61", "description: Note: shows on Mondays",
            help: "`description: \"Note: shows on Mondays\"`"),
        popup(
            "A68", "when: { user.country: \"DE or AT\" }",
            help: "`user.country: { in: [DE, AT] }`", "`user.country: { eq: \"DE or AT\" }`"),
        popup(
            "A69", "when: { user.plan: { is_one_of: [pro, team] } }",
            help: "write `in: [pro, team]`"),
        popup(
            "A70", "when: user.country.matches(/^D/)", help: "`user.country.matches(\"^D\")`"),
        popup(
            "A72", "rollout: 0.1", help: "`rollout: { percent: 10, by: user.id }`",
            "`rollout: { percent: 0.1, by: user.id }`"),
        popup(
            "A74", "trigger:\nevent: order.placed", help: "indent `event`",
            unwanted: ["`trigger` has no value"]),
        popup("A75", "platform: ios", help: "`when: user.platform == \"ios\"`"),
        popup("A76", "enabled: 0", help: "write `false`"),
        popup(
            "A78", "when: time_since(order.placed) > 7 days",
            help: "`since(\"order.placed\") > duration(\"7d\")`"),
        popup(
            "A80", "when: random() < 0.2", help: "`rollout: { percent: 20, by: user.id }`"),
        popup(
            "A80", "when: user.id % 2 == 0", help: "`rollout: { percent: 50, by: user.id }`"),
        popup(
            "A82", "when: order.placed within 7 days",
            help: "`since(\"order.placed\") <= duration(\"7d\")`"),
        popup(
            "A82", "when: user.joined in the last 7 days",
            help: "`now - user.joined <= duration(\"7d\")`"),
        popup("A83", "when: user.tags.isEmpty", help: "`size(user.tags) == 0`"),
        popup(
            "A83", "when: order.placed.count >= 3", help: "`event_count(\"order.placed\") >= 3`"),
        popup(
            "A84", "trigger: { type: event, name: order.placed }",
            help: "an event as `trigger: { event: order.paid }`", "use `event` instead"),
        Typed(
            number: "A85", files: ["rules.yaml": "\(declared)limits: [2/week]\n"],
            help: ["`{ max: 2, per: 7d }`"]),
        Typed(
            number: "A86",
            files: [
                "rules.yaml": """
                poprules: 1
                context: { user: { name: string, plan: string, tags: { beta: bool } } }
                popups: { p: { when: user.name == "x" && user.plan == "pro" } }

                """
            ], help: ["write the whole name as one key, `user.name`, followed by its type"],
            unwanted: ["unknown context key `user.name`", "unknown context key `user.plan`"]),
        popup(
            "A98", "when: app.version < app.minimum",
            help: "declare `app.version` and `app.minimum` with `type: version`"),
        popup(
            "A99", "rollout: { by: user.id, steps: { 2027-05-03: 5, 2027-05-10: 100 } }",
            help: "`zone: Europe/Berlin`"),
        popup(
            "A15", "trigger: { event: order.placed, nth: 3 }\ncap: { every: 90d }",
            help: "write `every: 3` in the trigger instead of `nth: 3`"),
    ]

    private static let tests = [
        test(
            "A62",
            "tests: [{ name: a, given: { user.plan: pro }, when: order.placed, then: promo }]",
            help: "`tests: { a: { context: { user.plan: pro }, steps: [{ send: order.placed,"
                + " expect: { showing: { main: promo } } }] } }`"),
        test(
            "A63", "tests: { a: { steps: [{ expect: { shown: promo } }] } }",
            help: "`shown: { welcome: 1 }`", unwanted: ["an `expect` is empty"]),
        test(
            "A64",
            "tests:\n  promo: shows at start:\n    steps: [{ expect: { showing: { main: promo } }"
                + " }]",
            help: "`\"promo: shows at start\":`"),
        test(
            "A87", "tests:\n  a:\n  - expect: { showing: { main: promo } }",
            help: "write `steps:` above the list", unwanted: ["nothing happens in this test"]),
    ]

    @Test(arguments: popups + tests)
    func `is answered with the text to write (A60–A99)`(_ typed: Typed) throws {
        let files = AdvisedFiles(
            name: typed.number, paths: typed.files.keys.sorted(),
            given: typed.files.mapValues { Array($0.utf8) })
        let found = try files.read().findings
        let help = found.flatMap(\.help).joined(separator: "\n")
        for text in typed.help { #expect(help.contains(text), "\(found.map(\.message))\n\(help)") }
        for message in typed.unwanted {
            #expect(!found.contains { $0.message == message }, "\(message)")
        }
    }

    @Test func `in a mapping or the configuration is answered in one run (A65, A66, A67)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("poprules: 1\npopups: { promo: {} }\n", to: "rules/r.yaml")
        try folder.write(
            "poprules_mapping: 1\npreset: google_analytics\nuser_id: uid\n", to: "m.mapping.yaml")
        try folder.write("rules: [.]\n", to: "poprules.yaml")
        let outcome = try Program.shell(
            "poprules validate m.mapping.yaml -f short; poprules validate m.mapping.yaml;"
                + " poprules validate 2>&1", in: folder.url)
        for text in [
            "use `columns: { user: uid }`", "for Google Analytics, write `ga4`",
            "`poprules_config`",
        ] {
            #expect(outcome.output.contains(text), "\(text)\n\(outcome.output)")
        }
    }

    @Test func `in the steps of a test is answered in one run (A71, A88)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.declared, to: "rules.yaml")
        try folder.write(
            """
            poprules_test: 1
            tests:
              a: { steps: [{ expect: { showing: { main: !promo } } }] }
              b:
                steps:
                  - set: { user.plan = pro }
                    expect: { showing: { main: promo } }

            """, to: "a.test.yaml")
        let outcome = try Program.shell("poprules validate .", in: folder.url)
        for text in ["`never: ['showing.main == \"promo\"']`", "`user.plan: pro`"] {
            #expect(outcome.output.contains(text), "\(text)\n\(outcome.output)")
        }
        // The tests have errors, so that nobody knows which popups they are about.
        #expect(!outcome.output.contains("P0901"), "\(outcome.output)")
        let fixed = try Program.shell("poprules validate --fix .; cat a.test.yaml", in: folder.url)
        #expect(fixed.output.contains("main: !promo"), "\(fixed.output)")
    }

    @Test func `is not reported for popups that a test never shows, or whose log it keeps`() throws
    {
        for test in [
            "never: ['showing.main == \"promo\"'], steps: [{ after: 1s }]",
            "always: ['shown.promo == 0'], steps: [{ after: 1s }]",
            "snapshot: log, steps: [{ after: 1s }]",
        ] {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try folder.write("poprules: 1\npopups: { promo: {} }\n", to: "rules.yaml")
            try folder.write("poprules_test: 1\ntests: { a: { \(test) } }\n", to: "a.test.yaml")
            let outcome = try Program.shell("poprules validate .", in: folder.url)
            #expect(outcome.output.contains("1 popup in 2 files: 0 errors"), "\(outcome.output)")
            #expect(!outcome.output.contains("P0901"), "\(outcome.output)")
        }
    }

    /// As Python's `json.dumps` writes an emoji.
    @Test func `is not reported for surrogate pairs in a JSON file`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            "poprules: 1\ncontext: { s: string }\npopups: { a: { when: s == \"😀\" } }\n",
            to: "rules.yaml")
        try folder.write(#"{"s": "\ud83d\ude00"}"#, to: "c.json")
        try folder.write(#"{"s": "\\ud83d\\ude00"}"#, to: "plain.json")
        for (file, isMet) in [("c.json", true), ("plain.json", false)] {
            let outcome = try Program.shell(
                "poprules eval --rules rules.yaml --context \(file) 's == \"😀\"'", in: folder.url)
            #expect(outcome.output.hasPrefix("\(isMet)"), "\(file): \(outcome.output)")
        }
    }

    @Test func `is not reported if a filter passes only maps with the key (R15)`() throws {
        let conditions = [
            #"sites.filter(s, "host" in s).exists(s, s.host == "a")"#,
            #"sites.filter(s, has(s.host)).map(t, t.host).exists(h, h == "a")"#,
            #"sites.map(s, "host" in s, s.host).exists(h, h == "a")"#,
        ]
        for condition in conditions + [#"sites.filter(s, true).exists(s, s.host == "a")"#] {
            let text = """
                poprules: 1
                context: { sites: { type: "list<map<string, any>>", default: [] } }
                popups: { p: { when: '\(condition)' } }

                """
            let files = AdvisedFiles(
                name: "R15", paths: ["r.yaml"], given: ["r.yaml": Array(text.utf8)])
            let found = try files.read().findings.filter { $0.check == .conditionMayError }
            #expect(found.isEmpty == conditions.contains(condition), "\(condition)")
        }
    }

    @Test func `is an info if a library has conditions that nothing uses (R11)`() throws {
        let library =
            "poprules: 1\nconditions: { is_big: now > timestamp('2020-01-01T00:00:00Z') }\n"
        let rules = library.replacing("is_big", with: "is_new") + "popups: { p: {} }\n"
        let files = AdvisedFiles(
            name: "R11", paths: ["library.yaml", "rules.yaml"],
            given: ["library.yaml": Array(library.utf8), "rules.yaml": Array(rules.utf8)])
        let found = try files.read().findings.filter { $0.check == .refUnusedCondition }
        #expect(
            Set(found.map { "\($0.level.name) \($0.message)" }) == [
                "info nothing uses the condition `is_big`",
                "warning nothing uses the condition `is_new`",
            ])
    }
}
