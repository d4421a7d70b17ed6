public import PopCEL
public import PopSource
internal import PopYAML

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

extension Diagnostic {
    static func unused(_ check: Located<Check>) -> Self {
        Diagnostic(
            .configUnusedIgnore,
            message: "the comment ignores \(check.value.id), but there is no such finding here",
            at: check.range, label: "ignores nothing", help: ["remove this check from the comment"])
    }

    static func neverIgnored(_ check: Check, at range: SourceRange) -> Self {
        Diagnostic(
            .configUnusedIgnore,
            message:
                "\(check.id) cannot be ignored, because it means that something was not checked",
            at: range, label: "has no effect",
            help: ["remove this check from the comment, and fix the cause of \(check.id)"])
    }

    static func noReason(_ text: CommentText) -> Self {
        Diagnostic(
            .configNoReason, message: "the comment gives no reason", at: text.range,
            label: "no reason",
            help: ["write the reason after the bracket: `\(again(text)) set by the server`"])
    }

    static func expired(_ date: Located<String>) -> Self {
        Diagnostic(
            .configExpiredSnooze, message: "this `snooze` comment applied only until \(date.value)",
            at: date.range,
            label: "in the past",
            help: ["fix the findings that the comment hides, or use a later date"])
    }

    static func unknownVerb(_ text: CommentText) -> Self {
        let verbs = ["ignore", "ignore-file", "ignore-begin", "ignore-end", "snooze"]
        if text.isForeign {
            let named = text.reason.split { $0 == " " || $0 == "," }.map(String.init)
                .first { Check.named($0) != nil }
            return malformed(
                text, message: "`\(text.verb.value)` is not a comment of poprules",
                label: "ignores nothing",
                help: "use a comment such as `# poprules:ignore[\(named ?? "P0510")] your reason`,"
                    + " above the line or at its end")
        }
        if text.verb.value.isEmpty {
            return malformed(
                text, message: "no word after `poprules:`", label: "no word here",
                help:
                    "write a word such as `ignore` directly after the colon: `\(example(text)) reason`"
            )
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
            text,
            message: "the comment applies to the next line with content, but no such line follows",
            label: "only comments or empty lines follow",
            help: "move the comment above the line that it is about, or to the end of that line")
    }

    static func tooManyComments(_ text: CommentText, limit: Int) -> Self {
        malformed(
            text, message: "the file has more than \(limit) comments for poprules",
            label: "this comment and all below it have no effect",
            help:
                "use one `# poprules:ignore-file[P0301] reason`, or change the level of the check"
        )
    }

    static func endWithoutBegin(_ text: CommentText) -> Self {
        malformed(
            text, message: "`ignore-end` has no `ignore-begin`", label: "nothing to end",
            help:
                "write `# poprules:ignore-begin[P0301] reason` before the lines to ignore, or"
                + " remove this comment")
    }

