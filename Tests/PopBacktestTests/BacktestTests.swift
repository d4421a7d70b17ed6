import Foundation
import PopBacktest
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

/// Names that several threads collect.
private final class Names: Sendable {
    let names = LockedValue<[String]>([])
}

struct BacktestTests {
    private static let rules = """
        context: { items: { type: int, default: 0 } }
        events: { bought: { total: double, name: string }, looked: {} }
        popups:
          hello: { trigger: start, cap: { lifetime: 1 } }
          thanks: { trigger: { event: bought, where: event.total > 10.0 }, cap: { per_session: 1 } }
          cart: { trigger: { event: looked }, when: items > 1 }
        """
    private static let mapping = "context: { items: { field: items, events: [added] } }\n"

    /// A log of some users, seeded, a line for each event.
    static func log(users: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        var lines: [String] = []
        for user in 0..<users {
            var time = Int.random(in: 0..<2_000_000, using: &generator)
            for number in 0..<Int.random(in: 1..<40, using: &generator) {
                time += Int.random(in: 0..<3_000, using: &generator)
                let day = 1 + time / 86_400
                let clock = [time / 3_600 % 24, time / 60 % 60, time % 60]
                    .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
                let date = "2026-03-\(day < 10 ? "0" : "")\(day)T\(clock)Z"
                let events = [
                    #""bought","payload":{"name":"a \"b\", c","total":\#(number)}"#,
                    #""looked""#, #""added","payload":{"items":\#(number % 4)}"#,
                    #""other","payload":{"deep":[{"a":"}"},[1,2]],"b":null}"#,
                ]
                let event = events[Int.random(in: 0..<4, using: &generator)]
                lines.append(
                    #"{"user":"u\#(user)","time":"\#(date)","id":"\#(user)-\#(number)","event":\#(event)}"#
                )
            }
        }
        return lines
    }

    static func run(
        _ logs: [String], mapping: String = mapping, rules text: String = rules,
        _ change: (inout Backtest) throws -> Void = { _ in }
    ) throws -> BacktestReport {
        let file = try MappingFile.of("poprules_mapping: 1\n" + mapping)
        var backtest = Backtest(try RuleSet.parse(text), mapping: file, logs: logs)
        try change(&backtest)
        return try backtest.run()
    }

    @Test func `the order of the lines, the number of threads and the memory change no result`()
        throws
    {
        let folder = try Folder()
        let lines = Self.log(users: 200, seed: 5)
        var generator = SeededGenerator(seed: 9)
        let sorted = try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
        let mixed = lines.shuffled(using: &generator)
        let halves = [mixed[..<1_500], mixed[1_500...]].enumerated().map { number, half in
            (number, half.joined(separator: "\r\n"))
        }
        let parts = try halves.map { try folder.write($0.1, to: "b\($0.0).jsonl") }
        let one = try Self.run([sorted])
        let other = try Self.run(parts) {
            $0.jobs = 3
            $0.memory = 8 << 10
        }
        #expect(one.json == other.json)
        #expect(one.text == other.text)
        #expect(one.csv == other.csv)
        #expect(one.html == other.html)
        #expect(one.tally.users == 200)
        #expect(one.shown.values.allSatisfy { $0 > 50 })
    }

    @Test func `copies of an event with an insert id count once`() throws {
        let folder = try Folder()
        let lines = Self.log(users: 30, seed: 6)
        let mapping = Self.mapping + "columns: { insert_id: id }\n"
        let one = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
        let twice = try folder.write(
            (lines + lines.reversed()).joined(separator: "\n"), to: "b.jsonl")
        let report = try Self.run([one], mapping: mapping)
        let other = try Self.run([twice], mapping: mapping)
        #expect(report.shown == other.shown)
        #expect(report.tally.days == other.tally.days)
        #expect((other.tally.events, other.tally.copies) == (lines.count, lines.count))
        let count = lines.count
        #expect(other.text.hasPrefix("\(count) events of 30 users (and \(count) copies), "))
    }

