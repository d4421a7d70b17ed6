public import PopCEL
public import PopSource

/// The comments of files that keep findings from being reported.
///
/// `# poprules:ignore[P0301] reason` holds for its line or, on a line of its own, for the one
/// below; `ignore-file` for the file; `ignore-begin` up to `ignore-end`; `#
/// poprules:snooze[2026-12-31 P0405] reason` like `ignore`, to that date.
public struct IgnoreComments {
    /// One comment; its checks are off where it holds.
    private struct Comment {
        /// Findings that begin on these lines.
        var lines: ClosedRange<Int>
        var checks: [Located<Check>]
        var range: SourceRange
    }

    private let today: String
    private let limits: RuleFileLimits
    private var comments: [FileID: [Comment]] = [:]
    private var searches: [FileID: CommentSearch] = [:]
    private var diagnostics = Diagnostics()
    /// For how many unknown checks similar names are still looked for.
    private var suggestionsLeft: Int

    /// Reads the comments of the files; a mistake in a comment is a finding too. Linear in the
    /// files.
    public init(
        in files: [SourceFile], now: Timestamp, limits: RuleFileLimits = .standard
    ) {
        self.limits = limits
        suggestionsLeft = limits.suggestions
        today = String(now.description.prefix(10))
        for file in files {
            guard let search = CommentSearch(file) else { continue }
            searches[file.id] = search
            comments[file.id] = read(search)
        }
    }

    /// True if no comments keep anything from being reported.
    public var isEmpty: Bool { comments.values.allSatisfy(\.isEmpty) }

    /// The findings that no comment is about, and those about the comments.
    ///
    /// A comment that ignores nothing is reported only when all checks were run.
    public func apply(to findings: Diagnostics, allChecksWereRun: Bool) -> Diagnostics {
        var rest = diagnostics
        let commented = findings.list.indices.filter { index in
            !comments.isEmpty && comments[findings.list[index].range.file] != nil
        }
        var groups = Dictionary(grouping: commented) { index in
            Group(file: findings.list[index].range.file, check: findings.list[index].check)
        }
        var ignored: Set<Int> = []
        for (file, comments) in comments {
            guard let search = searches[file] else { continue }
            for (check, found) in Self.byCheck(comments) {
                let group = Group(file: file, check: check)
                let indices = groups.removeValue(forKey: group) ?? []
                let lines = indices.map { search.line(at: findings.list[$0].range.lower) }
                ignored.formUnion(
                    Self.covered(lines, by: found.map(\.lines)).map { indices[$0] })
                guard allChecksWereRun else { continue }
                let sorted = lines.sorted()
                for place in found where !Self.hasElement(of: place.lines, sorted) {
                    rest.report(.unused(place.check))
                }
            }
        }
        if ignored.isEmpty {
            rest.report(contentsOf: findings)
            return rest
        }
        for (index, finding) in findings.list.enumerated() where !ignored.contains(index) {
            rest.report(finding)
        }
        return rest
    }

    /// The findings of a check in a file.
    private struct Group: Hashable {
        var file: FileID
        var check: Check
    }

    /// Which numbers lie in one of the ranges: their places in the list.
    private static func covered(_ numbers: [Int], by ranges: [ClosedRange<Int>]) -> [Int] {
        let ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var end = Int.min
        return numbers.indices.sorted { numbers[$0] < numbers[$1] }.filter { place in
            while next < ranges.count, ranges[next].lowerBound <= numbers[place] {
                end = max(end, ranges[next].upperBound)
                next += 1
            }
            return numbers[place] <= end
        }
    }

    /// Where each check is ignored.
    private static func byCheck(
        _ comments: [Comment]
    ) -> [Check: [(lines: ClosedRange<Int>, check: Located<Check>)]] {
        var places: [Check: [(lines: ClosedRange<Int>, check: Located<Check>)]] = [:]
        for comment in comments {
            for check in comment.checks {
                places[check.value, default: []].append((comment.lines, check))
            }
        }
        return places
    }

    /// Returns true if one of the numbers, which are in order, is in a range.
    private static func hasElement(of range: ClosedRange<Int>, _ numbers: [Int]) -> Bool {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && range.contains(numbers[low])
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
                    comments += comment(text, lines: line...search.endOfTexts(onLine: target))
                } else {
                    diagnostics.report(.aboutNothing(text))
                }
            case "ignore-file": comments += comment(text, lines: 1...search.lastLine)
            case "ignore-begin": open += comment(text, lines: line...search.lastLine)
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

    /// The comment, with all that is wrong with it reported; none when it ignores nothing for that
    /// reason.
    private mutating func comment(_ text: CommentText, lines: ClosedRange<Int>) -> [Comment] {
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
            if let check = Check.named(word.value) {
                if !check.isAlwaysTold { return Located(check, at: word.range) }
                diagnostics.report(.neverIgnored(check, at: word.range))
                return nil
            }
            suggestionsLeft -= 1
            let similar =
                suggestionsLeft >= 0 ? similarNames(to: word.value, among: Check.names) : []
            diagnostics.report(.unknownCheck(word.value, at: word.range, similar: similar))
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
    /// True if this is a day of the calendar such as `2026-12-31`.
    fileprivate var isDate: Bool {
        utf8.count == 10 && Timestamp(parsing: self + "T00:00:00Z") != nil
    }
}