    static func beginWithoutEnd(_ range: SourceRange) -> Self {
        Diagnostic(
            .configMalformedComment, message: "`ignore-begin` has no `ignore-end`", at: range,
            label: "applies until the end of the file",
            help: [
                "write `# poprules:ignore-end` after the lines to ignore, or use `ignore-file`"
            ])
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

/// The lines of a file, and the strings on them that only look like comments.
struct CommentSearch {
    private let source: SourceFile
    private let lines: LineIndex
    /// In the order of the file.
    private let scalars: [Range<Int>]

    /// Nil when no comment of the file can be meant for poprules, which is cheap to see.
    init?(_ source: SourceFile) {
        guard source.mayHaveComments else { return nil }
        self.source = source
        lines = LineIndex(source)
        var scalars: [Range<Int>] = []
        YAMLDocument.parse(source).value?.root.collectScalars(&scalars)
        self.scalars = scalars.sorted { $0.lowerBound < $1.lowerBound }
    }

    var lastLine: Int { lines.lineCount }

    func line(at offset: Int) -> Int { lines.line(at: offset) }

    /// A comment for poprules.
    struct Found {
        var text: CommentText
        var line: Int
        /// Its line; of a comment that has the line to itself, the next one that holds more than a
        /// comment.
        var target: Int?
    }

    /// The comments for poprules in the order of the file. Linear in the file.
    func comments() -> [Found] {
        var found: [Found] = []
        var below: Int?
        for line in (1...lastLine).reversed() {
            let range = lines.bytes(ofLine: line)
            let content = source.bytes[range].firstIndex { !isBlank($0) }
            let isAlone = content.map { source.bytes[$0] == UInt8(ascii: "#") } ?? true
            if let start = commentStart(in: range),
                let text = CommentText(source, comment: start..<range.upperBound)
            {
                found.append(Found(text: text, line: line, target: isAlone ? below : line))
            }
            if !isAlone { below = line }
        }
        return found.reversed()
    }

    /// The last line of the strings that begin on a line.
    func endOfTexts(onLine line: Int) -> Int {
        let bytes = lines.bytes(ofLine: line)
        let texts = scalars[firstScalar(startingAt: bytes.lowerBound)...]
            .prefix { bytes.contains($0.lowerBound) }
        return texts.map(\.upperBound).max().map { max(line, lines.line(at: $0 - 1)) } ?? line
    }

    /// A comment begins at a `#` at the beginning of a line or after a blank, outside all strings.
    private func commentStart(in line: Range<Int>) -> Int? {
        line.first { offset in
            source.bytes[offset] == UInt8(ascii: "#")
                && (offset == line.lowerBound || isBlank(source.bytes[offset - 1]))
                && !isInText(offset)
        }
    }

    private func isInText(_ offset: Int) -> Bool {
        let next = firstScalar(startingAt: offset + 1)
        return next > 0 && scalars[next - 1].contains(offset)
    }

    /// The position of the first string that starts at an offset or after it.
    private func firstScalar(startingAt offset: Int) -> Int {
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle].lowerBound < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SourceFile {
    /// True if `poprules:` follows a `#` anywhere, in a comment or in a string.
    fileprivate var mayHaveComments: Bool {
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            rest = rest[(mark + 1)...].drop(while: isBlank)
            if CommentText.begins(rest) { return true }
        }
        return false
    }
}

extension YAMLNode {
    /// The places of all scalars below, those of aliases left out; the parser bounds the depth.
    fileprivate func collectScalars(_ ranges: inout [Range<Int>]) {
        if isAlias { return }
        if scalar != nil, !range.isEmpty { ranges.append(range.bytes) }
        for item in items { item.collectScalars(&ranges) }
        for entry in entries {
            entry.key.collectScalars(&ranges)
            entry.value.collectScalars(&ranges)
        }
    }
}

/// A comment whose text begins with `poprules:`, taken apart.
struct CommentText {
    /// Such as `ignore-begin`.
    let verb: Located<String>
    /// The words in the brackets.
    let words: [Located<String>]
    let reason: String
    /// From the `#` to the end of the line.
    let range: SourceRange

    static let prefix = Array("poprules:".utf8)

    /// Beginnings of comments in the form of other tools, such as `poprules-disable-next-line`.
    private static let foreignPrefixes = ["poprules-disable", "poprules-ignore", "poprules-enable"]
        .map { Array($0.utf8) }

    /// True if the comment has the form of another tool.
    private(set) var isForeign = false

    /// Returns true if a comment with this text is addressed to poprules.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: prefix) || foreignPrefixes.contains { text.starts(with: $0) }
    }

    /// Takes a comment apart that begins at a `#`; nil when it is not addressed to poprules.
    init?(_ source: SourceFile, comment: Range<Int>) {
        func located(_ bytes: Range<Int>) -> Located<String> {
            let range = SourceRange(file: source.id, bytes)
            return Located(source.text(in: range), at: range)
        }
        let bytes = source.bytes[comment]
        var rest = bytes.dropFirst().drop(while: isBlank)
        guard Self.begins(rest) else { return nil }
        isForeign = !rest.starts(with: Self.prefix)
        if !isForeign { rest = rest.dropFirst(Self.prefix.count) }
        let name = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: "[") }
        verb = located(name.indices)
        rest = rest[name.endIndex...]
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            words = rest[..<end].dropFirst().split { isBlank($0) || $0 == UInt8(ascii: ",") }
                .map { located($0.indices) }
            rest = rest[(end + 1)...]
        } else {
            words = []
        }
        reason = String(
            decoding: rest.drop { isBlank($0) || [0x3A, 0x2D].contains($0) }, as: UTF8.self)
        range = SourceRange(file: source.id, comment)
    }
}

/// A space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