    @Test func `CSV, TSV and packed logs give the same result as JSON lines`() throws {
        let folder = try Folder()
        let log = try folder.write(
            """
            {"user":"ada","time":"2026-03-01T10:00:00Z","event":"bought","payload":{"total":20,"name":"a \\"b\\", c\\u00e9"}}
            {"user":7,"time":"2026-03-01T10:00:00.5Z","event":"looked"}
            """, to: "a.jsonl")
        let csv = try folder.write(
            "user,extra,time,event,payload\r\n"
                + "ada,\"x\ny\",2026-03-01 10:00:00,bought,"
                + "\"{\"\"total\"\":20,\"\"name\"\":\"\"a \\\"\"b\\\"\", cé\"\"}\"\r\n"
                + "7,,2026-03-01T12:00:00.5+02:00,looked,\r\n", to: "a.csv")
        let tsv = try folder.write(
            "event\ttime\tuser\ttotal\tname\nbought\t2026-03-01T10:00:00Z\tada\t20\tc\n"
                + "looked\t2026-03-01T10:00:00.5Z\t7\t\t\n", to: "a.tsv")
        let json = try Self.run([log]).json
        #expect(try Self.run([csv]).json == json)
        #expect(
            try Self.run([tsv], mapping: Self.mapping + "columns: { payload: . }\n").json == json)
        #expect(json.contains("\"thanks\": {\n      \"eligible\": 1,"))
    }

    @Test(arguments: ["events.jsonl.gz", "events.jsonl.zst", "two-members.jsonl.gz"])
    func `packed logs are unpacked`(name: String) throws {
        let plain = try Self.run([sample("events.jsonl")])
        let packed = try Self.run([sample(name)])
        #expect(plain.json == packed.json)
        #expect(plain.tally.events == 300)
    }

    @Test func `a resumed run reports the same result`() throws {
        let folder = try Folder()
        let log = try folder.write(
            Self.log(users: 100, seed: 7).joined(separator: "\n"), to: "a.jsonl")
        let whole = try Self.run([log])
        let place = folder.path + "/state"
        let first = try Self.run([log]) { $0.checkpoint = place }
        // As though it had been ended in the midst of playing.
        for part in stride(from: 0, to: 16, by: 2) {
            try FileManager.default.removeItem(atPath: "\(place)/part-\(part).json")
        }
        let second = try Self.run([log]) { $0.checkpoint = place }
        // As though it had been ended in the midst of reading.
        try FileManager.default.removeItem(atPath: "\(place)/read.json")
        for part in 0..<16 {
            try? FileManager.default.removeItem(atPath: "\(place)/part-\(part).json")
        }
        let third = try Self.run([log]) {
            $0.checkpoint = place
            $0.jobs = 3
        }
        for report in [first, second, third] { #expect(report.json == whole.json) }
        let left = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(!left.contains { $0.hasSuffix(".rows") })
        #expect(throws: BacktestError.otherRun(place, differences: ["another mapping"])) {
            try Self.run([log], mapping: Self.mapping + "seed: 8\n") { $0.checkpoint = place }
        }
        #expect(throws: BacktestError.otherFiles(folder.path)) {
            try Self.run([log]) { $0.checkpoint = folder.path }
        }
    }

    @Test func `temporary files have no name, so that none remains`() throws {
        let folder = try Folder()
        let log = try folder.write(
            Self.log(users: 100, seed: 7).joined(separator: "\n"), to: "a.jsonl")
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let seen = Names()
        @Sendable func namesNow() -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        }
        let before = Set(namesNow())
        _ = try Self.run([log]) { backtest in
            backtest.onProgress = { _ in
                let names = namesNow().filter { !before.contains($0) }
                // Those of other tests are empty when they are made, and have no names then.
                let filled = names.filter { $0.hasPrefix("poprules-backtest-") }.filter { name in
                    let path = "\(temporary)/\(name)"
                    return (try? FileManager.default.attributesOfItem(atPath: path))
                        .map { ($0[.size] as? Int ?? 0) > 0 } ?? false
                }
                seen.names.withLock { $0 += filled }
            }
        }
        #expect(seen.names.withLock { $0 } == [])
    }

    @Test func `days are the days of events, and days far from the rest are reported`() throws {
        let folder = try Folder()
        let rules = """
            events: { a: {} }
            popups: { p: { trigger: { event: a }, when: false } }
            """
        func line(_ time: String) -> String {
            #"{"user":"ada","time":"\#(time)","event":"a"}"# + "\n"
        }
        let evening = ["23:50", "23:51", "23:52"].map { line("2026-03-01T\($0):00Z") }.joined()
        let log = try folder.write(evening, to: "a.jsonl")
        let report = try Self.run([log], mapping: "", rules: rules)
        #expect(report.text.hasPrefix("3 events of 1 user, 2026-03-01 (UTC)\n\n"))
        // It waits for three triggers, and in vain until the session is over, on the next day.
        #expect(report.csv.contains("2026-03-02,p,kept_away,CONDITION_FALSE,1"))
        let far = try folder.write(evening + line("2199-01-01T00:00:00Z"), to: "b.jsonl")
        let other = try Self.run([far], mapping: "", rules: rules)
        #expect(
            other.text.contains(
                "\n1 day is far from the others: 2199-01-01. Check the times.\n"))
        #expect(other.html.utf8.count < 6_000)
    }

    @Test func `users of a popup are counted once, and users of a day once per day`() throws {
        let folder = try Folder()
        let lines = (1...3).map { #"{"user":"a","time":"2026-03-0\#($0)T10:00:00Z","event":"x"}"# }
        let log = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
        let report = try Self.run(
            [log], mapping: "", rules: "popups: { p: { trigger: start, hide_after: 1s } }")
        #expect(report.json.contains("\"users\": 1,\n      \"kept\""))
        #expect(report.json.contains("\"userDays\": 3,\n      \"reach\": 1"))
        #expect(report.csv.contains("2026-03-02,p,users,,1\r\n2026-03-02,p,first_users,,0"))
    }

    @Test func `a backtest against old rules reports the users gained and lost`() throws {
        let folder = try Folder()
        let log = try folder.write(
            """
            {"user":"ada","time":"2026-03-01T10:00:00Z","event":"bought","payload":{"total":20}}
            {"user":"ben","time":"2026-03-01T10:00:00Z","event":"bought","payload":{"total":5}}
            """, to: "a.jsonl")
        let old = Self.rules.replacing("event.total > 10.0", with: "event.total < 10.0")
        let report = try Self.run([log]) { $0.old = try RuleSet.parse(old) }
        let thanks = try #require(report.comparison?.popups["thanks"])
        #expect((thanks.gained, thanks.lost, thanks.kept, thanks.impressions) == (1, 1, 0, 0))
        #expect(thanks.gainers == ["ada"])
        #expect(thanks.losers == ["ben"])
        #expect(report.text.contains("thanks  1 (ada)       1 (ben)"))
        #expect(
            report.csv.contains(",thanks,against_gained,,1\r\n,thanks,against_lost,,1\r\n"))
        #expect(report.json.contains("\"old\": {"))
        #expect(report.html.contains("<th>users gained</th>"))
    }

    @Test func `a value of order that is not an integer is reported and ignored`() throws {
        let folder = try Folder()
        let log = try folder.write(
            """
            user,time,event,n
            ada,2026-03-01T10:00:00Z,looked,2
            ada,2026-03-01T10:00:00Z,looked,1.5
            ada,2026-03-01T10:00:00Z,looked,x
            """, to: "a.csv")
        let report = try Self.run([log], mapping: "columns: { order: n }\n")
        #expect(
            report.text.contains(
                "Invalid values: 2 of `order`.\n  `order`: `1.5`, \(log):3\n"))
    }

    @Test func `the same number of impressions for other users is not reported as the same`() throws
    {
        let folder = try Folder()
        func bought(_ user: String, _ total: Int, day: Int) -> String {
            #"{"user":"\#(user)","time":"2026-03-0\#(day)T10:00:00Z","event":"bought","#
                + #""payload":{"total":\#(total)}}"#
        }
        let lines = [
            bought("ada", 20, day: 1), bought("ada", 20, day: 2), bought("ada", 5, day: 3),
            bought("ben", 5, day: 1), bought("ben", 5, day: 2), bought("ben", 20, day: 3),
        ]
        let log = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
        let old = Self.rules.replacing("event.total > 10.0", with: "event.total < 10.0")
        let report = try Self.run([log]) { $0.old = try RuleSet.parse(old) }
        let thanks = try #require(report.comparison?.popups["thanks"])
        #expect((thanks.kept, thanks.more, thanks.fewer, thanks.impressions) == (2, 1, 1, 0))
        #expect(!report.text.contains("every user sees the same popups"))
        #expect(report.csv.contains(",thanks,against_more,,1\r\n,thanks,against_fewer,,1\r\n"))
    }

    @Test func `a log that cannot be read is reported with the reason`() throws {
        let folder = try Folder()
        let empty = try folder.write("", to: "empty.jsonl")
        let binary = try folder.write([1, 0, 2], to: "binary.jsonl")
        let parquet = try folder.write("PAR1 and more", to: "a.parquet")
        let hostile = try folder.write("PAR1 and more", to: "x$(id).parquet")
        let cut = try folder.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 75], to: "cut.jsonl.gz")
        let csv = try folder.write("who,when\n1,2\n", to: "a.csv")
        let bad = try folder.write(
            "{\"user\":\"a\"}\n[1]\n{\"time\":\"2026-03-01T10:00:00Z\"}\n", to: "bad.jsonl")
        func failure(_ log: String) -> String {
            do {
                _ = try Self.run([log])
                return "none"
            } catch {
                return "\(error)".replacing(folder.path + "/", with: "")
            }
        }
        #expect(failure(folder.path + "/no.jsonl") == "there is no file `no.jsonl`")
        #expect(failure(folder.path).hasSuffix("is a folder; give the files in it"))
        #expect(failure(empty) == "no row could be read: the logs are empty")
        #expect(failure(binary) == "`binary.jsonl` is not a text file")
        #expect(
            failure(parquet).hasPrefix("`a.parquet` is a Parquet file; convert it to JSON first: `")
        )
        #expect(failure(hostile).contains(": `duckdb -c \"COPY (FROM 'FILE') TO "))
        #expect(failure(cut) == "`cut.jsonl.gz` is damaged or truncated")
        #expect(
            failure(csv)
                == "`a.csv` has no column `user`; its columns are `who`, `when` (to use other"
                + " columns, set `columns` in a mapping)")
        #expect(
            failure(bad)
                == "no row could be read: 1 in another format, 1 without a user, 1 without a valid"
                + " time; in another format: `[1]`, bad.jsonl:2; convert a JSON array to lines with"
                + " `jq -c '.[]'`; without a user:"
                + " `{\"time\":\"2026-03-01T10:00:00Z\"}`, bad.jsonl:3; without a valid time:"
                + " `{\"user\":\"a\"}`, bad.jsonl:1")
    }

    @Test(arguments: PresetTests.vendors) func `damaged rows are skipped`(
        vendor: PresetTests.Vendor
    ) throws {
        let folder = try Folder()
        let mapping = try MappingFile.of("poprules_mapping: 1\n" + vendor.mapping)
        let text = try Data(contentsOf: URL(fileURLWithPath: sample(vendor.sample)))
        var generator = SeededGenerator(seed: 11)
        var bytes: [UInt8] = []
        for _ in 0..<400 {
            var copy = Array(text)
            for _ in 0..<Int.random(in: 1..<6, using: &generator) {
                let place = copy.indices.randomElement(using: &generator) ?? 0
                let other = Array("\"{}[]:,\\u0\n\t".utf8).randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: copy[place] = other
                case 1: copy.insert(other, at: place)
                default: copy.removeSubrange(place..<min(place + 3, copy.count))
                }
            }
            bytes += copy + [10]
        }
        let log = try folder.write(bytes, to: vendor.sample)
        let rules = try RuleSet.parse(PresetTests.rules)
        let report = try Backtest(rules, mapping: mapping, logs: [log]).run()
        #expect(report.tally.events + report.tally.copies > 300)
    }
}
