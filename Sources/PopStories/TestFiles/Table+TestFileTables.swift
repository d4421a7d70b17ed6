internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<TestFile> {
    /// The keys of a test file.
    static let testFile = Table(
        "a test file",
        keys: [
            Key(
                "poprules_test", format: .version(TestFile.currentVersion),
                store: { $0.version = $1 },
                summary: "the version of the format, 1"
            ).required,
            Key(
                "rules", format: .list(of: .text, minimum: 1), store: { $0.rules = $1 },
                alsoCalled: ["rule_files", "files", "rule_set"],
                summary: "the rule files, relative to this file; by default its folder"),
            Key(
                "start", format: .timestamp, store: { $0.start = $1 },
                alsoCalled: ["now", "time", "clock", "date", "start_at", "starts_at"],
                summary: "when the virtual clock starts"),
            Key(
                "seed", format: .integer(0...Int.max), store: { $0.seed = $1 },
                summary: "the seed for random times"),
            Key(
                "zone", format: .fixedZone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of the device, by default UTC"),
            Key(
                "user", format: .text, store: { $0.user = $1 },
                alsoCalled: ["user_id", "signed_in", "account"],
                summary: "the user who is signed in at the start, by default no user"),
            Key(
                "personas", format: .map(of: .map(.any, keys: .references("context key"))),
                store: { $0.personas = $1 }, alsoCalled: ["users", "profiles", "fixtures"],
                summary: "context values that several tests start with, by name"
            ).such(as: "{ new_user: { user.plan: free } }"),
            Key(
                "tests", format: .testCases, store: { $0.tests = $1 },
                alsoCalled: ["cases", "scenarios", "test", "stories"] + helpOnSpecs.keys,
                summary: "the tests, by name"
            ).required.such(
                as:
                    "{ a new user is greeted: { steps: [{ expect: { showing: { main: welcome } } }]"
                    + " } }"
            ).such(as: helpOnSpecs),
        ])
}

/// Help on the keywords of Gherkin and of test frameworks.
private let helpOnSpecs: [String: String] = {
    let names = [
        "describe", "it", "feature", "features", "scenario", "suite", "suites", "spec", "specs",
        "background", "scenario_outline", "examples", "test_suite",
    ]
    let help =
        "\n\nwrite tests as maps below `tests`, with a name and steps:"
        + " `tests: { a new user is greeted:"
        + " { context: { user.plan: free }, steps: [{ send: order.paid, expect: { showing:"
        + " { main: welcome } } }] } }`"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, help) })
}()

private let helpOnThen =
    "\n\nwrite `context` instead of `given`, and a step instead of `when` and `then`:"
    + " `context: { user.plan: free }` and `steps: [{ set: { user.plan: pro }, expect: { showing:"
    + " { main: welcome } } }]`"

