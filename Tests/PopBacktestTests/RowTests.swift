import PopTestSupport
import Testing

@testable import PopBacktest

/// Rows, the rows that are left out, and the reports about them.
struct RowTests {
    private static let rules = """
        context: { agreed: { type: bool, default: false }, plan: { type: string, default: free } }
        events: { bought: { total: double } }
        popups:
          thanks: { trigger: { event: bought } }
          agreed: { trigger: { event: bought }, when: agreed, scheduler: two }
          pro: { trigger: { event: bought }, when: 'plan == "pro"', scheduler: three }
        schedulers: { main: {}, two: {}, three: {} }
        """
    private static let row = #"{"user":"a","time":"2026-03-01T10:00:00Z","event":"bought"}"#

    private static func run(
        _ log: String, to name: String = "a.jsonl", mapping: String = ""
    ) throws -> BacktestReport {
        let folder = try Folder()
        let path = try folder.write(log, to: name)
        return try BacktestTests.run([path], mapping: mapping, rules: rules)
    }

    private static func failure(
        _ log: String, to name: String = "a.jsonl", mapping: String = ""
    ) throws -> String {
        do {
            return "events: \(try run(log, to: name, mapping: mapping).tally.events)"
        } catch let error as BacktestError {
            return error.description
        }
    }

    /// Replaces `§` by a row, and `¤` by a row without its last bracket.
    private static func filled(_ line: String) -> String {
        line.replacing("§", with: row).replacing("¤", with: String(row.dropLast()))
    }

    @Test(arguments: [
        #"{"user":"a","time":"2026-03-01T10:00:00Z","event":"bought","payload":{"total":80"#,
        "§§", "§,", "[§]", "¤, nope}", #"¤,"payload":[1,{"a":2]}}"#, #"¤,"payload":{"a" 2}}"#,
        #"¤,"payload":{"a":[1 2]}}"#, #"¤,,"b":1}"#, "¤,}", #"¤,"payload":"x}"#,
    ])
    func `a line that isn't a complete object is skipped and counted`(line: String) throws {
        let report = try Self.run(Self.filled("§\n\(line)\n§"))
        #expect(report.tally.events == 2)
        #expect(report.text.contains("Skipped rows: 1 in another format."))
        #expect(report.text.contains("/a.jsonl:2"))
    }

    @Test(arguments: [
        #"¤, "payload" : { "a" : [ ], "b" : { }, "c" : [ {"d":null}, NaN ] } } "#, "  §  ",
        #"¤,"x":"\"}{\\"}"#,
    ])
    func `a complete object is a row however it is written`(line: String) throws {
        #expect(try Self.run(Self.filled(line)).tally.events == 1)
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\n\n", "\n   \n"])
    func `line breaks of every system end a line`(end: String) throws {
        let report = try Self.run([Self.row, Self.row, Self.row].joined(separator: end))
        #expect(report.tally.events == 3)
        #expect(!report.text.contains("left out"))
        let csv = [
            "user,time,event", "a,2026-03-01T10:00:00Z,bought", "b,2026-03-01T10:00:00Z,\"x\"",
        ]
        #expect(try Self.run(csv.joined(separator: end), to: "a.csv").tally.users == 2)
    }

    @Test func `a skipped row is reported with its line and with help`() throws {
        let rows = [
            Self.row, "", Self.row.replacing("\"2026-03-01T10:00:00Z\"", with: "1772445600000"),
            #"{"time":"2026-03-01T10:00:00Z"}"#, "[1]", "a,b",
        ]
        let report = try Self.run(rows.joined(separator: "\n"))
        let text = report.text
        #expect(text.contains(": `1772445600000`, "))
        #expect(
            text.contains(
                "a.jsonl:3; for such numbers, set `time: { form: milliseconds }` in a mapping"))
        #expect(text.contains("a.jsonl:4\n"))
        #expect(text.contains("a.jsonl:5; convert a JSON array to lines with `jq -c '.[]'`"))
        #expect(report.json.contains("\"line\": 3"))
    }

