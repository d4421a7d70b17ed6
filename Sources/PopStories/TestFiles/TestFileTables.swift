internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<TestFile> {
    /// The keys of a test file.
    static let testFile = Table(
        "a test file",
        [
            Key(
                "poprules_test", .version(TestFile.currentVersion), { $0.version = $1 },
                "the version of the format, 1"
            ).required,
            Key(
                "rules", .list(of: .text, minimum: 1), { $0.rules = $1 },
                alsoCalled: ["rule_files", "files", "rule_set"],
                "the rule files, relative to this file; by default its folder"),
            Key(
                "start", .timestamp, { $0.start = $1 },
                alsoCalled: ["now", "time", "clock", "date", "start_at", "starts_at"],
                "when the virtual clock starts"),
            Key(
                "seed", .integer(0...Int.max), { $0.seed = $1 }, "what random times are drawn from"),
            Key(
                "personas", .map(of: .map(.any, keys: .references("context key"))),
                { $0.personas = $1 }, alsoCalled: ["users", "profiles", "fixtures"],
                "context values that several tests begin with, by name"
            ).such(as: "{ new_user: { user.plan: free } }"),
            Key(
                "tests", .testCases, { $0.tests = $1 },
                alsoCalled: ["cases", "scenarios", "test", "stories"], "the tests, by name"
            ).required,
        ])
}

extension Table<TestCase> {
    static let testCase = Table(
        "a test",
        [
            Key(
                "persona", .reference(to: "persona"), { $0.persona = $1 },
                alsoCalled: ["user", "as", "profile"],
                "the context that it begins with"),
            Key(
                "context", .map(of: .any, keys: .references("context key")), { $0.context = $1 },
                alsoCalled: ["given", "state", "with", "values"],
                "more context that it begins with"
            ).such(as: "{ user.plan: pro }").such(as: [
                "given": "\nthe persona that it begins with is `persona: $`"
                    + "\nwhat its context holds besides is such as `context: { user.plan: pro }`"
            ]),
            Key(
                "history", .map(of: HistoryReading.schema), { $0.history = $1 },
                alsoCalled: ["past", "before"],
                "what popups did before: `{ welcome: { shown: 2, last: -3d } }`"
            ).such(as: "{ welcome: { shown: 2, last: -3d } }"),
            Key(
                "missing", .list(of: .text), { $0.missing = $1 }, alsoCalled: ["unset", "without"],
                "context keys that have no value"),
            Key(
                "steps", .list(of: .testStep, minimum: 1), { $0.steps = $1 },
                alsoCalled: ["step", "actions", "script", "story", "when", "then"],
                "what happens, in order"),
            Key(
                "always", .list(of: .node(.stateCondition(such: "size(waiting.main) <= 3"))),
                { $0.always = $1 }, alsoCalled: ["invariants", "invariant"],
                "conditions that hold after every step"
            ).such(as: "['size(waiting.main) <= 3']"),
            Key(
                "never", .list(of: .node(.stateCondition(such: "size(waiting.main) <= 3"))),
                { $0.never = $1 },
                "conditions that hold after no step"
            ).such(as: "['showing.main == \"welcome\"']"),
            Key(
                "exactly", .bool, { $0.exactly = $1 },
                "whether `expect` names everything that there is"),
            Key("only", .bool, { $0.only = $1 }, "runs this test alone, while it is worked on"),
            Key(
                "snapshot", .text, { $0.snapshot = $1 },
                "the name under which its event log is kept"),
            Key(
                "for_each", .map(of: .list(.any)), { $0.forEach = $1 },
                alsoCalled: ["matrix", "each", "parameters", "combinations"],
                "values of context keys, every combination of which is tried"
            ).such(as: "{ user.plan: [free, pro] }"),
            Key(
                "eligible",
                .map(
                    of: .stateCondition(such: "user.plan == \"free\""), keys: .references("popup")),
                { $0.eligible = $1 }, alsoCalled: ["eligibility", "may_show", "can_show"],
                "by popup, the condition under which it may show"
            ).such(as: "{ welcome: 'user.plan == \"free\"' }"),
        ])
}