extension Table<TestCase> {
    static let testCase = Table(
        "a test",
        keys: [
            Key(
                "persona", format: .persona, store: { $0.persona = $1 },
                alsoCalled: ["user", "as", "profile"],
                summary:
                    "the context that the test starts with: the name of a persona, or a new persona"
            ).such(as: "new_user"),
            Key(
                "context", format: .map(of: .any, keys: .references("context key")),
                store: { $0.context = $1 },
                alsoCalled: ["given", "state", "with", "values"],
                summary: "more context that the test starts with"
            ).such(as: "{ user.plan: pro }").such(as: [
                "given": "\nif you mean a persona, write `persona: $`"
                    + "\nfor more context, write, for example, `context: { user.plan: pro }`"
            ]),
            Key(
                "history",
                format: .map(of: HistoryReading.schema, keys: .references("popup or event")),
                store: { $0.history = $1 },
                alsoCalled: ["past", "before"],
                summary: "the history of popups: `{ welcome: { shown: 2, last: -3d } }`"
            ).such(as: "{ welcome: { shown: 2, last: -3d } }"),
            Key(
                "missing", format: .list(of: .reference(to: "context key")),
                store: { $0.missing = $1 },
                alsoCalled: ["unset", "without"],
                summary: "context keys that have no value"),
            Key(
                "steps", format: .list(of: .testStep, minimum: 1), store: { $0.steps = $1 },
                alsoCalled: [
                    "step", "actions", "script", "story", "when", "then", "expect", "set", "send",
                ],
                summary: "what happens, in order"
            ).such(as: "[{ expect: { showing: { main: welcome } } }]").such(as: [
                "when": helpOnThen, "then": helpOnThen, "expect": helpOnStepKey(""),
                "set": helpOnStepKey("set: { user.plan: pro }, "),
                "send": helpOnStepKey("send: order.paid, "),
            ]),
            Key(
                "at_start", format: .startFaults, store: { $0.atStart = $1 },
                summary: "what the app does differently when popups show at the start of the test"
            ).such(as: "{ veto: welcome }"),
            Key(
                "start", format: .timestamp, store: { $0.start = $1 },
                alsoCalled: ["now", "time", "clock", "date", "start_at", "starts_at"],
                summary: "when the clock of the test starts, if not at the `start` of the file"),
            Key(
                "zone", format: .fixedZone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of the device, if not the `zone` of the file"),
            Key(
                "always",
                format: .list(of: .node(.stateCondition(such: "size(waiting.main) <= 3"))),
                store: { $0.always = $1 }, alsoCalled: ["invariants", "invariant"],
                summary: "conditions that must be true after every step"
            ).such(as: "['size(waiting.main) <= 3']"),
            Key(
                "never", format: .list(of: .node(.stateCondition(such: "size(waiting.main) <= 3"))),
                store: { $0.never = $1 },
                summary: "conditions that must be false after every step"
            ).such(as: "['showing.main == \"welcome\"']"),
            Key(
                "exactly", format: .bool, store: { $0.exactly = $1 },
                summary: "whether `expect` must name every popup that shows or waits"),
            Key(
                "only", format: .bool, store: { $0.only = $1 },
                alsoCalled: Array(helpOnSkipping.keys),
                summary: "runs only this test, while you work on it"
            ).such(as: helpOnSkipping),
            Key(
                "snapshot", format: .text, store: { $0.snapshot = $1 },
                summary: "the name of the snapshot, which contains the event log of the test"),
            Key(
                "for_each", format: .combinations,
                store: { $0.forEach = $1 },
                alsoCalled: ["matrix", "each", "parameters", "combinations"],
                summary: "values of context keys: the test runs with every combination"
            ).such(as: "{ user.plan: [free, pro] }"),
            Key(
                "eligible", format: .eligibility,
                store: { $0.eligible = $1 }, alsoCalled: ["eligibility", "may_show", "can_show"],
                summary: "for each popup, the condition under which it may show"
            ).such(as: "{ welcome: 'user.plan == \"free\"' }"),
        ])
}

/// Returns help on a key of a step that is written in the test; `keys` are an example of what comes
/// before `expect` in the step.
private func helpOnStepKey(_ keys: String) -> String {
    "\n\nmove `$` into a step, such as"
        + " `steps: [{ \(keys)expect: { showing: { main: welcome } } }]`"
}

/// Help on words of test frameworks for tests that are left out.
private let helpOnSkipping: [String: String] = {
    let names = [
        "skip", "skipped", "ignore", "ignored", "disable", "disabled", "pending", "todo", "xfail",
    ]
    let help =
        "\n\nremove `$`, because a test cannot be skipped; to leave a test out, turn its lines into"
        + " comments\nto run only some tests, use `only: true` in them, or the option `--run`"
        + " with a part of their names"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, help) })
}()

/// Help on keys of a test that are written in a step.
private let helpOnTestKeys: [String: String] = {
    let names = [
        "persona", "missing", "for_each", "eligible", "always", "never", "exactly", "snapshot",
    ]
    let help = "\n\nmove `$` out of the step, to the keys of the test, next to `steps`"
    let history =
        "\n\nmove `history` out of the step, to the keys of the test, next to `steps`, because it"
        + " describes what happened before the test\nfor the past of another user who signs in, use"
        + " `switch_user: { user: ann, history: { welcome: { shown: 2, last: -3d } } }`"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, help) } + [("history", history)])
}()

