internal import PopSource

extension MistakeFinder {
    /// Returns the mistake of a bracket that isn't closed before the keys of the lines below.
    func bracketLeftOpen() -> YAMLMistake? {
        guard let bracket = error.openBracket, error.context != .quotedScalar
        else { return nil }
        let ending = flowEnd(bracket)
        return ending.isClosed ? nil : unclosedBracket(bracket, ending: ending)
    }

    /// Returns the mistake of invalid text between brackets, or of brackets that aren't closed.
    func flowCollection() -> YAMLMistake {
        if error.problem == .colonInFlow { return missingFlowSpace() }
        let bracket = error.contextOffset
        let ending = flowEnd(bracket)
        if !ending.isClosed { return unclosedBracket(bracket, ending: ending) }
        guard error.offset <= ending.end, let value = flowValue(in: bracket, at: error.offset)
        else { return unquotedValue(at: error.offset) ?? unexplained() }
        if let mistake = missingComma(value, in: bracket) { return mistake }
        return unquotedValue(value)
    }

    /// Returns the mistake in `{a:[1]}`: YAML reads `a:` as a word.
    private func missingFlowSpace() -> YAMLMistake {
        let place = error.contextOffset..<max(error.offset + 1, error.contextOffset + 1)
        let key = shown(error.contextOffset..<error.offset)
        let gap = range(place.upperBound..<place.upperBound)
        let value = value(around: error.contextOffset) ?? place
        return YAMLMistake(
            diagnostic: .missingSpace(key, at: range(place), edit: .init(gap, replacement: " ")),
            repair: .value(min(value.lowerBound, place.lowerBound)..<value.upperBound))
    }

    private func unclosedBracket(_ bracket: Int, ending: FlowEnding) -> YAMLMistake {
        let end = ending.end
        let open = shown(bracket..<bracket + 1)
        let close = open == "[" ? "]" : "}"
        var lineEnd = end
        while lineEnd > bracket + 1,
            isBlank(bytes[lineEnd - 1]) || bytes[lineEnd - 1] == UInt8(ascii: "\n")
                || bytes[lineEnd - 1] == UInt8(ascii: "\r")
        {
            lineEnd -= 1
        }
        let line = SourceLine(bytes, at: bracket)
        let start = line.value.contains(bracket) ? line.value.lowerBound : bracket
        let closesOther = byte(end) == UInt8(ascii: "]") || byte(end) == UInt8(ascii: "}")
        let sooner =
            open == "[" && byte(end) == UInt8(ascii: "}") ? keyInList(bracket, to: end) : nil
        let valueEnd = closesOther ? max(lineEnd, line.value.upperBound) : lineEnd
        return YAMLMistake(
            diagnostic: .unclosedBracket(
                open, close: close, at: range(bracket..<bracket + 1), end: range(lineEnd..<lineEnd),
                comment: ending.comment.map { range($0..<$0 + 1) },
                edit: .init(range(lineEnd..<lineEnd), replacement: close),
                sooner: sooner.map { place in
                    (shown(place.key), .init(range(place.end..<place.end), replacement: close))
                }),
            repair: .value(start..<max(valueEnd, start + 1)))
    }

    /// Returns the end of a list in which a later item starts with a key, which belongs to the
    /// enclosing map.
    private func keyInList(_ bracket: Int, to end: Int) -> (end: Int, key: Range<Int>)? {
        var scan = FlowScan(bytes: bytes, offset: bracket + 1, end: end)
        var start = bracket + 1
        var comma: Int?
        while true {
            let byte = scan.next()
            if byte == UInt8(ascii: ":"), isBlank(self.byte(scan.offset)) {
                guard let comma else { return nil }
                let key = bytes[start..<scan.offset - 1].drop { isBlank($0) }.indices
                return key.isEmpty ? nil : (comma, key.lowerBound..<key.upperBound)
            }
            switch byte {
            case nil: return nil
            case UInt8(ascii: ","):
                comma = scan.offset - 1
                start = scan.offset
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): scan.skipNested()
            default: break
            }
        }
    }

    /// Returns the mistake of a missing value.
    func missingContent() -> YAMLMistake {
        let line = SourceLine(bytes, at: error.offset)
        if byte(error.offset) == UInt8(ascii: ","), line.value.lowerBound != error.offset {
            let place = error.offset..<error.offset + 1
            return YAMLMistake(
                diagnostic: .missingItem(
                    at: range(place), edit: .init(range(place), replacement: "")),
                repair: .blank(place))
        }
        return unquotedValue(at: error.offset) ?? unexplained()
    }
}

extension Diagnostic {
    fileprivate static func unclosedBracket(
        _ open: String, close: String, at range: SourceRange, end: SourceRange,
        comment: SourceRange?, edit: Edit, sooner: (key: String, edit: Edit)?
    ) -> Self {
        let kind = open == "[" ? "list" : "map"
        if let comment {
            return Diagnostic(
                .yamlSyntax, message: "the \(kind) that starts with `\(open)` is not closed",
                at: range,
                label: "opened here",
                secondary: [
                    Label("a comment starts at this `#`", at: comment)
                ],
                help: ["put a string with a `#` in quotes, or write `\(close)` before the comment"])
        }
        let soonerFix = sooner.map {
            Fix("close the \(kind) before `\($0.key)`", edits: [$0.edit], isSafe: false)
        }
        let soonerHelp = sooner.map {
            "if `\($0.key)` is a key of the map, add `\(close)` before the preceding `,`"
        }
        return Diagnostic(
            .yamlSyntax, message: "the \(kind) that starts with `\(open)` is not closed", at: range,
            label: "opened here",
            secondary: [Label("`\(close)` is missing here or earlier", at: end)],
            help: [soonerHelp, "write `\(close)` at the end of the \(kind)"].compactMap(\.self),
            fixes: [soonerFix ?? Fix("close the \(kind)", edits: [edit], isSafe: false)])
    }

    fileprivate static func missingItem(at range: SourceRange, edit: Edit) -> Self {
        Diagnostic(
            .yamlSyntax, message: "there is no value before this `,`", at: range,
            label: "a value is expected before this `,`",
            help: ["remove the `,`, or write a value"],
            fixes: [Fix("remove the `,`", edits: [edit], isSafe: false)])
    }
}
