import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopWire

@Suite struct `A bundle of rules` {
    /// The rules of this package, which use every key of the format.
    private var example: RuleSet {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            return try RuleSet.load(root.appending(path: "rules").path).get()
        }
    }

    private let odd = """
        schedulers: { toast: { strategy: fifo, gap: [1s, 2500ms], max_waiting: 4 } }
        context:
          k: { type: "map<string, list<double>>", default: { a: [1, 2.5] } }
          b: { type: bool, default: false }
          t: { type: timestamp }
          l: string
          n: { type: int, default: 3, min: 1, max: 9, values: [1, 2, 3, 4, 9] }
        events: { e: { total: double, tag: string } }
        conditions:
          both: (b || n > 2) && (n < 5 || !b)
          maybe: 'n in [1, 2] ? b : k.exists(x, x == "a" && k[x].all(y, y > 0.5))'
          structured: { any: [ { n: { gte: 2, lt: 9, ne: 4 } }, [both, b], { none: [maybe] } ] }
          times: { t: { gte: 2026-11-01T00:00:00Z } }
        locales: { key: l, required: [en], fallback: en }
        holdout: { percent: 2.5, by: l, salt: h }
        templates:
          plain: { required: { title: string } }
          card:
            required: { title: { type: string, localized: true } }
            actions: [accept, { never: { refusal: true } }]
        layers: { deep: { by: l } }
        experiments: { tone: { layer: deep, range: [12.5, 50], share: 10, variants: { x: 2, y: 0 } } }
        groups: { g: { when: structured, cap: { max: 2, per: calendar_week } } }
        popups:
          a:
            group: g
            when: |-
              !times  // a comment
              && size('x\\n\\'\\"é') == 5 && duration('90s') > duration('1m')
            trigger: [manual, { changed: n }, { event: e, where: event.total > 1.5 && event.tag != "", every: 2 }]
            content: { deep: [{ x: 1, y: 2.0, z: null, "$map": [] }], title: "a\\u202eb" }
            schedule: { days: [sat-sun], hours: 22:00-02:00, zone: Europe/Berlin }
            cap: { every: 90m, windows: [{ max: 2, per: 36h }] }
          g2: { experiment: { of: tone, variants: { x: { content: { a: 1 } } } } }
          f: { experiment: { by: l, control: 10, variants: { x: { weight: 2, content: { a: "{{l}}" } }, y: {} } } }
          d: { template: card, content: { title: { en: "Hi {{l | you}}", de: Hallo } } }
          c: { scheduler: toast, when: 'popups.a.shown_count == 0 || event_count("e", duration("1h")) > 1', after: [a] }
        """

    @Test func `is the same after it is read and written again`() throws {
        for rules in [try example, try .parse(odd), RuleSet()] {
            let bundle = rules.bundle()
            let read = try RuleSet(bundle: bundle)
            #expect(
                String(decoding: read.bundle(), as: UTF8.self)
                    == String(decoding: bundle, as: UTF8.self))
            #expect(read.templates.map(\.actions) == rules.templates.map(\.actions))
            #expect(read.templates.map(\.localizedFields) == rules.templates.map(\.localizedFields))
            #expect(read.locales == rules.locales)
            #expect(read.holdout == rules.holdout)
            #expect(read.popups.map(\.audience) == rules.popups.map(\.audience))
            #expect(read.popups.map(\.content) == rules.popups.map(\.content))
            #expect(read.keys.map(\.defaultValue) == rules.keys.map(\.defaultValue))
        }
    }

    @Test(arguments: 1...6)
    func `a bundle makes the same decisions as the rule files`(seed: UInt64) throws {
        for rules in [try example, try .parse(odd)] {
            let bundled = try RuleSet(bundle: rules.bundle())
            var left = RandomPlay(rules, by: SeededGenerator(seed: seed))
            var right = RandomPlay(bundled, by: SeededGenerator(seed: seed))
            for step in 0..<150 {
                let (one, other) = (left.step(), right.step())
                try #require(one == other, "step \(step)")
            }
        }
    }

    /// Each condition once got its own copy of all names: 3.7 GB for 322 kB of triggers.
    @Test func `with a thousand triggers on one event is the same when it is read`() throws {
        let popups = (0..<1_000).map {
            "  p\($0): { trigger: { event: paid, where: event.total > \($0).5 } }\n"
        }
        let rules = try RuleSet.parse(
            "events: { paid: { total: double } }\npopups:\n" + popups.joined())
        let bundle = rules.bundle()
        #expect(try RuleSet(bundle: bundle).bundle() == bundle)
    }

    @Test func `of a newer format is refused with both numbers`() throws {
        let text = #"{"popbundle":7,"checksum":"x","rules":{}}"#
        #expect(throws: BundleError.newer(version: 7, known: 2)) { try RuleSet(bundle: text.utf8) }
    }

    @Test(arguments: [
        ("delay: 1s, rollout: { percent: 5, by: plan }", 1), ("delay: [1s, 2s]", 2),
        ("rollout: { range: [5, 10], by: plan }", 2),
        ("rollout: { steps: { 2027-01-10: 5 }, by: plan }", 2), ("after: [b]", 1),
        ("after: [b, { popup: b, since: 1d }]", 2), ("cap: { closes: 2 }", 2),
        ("goals: [{ name: buy, event: bought, within: 7d }]", 2),
    ])
    func `is written in version 2 only if version 1 cannot express it`(
        keys: String, version: Int
    ) throws {
        let rules = try PopupSamples.rules("{ \(keys) }")
        let bundle = rules.bundle()
        #expect(String(decoding: bundle, as: UTF8.self).hasPrefix(#"{"popbundle":\#(version),"#))
        let read = try RuleSet(bundle: bundle)
        #expect(read.popups[0].audience == rules.popups[0].audience)
        #expect(read.popups[0].timing == rules.popups[0].timing)
        #expect(read.popups[0].caps == rules.popups[0].caps)
        #expect(read.popups[0].after == rules.popups[0].after)
        #expect(read.bundle() == bundle)
    }

    @Test func `keeps the keys about user actions`() throws {
        let rules = try RuleSet.parse(
            """
            templates: { card: { actions: [accept, { never: { refusal: true } }] } }
            popups:
              a: { template: card, cap: { after_close: { close: 1d, accept: 2d }, closes: 3 } }
              b:
                after: [{ popup: a, action: accept, since: 5s }]
                trigger: { popup: a, action: never }
                when: acted("a", "accept") > 1 && popups.a.last_action == "accept"
            """)
        let read = try RuleSet(bundle: rules.bundle())
        #expect(read.bundle() == rules.bundle())
        #expect(read.popups.map(\.caps) == rules.popups.map(\.caps))
        #expect(read.popups.map(\.after) == rules.popups.map(\.after))
        #expect(read.slots == rules.slots)
        guard case .acted(0, "never") = read.popups[1].triggers[0] else {
            Issue.record("another trigger")
            return
        }
    }

    @Test(arguments: [
        (#"{ type: version, default: "1.12.0-rc.1", min: "1", values: ["1.12.0-rc.1"] }"#, 2),
        ("{ type: string, momentary: true }", 2), ("{ type: list<version> }", 2),
        ("{ type: string, momentary: false }", 1),
    ])
    func `keeps the declarations of context keys`(key: String, version: Int) throws {
        let rules = try RuleSet.parse(
            """
            context: { app.version: \(key) }
            popups: { a: { when: has(app.version) } }
            """)
        let bundle = rules.bundle()
        #expect(String(decoding: bundle, as: UTF8.self).hasPrefix(#"{"popbundle":\#(version),"#))
        let read = try RuleSet(bundle: bundle)
        #expect(read.bundle() == bundle)
        #expect(read.keys[0].type == rules.keys[0].type)
        #expect(read.keys[0].defaultValue == rules.keys[0].defaultValue)
        #expect(read.keys[0].isMomentary == rules.keys[0].isMomentary)
    }

    @Test(arguments: [
        (#"dismiss_when: "!schedule.open""#, 2),
        (#"when: 'since("paid") > duration("3d") && event_count("paid") > 2'"#, 2),
        (#"when: 'event_sum("paid", "total", duration("30d")) > 9.5'"#, 2),
        (#"when: 'version("1.10") > version("1.9")'"#, 2),
        (#"when: 'event_count("paid") > 2'"#, 1),
    ])
    func `keeps the requirements of conditions`(key: String, version: Int) throws {
        let rules = try RuleSet.parse(
            """
            events: { paid: { total: double } }
            popups: { a: { \(key), schedule: { hours: 09:00-21:00, zone: UTC } } }
            """)
        let bundle = rules.bundle()
        #expect(String(decoding: bundle, as: UTF8.self).hasPrefix(#"{"popbundle":\#(version),"#))
        let read = try RuleSet(bundle: bundle)
        #expect(read.slots == rules.slots)
        #expect(read.bundle() == bundle)
    }

    @Test func `keeps goals`() throws {
        let rules = try RuleSet.parse(
            """
            events: { paid: { total: double }, tried: {} }
            popups:
              a:
                goals:
                  - { name: buy, event: paid, where: event.total > 1.0, within: 7d, ends: true }
                  - { name: try, event: tried, within: 1d, ends: 2d }
                  - { name: any, event: tried, within: 1s }
              b: { when: popups.a.converted }
            """)
        let read = try RuleSet(bundle: rules.bundle())
        #expect(read.bundle() == rules.bundle())
        #expect(read.popups.map(\.goals) == rules.popups.map(\.goals))
        #expect(read.slots == rules.slots)
    }

    @Test func `of an older format is converted to the newest, version by version`() throws {
        // As though ids had once been written as `name`, then as `key`.
        func renaming(_ old: String, to new: String) -> BundleUpgrade {
            { rules throws(BundleError) in
                let text = rules.compact.replacingOccurrences(
                    of: "\"\(old)\":", with: "\"\(new)\":")
                do { return try JSON.parse(text.utf8) } catch { throw .damaged("\(error)") }
            }
        }
        let versions = BundleVersions(upgrades: [
            renaming("key", to: "ident"), renaming("ident", to: "id"),
        ])
        for (version, name) in [(1, "key"), (2, "ident"), (3, "id")] {
            let rules = try RuleSet.parse("popups: { a: {}, b: {} }").bundleJSON["rules"]
            let older = try #require(rules).compact.replacingOccurrences(
                of: "\"id\":", with: "\"\(name)\":")
            let checksum = RuleSet.checksum(try JSON.parse(older.utf8))
            let text = #"{"popbundle":\#(version),"checksum":"\#(checksum)","rules":\#(older)}"#
            let read = try RuleSet(bundle: text.utf8, limits: .standard, versions: versions)
            #expect(read.popups.map(\.id) == ["a", "b"])
        }
        let newer = #"{"popbundle":4,"checksum":"x","rules":{}}"#
        #expect(throws: BundleError.newer(version: 4, known: 3)) {
            try RuleSet(bundle: newer.utf8, limits: .standard, versions: versions)
        }
    }

    @Test(arguments: ["", "{}", "[]", "poprules: 1", #"{"popbundle":"1"}"#, #"{"popbundle":0}"#])
    func `is distinguished from other files`(text: String) {
        #expect(throws: BundleError.notABundle) { try RuleSet(bundle: text.utf8) }
    }

    @Test func `that was cut off or changed anywhere is refused`() throws {
        let bundle = try RuleSet.parse(odd).bundle()
        for length in stride(from: 20, to: bundle.count - 2, by: 61) {
            #expect(throws: BundleError.self) { try RuleSet(bundle: bundle.prefix(length)) }
        }
        for place in stride(from: 0, to: bundle.count - 1, by: 53) {
            var changed = bundle
            changed[place] ^= 1
            #expect(throws: BundleError.self, "at \(place)") { try RuleSet(bundle: changed) }
        }
    }

    /// S-M2.
    @Test func `a bundle whose limits cannot be compared with its popups is refused`() throws {
        var rules = try RuleSet.parse(
            "limits: [{ max: 1, per: 1d, tags: [a] }]\npopups: { p: { tags: [a] } }")
        rules.limits = Array(repeating: rules.limits[0], count: 4_000)
        var popups: [PopupRule] = []
        for index in 0..<4_000 {
            var popup = rules.popups[0]
            popup.id = "p\(index)"
            popups.append(popup)
        }
        rules.popups = popups
        let bundle = rules.bundle()
        #expect(throws: BundleError.tooLarge("more caps than the limit")) {
            try RuleSet(bundle: bundle)
        }
    }

    @Test func `that is too large is refused`() throws {
        var limits = BundleLimits()
        limits.entries = 1
        let bundle = try RuleSet.parse(odd).bundle()
        #expect(throws: BundleError.tooLarge("more than 1 entries of a kind")) {
            try RuleSet(bundle: bundle, limits: limits)
        }
        limits.json.bytes = 100
        #expect(throws: BundleError.tooLarge("more than 100 bytes")) {
            try RuleSet(bundle: bundle, limits: limits)
        }
    }

    @Test(arguments: [
        (#""scheduler":1"#, #""scheduler":7"#), (#""after":[0]"#, #""after":[-1]"#),
        (#""per":"calendar_week""#, #""per":"soon""#), (#""max":2"#, #""max":0"#),
        (#""cel":"has(t)"#, #""cel":"has(t"#), (#""hours":[1320,120]"#, #""hours":[9000,120]"#),
        (#""days":[5,6]"#, #""days":[5,5]"#), (#""type":"bool""#, #""type":"boot""#),
        (#""kind":"changed""#, #""kind":"eaten""#), (#""group":0"#, #""group":5"#),
        (#""every":"5400s""#, #""every":"-5s""#), (#"(b || n > 2)"#, #"(b || both)"#),
        (#"event_count("#, #"event_cunt("#), (#""$double""#, #""$trouble""#),
    ])
    func `with a valid checksum but invalid parts is refused`(part: String, wrong: String) throws {
        let bundle = String(decoding: try RuleSet.parse(odd).bundle(), as: UTF8.self)
        let changed = bundle.replacing(part, with: wrong)
        try #require(changed != bundle)
        guard case .object(let members) = try JSON.parse(changed.utf8),
            let rules = members.first(where: { $0.key == "rules" })?.value
        else { throw BundleError.notABundle }
        let forged = JSON.object([
            "popbundle": .int(1), "checksum": .string(RuleSet.checksum(rules)), "rules": rules,
        ])
        #expect(throws: BundleError.self) { try RuleSet(bundle: forged.compact.utf8) }
    }
}