    @Test(arguments: [false, true]) func `a line that is too long is skipped`(
        isQuoted: Bool
    ) throws {
        let folder = try Folder()
        let long = (isQuoted ? "\"" : "") + String(repeating: "x", count: 30_000)
        let path = try folder.write("one\n\(long)\ntwo\n\(long)", to: "a.csv")
        var limits = BacktestLimits.standard
        (limits.lineBytes, limits.blockBytes) = (9_000, 3_200)
        var source = try LogSource(path, limits: limits)
        source.columns = ColumnReader(separator: 44, isQuoted: isQuoted)
        var lines = ""
        var left = 0
        while let block = try source.nextBlock() {
            left += block.longLines.count
            lines += String(decoding: block.bytes, as: UTF8.self)
            #expect(long.hasPrefix(block.longLines.first))
        }
        #expect(lines == "one\ntwo\n")
        #expect(left == 2)
    }

    @Test(arguments: ["{\"id\":1}", "[1]", "true", "null"])
    func `a value that isn't a name is not a user`(value: String) throws {
        let log = Self.row + "\n" + Self.row.replacing("\"a\"", with: value)
        let report = try Self.run(log)
        #expect(report.tally.users == 1)
        #expect(report.text.contains("1 without a user"))
    }

    @Test func `an integer is the same user however it is written`() throws {
        let log = ["1", "1.0", "1.00", "\"1\""].map { Self.row.replacing("\"a\"", with: $0) }
        #expect(try Self.run(log.joined(separator: "\n")).tally.users == 1)
        let other = ["1", "10", "1.5", "0"].map { Self.row.replacing("\"a\"", with: $0) }
        #expect(try Self.run(other.joined(separator: "\n")).tally.users == 4)
    }

    @Test func `a zero byte is part of a name`() throws {
        #expect(try Self.run(Self.row.replacing("\"a\"", with: "\"a\0\"")).tally.users == 1)
    }

    @Test func `flattened columns are found by their full names`() throws {
        let mapping = "columns: { user: meta.user, payload: p.q }\n"
        let csv = "meta.user,time,event,p.q.total\na,2026-03-01T10:00:00Z,bought,abc\n"
        let json =
            #"{"meta.user":"a","time":"2026-03-01T10:00:00Z","event":"bought","p":{"q.total":"abc"}}"#
        for (text, name) in [(csv, "a.csv"), (String(json), "a.jsonl")] {
            let report = try Self.run(text, to: name, mapping: mapping)
            #expect(report.tally.users == 1)
            #expect(report.text.contains("Invalid values: 1 of `bought.total`."))
        }
    }

