/// A place as libyaml counts it: all numbers from zero, in characters, from the start of the input.
struct Mark: Hashable {
    var character: Int
    var line: Int
    var column: Int
}

/// The event that libyaml read last. The text, anchor and tag are read from the parser while the
/// event is current.
struct LibYAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    var kind: Kind
    // Only the needed parts of the marks: copying the marks waits for libyaml's stores, which took
    // a third of the time of building the tree from events.
    /// The first character of the event, including an anchor or tag before the value.
    var start: Int
    /// The character after the event.
    var end: Int
    var endColumn: Int
}

/// A token of libyaml.
struct LibYAMLToken {
    enum Kind {
        case streamStart, streamEnd, directive, documentStart, documentEnd
        // These have no length: they mark the start and the end of block collections.
        case blockSequenceStart, blockMappingStart, blockEnd
        case flowSequenceStart, flowSequenceEnd, flowMappingStart, flowMappingEnd
        /// `-` and `,`.
        case blockEntry, flowEntry
        /// The start of a key: a `?`, or nothing.
        case key
        /// `:`.
        case value
        case alias, anchor, tag, scalar
    }

    var kind: Kind
    var start: Mark
    var end: Mark
}

/// The reason why libyaml can't continue.
struct LibYAMLError: Error {
    var problem: Problem
    /// The construct that was being read.
    var context: Problem.Context
    var problemMark: Mark
    /// The start of that construct.
    var contextMark: Mark
}

/// The problem at which libyaml stops.
///
/// libyaml has no codes for problems, only sentences, which are never shown to users: only this
/// file contains those of version 0.2.5. Different sentences of another version become `other`,
/// which has a less precise message.
enum Problem: String, CaseIterable {
    case colonInValue = "mapping values are not allowed in this context"
    case noKey = "did not find expected key"
    case noDash = "did not find expected '-' indicator"
    case noColon = "could not find expected ':'"
    case forbiddenStart = "found character that cannot start any token"
    case dashInValue = "block sequence entries are not allowed in this context"
    case questionMarkInValue = "mapping keys are not allowed in this context"
    case noName = "did not find expected alphabetic or numeric character"
    case tabInIndentation = "found a tab character that violates indentation"
    case tabForSpace = "found a tab character where an indentation space is expected"
    case endOfText = "found unexpected end of stream"
    case documentMark = "found unexpected document indicator"
    case unknownEscape = "found unknown escape character"
    case noHexDigit = "did not find expected hexdecimal number"
    case badEscapeCode = "found invalid Unicode character escape code"
    case noCommaInList = "did not find expected ',' or ']'"
    case noCommaInMap = "did not find expected ',' or '}'"
    case colonInFlow = "found unexpected ':'"
    case noContent = "did not find expected node content"
    case noDocumentStart = "did not find expected <document start>"
    case unknownTagHandle = "found undefined tag handle"
    case noDirectiveName = "could not find expected directive name"
    case unknownDirective = "found unknown directive name"
    case secondTagDirective = "found duplicate %TAG directive"
    case secondVersionDirective = "found duplicate %YAML directive"
    case otherVersion = "found incompatible YAML document"
    /// No memory or stack is left, regardless of the text.
    case exhausted = "out of memory"
    case other = ""

    /// The construct that libyaml was reading when it stopped.
    enum Context {
        case quotedScalar, blockScalar, tag, directive, other

        init(sentence: String) {
            self =
                if sentence == "while scanning a quoted scalar" {
                    .quotedScalar
                } else if sentence.hasSuffix("directive") {
                    .directive
                } else if sentence.hasSuffix("block scalar") {
                    .blockScalar
                } else if sentence.hasSuffix("tag") {
                    .tag
                } else {
                    .other
                }
        }
    }

    /// Creates a problem from libyaml's sentence; libyaml has no sentence if it is out of memory.
    init(sentence: String?) {
        let isTooDeep = sentence?.hasPrefix("Maximum nesting level") ?? true
        self = isTooDeep ? .exhausted : Problem(rawValue: sentence ?? "") ?? .other
    }
}

/// Converts libyaml's places, which count characters, to bytes of the file.
///
/// Takes constant time in an ASCII file. In other files it steps from the last requested place, so
/// that requests in the order of the file are linear in total.
struct CharacterOffsets {
    private let isASCII: Bool
    /// The start of libyaml's input, after a byte order mark.
    private let base: Int
    private var character = 0
    private var byte: Int

    init(isASCII: Bool, base: Int) {
        self.isASCII = isASCII
        self.base = base
        byte = base
    }

    /// Returns the offset of a character in valid UTF-8; the end for characters after the last.
    mutating func byte(ofCharacter wanted: Int, in bytes: [UInt8]) -> Int {
        if isASCII { return min(base + wanted, bytes.count) }
        while character < wanted, byte < bytes.count {
            byte += 1
            while byte < bytes.count, bytes[byte] & 0xC0 == 0x80 { byte += 1 }
            character += 1
        }
        while character > wanted, byte > base {
            byte -= 1
            while byte > base, bytes[byte] & 0xC0 == 0x80 { byte -= 1 }
            character -= 1
        }
        return byte
    }
}
