import Foundation
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import PopWire
import Testing

@testable import PopReplay

@Suite struct `A serialized run` {
    private static let start = Moment(instant: .zero, date: Timestamp(seconds: 1_793_000_000))
    private static let task = PresentationID(
        task: TaskID(popup: "a", scheduler: "main", number: 3), turn: 2)

    /// One of each case of `Event`, with all that it can carry.
    private static var inputs: [Event] {
        get throws {
            var history = History()
            for record: HistoryRecord in [
                .impression(popup: "a", date: start.date),
                .reservation(popup: "b", date: start.date),
                .dismissal(popup: "a", reason: .userClosed, date: start.date),
                .acted(popup: "a", action: "accept", date: start.date, isClosing: true),
                .endedByAction(popup: "a", action: "accept", date: start.date),
                .goalMatched(popup: "a", goal: "buy", date: start.date, exposure: start.date),
                .event(name: "e", date: start.date), .occurrence(trigger: "a/1", count: 4),
            ] { history.apply(record) }
            var foreign = ForeignPopup(id: "f", content: .map(["title": "x"]))
            foreign.hideAfter = .milliseconds(1500)
            foreign.isShownByApp = true
            let rules = try RuleSet.parse("popups: { a: {} }")
            return [
                .started, .update(["n": 1, "when": .timestamp(start.date)], unset: ["x"]),
                .send("e", payload: ["total": 1.5]), .enqueue("a"),
                .enqueueForeign(foreign, isTrue: true), .setForeign("f", isTrue: false),
                .dismiss("a"), .remove("a"), .removeAll, .suspend(by: "tour", scheduler: "main"),
                .resume(by: nil, scheduler: nil), .switchUser("ann", history, context: ["n": 2]),
                .forget("ann"), .historyChanged(history), .reload(rules, context: ["n": 1]), .poke,
                .timePassed, .answered(task, .show), .answered(task, .postpone(.seconds(90))),
                .answered(task, .cancel), .didPresent(task),
                .presentFailed(task, message: "no window"), .didDismiss(task), .userClosed("a"),
                .acted("a", action: "accept"), .acted("a", action: "later", stays: true),
                .didDisappear("a"),
            ]
        }
    }

    @Test func `reads every input as it was written`() throws {
        var reader = BundleReader(limits: .standard)
        var names: [JSON?] = []
        for input in try Self.inputs {
            let written = WireForm<Event>.input.write(input)
            let read = try WireForm<Event>.input.read(written, &reader)
            #expect(WireForm<Event>.input.write(read) == written)
            names.append(written["input"])
        }
        #expect(Set(names).count == 24, "the sample lacks a case")
    }

