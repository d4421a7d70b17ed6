internal import PopSource

/// The author's mistake at the place where libyaml stopped, and the repair that lets reading
/// continue.
struct YAMLMistake {
    /// The bytes to overwrite so that the rest of the file can be read.
    enum Repair {
        /// A value becomes a harmless word that replaces it.
        case value(Range<Int>)
        /// Lines or parts of them become blank.
        case blank(Range<Int>)
        /// A blank or the end of a line becomes a `,`.
        case comma(Int)
        /// Tabs become one space each.
        case tabs([Range<Int>])
        /// Indentations become as many spaces as they have characters, after an empty line.
        case indentations([Range<Int>])
    }

    var diagnostic: Diagnostic
    var repair: Repair
    /// True for one of the three marks of a conflict, which are reported as one mistake.
    var isConflict = false
}

/// Finds the author's intention at the place where libyaml stopped.
///
/// libyaml reports what its grammar lacked; the methods of this type examine the line as its author
/// sees it.
struct YAMLErrorClassifier {
    let bytes: [UInt8]
    let file: FileID
    let error: YAMLSyntaxError

    func find() -> YAMLMistake {
        if let mistake = otherSpaces() ?? leftoverConflict() ?? fence() ?? foreignComment()
            ?? quoteClosedBelow() ?? placeholderInValue() ?? bracketLeftOpen()
        {
            return mistake
        }
        return switch error.problem {
        case .colonInValue: colonInValue()
        case .noKey, .noDash: textBehindValue()
        case .noColon: missingColon()
        case .forbiddenStart: forbiddenStart()
        case .dashInValue: unquotedValue(at: error.offset) ?? unexplained()
        case .questionMarkInValue, .noName:
            unquotedValue(at: error.contextOffset) ?? unquotedKey(at: error.contextOffset)
                ?? unquotedValue(at: error.offset) ?? unexplained()
        case .tabInIndentation, .tabForSpace: tabIndentation()
        case .endOfText, .documentMark: unclosedQuote(error.contextOffset)
        case .unknownEscape, .noHexDigit, .badEscapeCode: wrongEscape()
        case .noCommaInList, .noCommaInMap, .colonInFlow: flowCollection()
        case .noContent: missingContent()
        case .noDocumentStart: behindDocument()
        case .unknownTagHandle: unquotedValue(at: error.contextOffset) ?? unexplained()
        case .noDirectiveName, .unknownDirective, .secondTagDirective, .secondVersionDirective,
            .otherVersion:
            directive()
        case .other, .exhausted: byContext()
        }
    }

    /// Returns the mistake for problems that libyaml's own words don't distinguish.
    private func byContext() -> YAMLMistake {
        switch error.context {
        case .directive: directive()
        case .blockScalar, .tag: unquotedValue(at: error.contextOffset) ?? unexplained()
        case .quotedScalar, .other: unexplained()
        }
    }

