internal import PopSource

extension YAMLErrorClassifier {
    /// Returns the mistake of unresolved merge conflict markers.
    func leftoverConflict() -> YAMLMistake? {
        for offset in [error.offset, error.contextOffset] {
            let line = SourceLine(bytes, at: offset)
            guard let marker = conflictMarker(line) else { continue }
            // The second of the two versions is removed, and the first is read.
            var end = line.range.upperBound
            if marker != ">>>>>>>" {
                var below = line.next
                while let current = below {
                    let other = conflictMarker(current)
                    if other == "=======" || other == ">>>>>>>" { end = current.range.upperBound }
                    if other == ">>>>>>>" { break }
                    below = current.next
                }
            }
            let isFirst = marker == "<<<<<<<"
            return YAMLMistake(
                diagnostic: .conflict(marker, at: range(line.range)),
                repair: .blank(
                    line.range.lowerBound..<(isFirst ? line.range.upperBound : end)),
                isConflict: true)
        }
        return nil
    }

    /// Returns the mistake of a line that begins or ends with a comment of another language.
    func foreignComment() -> YAMLMistake? {
        for offset in [error.offset, error.contextOffset] {
            let line = SourceLine(bytes, at: offset)
            for candidate in [line, line.previousContent].compactMap(\.self) {
                if let behind = commentBehind(candidate) { return behind }
                guard let mark = commentMark(at: candidate.start), shown(candidate.range) != "---"
                else { continue }
                let place = candidate.start..<candidate.start + mark.utf8.count
                return YAMLMistake(
                    diagnostic: .foreignComment(
                        mark, at: range(candidate.start..<candidate.range.upperBound),
                        edit: .init(range(place), replacement: "#")),
                    repair: .blank(candidate.range))
            }
        }
        return nil
    }

    /// Returns the mistake in `"high", // why`: a comment after a closed value or at the end of an
    /// entry.
    private func commentBehind(_ line: SourceLine) -> YAMLMistake? {
        var scan = FlowScan(bytes: bytes, offset: line.start, end: line.range.upperBound)
        var last: UInt8 = 0
        while scan.offset < line.range.upperBound {
            let start = scan.offset
            if "\"'{}[],".utf8.contains(last), isBlank(byte(start - 1)),
                let mark = commentMark(at: start)
            {
                let place = start..<line.range.upperBound
                return YAMLMistake(
                    diagnostic: .foreignComment(
                        mark, at: range(place),
                        edit: .init(range(start..<start + mark.utf8.count), replacement: "#")),
                    repair: .blank(place))
            }
            guard let next = scan.next() else { return nil }
            if !isBlank(next) { last = next }
        }
        return nil
    }

    /// Returns the start of a comment of another language at an offset; nil if no comment starts
    /// there.
    func commentMark(at offset: Int) -> String? {
        ["//", "/*", "--", "<!--", ";"].first {
            bytes[min(offset, bytes.count)...].starts(with: $0.utf8)
        }
    }

    /// Returns the mistake of Markdown code fences that were pasted with the code.
    func fence() -> YAMLMistake? {
        let line = SourceLine(bytes, at: error.offset)
        guard bytes[line.start..<line.range.upperBound].starts(with: "```".utf8) else { return nil }
        let end = line.range.upperBound + lineBreakLength(bytes, at: line.range.upperBound)
        return YAMLMistake(
            diagnostic: .fence(
                at: range(line.start..<line.range.upperBound),
                edit: .init(range(line.range.lowerBound..<end), replacement: "")),
            repair: .blank(line.range))
    }

    private func conflictMarker(_ line: SourceLine) -> String? {
        guard line.indent == 0, line.range.count >= 7 else { return nil }
        let marker = shown(line.range.lowerBound..<line.range.lowerBound + 7)
        return ["<<<<<<<", "=======", ">>>>>>>"].contains(marker) ? marker : nil
    }

