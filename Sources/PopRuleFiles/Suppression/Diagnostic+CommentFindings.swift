internal import PopSource

extension Diagnostic {
    static func unused(_ check: Located<Check>) -> Self {
        Diagnostic(
            .configUnusedIgnore,
            message: "the comment ignores \(check.value.id), but nothing is found here",
            at: check.range, label: "ignores nothing", help: ["remove it"])
    }

    static func neverIgnored(_ check: Check, at range: SourceRange) -> Self {
        Diagnostic(
            .configUnusedIgnore,
            message: "\(check.id) reports what was not checked, and cannot be ignored",
            at: range, label: "has no effect",
            help: ["remove it, and fix the cause of \(check.id)"])
    }

    static func noReason(_ text: CommentText) -> Self {
        Diagnostic(
            .configNoReason, message: "the comment gives no reason", at: text.range,
            label: "no reason",
            help: ["write the reason after the bracket: `\(again(text)) set by the server`"])
    }

    static func expired(_ date: Located<String>) -> Self {
        Diagnostic(
            .configExpiredSnooze, message: "the snooze ended after \(date.value)", at: date.range,
            label: "in the past", help: ["fix the findings that it snoozes, or write a later date"])
    }

    static func unknownVerb(_ text: CommentText) -> Self {
        let verbs = ["ignore", "ignore-file", "ignore-begin", "ignore-end", "snooze"]
        if text.verb.value.isEmpty {
            return malformed(
                text, message: "no word after `poprules:`", label: "no word here",
                help: "write the word directly after the colon: `\(example(text)) reason`")
        }
        let similar = similarNames(to: text.verb.value, among: verbs)
        return malformed(
            text, message: "unknown comment `poprules:\(text.verb.value)`", label: "not known",
            help: "use \(alternatives(similar.isEmpty ? verbs : similar))")
    }

    static func noChecks(_ text: CommentText) -> Self {
        malformed(
            text, message: "the comment names no check", label: "no check in brackets",
            help: "write the check in brackets: `\(example(text)) reason`")
    }

    static func noDate(_ text: CommentText) -> Self {
        let isOther = text.words.first?.value.contains(#/^[0-9]+[.\/-][0-9]/#) ?? false
        return malformed(
            text,
            message: isOther
                ? "the date of the snooze is not written as year, month and day"
                : "the snooze has no date",
            label: isOther ? "not a date such as `2026-12-31`" : "no date",
            help: "write the date first: `\(example(text)) reason`")
    }

    static func aboutNothing(_ text: CommentText) -> Self {
        malformed(
            text, message: "the comment applies to the line below it, but there is no such line",
            label: "the last line",
            help: "move it above the line that it is about, or to the end of that line")
    }

    static func tooManyComments(_ text: CommentText, limit: Int) -> Self {
        malformed(
            text, message: "the file has more than \(limit) comments for poprules",
            label: "this comment and all below it have no effect",
            help:
                "write one `# poprules:ignore-file[P0301] reason`, or change the level of the check"
        )
    }

    static func endWithoutBegin(_ text: CommentText) -> Self {
        malformed(
            text, message: "`ignore-end` has no `ignore-begin`", label: "nothing to end",
            help: "write `# poprules:ignore-begin[P0301] reason` where the part starts")
    }

    static func beginWithoutEnd(_ range: SourceRange) -> Self {
        Diagnostic(
            .configMalformedComment, message: "`ignore-begin` has no `ignore-end`", at: range,
            label: "applies until the end of the file",
            help: ["write `# poprules:ignore-end` where the part ends, or use `ignore-file`"])
    }

    private static func malformed(
        _ text: CommentText, message: String, label: String, help: String
    ) -> Self {
        Diagnostic(
            .configMalformedComment, message: message, at: text.range, label: label, help: [help])
    }

    /// Returns an example of a comment of the same kind.
    private static func example(_ text: CommentText) -> String {
        let words = text.verb.value == "snooze" ? "2026-12-31 P0301" : "P0301"
        let verb = text.verb.value.isEmpty ? "ignore" : text.verb.value
        return "# poprules:\(verb)[\(words)]"
    }

    /// The comment without its mistakes.
    private static func again(_ text: CommentText) -> String {
        "# poprules:\(text.verb.value)[\(text.words.map(\.value).joined(separator: " "))]"
    }
}