    func range(_ bytes: Range<Int>) -> SourceRange { SourceRange(file: file, bytes) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the text as a message quotes it.
    func shown(_ range: Range<Int>) -> String { shownText(bytes, at: range) }

    /// Returns the byte at an offset; 0 after the end, which doesn't occur in checked text.
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Returns the range of the character that begins at an offset.
    func character(at offset: Int) -> Range<Int> {
        var end = min(offset + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return min(offset, end)..<end
    }
}

/// The place where libyaml stopped and the reason, with places in bytes.
struct YAMLSyntaxError {
    var problem: Problem
    var context: Problem.Context
    /// The start of the construct that was being read.
    var contextOffset: Int
    var offset: Int
    /// The last quoted string that was read.
    var lastQuoted: Range<Int>?
    /// The bracket of the innermost list or map that is still open.
    var openBracket: Int?

    /// A key that begins with spaces such as U+00A0, which libyaml reads without an error.
    static func otherSpaces(at offset: Int) -> Self {
        Self(problem: .colonInValue, context: .other, contextOffset: offset, offset: offset)
    }
}

/// A text in which values with syntax errors are overwritten one after the other, so that the rest
/// can be read.
///
/// Overwriting doesn't change any length: every offset keeps its place in the file.
struct RepairedText {
    private(set) var text: CheckedText
    /// The starts of the values that have been overwritten.
    private(set) var broken: Set<Int> = []
    /// The ranges that have been overwritten, to distinguish new mistakes from those that
    /// overwriting causes.
    private var overwritten: [Range<Int>] = []
    private var hasTabs = false
    private var hasConflict = false
    private var repairs = 0

    /// True if anything has been overwritten.
    var isRepaired: Bool { repairs > 0 }

    init(_ text: CheckedText) { self.text = text }

    /// Reports the error and overwrites its cause; returns false if the rest can't be read.
    mutating func repair(
        _ error: YAMLSyntaxError, limits: YAMLLimits, into diagnostics: inout Diagnostics
    ) -> Bool {
        if error.problem == .exhausted {
            diagnostics.report(
                .exhausted(at: SourceRange(file: text.file, error.offset..<error.offset)))
            return false
        }
        let mistake = YAMLErrorClassifier(bytes: text.bytes, file: text.file, error: error).find()
        let isConsequence = isConsequence(of: error, mistake)
        if !isConsequence { diagnostics.report(mistake.diagnostic) }
        repairs += 1
        guard repairs <= limits.repairs, repairs * text.bytes.count <= limits.repairWork else {
            return false
        }
        // A line that was indented with tabs fits nowhere; its neighbors aren't at fault.
        let isShifted = isConsequence && hasTabs
        if !isShifted, overwrite(mistake.repair) { return true }
        if isShifted { excuseKey(above: error.offset) }
        // The part that was overwritten before still causes errors: the whole line is removed.
        return overwrite(.blank(SourceLine(text.bytes, at: error.offset).range))
            || overwrite(.blank(SourceLine(text.bytes, at: error.contextOffset).range))
    }

    /// Marks the value of a key as broken if the line below it is no longer deeper than the key,
    /// because its tabs became single spaces.
    private mutating func excuseKeyBeside(_ offset: Int) {
        let line = SourceLine(text.bytes, at: offset)
        guard let above = line.previous, let key = above.key,
            line.indent <= key.lowerBound - above.range.lowerBound
        else { return }
        excuseKey(above: offset)
    }

    /// Marks the value of a key as broken if its lines are removed because tabs shifted them.
    private mutating func excuseKey(above offset: Int) {
        guard let key = SourceLine(text.bytes, at: offset).previous, key.value.isEmpty,
            let colon = key.colon
        else { return }
        broken.insert(colon + 1)
    }

    /// Returns true if a value that has been reported and overwritten causes the error.
    private mutating func isConsequence(of error: YAMLSyntaxError, _ mistake: YAMLMistake) -> Bool {
        let range = mistake.diagnostic.range
        if mistake.isConflict {
            if hasConflict { return true }
            hasConflict = true
        }
        let line = SourceLine(text.bytes, at: error.offset).range
        if hasTabs, overwritten.contains(where: { $0.overlaps(line) }) { return true }
        return overwritten.contains { old in
            old.overlaps(range.bytes) || old.contains(error.offset)
                || mistake.diagnostic.secondary.contains { old.overlaps($0.range.bytes) }
        }
    }

    /// Overwrites a part; returns false if that changes nothing.
    private mutating func overwrite(_ repair: YAMLMistake.Repair) -> Bool {
        switch repair {
        case .value(let range):
            broken.insert(range.lowerBound)
            return fill(range, with: UInt8(ascii: "x"), keepingSpaces: true)
        case .blank(let range):
            return fill(range, with: UInt8(ascii: " "), keepingSpaces: false)
        case .comma(let offset):
            let isChanged = text.bytes[offset] != UInt8(ascii: ",")
            text.bytes[offset] = UInt8(ascii: ",")
            overwritten.append(offset..<offset + 1)
            return isChanged
        case .tabs(let runs):
            var isChanged = false
            hasTabs = true
            overwritten += runs
            for run in runs {
                for offset in run where text.bytes[offset] == UInt8(ascii: "\t") {
                    text.bytes[offset] = UInt8(ascii: " ")
                    isChanged = true
                }
            }
            for run in runs { excuseKeyBeside(run.lowerBound) }
            return isChanged
        case .indentations(let runs):
            for run in runs {
                let count = text.bytes[run].count { $0 & 0xC0 != 0x80 }
                // The line break keeps all offsets although the indentation gets shorter.
                for offset in run { text.bytes[offset] = UInt8(ascii: " ") }
                if count < run.count {
                    text.bytes[run.upperBound - count - 1] = UInt8(ascii: "\n")
                }
            }
            return !runs.isEmpty
        }
    }

    private mutating func fill(_ range: Range<Int>, with byte: UInt8, keepingSpaces: Bool) -> Bool {
        var isChanged = false
        for offset in range {
            let old = text.bytes[offset]
            if old == UInt8(ascii: "\n") || old == UInt8(ascii: "\r") { continue }
            let new = keepingSpaces && isBlank(old) ? UInt8(ascii: " ") : byte
            isChanged = isChanged || new != old
            text.bytes[offset] = new
        }
        overwritten.append(range)
        return isChanged
    }
}

extension Diagnostic {
    fileprivate static func exhausted(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "lists and maps are nested too deeply", at: range,
            label: "not read from here on", help: ["nest fewer lists and maps"])
    }
}

/// Edits that put a value in quotes so that YAML reads it as a string.
enum QuoteEdits {
    /// Longer values get no edit, so that many mistakes in a huge line take no huge memory.
    private static let longest = 1 << 16

    /// Returns the edit that quotes a range; nil if there is nothing to quote, or too much.
    static func edit(_ range: Range<Int>, of bytes: [UInt8], file: FileID) -> Diagnostic.Edit? {
        guard !range.isEmpty, range.count <= longest else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self)
        return Diagnostic.Edit(
            SourceRange(file: file, range), replacement: quoted(text))
    }

    /// Returns help on putting a value in quotes, with the result if it is short enough to be read.
    static func help(_ edit: Diagnostic.Edit, key: String? = nil) -> String {
        let shown = (key.map { "\($0): " } ?? "") + edit.replacement
        return shown.utf8.count > 160 || shown.utf8.contains(UInt8(ascii: "\n"))
            ? "put quotes around the whole value"
            : "put the whole value in quotes: `\(shown)`"
    }

    /// Returns the string in the quotes that need the fewest changes inside; double quotes if
    /// neither need any.
    static func quoted(_ text: String) -> String {
        let hasDouble = text.utf8.contains(UInt8(ascii: "\""))
        let hasSingle = text.utf8.contains(UInt8(ascii: "'"))
        let hasBackslash = text.utf8.contains(UInt8(ascii: "\\"))
        if !hasDouble, !hasBackslash { return "\"\(text)\"" }
        if !hasSingle { return "'\(text)'" }
        return "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }
}

/// Returns a part of a file as a message quotes it: on one line, and not longer than a line.
func shownText(_ bytes: [UInt8], at range: Range<Int>) -> String {
    let longest = 60
    var end = range.upperBound
    if range.count > longest {
        end = range.lowerBound + longest
        while end > range.lowerBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let line = bytes[range.lowerBound..<end].map { byte in
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : byte
    }
    return String(decoding: line, as: UTF8.self) + (end < range.upperBound ? "…" : "")
}
