import PopScheduler
import PopSource
import PopStories
import PopTestSupport
import Testing

@testable import PopRuleFiles

/// `list --resolved` is made from the rows of the keys: one that is added one day has its line.
@Suite struct `The list of resolved keys` {
    /// The lines of each popup, by its id and key, with one blank between two words.
    private func lines(_ text: String) throws -> [String: [String: String]] {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        let rules = try RuleSet.check(sources).get()
        var places = SourcePlaces(sources)
        var lines: [String: [String: String]] = [:]
        for block in RuleList(rules).resolvedText(&places).split(separator: "\n\n") {
            let rows = block.split(separator: "\n")
            let id = rows[0].prefix { $0 != " " }
            for row in rows.dropFirst() {
                let words = row.split(separator: " ")
                lines[String(id), default: [:]][String(words[0])] =
                    words.dropFirst().joined(separator: " ")
            }
        }
        return lines
    }

    @Test(arguments: Table.popup.keys.map(\.name))
    func `has a line for each key, written or not`(key: String) throws {
        let sample = try PopupSamples.value(of: key)
        let lines = try lines(PopupSamples.text("{ \(key): \(sample) }"))
        #expect(lines["a"]?[key] == "written \(sample)")
        let row = try #require(Table.popup.keys.first { $0.name == key })
        #expect(lines["b"]?[key] == "default \(row.defaultText ?? "–")")
        #expect(lines["a"]?.count == Table.popup.keys.count)
    }

    @Test func `prefers a popup's own key to a merged key with a former name`() throws {
        let text = """
            x-base: &base { grace_time: 1s }
            popups:
              a: { <<: *base, grace: 2s }
              b: { <<: *base }

            """
        let lines = try lines(text)
        #expect(lines["a"]?["grace"] == "written 2s")
        #expect(lines["b"]?["grace"] == "written 1s")
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        let rules = try RuleSet.check(sources).get()
        #expect(rules.popups.map(\.timing.grace) == [.seconds(2), .seconds(1)])
    }

    @Test func `names the origin of each value: the popup, its group, its file or the default`()
        throws
    {
        let lines = try lines(
            """
            defaults: { group: offers, owner: team, priority: high, min_show: 1s }
            groups: { offers: { defaults: { priority: 7, switch: latent } } }
            popups:
              a: { priority: low }
              b: { min_show: null, switch: null }
              c: { group: null }

            """)
        #expect(lines["a"]?["priority"] == "written low")
        #expect(lines["a"]?["group"] == "file offers")
        #expect(lines["b"]?["priority"] == "group 7")
        #expect(lines["b"]?["min_show"] == "written 0s")
        #expect(lines["b"]?["switch"] == "written await")
        #expect(lines["c"]?["priority"] == "file high")
        #expect(lines["c"]?["switch"] == "default await")
    }

    @Test func `wraps no value in which spaces may matter`() throws {
        let name = "Anna Maria Smith  and  Another Long Name of Somebody Else Altogether"
        var sources = SourceSet()
        let text =
            "poprules: 1\ncontext: { k: string }\npopups: { a: { when: 'k == \"\(name)\"' } }\n"
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        var places = SourcePlaces(sources)
        let list = RuleList(try RuleSet.check(sources).get()).resolvedText(&places)
        #expect(list.contains("k == \"\(name)\""))
    }

    @Test func `contains the keys from anchors, merge keys and former names`() throws {
        let lines = try lines(
            """
            x-base: &base { grace: 2s, priority: high }
            x-days: &days [sat, sun]
            popups:
              a:
                <<: *base
                min_show_time: 1s
                schedule: { days: *days }
                content:
                  body: |
                    Two
                    lines
                  link: "a, b"

            """)["a"]
        #expect(lines?["grace"] == "written 2s")
        #expect(lines?["priority"] == "written high")
        #expect(lines?["min_show"] == "written 1s")
        #expect(lines?["schedule"] == "written { days: [sat, sun] }")
        #expect(lines?["content"] == #"written { body: "Two\nlines\n", link: "a, b" }"#)
    }

    @Test func `has the same content as JSON`() throws {
        var sources = SourceSet()
        let text = "poprules: 1\npopups: { a: { cap: { lifetime: 3 }, delay: 1s } }\n"
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        var places = SourcePlaces(sources)
        let json = try RuleList(RuleSet.check(sources).get()).json(&places, isResolved: true)
        for key in [
            #"{"key":"cap","value":{"lifetime":3},"from":"written"}"#,
            #"{"key":"delay","value":"1s","from":"written"}"#,
            #"{"key":"enabled","value":true,"from":"default"}"#,
            #"{"key":"group","value":null,"from":"default"}"#,
        ] {
            #expect(json.compact.contains(key), "\(json.compact)")
        }
    }
}