/// Help on keys for the time at which a step happens.
private let helpOnTimes: [String: String] = {
    let names = [
        "at", "travel_to", "time_travel", "jump_to", "set_time", "set_clock", "now", "clock",
        "time",
        "date", "t", "until", "timestamp", "advance_to",
    ]
    let help =
        "\n\nwrite how much time passes since the previous step, such as `after: 5s`: a step"
        + " without `after` happens at the same time as the previous one"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, help) })
}()

/// Help on steps that are written as sentences.
private let helpOnSentences: [String: String] = {
    let steps =
        "\n\nwrite keys instead of a sentence, such as `send: order.paid`, `set: {"
        + " user.plan: pro }`, `after: 1h`, `close: welcome` or `restart: true`"
    return [
        "given":
            "\n\nwrite the state at the start next to `steps`, such as"
            + " `context: { user.launches: 2 }`",
        "when": steps, "and": steps, "but": steps,
    ]
}()

private let helpOnPayload =
    "\n\nwrite the payload after the name of its event: `send: { order.paid: { total: 9.5 } }`"

extension Table<TestStep> {
    static let testStep = Table(
        "a step",
        keys: [
            Key(
                "after", format: .duration(), store: { $0.after = $1 },
                alsoCalled: ["wait", "sleep", "delay", "advance", "in", "pause"] + helpOnTimes.keys,
                summary: "how much time passes first"
            ).such(as: helpOnTimes),
            .action(
                "close", format: .popups, alsoCalled: ["user_closes", "swipe"],
                summary: "the user closes these popups"
            ) { .close($0) },
            .action(
                "act", format: .acts,
                alsoCalled: [
                    "action", "acts", "acted", "press", "choose", "answer", "button", "tap",
                    "click", "refuse",
                ],
                summary: "the user uses actions of popups: `{ paywall: accept }`"
            ) { .act($0) }.such(as: "{ welcome: accept }"),
            .action(
                "dismiss", format: .popups, alsoCalled: ["hide", "take_down"],
                summary: "the app dismisses these popups"
            ) { .dismiss($0) },
            .action(
                "remove", format: .popups, summary: "the app removes these popups immediately"
            ) { .remove($0) },
            .action(
                "enqueue", format: .popups, alsoCalled: ["show", "present", "trigger"],
                summary: "the app enqueues these popups"
            ) { .enqueue($0) },
            .action(
                "force", format: .popups, alsoCalled: ["force_show", "override"],
                summary: "these popups show regardless of their rules, the last one first"
            ) { .force($0) },
            .action(
                "send", format: .events,
                alsoCalled: [
                    "event", "events", "emit", "track", "fire", "payload", "properties", "params",
                    "data",
                ] + helpOnSentences.keys,
                summary: "events that the app sends, with their payload"
            ) { .send($0) }.such(
                as: helpOnSentences.merging([
                    "payload": helpOnPayload, "properties": helpOnPayload, "params": helpOnPayload,
                    "data": helpOnPayload,
                ]) { first, _ in first }),
            .action(
                "set", format: .changes,
                alsoCalled: ["change", "update", "context"] + helpOnTestKeys.keys,
                summary: "context keys that change together"
            ) { .set($0) }.such(as: "{ user.plan: pro }").such(as: helpOnTestKeys),
            .action(
                "unset", format: .oneOrSeveral(of: .reference(to: "context key")),
                summary: "context keys that lose their values"
            ) {
                .unset($0)
            },
            veto, fail, hang, hangDismissal, postpone,
            .action(
                "suspend", format: .suspension, alsoCalled: ["pause"],
                summary: "the app suspends schedulers, which show no new popups until `resume`"
            ) { .suspend($0) }.such(as: "{ owner: checkout, scheduler: main }"),
            .action(
                "resume", format: .suspension, alsoCalled: ["unpause"],
                summary: "ends the `suspend` of the same owner and scheduler"
            ) { .resume($0) }.such(as: "{ owner: checkout, scheduler: main }"),
            .action(
                "background", format: .yes, alsoCalled: ["leave", "minimize", "home", "inactive"],
                summary: "the app goes to the background"
            ) { _ in .background },
            .action(
                "foreground", format: .yes, alsoCalled: ["return", "activate", "active"],
                summary: "the app comes back"
            ) { _ in .foreground },
            .action(
                "begin_session", format: .yes,
                alsoCalled: ["session", "new_session", "start_session", "beginSession"],
                summary: "a session starts"
            ) { _ in .beginSession },
            .action(
                "poke", format: .yes, summary: "the engine checks again which popups may show"
            ) { _ in .poke },
            .action(
                "remove_all", format: .yes,
                summary: "the app removes all popups from the queues and the screens"
            ) { _ in .removeAll },
            .action(
                "restart", format: .yes, alsoCalled: ["relaunch", "reboot"],
                summary: "the app ends and starts again"
            ) { _ in .restart },
            .action(
                "switch_user", format: .signIn, alsoCalled: ["login", "sign_in", "user"],
                summary: "another user signs in: a name, or a map with `context` and `history`"
            ) { .switchUser($0) }.such(as: "{ user: ann, context: { user.plan: free } }"),
            .action(
                "forget", format: .text, alsoCalled: ["forget_user", "erase_user"],
                summary: "all data about a user is erased"
            ) { .forget($0) },
            .action(
                "reset", format: .popups, alsoCalled: ["forget_popup", "erase", "reset_history"],
                summary: "the user's history of these popups is erased"
            ) { .reset($0) },
            .action(
                "disappear", format: .popups, alsoCalled: ["vanish", "disappears", "gone"],
                summary: "these popups disappear from the screen by themselves"
            ) { .disappear($0) },
            .action(
                "arm", format: .map(of: .text, keys: .references("popup")),
                alsoCalled: ["arms", "force_arm", "variant"],
                summary: "for each popup, the new variant of the user, or `control`"
            ) { .putInArms($0) }.such(as: "{ welcome: short }"),
            .action(
                "set_zone", format: .fixedZone, alsoCalled: ["zone", "timezone", "travel"],
                summary: "the new time zone of the device"
            ) { .setZone($0) },
            .locatedAction("reload", format: .text, summary: "rules that replace the current ones")
            { .reload($0) },
            Key(
                "expect", format: .expectation, store: { $0.expect = $1 },
                alsoCalled: [
                    "expected", "expects", "assert", "asserts", "should", "then", "verify",
                ],
                summary: "the state that is expected at the end of the step"
            ).such(as: "{ showing: { main: welcome } }").such(
                as: Dictionary(
                    uniqueKeysWithValues: ["assert", "asserts", "should", "verify", "then"].map {
                        (
                            $0,
                            "\nwrite the expected state as a map, such as"
                                + " `expect: { showing: { main: welcome } }`"
                                + "\nto check a condition, add it to `always` of the test, next to"
                                + " `steps`"
                        )
                    })),
        ],
        helpOnOthers: [
            "use keys such as `after: 1h`, `send: order.paid`,"
                + " `set: { user.plan: pro }`, `close: welcome` and"
                + " `expect: { showing: { main: welcome } }`"
        ])
}

