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
struct MistakeFinder {
    let bytes: [UInt8]
    let file: FileID
    let error: YAMLSyntaxError

    func find() -> YAMLMistake {
        if let mistake = leftoverConflict() ?? fence() ?? foreignComment() ?? quoteClosedBelow()
            ?? placeholderInValue() ?? bracketLeftOpen()
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