    @Test(arguments: 1...8) func `gives the effects of the scheduler itself`(
        seed: UInt64
    ) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../rules")
        let rules = try RuleSet.load(folder.standardized.path).get()
        var play = RandomPlay(rules, by: SeededGenerator(seed: seed))
        for _ in 0..<60 { _ = play.step() }
        var run = Replay(rules, start: play.history[0].moment)
        run.seed = play.seed
        run.steps = play.history.map { Replay.Step($0.event, at: $0.moment) }
        run.explained = rules.popups.map(\.id)
        let answer = try JSON.parse(replay(run.request))
        let steps = play.history.map { JSON.object(["effects": .array($0.effects.map(\.wire))]) }
        #expect(answer["steps"] == .array(steps))
        #expect(answer["explanations"] == .array(play.explanations.map(\.wire)))
    }

    @Test(arguments: [
        ("", "the request cannot be read: "),
        ("[]", "the request cannot be read: not an object"),
        ("{}", "the request cannot be read: `bundle` is missing"),
        (#"{"bundle":{}}"#, "not a bundle; create one with `poprules compile`"),
        (
            #"{"bundle":{"popbundle":7}}"#,
            "the bundle has format 7, but this app supports formats up to 2"
        ),
    ])
    func `reports unreadable requests`(request: String, error: String) throws {
        let answer = try JSON.parse(replay(request.utf8))
        #expect(answer.compact.hasPrefix(#"{"error":"\#(error)"#), "\(answer.compact)")
    }

    /// Counting on from the largest number ended the process.
    @Test(arguments: [
        #"{"popups":{"a":{"dismissals":9223372036854775807}}}"#,
        #"{"popups":{"a":{"shown":-1}}}"#, #"{"events":{"e":{"count":9223372036854775807}}}"#,
        #"{"occurrences":{"a/1":9223372036854775807}}"#,
    ])
    func `refuses an impossible history`(history: String) throws {
        let run = Replay(try .parse("popups: { a: {} }"), start: Self.start)
        let text = String(decoding: run.request, as: UTF8.self).replacingOccurrences(
            of: #""history":{}"#, with: #""history":\#(history)"#)
        let answer = try JSON.parse(replay(text.utf8))
        #expect(answer.compact.hasSuffix(#" is not a valid count"}"#), "\(answer.compact)")
    }

    @Test(arguments: [
        (#"{"input":"send"}"#, "`event` is missing"),
        (#"{"input":"sent"}"#, "`sent` is not an input"),
        (#"{"input":"poke","popup":"a"}"#, "`popup` is not known"),
        (#"{"input":"answered","answer":"yes"}"#, "`presentation` is missing"),
        (#"{"event":"e"}"#, "`input` is missing"),
        ("3", "an input has no `at`"),
    ])
    func `reports which input is unreadable`(input: String, error: String) throws {
        let run = Replay(try .parse("popups: { a: {} }"), start: Self.start)
        let at = #""at":{"instant":"0s","date":"2026-01-01T00:00:00Z"}"#
        let text = String(decoding: run.request, as: UTF8.self).replacingOccurrences(
            of: #""inputs":[]"#,
            with: #""inputs":[\#(input.hasPrefix("{") ? "{\(at),\(input.dropFirst())" : input)]"#)
        let answer = try JSON.parse(replay(text.utf8))
        #expect(answer["error"] == .string("the request cannot be read: input 1: \(error)"))
    }

    /// E50.
    @Test func `refuses to explain an unknown popup`() throws {
        var run = Replay(try .parse("popups: { a: {} }"), start: Self.start)
        run.explained = ["a", "nobody"]
        let answer = try JSON.parse(replay(run.request))
        #expect(
            answer["error"]
                == .string("the request cannot be read: there is no popup `nobody`"))
    }

    /// E49: values as other languages write them by themselves.
    @Test(arguments: [
        ("99.5", Value.double(99.5)), ("80.0", .double(80)), ("1e3", .double(1_000)), ("80", 80),
        ("null", .null), (#"{"$double":99.5}"#, .double(99.5)),
        (#"{"$double":"99.5"}"#, .double(99.5)),
        (#"{"$double":3}"#, .double(3)), ("18446744073709551615", .uint(.max)), ("{}", .map([:])),
        (#"{"a":1,"b":[null,2.5]}"#, .map(["a": 1, "b": .list([.null, .double(2.5)])])),
    ])
    func `accepts a decimal number, null and an object`(json: String, value: Value) throws {
        var reader = BundleReader(limits: .standard)
        let parsed = try JSON.parse(#"{"cart.total":\#(json)}"#.utf8)
        let values = try WireForm<[String: Value]>.values.read(parsed, &reader)
        #expect(values == ["cart.total": value])
    }

    @Test(arguments: [#"{"$double":"much"}"#, #"{"$money":3}"#, #"[{"$uint":-1}]"#])
    func `reports the key of an invalid value`(json: String) throws {
        var reader = BundleReader(limits: .standard)
        let parsed = try JSON.parse(#"{"a":1,"cart.total":\#(json)}"#.utf8)
        let error = #expect(throws: BundleError.self) {
            try WireForm<[String: Value]>.values.read(parsed, &reader)
        }
        let text = try #require(error).description
        #expect(text.contains("`cart.total`: no value: a bool, a number, a text, a list"))
    }
}

@Suite struct `A history as JSON` {
    private static let date = Timestamp(seconds: 1_793_000_000, nanoseconds: 7)

    @Test func `is read back with all its content`() throws {
        var history = History()
        for record: HistoryRecord in [
            .impression(popup: "a", date: Self.date), .reservation(popup: "a", date: Self.date),
            .dismissal(popup: "a", reason: .timedOut, date: Self.date),
            .exposure(popup: "a", variant: "control", date: Self.date, reserved: Self.date),
            .acted(popup: "a", action: "accept", date: Self.date, isClosing: true),
            .acted(popup: "a", action: "close", date: Self.date, isClosing: false),
            .endedByAction(popup: "a", action: "accept", date: Self.date),
            .goalMatched(popup: "a", goal: "buy", date: Self.date, exposure: Self.date),
            .event(name: "e", date: Self.date, amounts: ["x": .uint(7), "y": .double(0.5)]),
            .occurrence(trigger: "a/e/0", count: 4),
            .session(date: Self.date), .sessionLeft(date: Self.date), .session(date: Self.date),
            .sessionLeft(date: Self.date),
            .counted(
                popup: "a", value: KeyedValue(key: "k", text: nil), change: .shown, date: Self.date),
            .counted(
                popup: "a", value: KeyedValue(key: "k", text: "1"), change: .shown,
                date: Self.date),
            .counted(
                popup: "a", value: KeyedValue(key: "k", text: "1"), change: .closed,
                date: Self.date),
        ] { history.apply(record) }
        try expectEachField(of: #require(history.popups["a"]), differsFrom: History.Popup())
        try expectEachField(of: #require(history.popups["a"]).exposures, differsFrom: Exposures())
        try expectEachField(of: #require(history.events["e"]), differsFrom: History.SentEvent())
        try expectEachField(
            of: #require(history.values.counts["a"]?["k"]?.last),
            differsFrom: ValueCounts.Count(text: nil, last: .min))
        expectEachField(of: history.sessions, differsFrom: History.Sessions())
        expectEachField(of: history, differsFrom: History())
        var reader = BundleReader(limits: .standard)
        let form = WireForm<History>.history
        #expect(try form.read(form.write(history), &reader) == history)
    }

    /// So that a field that is new is not forgotten here.
    private func expectEachField<Part>(of part: Part, differsFrom usual: Part) {
        let fields = zip(Mirror(reflecting: part).children, Mirror(reflecting: usual).children)
        for (field, usual) in fields {
            #expect("\(field.value)" != "\(usual.value)", "\(field.label ?? "")")
        }
    }
}