    @Test(arguments: [
        ("user", #"\u0075ser"#), ("payload", #"p\u0061yload"#), ("größe", #"gr\u00f6\u00DFe"#),
        ("größe", "größe"),
    ])
    func `a member is found however its name is written`(name: String, written: String) throws {
        let mapping = "events: { bought: { names: Kauf, fields: { total: größe } } }\n"
        let row = String(Self.row.dropLast()) + #","payload":{"größe":"abc"}}"#
        let line = row.replacing("\"\(name)\"", with: "\"\(written)\"")
            .replacing("\"bought\"", with: "\"Kauf\"")
        let report = try Self.run(line, mapping: mapping)
        #expect(report.tally.users == 1)
        #expect(report.text.contains("Invalid values: 1 of `bought.total`."), "\(report.text)")
    }

    /// E47.
    @Test(arguments: [
        (#"{"total":"abc","currency":"EUR""#, true), ("total=abc", true),
        (#"{"total":"abc"}}"#, true), (#"{"total":"abc"} more"#, true), ("[1", true),
        (#"{"total":"abc"}"#, false), (" {} ", false), ("null", false), (" ", false),
    ])
    func `a payload that isn't complete JSON is counted and ignored`(
        payload: String, isBroken: Bool
    ) throws {
        let escaped = payload.replacing("\"", with: #"\""#)
        let json = Self.row.dropLast() + #","payload":"\#(escaped)"}"#
        let doubled = payload.replacing("\"", with: "\"\"")
        let csv =
            "user,time,event,payload\na,2026-03-01T10:00:00Z,bought,\"\(doubled)\"\n"
        for (text, name) in [(String(json), "a.jsonl"), (csv, "a.csv")] {
            let report = try Self.run(text, to: name)
            #expect(report.tally.events == 1)
            let broken = "Invalid values: 1 of `payload`."
            #expect(report.text.contains(broken) == isBroken, "\(name)")
            // If the payload is read, its string isn't a valid total.
            let isRead = report.text.contains("1 of `bought.total`")
            #expect(isRead == (payload == #"{"total":"abc"}"#), "\(name)")
        }
    }

    @Test(arguments: [";", "|", "\t"])
    func `the column separator is detected from the column names`(mark: String) throws {
        let csv = "user,time,event,agreed\n \na,2026-03-01 10:00,bought,\"True\"\n"
            .replacing(",", with: mark)
        let mapping = "context: { agreed: { column: agreed } }\n"
        let report = try Self.run("\n" + csv, to: "a.csv", mapping: mapping)
        #expect(report.shown["agreed"] == 1)
    }

    @Test func `a missing column is reported with the existing columns`() throws {
        #expect(
            try Self.failure("User,time,event\n", to: "a.csv").hasSuffix(
                "has no column `user`; did you mean `User`? (to use other columns, set"
                    + " `columns` in a mapping)"))
        #expect(
            try Self.failure("who,when\n", to: "a.csv").contains(
                "its columns are `who`, `when` (to use other columns, set"))
    }

    @Test(arguments: ["true", "True", "TRUE", "1"]) func `bools are read as programs write them`(
        text: String
    ) throws {
        let mapping = "context: { agreed: { column: agreed } }\n"
        let csv = "user,time,event,agreed\na,2026-03-01 10:00:00,bought,\(text)\n"
        #expect(try Self.run(csv, to: "a.csv", mapping: mapping).shown["agreed"] == 1)
        let no = "user,time,event,agreed\na,2026-03-01 10:00:00,bought,yes\n"
        let report = try Self.run(no, to: "a.csv", mapping: mapping)
        #expect(report.shown["agreed"] == 0)
        #expect(report.text.contains("Invalid values: 1 of `agreed`.\n  `agreed`: `yes`, "))
    }

    @Test func `null clears a key only in the events that the mapping names`() throws {
        func line(_ second: Int, _ event: String, _ plan: String) -> String {
            let start = Self.row.replacing(":00Z", with: ":0\(second)Z")
                .replacing("bought", with: event).dropLast()
            return String(start) + #","payload":{"plan":\#(plan)}}"#
        }
        let log = [
            line(0, "changed", "\"pro\""), line(1, "bought", "null"), line(2, "changed", "null"),
            line(3, "bought", "null"),
        ].joined(separator: "\n")
        let named = try Self.run(
            log, mapping: "context: { plan: { field: plan, events: changed } }")
        #expect(named.shown["pro"] == 1)
        let cleared = try Self.run(
            [line(0, "changed", "\"pro\""), line(2, "changed", "null"), line(3, "bought", "1")]
                .joined(separator: "\n"),
            mapping: "context: { plan: { field: plan, events: changed } }")
        #expect(cleared.shown["pro"] == 0)
        let everywhere = try Self.run(
            [line(0, "changed", "\"pro\""), line(2, "changed", "null"), line(3, "bought", "null")]
                .joined(separator: "\n"), mapping: "context: { plan: { field: plan } }")
        #expect(everywhere.shown["pro"] == 1)
    }

    @Test func `names that no row has are reported, with the events unknown to the rules`() throws {
        let log = #"{"user":"a","time":"2026-03-01T10:00:00Z","event":"Bought"}"#
        let report = try Self.run(
            log + "\n" + log,
            mapping: """
                events: { bought: { names: Buoght, fields: { total: sum } } }
                context: { agreed: { field: agred }, plan: { field: plan, events: Changed } }
                session: { start: Opened }
                columns: { insert_id: nosuch, order: n }
                """)
        let lines = [
            "Not found in any row: event `bought` (Buoght), context `agreed` (payload.agred),"
                + " context `plan` (Changed), start `Opened`, column `order` (n),"
                + " column `insert_id` (nosuch).",
            "  fields of events are read from `payload`; if the rows have them in another place,"
                + " set `columns: { payload: NAME }` in a mapping, or `payload: .` if they are in"
                + " the row itself",
            "Events that are not in the rules: `Bought` 2.",
        ]
        let text = lines.joined(separator: "\n")
        #expect(report.text.contains(text + "\n"))
        #expect(report.json.contains("\"unknownEvents\": {\n    \"Bought\": 2\n  }"))
    }

    @Test func `an archive of an unsupported format is named in the error`() throws {
        #expect(
            try Self.failure("BZh9").contains(
                "is compressed with bzip2; decompress it first: `bzip2 -dc FILE | …`"))
        let tar = String(repeating: "\0", count: 257) + "ustar"
        #expect(try Self.failure(tar).contains("is a tar archive"))
        #expect(
            try Self.failure("[" + Self.row + "]").hasSuffix(
                "; convert a JSON array to lines with `jq -c '.[]'`"))
    }
}
