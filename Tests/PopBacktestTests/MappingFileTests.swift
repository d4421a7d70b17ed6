import PopBacktest
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

struct MappingFileTests {
    private static func diagnostics(_ text: String) -> [Diagnostic] {
        var sources = SourceSet()
        let file = sources.add(path: "m.yaml", bytes: Array(text.utf8))
        return MappingFile.parse(file).diagnostics.list
    }

    private static func findings(_ text: String) -> [String] {
        diagnostics(text).map { $0.message }
    }

    /// `payload: .` reads the row itself (A20).
    @Test func `a mapping with every key is read`() throws {
        let file = try MappingFile.of(
            """
            poprules_mapping: 1
            preset: mixpanel
            rows: csv
            names: [a, b]
            columns: { user: [a, c.d], order: n, payload: . }
            time: { form: milliseconds, zone: Europe/Berlin }
            events:
              one: First
              two: [Second, Third]
              three: { names: Fourth, fields: { total: price.total } }
            context:
              id: user
              plan: { field: plan, events: [Changed] }
              any: { field: any }
              row: { column: row }
              did: { events: Did }
            given: { count: 3, flag: true, text: word, list: [1, a], map: { b: 2 } }
            session: { timeout: 10m, start: [Opened] }
            zone: America/New_York
            merge_identities: true
            replies:
              sheet: { act: { yes: 20 }, ignore: 30, after: [1s, 2s] }
              others: { close: 10 }
            seed: 7
            """)
        let meaning = file.meaning
        #expect(file.rows == .csv && file.names == ["a", "b"])
        #expect(meaning.columns.user == [LogPath("a"), LogPath("c.d")])
        #expect(meaning.columns.time == [LogPath("properties.time")])
        #expect(meaning.columns.payload == .row)
        #expect(meaning.timeFormat == .milliseconds && meaning.timeZone == "Europe/Berlin")
        #expect(meaning.events["two"]?.names == ["Second", "Third"])
        #expect(meaning.events["three"]?.fields == ["total": LogPath("price.total")])
        #expect(
            meaning.context == [
                "id": .user, "plan": .field(LogPath("plan"), events: ["Changed"]),
                "any": .field(LogPath("any"), events: nil), "row": .column(LogPath("row")),
                "did": .happened(events: ["Did"]),
            ])
        #expect(
            meaning.given == [
                "count": .int(3), "flag": .bool(true), "text": .text("word"),
                "list": .json(#"[1,"a"]"#), "map": .json(#"{"b":2}"#),
            ])
        #expect(meaning.sessionTimeout == .seconds(600) && meaning.starts == ["Opened"])
        #expect(meaning.zone == "America/New_York" && meaning.mergesIdentities)
        #expect(meaning.replies["sheet"]?.closed == 50)
        #expect(meaning.replies["sheet"]?.acted == ["yes": 20])
        #expect(meaning.replies["sheet"]?.after == .seconds(1)...(.seconds(2)))
        #expect(meaning.otherReplies.closed == 10 && meaning.seed == 7)
    }

    @Test func `a key of another tool is reported with its name here`() {
        let format = Self.diagnostics("poprules_mapping: 1\ntime_format: seconds")
        #expect(format.count == 1)
        #expect(
            format.first?.help.first?.hasPrefix("use `time` instead, such as `time: {")
                == true)
        #expect(
            Self.findings("poprules_mapping: 1\nuser_id: uid\ntimestamp: ts")
                == ["`user_id` and `timestamp` of a mapping belong in `columns`"])
        let column = Self.diagnostics("poprules_mapping: 1\ncolumns: { user_id: uid }")
        #expect(column.first?.help.first?.hasPrefix("use `user` instead") == true)
    }

    /// A65 and A66.
    @Test(arguments: [
        ("user_id: uid\nuser.plan: plan", "use `columns: { user: uid }`"),
        ("user_id: uid\nuser.plan: plan", "if `user.plan` is a context key"),
        ("user.plan: plan", "such as `context: { user.plan: { column: NAME } }`"),
        ("preset: google_analytics", "for Google Analytics, write `ga4`"),
        ("time: { form: iso8601 }", "for times such as `2026-03-01T09:30:00Z`, write `text`"),
        ("replies: { p: { accept: 30 } }", "such as `act: { accept: 30 }`"),
    ])
    func `a key at the wrong level is shown where it belongs`(text: String, help: String) {
        let helps = Self.diagnostics("poprules_mapping: 1\n" + text).flatMap { $0.help }
        #expect(helps.contains { $0.contains(help) }, "\(helps)")
    }

    @Test func `an existing key is not reported as missing next to a wrong key`() {
        let helps = Self.diagnostics("poprules_mapping: 1\nactions: {}").flatMap { $0.help }
        #expect(helps.contains { $0.contains("move `actions` into") }, "\(helps)")
        #expect(!helps.contains { $0.contains("poprules_mapping: 1") }, "\(helps)")
    }

    @Test func `mistakes are reported at their positions`() {
        #expect(Self.findings("- 1") == ["a mapping must be a map of keys to values"])
        #expect(
            Self.findings("poprules_mapping: 2") == [
                "mapping files of version 2 are not supported"
            ])
        #expect(
            Self.findings("poprules_mapping: 1\ncolums: {}")
                == ["unknown key `colums` in a mapping"])
        #expect(
            Self.findings("poprules_mapping: 1\ncontext: { a: { field: b, column: c } }")
                == ["`a` needs exactly one source"])
        #expect(
            Self.findings("poprules_mapping: 1\ncontext: { a: {} }")
                == ["`a` needs exactly one source"])
        #expect(
            Self.findings("poprules_mapping: 1\ncontext: { a: { feild: b } }")
                == ["unknown key `feild` in an entry of `context` in a mapping"])
        #expect(
            Self.findings("poprules_mapping: 1\nreplies: { a: { close: 70, act: { b: 40 } } }")
                == ["`close`, `act` and `ignore` add up to more than 100"])
        #expect(
            Self.findings("poprules_mapping: 1\nzone: Europe/Berln").count == 1)
    }
}

