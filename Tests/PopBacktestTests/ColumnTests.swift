import PopTestSupport
import Testing

@testable import PopBacktest

/// Rows of columns, read by a reader that is as simple as can be.
private struct NaiveRows {
    var events = 0
    var skipped: [String: Int] = [:]
    private let bytes: [UInt8]
    private var place = 0

    static let time = "2026-03-01T10:00:00Z"

    init(_ text: String) {
        bytes = Array(text.utf8)
        while place < bytes.count {
            let line = firstLine
            if bytes[place..<line.end].allSatisfy({ $0 == 32 }) {
                place = line.behind
                continue
            }
            guard let (row, behind) = row() else {
                skipped["notReadable", default: 0] += 1
                place = line.behind
                continue
            }
            place = behind
            let fields = row + ["", "", ""]
            if fields[0].isEmpty {
                skipped["noUser", default: 0] += 1
            } else if fields[1] != Self.time {
                skipped["noTime", default: 0] += 1
            } else if fields[2].isEmpty {
                skipped["noEvent", default: 0] += 1
            } else {
                events += 1
            }
        }
    }

    private func isEnd(_ place: Int) -> Bool {
        place == bytes.count || bytes[place] == 10 || bytes[place] == 13
    }

    private func behind(_ end: Int) -> Int {
        if end == bytes.count { return end }
        return end + (bytes[end...].starts(with: [13, 10]) ? 2 : 1)
    }

    private var firstLine: (end: Int, behind: Int) {
        let end = (place...bytes.count).first { isEnd($0) } ?? bytes.count
        return (end, behind(end))
    }

    private func row() -> ([String], Int)? {
        var fields: [String] = []
        var place = place
        while true {
            var field: [UInt8] = []
            if place < bytes.count, bytes[place] == 34 {
                place += 1
                while true {
                    guard place < bytes.count else { return nil }
                    if bytes[place] == 34 {
                        if place + 1 < bytes.count, bytes[place + 1] == 34 {
                            place += 1
                        } else {
                            break
                        }
                    }
                    field.append(bytes[place])
                    place += 1
                }
                place += 1
                guard isEnd(place) || bytes[place] == 44 else { return nil }
            } else {
                while !isEnd(place), bytes[place] != 44 {
                    field.append(bytes[place])
                    place += 1
                }
            }
            fields.append(String(decoding: field, as: UTF8.self))
            if isEnd(place) { return (fields, behind(place)) }
            place += 1
        }
    }
}

/// CSV gives the same result for any size of the pieces in which it is read.
struct ColumnTests {
    private static let rules = "popups: { p: { trigger: start } }\n"

    private static func report(
        _ bytes: [UInt8], to name: String, blocks: Int, packed: Int = 100, jobs: Int = 1,
        line: Int = 16 << 20
    ) throws -> Played {
        let folder = try Folder()
        let path = try folder.write(bytes, to: name)
        let report = try BacktestTests.run([path], mapping: "", rules: rules) {
            $0.limits.blockBytes = blocks
            $0.limits.packedBytes = packed
            $0.limits.lineBytes = line
            $0.jobs = jobs
        }
        return Played(report: report, json: report.json.replacing(path, with: "log"))
    }

    private struct Played {
        var report: BacktestReport
        var json: String
        var skipped: [String: Int] {
            Dictionary(uniqueKeysWithValues: report.reading.skipped.map { ($0.name, $0.count) })
        }
    }

    private static func text(_ generator: inout SeededGenerator, rows: Int, junk: String) -> String
    {
        var text = "user,time,event,name" + (Bool.random(using: &generator) ? "\n" : "\r\n")
        for _ in 0..<rows {
            let user = "u\(Int.random(in: 0..<20, using: &generator))"
            let name = String(
                (0..<Int.random(in: 0..<9, using: &generator)).compactMap { _ in
                    junk.randomElement(using: &generator)
                })
            let isQuoted = Int.random(in: 0..<3, using: &generator) == 0
            let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
            let end = ["\n", "\r\n", "\n", "\r"].randomElement(using: &generator) ?? "\n"
            text += "\(user),\(NaiveRows.time),e,\(isQuoted ? quoted : name)\(end)"
        }
        return text
    }

