import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import PopWire
import Testing

@testable import PopReplay

/// Histories and records as hosts in other languages keep them.
@Suite struct `A saved history` {
    private static let date = "2026-10-26T09:33:20Z"

    private func rules() throws -> RuleSet {
        try .parse(
            """
            events: { e: {} }
            popups:
              a: { trigger: { event: e }, cap: { lifetime: 1 } }
            """)
    }

    private func open(_ members: String, in sessions: inout ReplaySessions) throws -> JSON {
        let bundle = try rules().bundleJSON.compact
        let start = #"{"instant":"0s","date":"\#(Self.date)"}"#
        return try JSON.parse(
            sessions.open(Array(#"{"bundle":\#(bundle),"start":\#(start),\#(members)}"#.utf8)))
    }

    private func history(_ number: Int, in sessions: ReplaySessions) throws -> String {
        let answer = try JSON.parse(sessions.history("{}".utf8, in: number))
        return try #require(answer["history"]).compact
    }

    /// E44: a rollback of the engine met a history with a member that it didn't know, and no popup
    /// showed anymore.
    @Test func `keeps the members that a later version wrote (E44)`() throws {
        var sessions = ReplaySessions()
        let later = """
            {"popups":{"a":{"shown":2,"newer":{"deep":[1]},"lastReason":"LATER_REASON"}},\
            "events":{"e":{"count":1,"mode":"x"}},"later":true}
            """
        let answer = try open(#""history":\#(later)"#, in: &sessions)
        let number = try #require(answer["session"]?.index, "\(answer.compact)")
        let kept = try JSON.parse(Array(history(number, in: sessions).utf8))
        #expect(kept["later"] == true)
        #expect(kept["popups"]?["a"]?["newer"]?["deep"] == .array([.int(1)]))
        #expect(kept["popups"]?["a"]?["shown"] == .int(2))
        #expect(kept["popups"]?["a"]?["lastReason"] == "LATER_REASON")
        #expect(kept["events"]?["e"]?["mode"] == "x")
    }

    @Test func `forgets the members of a later version together with the popup or the user`()
        throws
    {
        var sessions = ReplaySessions()
        let later = #"{"popups":{"a":{"shown":2,"newer":1}},"later":true}"#
        let answer = try open(#""user":"ann","history":\#(later)"#, in: &sessions)
        let number = try #require(answer["session"]?.index)
        func tell(_ input: String) {
            let at = #"{"instant":"1s","date":"\#(Self.date)"}"#
            let request = #"{"inputs":[{"at":\#(at),\#(input)}]}"#
            _ = sessions.handle(Array(request.utf8), in: number)
        }
        tell(#""input":"forgetPopup","popup":"a""#)
        #expect(try !history(number, in: sessions).contains("newer"))
        #expect(try history(number, in: sessions).contains("later"))
        tell(#""input":"forget","user":"ann""#)
        #expect(try !history(number, in: sessions).contains("later"))
    }

    @Test func `of an incompatible version is refused`() throws {
        var sessions = ReplaySessions()
        let answer = try open(#""history":{"version":2}"#, in: &sessions)
        #expect(answer["error"]?.text?.contains("the history has version 2") == true)
        #expect(try open(#""history":{"version":1}"#, in: &sessions)["session"] != nil)
    }

    @Test func `includes the records that were saved after it`() throws {
        var sessions = ReplaySessions()
        let records = """
            [{"record":"impression","popup":"a","date":"2026-10-25T09:00:00Z"},\
            {"record":"of a later version","popup":"a","anything":1}]
            """
        let answer = try open(#""records":\#(records)"#, in: &sessions)
        let number = try #require(answer["session"]?.index, "\(answer.compact)")
        #expect(try history(number, in: sessions).contains(#""shown":1"#))
        let explained = sessions.explain(Array(#"{"popups":["a"]}"#.utf8), in: number)
        #expect(String(decoding: explained, as: UTF8.self).contains("ABSENT") == false)
    }

    /// In any session, the records add up to its history.
    @Test(arguments: 1...20) func `is the sum of its records`(seed: UInt64) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../rules")
        let rules = try RuleSet.load(folder.standardized.path).get()
        var play = RandomPlay(rules, by: SeededGenerator(seed: seed))
        for _ in 0..<120 { _ = play.step() }
        var run = Replay(rules, start: play.history[0].moment)
        run.seed = play.seed
        var session = ReplaySession(of: run, timeZones: .system)
        var history = History()
        var reader = BundleReader(limits: .standard)
        for played in play.history {
            switch played.event {
            // Inputs that replace a history leave no record.
            case .switchUser, .forget, .forgetPopup, .historyChanged: continue
            default: break
            }
            let answer = session.handle([Replay.Step(played.event, at: played.moment)])
            for effect in answer.items[0]["effects"]?.items ?? []
            where effect["effect"] == "record" {
                let record = try #require(effect["record"])
                if let record = try HistoryRecord.read(record, &reader) { history.apply(record) }
            }
        }
        let written = try #require(session.history["history"])
        // A session keeps no more than rules read; the counts are the same.
        let added = WireForm<History>.history.write(history)
        #expect(written["popups"]?.counts == added["popups"]?.counts)
        #expect(written["events"]?.counts == added["events"]?.counts)
    }
}

extension JSON {
    /// The counts of an object's entries, by name.
    fileprivate var counts: [String: [JSON?]] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(
            members.map { member in
                let names = ["shown", "count", "dismissals", "closed", "lastShown", "last"]
                return (member.key, names.map { member.value[$0] })
            }, uniquingKeysWith: { first, _ in first })
    }
}