/// Names of a mapping that the rules do not have.
struct MappingNameTests {
    private static let rules = """
        context:
          cart.items: { type: int, default: 0 }
          plan: { type: string, values: [free, pro], default: free }
          agreed: { type: bool, default: false }
        events: { order.completed: { total: double } }
        templates: { sheet: { actions: [accept] } }
        popups:
          hello: { trigger: start }
          ask: { template: sheet, trigger: { event: order.completed } }
        """

    private static func findings(_ text: String) throws -> [String] {
        var sources = SourceSet()
        let bytes = Array("poprules_mapping: 1\n\(text)".utf8)
        let file = sources.add(path: "m.yaml", bytes: bytes)
        let checked = MappingFile.parse(file, for: [try RuleSet.parse(rules)])
        return checked.diagnostics.list.map { finding in
            let place = String(decoding: bytes[finding.range.bytes], as: UTF8.self)
            return "\(place): \(finding.message); \(finding.help.joined())"
        }
    }

    @Test func `names that exist in the rules are resolved`() throws {
        let text = """
            events: { order.completed: { names: Bought, fields: { total: revenue.sum } } }
            context:
              cart.items: { field: "items[].n", events: Added }
              plan: user
              agreed: { events: Agreed }
            given: { cart.items: 3, plan: pro }
            replies: { hello: { ignore: 5 }, sheet: { act: { accept: 5 } }, ask: { act: { accept: 1 } }, others: { act: { accept: 2 } } }
            columns: { user: [$id, b.c], payload: . }
            merge_identities: true
            """
        #expect(try Self.findings(text) == [])
    }