    /// S-M9.
    @Test(arguments: 0..<24)
    func `the reader finds the same rows as a naive reader, in blocks of any size`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let junk = ["abc\"", "a\"\n", "a\",\r\n ", "\"\"\",\n"][Int(seed) % 4]
        let text = Self.text(&generator, rows: 400, junk: junk)
        let header = text.prefix { !$0.isNewline }.count + 1
        let naive = NaiveRows(String(text.dropFirst(header)))
        let bytes = Array(text.utf8)
        let packings: [(String, [UInt8])] = [
            ("a.csv", bytes), ("a.csv.gz", gzip(bytes, pieces: 700)),
            ("a.csv.zst", zstd(bytes, pieces: 300)),
        ]
        var known: String?
        for (name, packed) in packings {
            for blocks in [1, 61, 5_000] {
                let report = try Self.report(packed, to: name, blocks: blocks, jobs: 1 + blocks % 3)
                #expect(report.report.tally.events == naive.events)
                #expect(report.skipped == naive.skipped)
                if let known { #expect(report.json == known) }
                known = known ?? report.json
            }
        }
    }

    /// S-M9.
    @Test(arguments: 0..<12) func `rows of too many bytes are skipped in blocks of any size`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: 100 + seed)
        let junk = ["a\"\n", "aaaaaa\",\r\n ", "\"\"\",\n"][Int(seed) % 3]
        let text = Self.text(&generator, rows: 600, junk: junk)
        let line = Int.random(in: 40..<90, using: &generator)
        let bytes = Array(text.utf8)
        let reports = try [1, 50, 300, 100_000].map { blocks in
            try Self.report(zstd(bytes), to: "a.csv.zst", blocks: blocks, line: line)
        }
        #expect(reports.allSatisfy { $0.json == reports[0].json })
        #expect(reports[0].skipped["notReadable"] != nil)
        let lines = text.replacing(",", with: "\t")
        let others = try [1, 50, 300, 100_000].map { blocks in
            try Self.report(Array(lines.utf8), to: "a.tsv", blocks: blocks, line: line)
        }
        #expect(others.allSatisfy { $0.json == others[0].json })
    }

    /// S-M9.
    @Test func `a quote inside a field is read as a quote`() throws {
        let rows = (0..<4_000).map { number in
            "u\(number % 7),\(NaiveRows.time),e," + (number == 10 ? "5\" screen" : "\"a\nb\"")
                + "\n"
        }
        let bytes = Array(("user,time,event,name\n" + rows.joined()).utf8)
        for (name, packed) in [("a.csv", bytes), ("a.csv.gz", gzip(bytes))] {
            let report = try Self.report(packed, to: name, blocks: 4_096)
            #expect(report.report.tally.events == 4_000)
            #expect(report.skipped == [:])
        }
    }

    /// S-M9.
    @Test func `unterminated quotes cost a constant number of steps per byte`() throws {
        var columns = ColumnReader(separator: 44, isQuoted: true)
        let block = Array(String(repeating: "a\",\"\n", count: 200_000).utf8)
        var place = 0
        var rows = 0
        while place < block.count {
            let end = columns.rowEnd(from: place, isAtEnd: true, longest: 1 << 20, in: block)
            guard case .behind(let behind) = end else {
                Issue.record("no row: \(end)")
                return
            }
            // After the first row all that are not over with their first line are known as broken.
            #expect(place == 0 || columns.limit(of: place, end: block.count, in: block) <= behind)
            place = behind
            rows += 1
            if rows > 300_000 { break }
        }
        #expect(rows == 200_000)
    }

    @Test func `a header row that is too long is refused`() throws {
        let header = String(repeating: "x", count: 2 << 20)
        #expect(throws: (any Error).self) {
            try Self.report(Array("\(header)\n1\n".utf8), to: "a.csv", blocks: 1_000)
        }
    }

    /// S-L6.
    @Test func `users with ids that are too long are skipped before they are distinguished`() throws
    {
        let limit = BacktestLimits.standard.userBytes
        let long = String(repeating: "x", count: limit)
        let users = [long, long + "a", long + "b", "ada"]
        let rows = users.map { "\($0),\(NaiveRows.time),e,\n" }
        let report = try Self.report(
            Array(("user,time,event,name\n" + rows.joined()).utf8), to: "a.csv", blocks: 4_096)
        #expect(report.report.tally.users == 2)
        #expect(report.skipped == ["longUser": 2])
        #expect(report.report.text.contains("2 with a user id of more than 65535 bytes"))
    }
}
