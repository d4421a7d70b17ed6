import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopBacktest

/// The budget of a backtest.
struct BudgetTests {
    private static let rules = """
        context: { k: { type: int, default: 2000 } }
        events: { looked: {} }
        popups: { p: { trigger: { event: looked }, when: now.getMilliseconds() > k } }
        """

    private static func log(_ users: Int, in folder: Folder) throws -> String {
        let lines = (0..<users).map {
            #"{"user":"u\#($0)","time":"2026-03-01T10:00:00Z","event":"looked"}"#
        }
        return try folder.write(lines.joined(separator: "\n"), to: "\(users).jsonl")
    }

    /// S-M1.
    @Test(arguments: [1, 3])
    func `a backtest of rules that need too much work ends and names the session`(
        jobs: Int
    ) throws {
        let folder = try Folder()
        let log = try Self.log(20, in: folder)
        // Each of twenty sessions has half an hour, a look a second, and what each look judges.
        let error = try Self.run(log, jobs: jobs, judged: 20_000)
        let start = "the backtest was stopped: the replay of 20 events triggers, shows or checks"
        #expect(error.hasPrefix(start))
        #expect(error.contains("too often, for example in the session of `u"))
        #expect(error.contains("` from 2026-03-01T10:00:00Z, in which `p` waited; if"))
        let whole = try Self.run(log, jobs: jobs, judged: 2_000_000)
        #expect(whole.contains("\"CONDITION_FALSE\": 20"))
    }

    /// The last lump of a user is charged when the session is over already.
    @Test
    func `wherever the budget ends, the message names a session and the popups waiting in it`()
        throws
    {
        let folder = try Folder()
        let log = try Self.log(3, in: folder)
        for judged in stride(from: 2_800, through: 5_000, by: 100) {
            let error = try Self.run(log, jobs: 1, judged: judged)
            #expect(
                error.contains("` from 2026-03-01T10:00:00Z, in which `p` waited; if"),
                "\(judged)")
        }
    }

    private static func run(_ log: String, jobs: Int, judged: Int) throws -> String {
        var backtest = Backtest(
            try RuleSet.parse(Self.rules), mapping: MappingFile(), logs: [log])
        backtest.jobs = jobs
        backtest.replayLimits.judged = judged
        backtest.replayLimits.eventsOfSmallLog = 0
        backtest.replayLimits.judgedPerEvent = 8
        do throws(BacktestError) {
            return try backtest.run().json
        } catch {
            return "\(error)"
        }
    }

    /// S-M1.
    @Test func `a resumed run keeps the budget of the interrupted run`() throws {
        let folder = try Folder()
        let log = try Self.log(20, in: folder)
        for _ in 0..<3 {
            #expect(throws: BacktestError.self) {
                try BacktestTests.run([log], mapping: "", rules: Self.rules) {
                    $0.checkpoint = folder.path + "/state"
                    $0.replayLimits.judged = 30_000
                    $0.replayLimits.judgedPerEvent = 0
                }
            }
        }
    }

    /// S-M1.
    @Test func `a log of 100,000,000 regular events stays far below its budget`() throws {
        let budget = FleetLimits.standard.budget(events: 100_000_000, popups: [3])
        #expect(budget.rest(of: .judgedPopups) == 8_000_000 + 99_950_000 * 11 * 128)
        #expect(
            FleetLimits.standard.budget(events: .max, popups: [3, .max / 2])
                .rest(of: .judgedPopups) == .max)
        let folder = try Folder()
        let log = try folder.write(
            BacktestTests.log(users: 100, seed: 8).joined(separator: "\n"), to: "a.jsonl")
        // A tenth of what each event has, and nothing else.
        let report = try BacktestTests.run([log]) {
            $0.replayLimits.judged = 0
            $0.replayLimits.eventsOfSmallLog = 0
            $0.replayLimits.judgedPerEvent = 12
        }
        #expect(report.tally.users == 100)
    }

    /// S-M1. Each further event of 60 popups would allow a hundredth of a second.
    @Test(arguments: [0, 2_000, 50_000])
    func `a run of a small log ends soon, whatever its rules are`(
        events: Int
    ) {
        let budget = FleetLimits.standard.budget(events: events, popups: [60])
        #expect(budget.rest(of: .judgedPopups) == 8_000_000)
    }

    /// S-H2.
    @Test(arguments: [1, 3]) func `users who don't fit into memory together are divided`(
        jobs: Int
    ) throws {
        let folder = try Folder()
        let lines = BacktestTests.log(users: 300, seed: 12)
        let log = try folder.write(
            gzip(Array(lines.joined(separator: "\n").utf8)), to: "a.jsonl.gz")
        let whole = try BacktestTests.run([log])
        for divisions in [2, 64] {
            let divided = try BacktestTests.run([log]) {
                $0.jobs = jobs
                $0.memory = 6 << 10
                $0.limits.divisions = divisions
                $0.limits.parts = 16
            }
            #expect(divided.json == whole.json)
        }
    }

    /// S-H2.
    @Test func `a single user who doesn't fit into memory is reported with help`() throws {
        let folder = try Folder()
        let line = #"{"user":"ada","time":"2026-03-01T10:00:00Z","event":"looked"}"#
        let log = try folder.write(
            String(repeating: line + "\n", count: 4_000), to: "a.jsonl")
        #expect(throws: BacktestError.userTooLarge(user: "ada", memory: 64 << 10)) {
            try BacktestTests.run([log]) { $0.memory = 64 << 10 }
        }
        #expect(
            BacktestError.userTooLarge(user: "ada", memory: 64 << 20).description
                == "the events of the user `ada` take more than 64 MiB; use a larger `--memory`")
    }
}