    @Test(arguments: [
        (
            "events: { order.complete: Bought }",
            "order.complete: there is no event `order.complete`;"
                + " did you mean `order.completed`?"
        ),
        (
            "events: { order.completed: { fields: { totl: sum } } }",
            "totl: `order.completed` has no field `totl`; did you mean `total`?"
        ),
        (
            "events: { Bought: order.completed }",
            "Bought: there is no event `Bought`;"
                + " write the name from the rules before the `:`, and the name from the log after"
                + " it: `order.completed: Bought`"
        ),
        (
            "events: { order.completed: { fields: { sum: total } } }",
            "sum: `order.completed` has no field `sum`;"
                + " write the name from the rules before the `:`, and the name from the log after"
                + " it: `total: sum`"
        ),
        (
            "context: { cart.itms: { field: items } }",
            "cart.itms: there is no context key `cart.itms`;"
                + " did you mean `cart.items`?"
        ),
        (
            "context: { cart.items: user }",
            "user: the source of `cart.items` does not fit its type `int`;"
                + " write `{ field: NAME, events: [EVENT] }` or `{ column: NAME }`"
        ),
        (
            "given: { cart.itemz: 1 }",
            "cart.itemz: there is no context key `cart.itemz`;"
                + " did you mean `cart.items`?"
        ),
        (
            "given: { cart.items: abc }",
            "abc: `cart.items` cannot be `abc`: not of the type `int`; "
        ),
        (
            "context: { plan: { events: [Bought] } }",
            "{ events: [Bought] }: the source of `plan` does not fit its type `string`;"
                + " write `{ field: NAME, events: [EVENT] }` or `{ column: NAME }`"
        ),
        (
            "given: { plan: gold }",
            "gold: `plan` cannot be `gold`: not one of the allowed values;"
                + " use `\"free\"` or `\"pro\"`"
        ),
        (
            "replies: { helo: { ignore: 100 } }",
            "helo: there is no popup `helo`; did you mean `hello`?"
        ),
        (
            "replies: { sheet: { act: { acept: 100 } } }",
            "acept: `sheet` has no action `acept`;"
                + " did you mean `accept`?"
        ),
        (
            "replies: { ask: { act: { nosuch: 100 } } }",
            "nosuch: `ask` has no action `nosuch`; use `accept`, the only action of `ask`"
        ),
        (
            "replies: { others: { act: { acept: 100 } } }",
            "acept: there is no action `acept`; did you mean `accept`?"
        ),
        (
            "replies: { hello: { close: 80, ignore: 70 } }",
            "{ close: 80, ignore: 70 }: `close`, `act` and `ignore` add up to more than 100; "
        ),
        (
            "merge_identities: true",
            "true: `merge_identities` needs two places of `user`; name both places, such as"
                + " `columns: { user: [user_id, anonymous_id] }`"
        ),
    ])
    func `an unknown name of the rules is reported at its position`(text: String, told: String)
        throws
    {
        #expect(try Self.findings(text) == [told])
    }

    @Test func `an unknown name is a warning next to the rules and is not fixed blindly`()
        throws
    {
        var sources = SourceSet()
        let text = """
            poprules_mapping: 1
            events: { order.complete: Bought, order.completed: { fields: { totl: sum } } }
            given: { cart.itemz: 1, cart.items: abc }
            replies: { helo: {}, sheet: { act: { acept: 100 } } }
            """
        let file = sources.add(path: "m.mapping.yaml", bytes: Array(text.utf8))
        let mapping = try MappingFile.parse(file).get()
        let found = mapping.findings(among: [try RuleSet.parse(Self.rules)]).list
        let unknown = found.filter { $0.level == .warning }
        #expect(
            found.map { $0.check } == [
                .refUndefinedEvent, .refUndefinedKey, .refUndefinedKey, .schemaType,
                .refUndefinedPopup, .refUndefinedAction,
            ])
        #expect(unknown.count == 5)
        #expect(unknown.allSatisfy { $0.fixes.count == 1 && !$0.fixes[0].isSafe })
        #expect(
            unknown.allSatisfy {
                $0.notes == [
                    "`poprules backtest` reports an error for this name, unless the old rules of"
                        + " `--against` declare the name"
                ]
            })
    }

    @Test func `an unknown name is reported even if its value is wrong`() throws {
        let found = try Self.findings("replies: { helo: { close: 90, ignore: 20 } }")
        #expect(found.count == 2 && found[1].hasPrefix("helo: there is no popup `helo`"))
    }

    @Test(arguments: [
        "$..x[", "o..rev", "lines[0].x", "\"\"", "a.", "$.x",
        String(repeating: "a.", count: 64) + "a",
    ])
    func `a string that isn't a valid path is reported`(place: String) throws {
        for text in [
            "events: { order.completed: { fields: { total: '\(place)' } } }",
            "context: { plan: { field: '\(place)' } }", "columns: { order: '\(place)' }",
        ] {
            let found = try Self.findings(text.replacing("'\"\"'", with: "\"\""))
            #expect(found.count == 1 && found[0].contains("is not a place in a row"), "\(text)")
        }
    }
}
