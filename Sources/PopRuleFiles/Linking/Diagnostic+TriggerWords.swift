internal import PopScheduler
internal import PopSource

extension Diagnostic {
    /// A trigger that is the bare name of something; unless `isHelped`, similar names are not
    /// looked for.
    static func noTrigger(
        _ word: Located<String>, events: [String], keys: [String], isHelped: Bool
    ) -> Self {
        let name = word.value.shortened
        var diagnostic = Diagnostic(
            .schemaEnum, message: "a trigger must be \(formsOfTrigger), but is `\(name)`",
            at: word.range, label: "not a trigger")
        let range = word.range
        let event = { (name: String) in "{ event: \(name) }" }
        let key = { (name: String) in "{ changed: \(name) }" }
        if events.contains(word.value) {
            diagnostic.label = "the name of an event"
            diagnostic.suggest([event(name)], lead: "write the trigger for an event as")
        } else if keys.contains(word.value) {
            diagnostic.label = "the name of a context key"
            diagnostic.suggest([key(name)], lead: "write the trigger for a changed key as")
        } else if openings.contains(word.value.foldedForNames) {
            diagnostic.help = [
                "if you mean each visit: `session`, which starts when the app starts and, with"
                    + " `session: { timeout: 30m }`, when it comes back after that time",
                "if you mean each start of the app: `start`, once until the app ends",
            ]
            diagnostic.fixes = ["session", "start"].map { .rename(range, to: $0) }
        } else if let word = triggerWords[word.value.foldedForNames] {
            diagnostic.suggest([word], lead: "use")
        } else if isHelped {
            let similar = similarNames(to: word.value, among: events + keys)
            diagnostic.suggest(
                similar.map { events.contains($0) ? event($0) : key($0) },
                lead: "use the trigger with a similar name:")
        }
        if diagnostic.help.isEmpty {
            diagnostic.help = [
                "write `\(event(name))` for an event that is declared under `events`, or"
                    + " `\(key(name))` for a context key"
            ]
        }
        return diagnostic
    }

    private mutating func suggest(_ forms: [String], lead: String) {
        guard !forms.isEmpty else { return }
        help = ["\(lead) \(alternatives(forms))"]
        if forms.count == 1 { fixes = [.rename(range, to: forms[0])] }
    }
}

/// The forms of a trigger, as a part of a sentence.
private let formsOfTrigger =
    Trigger.Occasion.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + " or a map"

/// Common words for each visit or each start of the app.
private let openings: Set<String> = [
    "app_open", "open", "app_opened", "opened", "on_open", "app.open", "app.opened", "open_app",
    "foreground", "app_foreground", "on_foreground", "resume", "on_resume", "app_resume", "visit",
    "become_active", "did_become_active",
]

/// Other common words for the occasions.
private let triggerWords: [String: String] = {
    let words: [(words: String, thing: String)] = [
        (
            "app_start launch app_launch startup start_up on_start on_launch init"
                + " always immediately auto automatic on_appear appear on_load load page_load"
                + " view_did_load view_did_appear on_mount mount on_create ready"
                + " document_ready started app_started"
                + " app.start app.started app.launch", "start"
        ),
        (
            "session_start session_started session.start session.started session_begin new_session"
                + " begin_session every_session each_session", "session"
        ),
        ("none code api programmatic by_code on_demand by_app", "manual"),
    ]
    return wordTable(words)
}()