extension Table<Expectation> {
    static let expectation = Table(
        "`expect`",
        keys: [
            Key(
                "showing",
                format: .lanes(of: .either([.word(["none"]), .reference("popup")])) { $0 },
                store: { $0.showing = $1 },
                alsoCalled: ["shows", "show", "visible", "displayed", "screen", "active"]
                    + absences.keys,
                summary: "for each scheduler, the popup on its screen, or `none`"
            ).such(as: "{ main: welcome }").such(as: absences),
            Key(
                "waiting",
                format: .lanes(of: .list(.reference("popup"))) { "[\($0)]" },
                store: { $0.waiting = $1 }, alsoCalled: ["queue", "queued", "pending", "waits"],
                summary: "for each scheduler, popups that wait there, in order"
            ).such(as: "{ main: [welcome] }"),
            Key(
                "reasons", format: .reasons, store: { $0.reasons = $1 },
                alsoCalled: ["reason", "why", "because"],
                summary: "for each popup, its reason code"
            )
            .such(as: "{ welcome: CONDITION_FALSE }"),
            Key(
                "dismissed", format: .reasons, store: { $0.dismissed = $1 },
                summary: "for each popup, why it was last dismissed"
            ).such(as: "{ welcome: USER_CLOSED }"),
            Key(
                "ended", format: .reasons, store: { $0.ended = $1 },
                summary: "for each popup, the reason why it last ended"
            )
            .such(as: "{ welcome: TIMED_OUT }"),
            Key(
                "dropped", format: .reasons, store: { $0.dropped = $1 },
                alsoCalled: ["discarded", "dropped_for", "discarded_for", "obstacle", "cause"],
                summary: "for each popup that was dropped, the reason why it could not show"
            )
            .such(as: "{ welcome: PERIOD_CAP }"),
            Key(
                "shown", format: .map(of: .integer(0...Int.max), keys: .references("popup")),
                store: { $0.shown = $1 }, alsoCalled: ["count", "counts", "impressions", "times"],
                summary: "for each popup, how often it was shown in this test"
            ).such(as: "{ welcome: 1 }"),
            Key(
                "content",
                format: .map(of: .map(.any, keys: .any), keys: .references("popup")),
                store: { $0.content = $1 },
                alsoCalled: ["text", "texts", "says", "title", "resolved_content"],
                summary: "for each popup, fields of its content as they were last presented"
            ).such(as: "{ welcome: { title: Hello } }"),
            Key(
                "variant", format: .map(of: .text, keys: .references("popup")),
                store: { $0.variant = $1 }, alsoCalled: ["arm", "arms", "variants", "bucket"],
                summary:
                    "for each popup, the last variant of the user, `control` or `none`"
            ).such(as: "{ welcome: short }"),
            Key(
                "exposed", format: .map(of: .text, keys: .references("popup")),
                store: { $0.exposed = $1 }, alsoCalled: ["exposure", "exposures"],
                summary: "for each popup, the variant (or `control`) of the last exposure in this"
                    + " test, or `none`"
            ).such(as: "{ welcome: control }"),
            Key(
                "converted", format: .map(of: .list(.text), keys: .references("popup")),
                store: { $0.converted = $1 },
                alsoCalled: ["conversions", "conversion", "goals", "goal", "converts"],
                summary:
                    "for each popup, the goals that the user reached in this test, in time after"
                    + " seeing the popup"
            ).such(as: "{ welcome: [buy] }"),
        ],
        helpOnOthers: [
            "if `$` is a popup: `showing: { main: $ }` if it shows, and `showing: { main: none }`"
                + " if nothing shows"
        ])
}

