import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import PopWire
import Testing

@testable import PopReplay

@Suite struct `Serialized sessions` {
    private static let start = Moment(instant: .zero, date: Timestamp(seconds: 1_793_000_000))
    private static let later = Moment(
        instant: .seconds(60), date: Timestamp(seconds: 1_793_000_060))

    private var run: Replay {
        get throws {
            let rules = """
                events: { e: {} }
                popups:
                  a: { trigger: { event: e } }
                  b: { trigger: { event: e }, priority: 9 }
                """
            var run = Replay(try .parse(rules), start: Self.start)
            run.seed = 3
            return run
        }
    }

    private func inputs(_ steps: [Replay.Step]) -> [UInt8] {
        let json: JSON = .object(["inputs": WireForm.list(of: .step).write(steps)])
        return Array(json.compact.utf8)
    }

    private func number(of answer: [UInt8]) throws -> Int {
        try #require(try JSON.parse(answer)["session"]?.index)
    }

    @Test(arguments: 1...4) func `give the same results as a run, input by input`(
        seed: UInt64
    ) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../rules")
        let rules = try RuleSet.load(folder.standardized.path).get()
        var play = RandomPlay(rules, by: SeededGenerator(seed: seed))
        for _ in 0..<60 { _ = play.step() }
        var run = Replay(rules, start: play.history[0].moment)
        run.seed = play.seed
        var sessions = ReplaySessions()
        let session = try number(of: sessions.open(run.request))
        var steps: [JSON] = []
        for played in play.history {
            let input = inputs([Replay.Step(played.event, at: played.moment)])
            steps += try #require(try JSON.parse(sessions.handle(input, in: session))["steps"])
                .items
        }
        run.steps = play.history.map { Replay.Step($0.event, at: $0.moment) }
        run.explained = rules.popups.map(\.id)
        let whole = try JSON.parse(replay(run.request))
        #expect(whole["steps"] == .array(steps))
        let popups = JSON.object(["popups": .array(run.explained.map { .string($0) })])
        let explained = try JSON.parse(sessions.explain(Array(popups.compact.utf8), in: session))
        #expect(explained["explanations"] == whole["explanations"])
    }

    @Test func `restart with the inputs so far`() throws {
        var run = try run
        var sessions = ReplaySessions()
        let first = try number(of: sessions.open(run.request))
        run.steps = [
            .init(.started, at: Self.start), .init(.send("e", payload: [:]), at: Self.later),
        ]
        _ = sessions.handle(inputs(run.steps), in: first)
        let second = try number(of: sessions.open(run.request))
        #expect(first != second)
        let popups = Array(#"{"popups":["a","b"]}"#.utf8)
        #expect(sessions.explain(popups, in: first) == sessions.explain(popups, in: second))
    }

    @Test func `are independent of each other`() throws {
        var sessions = ReplaySessions()
        let (one, other) = (
            try number(of: sessions.open(run.request)), try number(of: sessions.open(run.request))
        )
        let popups = Array(#"{"popups":["a","b"]}"#.utf8)
        let before = sessions.explain(popups, in: other)
        _ = sessions.handle(inputs([.init(.send("e", payload: [:]), at: Self.start)]), in: one)
        #expect(sessions.explain(popups, in: other) == before)
        #expect(sessions.explain(popups, in: one) != before)
    }

    @Test func `explain another time on request`() throws {
        var sessions = ReplaySessions()
        var run = Replay(
            try .parse("popups: { a: { schedule: { from: 2026-11-01T00:00:00Z } } }"),
            start: Self.start)
        run.steps = [.init(.started, at: Self.start)]
        let session = try number(of: sessions.open(run.request))
        let now = sessions.explain(#"{"popups":["a"]}"#.utf8, in: session)
        let then = sessions.explain(
            #"{"popups":["a"],"at":{"instant":"0s","date":"2026-12-01T00:00:00Z"}}"#.utf8,
            in: session)
        #expect(now != then)
        #expect(sessions.explain(#"{"popups":["a"]}"#.utf8, in: session) == now)
    }

    @Test func `count an earlier instant as the instant of the input before (E54)`() throws {
        let rules = "events: { e: {} }\npopups: { a: { trigger: { event: e }, delay: 5s } }"
        let run = Replay(try .parse(rules), start: Self.start)
        let answers = try [Self.start, Self.later].map { moment in
            var sessions = ReplaySessions()
            let session = try number(of: sessions.open(run.request))
            _ = sessions.handle(inputs([.init(.started, at: Self.later)]), in: session)
            let at = Moment(instant: moment.instant, date: Self.later.date)
            let answer = sessions.handle(
                inputs([.init(.send("e", payload: [:]), at: at)]), in: session)
            return String(decoding: answer, as: UTF8.self)
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0].contains("65s"), "\(answers[0])")
    }

    @Test func `stay unchanged after unreadable input`() throws {
        var sessions = ReplaySessions()
        let session = try number(of: sessions.open(run.request))
        let popups = Array(#"{"popups":["a","b"]}"#.utf8)
        let before = sessions.explain(popups, in: session)
        let time = #""at":{"instant":"0s","date":"2026-10-26T00:00:00Z"}"#
        for (request, error) in [
            (
                #"{"inputs":[{\#(time),"input":"send","event":"e"},3]}"#,
                "input 2: an input has no `at`"
            ),
            (#"{"inputs":[],"more":1}"#, "unknown field `more`"), ("{}", "`inputs` is missing"),
        ] {
            let answer = String(
                decoding: sessions.handle(Array(request.utf8), in: session), as: UTF8.self)
            #expect(answer == "{\"error\":\"the request cannot be read: \(error)\"}\n")
        }
        #expect(sessions.explain(popups, in: session) == before)
    }

    @Test func `end when closed`() throws {
        var sessions = ReplaySessions()
        let session = try number(of: sessions.open(run.request))
        sessions.close(session)
        for answer in [
            sessions.handle(#"{"inputs":[]}"#.utf8, in: session),
            sessions.explain(#"{"popups":[]}"#.utf8, in: session),
        ] {
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.hasPrefix(#"{"error":"the request cannot be read: there is no session "#))
        }
    }

    @Test func `are not opened by unreadable input`() throws {
        var sessions = ReplaySessions()
        let answer = try JSON.parse(sessions.open(#"{"bundle":{}}"#.utf8))
        #expect(answer["session"] == nil)
        #expect(try #require(answer["error"]?.text).hasPrefix("this is not a bundle of rules"))
    }
}