extension Table<TestStep> {
    static let testStep = Table(
        "a step",
        [
            Key(
                "after", .duration(), { $0.after = $1 },
                alsoCalled: ["wait", "sleep", "delay", "advance", "in", "pause"],
                "how much time passes first"),
            .action(
                "close", .popups, alsoCalled: ["tap", "click", "user_closes"],
                "a person closes these popups"
            ) { .close($0) },
            .action(
                "dismiss", .popups, alsoCalled: ["hide", "take_down"],
                "the app takes these popups down"
            ) { .dismiss($0) },
            .action("remove", .popups, "the app removes these popups at once") { .remove($0) },
            .action(
                "enqueue", .popups, alsoCalled: ["show", "present", "trigger"],
                "the manual trigger of these popups"
            ) { .enqueue($0) },
            .action(
                "send", .events, alsoCalled: ["event", "events", "emit", "track", "fire"],
                "events that the app sends, with their payload"
            ) { .send($0) },
            .action(
                "set", .changes,
                alsoCalled: ["change", "update", "context"],
                "context keys that change together"
            ) { .set($0) }.such(as: "{ user.plan: pro }"),
            .action("unset", .list(of: .text), "context keys that lose their values") {
                .unset($0)
            },
            .action(
                "veto", .popups, alsoCalled: ["cancel", "refuse"],
                "the app cancels their next presentation"
            ) { .veto($0) },
            .action("fail", .popups, "their next presentation fails") { .fail($0) },
            .action("hang", .popups, "their next presentation is never over") { .hang($0) },
            .action("hang_dismissal", .popups, "their next dismissal is never over") {
                .hangDismissal($0)
            },
            .action(
                "postpone", .map(of: .duration(minimum: 0), keys: .references("popup")),
                "the app puts their next presentation off: `{ welcome: 5s }`"
            ) { .postpone($0) }.such(as: "{ welcome: 5s }"),
            .action(
                "suspend", .suspension, alsoCalled: ["pause", "background"],
                "nothing new is shown from here"
            ) { .suspend($0) }.such(as: "{ owner: checkout, scheduler: main }"),
            .action(
                "resume", .suspension, alsoCalled: ["unpause", "foreground"],
                "ends the same `suspend`"
            ) { .resume($0) }.such(as: "{ owner: checkout, scheduler: main }"),
            .action("poke", .yes, "runs the scheduling pass") { _ in .poke },
            .action("remove_all", .yes, "empties the queues and the screens") { _ in .removeAll },
            .action(
                "restart", .yes, alsoCalled: ["relaunch", "reboot"], "the app ends and starts again"
            ) { _ in .restart },
            .action(
                "switch_user", .text, alsoCalled: ["login", "sign_in", "user"],
                "another user signs in"
            ) { .switchUser($0) },
            .locatedAction("reload", .text, "rules that replace the current ones") { .reload($0) },
            Key(
                "expect", .expectation, { $0.expect = $1 },
                alsoCalled: [
                    "expected", "expects", "assert", "asserts", "should", "then", "verify",
                ],
                "what is compared at the end of the step"
            ).such(
                as: Dictionary(
                    uniqueKeysWithValues: ["assert", "asserts", "should", "verify"].map {
                        (
                            $0,
                            "\nwhat is compared is a map, such as"
                                + " `expect: { showing: { main: welcome } }`"
                                + "\na condition stands in the test's `always`, beside `steps`"
                        )
                    })),
        ])
}

extension Table<Expectation> {
    static let expectation = Table(
        "`expect`",
        [
            Key(
                "showing",
                .lanes(of: .any) { $0 },
                { $0.showing = $1 },
                alsoCalled: ["shows", "show", "visible", "displayed", "screen", "active"]
                    + absences.keys,
                "by scheduler, the popup on its screen, or `none`"
            ).such(as: "{ main: welcome }").such(as: absences),
            Key(
                "waiting",
                .lanes(of: .list(.reference("popup"))) { "[\($0)]" },
                { $0.waiting = $1 }, alsoCalled: ["queue", "queued", "pending", "waits"],
                "by scheduler, popups that wait there, in order"
            ).such(as: "{ main: [welcome] }"),
            Key(
                "reasons", .reasons, { $0.reasons = $1 }, alsoCalled: ["reason", "why", "because"],
                "by popup, its reason code"
            )
            .such(as: "{ welcome: CONDITION_FALSE }"),
            Key(
                "dismissed", .reasons, { $0.dismissed = $1 },
                "by popup, why it was dismissed the last time"
            ).such(as: "{ welcome: USER_CLOSED }"),
            Key("ended", .reasons, { $0.ended = $1 }, "by popup, why its last task ended")
                .such(as: "{ welcome: TIMED_OUT }"),
            Key(
                "shown", .map(of: .integer(0...Int.max), keys: .references("popup")),
                { $0.shown = $1 }, alsoCalled: ["count", "counts", "impressions", "times"],
                "by popup, how often it was shown in this test"
            ).such(as: "{ welcome: 1 }"),
        ])
}

/// What people call that a popup does not show.
private let absences: [String: String] = {
    let names = [
        "hidden", "not_showing", "not_shown", "not_visible", "invisible", "absent", "gone",
        "nothing", "no_popup", "not_displayed", "does_not_show", "closed",
    ]
    let other =
        "where another popup may show, the test has beside `steps` the line"
        + " `never: ['showing.main == \"$\"']`"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, "{ main: none }\n\(other)") })
}()
