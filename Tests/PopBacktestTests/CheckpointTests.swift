import Foundation
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopBacktest

/// Checkpoints that were damaged, cut off or written by hand.
struct CheckpointTests {
    private static let lines = BacktestTests.log(users: 12, seed: 3)

    /// A folder as a run leaves it that is ended while it plays, with its log.
    private final class Interrupted {
        let folder: Folder
        let log: String
        let state: String
        let report: String
        let files: [String]

        init(lines: [String] = CheckpointTests.lines) throws {
            folder = try Folder()
            log = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
            let (place, kept) = (folder.path + "/run", folder.path + "/kept")
            state = kept
            let played = LockedValue(0)
            let run = try BacktestTests.run([log]) { backtest in
                backtest.checkpoint = place
                backtest.onProgress = { step in
                    guard step.stage == .playing else { return }
                    let count = played.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 4 { try? FileManager.default.copyItem(atPath: place, toPath: kept) }
                }
            }
            report = run.json
            files = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
        }

        /// Resumes from a copy with other bytes in one file; returns the report, or the message.
        func resume(_ name: String, with bytes: [UInt8]) throws -> String {
            let copy = folder.path + "/copy"
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: state, toPath: copy)
            try Data(bytes).write(to: URL(fileURLWithPath: "\(copy)/\(name)"))
            do {
                return try BacktestTests.run([log]) { $0.checkpoint = copy }.json
            } catch let error as BacktestError {
                #expect("\(error)".contains(copy))
                return "refused"
            }
        }

