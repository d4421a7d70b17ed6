internal import PopSource

/// What an author did wrong where libyaml stopped, and how to get past it.
struct Mistake {
    /// What is overwritten, in bytes, so that the rest of the file can be read.
    enum Repair {
        /// A value becomes a harmless word that stands in for it.
        case value(Range<Int>)
        /// Lines or parts of them become blank.
        case blank(Range<Int>)
        /// A blank or the end of a line becomes a `,`.
        case comma(Int)
        /// Tabs become one space each.
        case tabs([Range<Int>])
    }

    var diagnostic: Diagnostic
    var repair: Repair
    /// One of the three marks of a conflict, which are reported as one mistake.
    var isConflict = false
}

/// Finds out what an author meant where libyaml stopped.
///
/// libyaml's words say what its grammar lacked; these go by the line as its author sees it.
struct MistakeFinder {
    let bytes: [UInt8]
    let file: FileID
    let error: SyntaxError

    func find() -> Mistake {
        if let mistake = leftoverConflict() ?? fence() ?? foreignComment() ?? quoteClosedBelow()
            ?? placeholderInValue() ?? bracketLeftOpen()
        {
            return mistake
        }
        switch error.problem {
        case "mapping values are not allowed in this context":
            return colonInValue()
        case "did not find expected key", "did not find expected '-' indicator":
            return textBehindValue()
        case "could not find expected ':'":
            return missingColon()
        case "found character that cannot start any token":
            return forbiddenStart()
        case "block sequence entries are not allowed in this context":
            return unquotedValue(at: error.offset) ?? unexplained()
        case "mapping keys are not allowed in this context",
            "did not find expected alphabetic or numeric character":
            return unquotedValue(at: error.contextOffset) ?? unquotedKey(at: error.contextOffset)
                ?? unquotedValue(at: error.offset) ?? unexplained()
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return tabIndentation()
        case "found unexpected end of stream", "found unexpected document indicator":
            return unclosedQuote(error.contextOffset)
        case "found unknown escape character", "did not find expected hexdecimal number",
            "found invalid Unicode character escape code":
            return wrongEscape()
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'",
            "found unexpected ':'":
            return flowCollection()
        case "did not find expected node content":
            return missingContent()
        case "did not find expected <document start>":
            return behindDocument()
        default:
            return byContext()
        }
    }

    /// Problems that one cannot tell from each other by their own words.
    private func byContext() -> Mistake {
        if error.context.hasSuffix("directive") { return directive() }
        if error.context.hasSuffix("block scalar") || error.context.hasSuffix("tag")
            || error.problem == "found undefined tag handle"
        {
            return unquotedValue(at: error.contextOffset) ?? unexplained()
        }
        return error.problem.contains("directive") || error.problem.contains("incompatible")
            ? directive() : unexplained()
    }

    func range(_ bytes: Range<Int>) -> SourceRange { SourceRange(file: file, bytes) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The text as a message quotes it.
    func shown(_ range: Range<Int>) -> String { shownText(bytes, at: range) }

    /// The byte at an offset; 0 behind the end, which stands in no checked text.
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// The character that begins at an offset.
    func character(at offset: Int) -> Range<Int> {
        var end = min(offset + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return min(offset, end)..<end
    }
}