/// Common keys that express that a popup doesn't show.
private let absences: [String: String] = {
    let names = [
        "hidden", "not_showing", "not_shown", "not_visible", "invisible", "absent", "gone",
        "nothing", "no_popup", "not_displayed", "does_not_show", "closed",
    ]
    let other =
        "if another popup may show, add `never: ['showing.main == \"$\"']` next to `steps`"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, "{ main: none }\n\(other)") })
}()

// Faults, in a step and at the start.
extension Table<TestStep> {
    static let atStart = Table(
        "`at_start`", keys: [veto, fail, hang, hangDismissal, postpone])

    private static let veto = Key<TestStep>.action(
        "veto", format: .popups, alsoCalled: ["cancel"],
        summary: "the app cancels the next presentation of these popups"
    ) { .veto($0) }
    private static let fail = Key<TestStep>.action(
        "fail", format: .popups, summary: "the next presentation of these popups fails"
    ) { .fail($0) }
    private static let hang = Key<TestStep>.action(
        "hang", format: .popups, summary: "the next presentation of these popups never ends"
    ) { .hang($0) }
    private static let hangDismissal = Key<TestStep>.action(
        "hang_dismissal", format: .popups, summary: "the next dismissal of these popups never ends"
    ) { .hangDismissal($0) }
    private static let postpone = Key<TestStep>.action(
        "postpone", format: .map(of: .duration(minimum: 0), keys: .references("popup")),
        summary: "the app postpones the next presentation of these popups: `{ welcome: 5s }`"
    ) { .postpone($0) }.such(as: "{ welcome: 5s }")
}

extension Format<[Located<String>]> {
    /// One item, or a list of them.
    fileprivate static func oneOrSeveral(of item: Format<String>) -> Self {
        let list = Format.list(of: item)
        return Format(.either([item.schema, list.schema])) { node, decoder in
            node.kind == .sequence
                ? decoder.read(list, at: node)?.value
                : decoder.read(item, at: node).map { [$0] }
        }
    }
}
