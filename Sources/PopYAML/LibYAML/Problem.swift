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