    /// Returns the mistake of a line that begins with `%`.
    func directive() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.contextOffset)
        let other = SourceLine(bytes, at: error.offset)
        let wrong = byte(line.start) == UInt8(ascii: "%") ? line : other
        guard byte(wrong.start) == UInt8(ascii: "%") else { return unexplained() }
        return YAMLMistake(
            diagnostic: .directive(at: range(wrong.start..<wrong.range.upperBound)),
            repair: .blank(wrong.range))
    }

    /// Returns the mistake of text after a value that is the whole document.
    func behindDocument() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        guard let key = line.key, error.offset <= line.start else {
            return unquotedValue(at: error.offset) ?? unexplained()
        }
        var first: SourceLine? = SourceLine(bytes, at: 0)
        while let current = first, current.isBlank { first = current.next }
        let firstPlace = first.flatMap { $0.key ?? $0.value }.map { range($0) }
        return YAMLMistake(
            diagnostic: .outdented(shown(key), at: range(key), first: firstPlace),
            repair: .blank(
                (first?.indent ?? 0) > line.indent
                    ? 0..<line.range.lowerBound : block(of: line)))
    }

    /// Returns the mistake for an error that no other explanation fits.
    func unexplained() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        if byte(error.offset) == UInt8(ascii: "]") || byte(error.offset) == UInt8(ascii: "}") {
            let bracket = error.offset..<error.offset + 1
            return YAMLMistake(
                diagnostic: .strayBracket(shown(bracket), at: range(bracket)),
                repair: .blank(line.range))
        }
        let end = max(error.offset, line.comment?.lowerBound ?? line.range.upperBound)
        let place = min(error.offset, bytes.count)..<min(end, bytes.count)
        return YAMLMistake(
            diagnostic: .unreadable(
                at: range(place),
                begun: error.contextOffset < line.range.lowerBound && error.contextOffset > 0
                    ? range(character(at: error.contextOffset)) : nil),
            repair: .blank(line.range))
    }
}

extension Diagnostic {
    fileprivate static func conflict(_ marker: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the file contains an unresolved merge conflict", at: range,
            label: "the conflict marker `\(marker)`",
            help: ["keep one of the two versions, and remove the lines with the markers"])
    }

    fileprivate static func fence(at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "the file contains a Markdown code fence", at: range,
            label: "not valid YAML", help: ["remove the line"],
            fixes: [Fix("remove the line", edits: [edit], isSafe: true)])
    }

    static func foreignComment(
        _ mark: String, at range: SourceRange, edit: Edit
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "a comment must start with `#`, not with `\(mark)`", at: range,
            label: "YAML reads this as a value, not as a comment",
            help: ["start the comment with `# `"],
            fixes: [Fix("write `#`", edits: [edit], isSafe: false)])
    }

    fileprivate static func directive(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax,
            message: "a line that starts with `%` is not a valid YAML directive",
            at: range, label: "YAML reads this as a directive",
            help: [
                "remove the line; if the line is a string, indent the line or put the string in"
                    + " quotes"
            ])
    }

    fileprivate static func outdented(
        _ key: String, at range: SourceRange, first: SourceRange?
    ) -> Self {
        Diagnostic(
            .yamlSyntax, message: "`\(key)` is indented less than the first line of the file",
            at: range,
            label: "indented less",
            secondary: first.map { [Label("the first line sets the indentation", at: $0)] } ?? [],
            help: ["give all top-level keys the same indentation"])
    }

    fileprivate static func strayBracket(_ bracket: String, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlSyntax, message: "this `\(bracket)` does not close anything", at: range,
            label: "no `\(bracket == "]" ? "[" : "{")` is open here",
            help: ["remove it; if it is part of a string, put the string in quotes"])
    }

    fileprivate static func unreadable(at range: SourceRange, begun: SourceRange?) -> Self {
        Diagnostic(
            .yamlSyntax, message: "this cannot be read as YAML", at: range,
            label: "not expected here",
            secondary: begun.map { [Label("the surrounding value starts here", at: $0)] } ?? [],
            help: ["put a string with special characters in quotes"])
    }
}
