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
            message: "\(check.id) says what was not looked at, and is never ignored",
            at: range, label: "has no effect",
            help: ["remove it, and mend what \(check.id) is about"])
    }

    static func noReason(_ text: CommentText) -> Self {
        Diagnostic(
            .configNoReason, message: "the comment does not say why", at: text.range,
            label: "no reason",
            help: ["write the reason behind the bracket: `\(again(text)) set by the server`"])
    }

    static func expired(_ date: Located<String>) -> Self {
        Diagnostic(
            .configExpiredSnooze, message: "the snooze ended after \(date.value)", at: date.range,
            label: "in the past", help: ["mend what it is about, or move the date"])
    }

    static func unknownVerb(_ text: CommentText) -> Self {
        let verbs = ["ignore", "ignore-file", "ignore-begin", "ignore-end", "snooze"]
        if text.verb.value.isEmpty {
            return malformed(
                text, message: "behind `poprules:` stands no word", label: "a blank, or nothing",
                help: "write the word right behind the colon: `\(example(text)) reason`")
        }
        let similar = similarNames(to: text.verb.value, among: verbs)
        return malformed(
            text, message: "there is no comment `poprules:\(text.verb.value)`", label: "not known",
            help: "there is \(alternatives(similar.isEmpty ? verbs : similar))")
    }

    static func noChecks(_ text: CommentText) -> Self {
        malformed(
            text, message: "the comment names no check", label: "which one?",
            help: "write the check in brackets: `\(example(text)) reason`")
    }

    static func noDate(_ text: CommentText) -> Self {
        let isOther = text.words.first?.value.contains(#/^[0-9]+[.\/-][0-9]/#) ?? false
        return malformed(
            text,
            message: isOther
                ? "the date of the snooze is not written as year, month and day"
                : "the snooze has no date",
            label: isOther ? "another form of a date" : "until when?",
            help: "write the date first: `\(example(text)) reason`")
    }

    static func aboutNothing(_ text: CommentText) -> Self {
        malformed(
            text, message: "the comment is about the line below it, but there is none",
            label: "the last line",
            help: "put it above the line, or at its end")
    }

    static func tooManyComments(_ text: CommentText, limit: Int) -> Self {
        malformed(
            text, message: "the file has more than \(limit) comments for poprules",
            label: "this one and those below are not followed",
            help:
                "write one `# poprules:ignore-file[P0301] reason`, or change the level of the check"
        )
    }

    static func endWithoutBegin(_ text: CommentText) -> Self {
        malformed(
            text, message: "`ignore-end` has no `ignore-begin`", label: "nothing to end",
            help: "write `# poprules:ignore-begin[P0301] reason` where the part begins")
    }

    static func beginWithoutEnd(_ range: SourceRange) -> Self {
        Diagnostic(
            .configMalformedComment, message: "`ignore-begin` has no `ignore-end`", at: range,
            label: "holds to the end of the file",
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
