import PopSource

/// Advice that doesn't, or doesn't yet, satisfy the rules of the tests, each with the reason.
enum AdviceExceptions {
    struct Exception: Sendable {
        /// For a fix, the beginning of `FILE: MESSAGE: TITLE`; for a help, a part of it.
        let text: String
        let reason: String

        init(_ text: String, _ reason: String) {
            self.text = text
            self.reason = reason
        }
    }

    /// Fixes after which another error appears at the same place.
    static let fixes = [
        Exception(
            "values-of-another-shape: `after` must be", "the names stand for popups elsewhere"),
        Exception(
            "letters-that-may-be-keys: there is no context key `app.verison`",
            "that it has no use for a `zone` is seen then"),
        Exception(
            "reference-undefined: there is no template", "what a template asks for shows then"),
        Exception(
            "page P0003.md 1: YAML reads `!sheet`", "what the text names is seen then"),
        Exception(
            "page P0005.md 1: no anchor `&caps`", "whether the text fits its key is seen then"),
        Exception(
            "conditions-from-other-tools: unknown function `parseFloat`",
            "the key must be declared as a number, too"),
        Exception(
            "where-of-an-unknown-event: there is no event `workout.finishd`",
            "that it has no such field is seen then"),
        Exception("yaml-undefined-alias: no anchor", "whether the text fits its key is seen then"),
        Exception("page P0010.md 1: a tab", "an empty value shows once the file can be read"),
        Exception(
            "yaml-control-character: the file contains a control character",
            "the rest of the text is seen then"),
        Exception(
            "several-mistakes-at-once: unknown comparison `gte2`",
            "the value is the second mistake"),
        Exception("trap-map-behind-a-key: the value of `when`", "known: a map in a line"),
        Exception(
            "trap-alias: a condition cannot start", "that no such key is declared is seen then"),
        Exception(
            "trap-at: a condition cannot start", "that no such key is declared is seen then"),
        Exception(
            "trap-backtick: a condition cannot start", "that no such key is declared is seen then"),
        Exception(
            "trap-percent-and-at: a condition cannot start",
            "that no such key is declared is seen then"),
        Exception(
            "names-of-one-thing: `type` must be a type", "the other reading is that of its default"),
        Exception(
            "names-of-one-thing: unknown key `ab_test` in a popup", "its keys are looked at then"),
    ]

    /// Checks that report code which can't be meant as it is written; their fixes change the
    /// meaning.
    static let meanings: Set<Check> = [
        .logicNeverTrue, .logicAlwaysTrue, .conditionSuspiciousCompare,
    ]

    /// Helps that show code which no fix writes.
    static let helps = [
        // The code belongs elsewhere, or only its author knows the rest.
        Exception(
            "a variant that shows the unchanged popup", "which of the two is meant is not known"),
        Exception("write `key: value` lines", "an example of what a file holds"),
        Exception("what puts the popup in the queue", "an explanation"),
        Exception("write the whole name as one key", "the map around it goes"),
        Exception("so that the range includes", "whether the ends count is not known"),
        Exception("if one of the two parts is enough", "which of two is meant is not known"),
        Exception("if one of these values is enough", "which of two is meant is not known"),
        Exception("if all these values are required", "which of two is meant is not known"),
        Exception("write the comparisons as", "the map around it has another form"),
        Exception("if the variant shows something else", "only its author knows the content"),
        Exception("the context key that identifies users", "only its author knows the key"),
        Exception("another popup was shown: `", "only its author knows which"),
        Exception("to allow numbers with a fraction", "the type stands in another line"),
        Exception("per: session }`", "it stands for the whole map"),
        Exception("write the name and the content as two keys", "the code is spread over two keys"),
        Exception("use the change of a context key", "the code is spread over two keys"),
        Exception("write `trigger: start`", "which of them is meant is not known"),
        Exception("declare a context key for the value", "only its author knows the name"),
        Exception("the context key with the user's language", "only its author knows the key"),
        Exception("write only one map", "it is not known what happens to the other times"),
        Exception("write `{ user.days:", "the code replaces the whole map"),
        Exception("` and a value after it", "only its author knows the value"),
        Exception("add `content` with", "the content is not known"),
        Exception("`enabled: false`", "stands in the popup, not at the place of the finding"),
        Exception("write `group: onboarding`", "which popup is meant is not known"),
        Exception("remove this check, and write next to", "it is another key of the popup"),
        Exception("where this range starts, write", "it is another popup"),
        Exception("if you need both, write one map", "the second key goes"),
        Exception("where `local` is the time zone", "it stands for several lines"),
        Exception("add `from`, `until`", "a choice, and the times are not known"),
        Exception(
            "`strategy: priority`", "stands elsewhere, and changes all popups of the scheduler"),
        Exception("should show first, give it the highest number", "which is meant is not known"),
        // Known: these helps have a replacement that could be a fix.
        Exception("for an event that is declared under `events`", "known"),
        Exception("if you mean a string: `", "the key belongs to what is shown, too"),
        Exception("write a list if either of the two should trigger", "known"),
        Exception("write `when: newcomer`", "known"),
        Exception("write `[1s, 3s]`", "known"),
        Exception("write `windows: [{ max: ", "known"),
        Exception(": `windows: [{ max: ", "known"),
        Exception(": `limits: [{ max: ", "known"),
    ]
}
