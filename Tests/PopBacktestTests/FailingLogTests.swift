import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopBacktest

/// S-L1.
@Suite struct `A log whose reading fails` {
    private static let rules = "popups: { p: { trigger: start } }"

    private static func backtest(_ logs: [String]) throws -> Backtest {
        var backtest = Backtest(
            try RuleSet.parse(rules), mapping: MappingFile(), logs: logs)
        backtest.jobs = 2
        return backtest
    }

    /// A packed log of which the last third is missing.
    private static func cutLog(in folder: Folder) throws -> String {
        let lines = (0..<50_000).map {
            #"{"user":"u\#($0)","time":"2026-03-01T10:00:00Z","event":"looked"}"#
        }
        let packed = gzip(Array(lines.joined(separator: "\n").utf8))
        return try folder.write(Array(packed.dropLast(packed.count / 3)), to: "cut.jsonl.gz")
    }

    /// Makes a file of 7 EiB, or as large as the disk allows, that contains only zeros.
    private static func sparseLog(in folder: Folder) throws -> String {
        let path = try folder.write("", to: "sparse.jsonl")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let size = [7 << 60, 15 << 40, 1 << 40].first {
            (try? file.truncate(atOffset: UInt64($0))) != nil
        }
        try #require(size != nil)
        try file.close()
        return path
    }

    @Test
    func `an error at the start ends a backtest of two threads, however long the log is`() throws {
        let folder = try Folder()
        let log = try Self.sparseLog(in: folder)
        #expect(throws: BacktestError.unreadable(log, "is not a text file")) {
            try Self.backtest([log]).run()
        }
    }

    @Test func `an error in the middle of a log ends a backtest of two threads`() throws {
        let folder = try Folder()
        let log = try Self.cutLog(in: folder)
        #expect(throws: BacktestError.damaged(log)) { try Self.backtest([log]).run() }
    }

    @Test(arguments: [false, true])
    func `a log with an error yields no more rows, and neither do the logs after it`(isAtOnce: Bool)
        throws
    {
        let folder = try Folder()
        let good = try folder.write(
            #"{"user":"u","time":"2026-03-01T10:00:00Z","event":"looked"}"#, to: "good.jsonl")
        let zeros = [UInt8](repeating: 0, count: 9 << 20)
        let bad =
            isAtOnce
            ? try folder.write(zeros, to: "zeros.jsonl") : try Self.cutLog(in: folder)
        var jobs = try LogJobs(try Self.backtest([bad, good]))
        var failures = 0
        for _ in 0..<10 {
            do throws(BacktestError) {
                while try jobs.next() != nil { #expect(failures == 0) }
            } catch {
                failures += 1
            }
        }
        #expect(failures == 1)
    }
}
