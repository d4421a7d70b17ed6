public import PopCEL
public import PopSource

/// The comments of files that keep findings from being reported.
///
/// `# poprules:ignore[P0301] reason` holds for its line or, alone on a line, for the one below; `ignore-file` for the
/// file; `ignore-begin` up to `ignore-end`; `# poprules:snooze[2026-12-31 P0405] reason` like `ignore`, to that date.
public struct IgnoreComments {
    /// One comment; its checks are off where it holds.
    private struct Comment {
        /// Findings that begin on these lines.
        var lines: ClosedRange<Int>
        var checks: [Located<Check>]
        var range: SourceRange
    }

    private struct Use: Hashable {
        var comment: Int
        var check: Check
    }

    private let today: String
    private let limits: RuleFileLimits
    private var comments: [FileID: [Comment]] = [:]
    private var searches: [FileID: CommentSearch] = [:]
    private var diagnostics = Diagnostics()

    /// Reads the comments of the files; what is wrong with a comment is a finding too. Linear in the files.
    public init(
        in files: [SourceFile], now: Timestamp, limits: RuleFileLimits = .standard
    ) {
        self.limits = limits
        today = String(now.description.prefix(10))
        for file in files {
            guard let search = CommentSearch(file) else { continue }
            searches[file.id] = search
            comments[file.id] = read(search)
        }
    }

    /// The findings that no comment is about, and those about the comments.
    ///
    /// A comment that ignores nothing is reported only when all checks were run.
    public func apply(to findings: Diagnostics, allChecksWereRun: Bool) -> Diagnostics {
        var rest = diagnostics
        var used: [FileID: Set<Use>] = [:]
        for finding in findings.list {
            let file = finding.range.file
            guard let comments = comments[file], let search = searches[file] else {
                rest.report(finding)
                continue
            }
            let line = search.line(at: finding.range.lower)
            let uses = comments.indices.filter { index in
                comments[index].lines.contains(line)
                    && comments[index].checks.contains { $0.value == finding.check }
            }.map { Use(comment: $0, check: finding.check) }
            if uses.isEmpty { rest.report(finding) }
            used[file, default: []].formUnion(uses)
        }
        if allChecksWereRun { reportUnused(used, to: &rest) }
        return rest
    }

    private func reportUnused(_ used: [FileID: Set<Use>], to rest: inout Diagnostics) {
        for (file, comments) in comments {
            for (index, comment) in comments.enumerated() {
                for check in comment.checks
                where used[file]?.contains(Use(comment: index, check: check.value)) != true {
                    rest.report(.unused(check))
                }
            }
        }
    }

    private mutating func read(_ search: CommentSearch) -> [Comment] {
        var comments: [Comment] = []
        var open: [Comment] = []
        let found = search.comments()
        if found.count > limits.ignoreComments {
            let first = found[limits.ignoreComments].text
            diagnostics.report(.tooManyComments(first, limit: limits.ignoreComments))
        }
        for found in found.prefix(limits.ignoreComments) {
            let (text, line) = (found.text, found.line)
            switch text.verb.value {
            case "ignore", "snooze":
                if let target = found.target {
                    comments += comment(text, line...search.endOfTexts(onLine: target))
                } else {
                    diagnostics.report(.aboutNothing(text))
                }
            case "ignore-file": comments += comment(text, 1...search.lastLine)
            case "ignore-begin": open += comment(text, line...search.lastLine)
            case "ignore-end":
                if var begin = open.popLast() {
                    begin.lines = begin.lines.lowerBound...line
                    comments.append(begin)
                } else {
                    diagnostics.report(.endWithoutBegin(text))
                }
            default: diagnostics.report(.unknownVerb(text))
            }
        }
        for begin in open { diagnostics.report(.beginWithoutEnd(begin.range)) }
        return comments + open
    }

    /// The comment, with all that is wrong with it reported; none when it ignores nothing for that reason.
    private mutating func comment(_ text: CommentText, _ lines: ClosedRange<Int>) -> [Comment] {
        var words = text.words
        var until: Located<String>?
        if text.verb.value == "snooze" {
            guard let date = words.first, date.value.isDate else {
                diagnostics.report(.noDate(text))
                return []
            }
            until = words.removeFirst()
        }
        if words.isEmpty {
            diagnostics.report(.noChecks(text))
            return []
        }
        if text.reason.isEmpty { diagnostics.report(.noReason(text)) }
        let checks = words.compactMap { word -> Located<Check>? in
            if let check = Check.named(word.value) { return Located(check, at: word.range) }
            diagnostics.report(.unknownCheck(word.value, at: word.range, orGroup: false))
            return nil
        }
        if let until, until.value < today {
            diagnostics.report(.expired(until))
            return []
        }
        return [Comment(lines: lines, checks: checks, range: text.range)]
    }
}

extension String {
    /// Whether this is a day of the calendar such as `2026-12-31`.
    fileprivate var isDate: Bool {
        utf8.count == 10 && Timestamp(parsing: self + "T00:00:00Z") != nil
    }
}
