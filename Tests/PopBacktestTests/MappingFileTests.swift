import PopFleet
import PopMapping
import PopSource
import Testing

struct MappingFileTests {
    private static func findings(_ text: String) -> [String] {
        var sources = SourceSet()
        let file = sources.add(path: "m.yaml", bytes: Array(text.utf8))
        return MappingFile.parse(file).diagnostics.list.map { $0.message }
    }

    @Test func `all that it can say is read`() throws {
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
            given: { count: 3, flag: true, text: word }
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
        #expect(meaning.given == ["count": .int(3), "flag": .bool(true), "text": .text("word")])
        #expect(meaning.sessionTimeout == .seconds(600) && meaning.starts == ["Opened"])
        #expect(meaning.zone == "America/New_York" && meaning.mergesIdentities)
        #expect(meaning.replies["sheet"]?.closed == 50)
        #expect(meaning.replies["sheet"]?.acted == ["yes": 20])
        #expect(meaning.replies["sheet"]?.after == .seconds(1)...(.seconds(2)))
        #expect(meaning.otherReplies.closed == 10 && meaning.seed == 7)
    }

    @Test func `mistakes are told where they are`() {
        #expect(Self.findings("- 1") == ["a mapping must be a map of keys to values"])
        #expect(
            Self.findings("poprules_mapping: 2") == ["mappings of version 2 are not known"])
        #expect(
            Self.findings("poprules_mapping: 1\ncolums: {}")
                == ["a mapping has no key `colums`"])
        #expect(
            Self.findings("poprules_mapping: 1\ncontext: { a: { field: b, column: c } }")
                == ["`a` needs one place to come from"])
        #expect(
            Self.findings("poprules_mapping: 1\nreplies: { a: { close: 70, act: { b: 40 } } }")
                == ["`close` and the shares of `act` are more than 100 together"])
        #expect(
            Self.findings("poprules_mapping: 1\nzone: Europe/Berln").count == 1)
    }
}