        func bytes(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(state)/\(name)")))
        }
    }

    @Test func `two runs never share a folder`() throws {
        let folder = try Folder()
        let log = try folder.write(Self.lines.joined(separator: "\n"), to: "a.jsonl")
        let place = folder.path + "/run"
        let second = LockedValue(0)
        let run = try BacktestTests.run([log]) { backtest in
            backtest.checkpoint = place
            backtest.onProgress = { step in
                guard step.stage == .playing else { return }
                #expect(throws: BacktestError.busyFolder(place)) {
                    try BacktestTests.run([log]) { $0.checkpoint = place }
                }
                second.withLock { $0 += 1 }
            }
        }
        #expect(second.withLock { $0 } > 0)
        #expect(try BacktestTests.run([log]) { $0.checkpoint = place }.json == run.json)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `an unreadable file is not called damaged`() throws {
        let run = try Interrupted()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0], ofItemAtPath: "\(run.state)/read.json")
        do {
            _ = try BacktestTests.run([run.log]) { $0.checkpoint = run.state }
            Issue.record("it was read")
        } catch let error as BacktestError {
            #expect(!"\(error)".contains("is damaged"), "\(error)")
        }
    }

    /// S-H7.
    @Test func `a run resumes from a damaged file with the right report, or names the file`() throws
    {
        let run = try Interrupted()
        #expect(run.files.contains("part-0.json") && run.files.contains("part-9.rows"))
        var generator = SeededGenerator(seed: 4)
        var refused = 0
        for _ in 0..<60 {
            let name = try #require(run.files.randomElement(using: &generator))
            var bytes = try run.bytes(name)
            guard let place = bytes.indices.randomElement(using: &generator) else { continue }
            if Bool.random(using: &generator) {
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            } else {
                bytes.removeSubrange(place...)
            }
            let outcome = try run.resume(name, with: bytes)
            #expect([run.report, "refused"].contains(outcome), "\(name) at \(place)")
            if outcome == "refused" { refused += 1 }
        }
        #expect(refused > 30)
        #expect(try run.resume("run.json", with: try run.bytes("run.json")) == run.report)
    }

    /// S-H7.
    @Test func `a checkpoint file with a changed byte or length is refused`() throws {
        let folder = try Folder()
        let content = JSON.object([
            "a": .int(120 as Int), "b": .array([.string("x\u{E9}"), .bool(true)]),
        ])
        let file = SealedFile(folder: folder.path, name: "a.json", owner: "run")
        #expect(try file.write(content) != nil)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
        #expect(try file.read()?.json == content)
        let damaged = BacktestError.damagedCheckpoint(file.path, folder: folder.path)
        for place in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[place] ^= 1 << UInt8(bit)
                _ = try folder.write(other, to: "a.json")
                do throws(BacktestError) {
                    #expect(try file.read()?.json == content)
                } catch {
                    #expect(error == damaged)
                }
            }
            _ = try folder.write(Array(bytes[..<place]), to: "a.json")
            #expect(throws: damaged) { try file.read() }
        }
        _ = try folder.write(bytes, to: "a.json")
        for (name, owner) in [("a.json", "other"), ("b.json", "run")] {
            _ = try folder.write(bytes, to: name)
            let other = SealedFile(folder: folder.path, name: name, owner: owner)
            #expect(throws: BacktestError.self) { try other.read() }
        }
    }

    /// S-H7.
    @Test func `rows of any bytes are read within bounds`() throws {
        let folder = try Folder()
        var row = LogRow(user: 0..<3, time: 5, order: 7, insertion: 9, reading: 1, fields: [4, 1])
        var bytes: [UInt8] = []
        for _ in 0..<3 {
            SpillRecord.write(row, user: 0..<3, of: Array("ada".utf8), to: &bytes)
            row.order = 0
        }
        func read(_ bytes: [UInt8]) throws -> Int? {
            let path = try folder.write(bytes, to: "part.rows")
            let rows = SpilledRows(
                file: try SystemFile(regular: path), path: path, range: 0..<bytes.count)
            var count = 0
            let isRead: Bool
            do throws(BacktestError) {
                try rows.forEach(readings: 2, limits: .standard) { record, bytes in
                    _ = record.event(in: bytes)
                    count += 1
                }
                isRead = true
            } catch {
                isRead = false
            }
            let sorted = SortedRows(bytes, readings: 2, limits: .standard)
            #expect(isRead == (sorted != nil))
            #expect(sorted.map { $0.events(0..<$0.count).count } ?? count == count)
            return isRead ? count : nil
        }
        #expect(try read(bytes) == 3)
        for place in bytes.indices {
            for value in [0, 1, 127, 128, 255] as [UInt8] {
                var other = bytes
                other[place] = value
                _ = try read(other)
            }
            // A file that is cut off ends between two rows, or reading it fails.
            let count = try read(Array(bytes[..<place]))
            #expect(count == nil || place == 0 || place % 42 < 42)
        }
    }

    /// S-H7.
    @Test(arguments: [
        ("users", "-1"), ("users", "4611686018427387904"), ("events", "1099511627777"),
        ("times", "[5,1]"), ("times", "[-9223372036854775808,9223372036854775807]"),
        ("userWeeksShowing", "[1099511627776,1]"), ("userWeeks", "1.5"),
        ("days", #"[{"day":9223372036854775807,"users":0,"popups":{}}]"#),
        ("days", #"[{"day":1,"users":0,"popups":{}},{"day":1,"users":0,"popups":{}}]"#),
        ("days", #"[{"day":1,"users":0,"popups":{"other":{}}}]"#),
        ("timesToShow", #"{"hello":[[999,1]]}"#), ("timesToShow", #"{"hello":[[1]]}"#),
        ("overlaps", #"{"hello":{"hello":-1}}"#), ("overlaps", #"{"other":{}}"#),
    ]) func `counts that no run can have written are refused`(member: String, value: String) throws
    {
        var tally = Tally()
        (tally.users, tally.events, tally.times) = (3, 4, 1...5)
        let popups = ["hello"]
        guard case .object(var members) = tally.json(popups: popups) else { return }
        #expect(Tally(.object(members), popups: popups) == tally)
        let place = try #require(members.firstIndex { $0.key == member })
        members[place].value = try JSON.parse(value.utf8)
        #expect(Tally(.object(members), popups: popups) == nil)
    }

    /// S-H7.
    @Test func `a sealed file with invalid content is refused, too`() throws {
        let run = try Interrupted()
        let sealed = SealedFile(folder: run.state, name: "run.json")
        let owner = try #require(try sealed.read()?.seal)
        let read = SealedFile(folder: run.state, name: "read.json", owner: owner)
        let content = try #require(try read.read())
        guard case .object(let members) = content.json else { return }
        let parts = try #require(content.json["parts"]?.items)
        let forgeries: [(String, JSON)] = [
            ("parts", .array([parts[0]])), ("parts", .array([])), ("parts", JSON.int(-1 as Int)),
            ("parts", .array(Array(parts.reversed()))), ("events", JSON.int(Int.max)),
            (
                "parts",
                .array(parts.map { _ in .array([.int(0 as Int), .int(Int.max), .string("0")]) })
            ),
            ("parts", .array(parts + parts + parts)), ("summary", .null),
            ("summary", .object(["skipped": .array([.int(1 as Int)])])),
        ]
        for (key, value) in forgeries {
            let forged = JSON.object(
                members.map { $0.key == key ? JSON.Member(key: key, value: value) : $0 })
            let place = try Folder()
            let file = SealedFile(folder: place.path, name: "read.json", owner: owner)
            #expect(try file.write(forged) != nil)
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
            #expect(try run.resume("read.json", with: bytes) == "refused", "\(key)")
        }
    }

    /// S-H7.
    @Test func `parts of an earlier reading are not reused for a new reading`() throws {
        let folder = try Folder()
        let log = try folder.write(Self.lines.joined(separator: "\n"), to: "a.jsonl")
        let place = folder.path + "/state"
        let first = try BacktestTests.run([log]) { $0.checkpoint = place }
        try FileManager.default.removeItem(atPath: "\(place)/read.json")
        let second = try BacktestTests.run([log]) {
            $0.checkpoint = place
            $0.jobs = 2
            $0.memory = 4 << 10
        }
        #expect(first.json == second.json)
    }

    /// S-H7.
    @Test func `a log that changed in the same second at the same size counts as a different log`()
        throws
    {
        let folder = try Folder()
        let lines = Self.lines.joined(separator: "\n")
        let log = try folder.write(lines, to: "a.jsonl")
        let place = folder.path + "/state"
        _ = try BacktestTests.run([log]) { $0.checkpoint = place }
        let state = try #require(FileState(log))
        _ = try folder.write(lines.replacing("\"u1\"", with: "\"u2\""), to: "a.jsonl")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(state.modified[0]))],
            ofItemAtPath: log)
        #expect(
            throws: BacktestError.otherRun(
                place, differences: ["other logs, or logs that changed since"])
        ) {
            try BacktestTests.run([log]) { $0.checkpoint = place }
        }
    }

    /// S-H7.
    @Test func `a log that isn't a regular file is refused with a checkpoint`() throws {
        let folder = try Folder()
        let pipe = folder.path + "/pipe.jsonl"
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        #expect(isMade)
        for log in [pipe, "/dev/null"] {
            #expect(throws: BacktestError.notRegular(log)) {
                try BacktestTests.run([log]) { $0.checkpoint = folder.path + "/state" }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
    }

    /// S-H7.
    @Test
    func `a pipe or a link among the files of a checkpoint is neither opened nor followed`()
        throws
    {
        let run = try Interrupted()
        for name in ["run.json", "read.json", "part-0.json", "part-9.rows"] {
            let copy = "\(run.folder.path)/\(name)-copy"
            for isPipe in [false, true] {
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: run.state, toPath: copy)
                try FileManager.default.removeItem(atPath: "\(copy)/\(name)")
                if isPipe {
                    let isMade = unsafe mkfifo("\(copy)/\(name)", 0o600) == 0
                    #expect(isMade)
                } else {
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(copy)/\(name)", withDestinationPath: "\(run.state)/\(name)")
                }
                do throws(BacktestError) {
                    // Without the result of a part, the logs are read again.
                    let report = try Self.resume(run.log, in: copy)
                    #expect(name == "part-0.json" && isPipe && report == run.report)
                } catch {
                    #expect(error == .damagedCheckpoint("\(copy)/\(name)", folder: copy))
                }
            }
        }
    }

    private static func resume(_ log: String, in folder: String) throws(BacktestError) -> String {
        do {
            return try BacktestTests.run([log]) { $0.checkpoint = folder }.json
        } catch let error as BacktestError {
            throw error
        } catch {
            return "\(error)"
        }
    }
}
