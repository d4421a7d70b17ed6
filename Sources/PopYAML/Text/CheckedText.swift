internal import PopSource

/// The bytes of a file in a form that libyaml can read: valid UTF-8 without forbidden characters.
///
/// Invalid bytes are reported and replaced by as many `?`, so that all offsets stay the same.
struct CheckedText {
    let file: FileID
    var bytes: [UInt8]
    /// The original bytes of the file; nil if none was replaced.
    private(set) var original: [UInt8]?
    /// The start of the text, after a byte order mark.
    let start: Int
    let isASCII: Bool

    /// Returns nil if the file can't be read at all.
    init?(_ source: SourceFile, limits: YAMLLimits, diagnostics: inout Diagnostics) {
        file = source.id
        bytes = source.bytes
        start = bytes.starts(with: byteOrderMark) ? 3 : 0
        guard bytes.count <= limits.bytes else {
            diagnostics.report(.tooLong(source, limit: limits.bytes))
            return nil
        }
        if let encoding = Self.wideEncoding(of: bytes) {
            diagnostics.report(.wideEncoding(encoding, in: source))
            return nil
        }
        let census = ByteCensus(bytes)
        isASCII = !census.hasHighBytes
        if census.hasHighBytes || census.hasControls {
            var scan = CharacterScan(source, limit: limits.reportedCharacters)
            bytes = scan.run(from: start)
            if scan.hasReplaced { original = source.bytes }
            diagnostics.report(contentsOf: scan.diagnostics)
        }
        guard checkWork(source, limits: limits, into: &diagnostics) else { return nil }
    }

    /// Returns UTF-16 or UTF-32, recognized by the byte order mark or by the zero bytes of the
    /// first characters; nil for other encodings.
    private static func wideEncoding(of bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE):
            return bytes.count >= 4 && bytes[2] == 0 && bytes[3] == 0 ? "UTF-32" : "UTF-16"
        case (0xFE, 0xFF): return "UTF-16"
        case (0, 0): return bytes.count >= 4 && bytes[3] != 0 ? "UTF-32" : nil
        case (0, _), (_, 0):
            guard bytes.count >= 4 else { return nil }
            let zeros = bytes[..<4].map { $0 == 0 }
            return zeros == [true, false, true, false] || zeros == [false, true, false, true]
                ? "UTF-16" : nil
        default: return nil
        }
    }
}

/// The kinds of bytes in a file, found in one fast pass.
struct ByteCensus {
    private(set) var hasHighBytes = false
    /// Bytes that YAML forbids: controls other than tab, LF and CR, and DEL.
    private(set) var hasControls = false

    init(_ bytes: [UInt8]) {
        let span = bytes.span
        var union: UInt8 = 0
        var controls: UInt8 = 0
        for index in 0..<span.count {
            let byte = span[index]
            union |= byte
            // Without branches the compiler can process many bytes at the same time.
            let isLow: UInt8 = byte < 0x20 ? 1 : 0
            let isAllowed: UInt8 = (byte == 9 ? 1 : 0) | (byte == 10 ? 1 : 0) | (byte == 13 ? 1 : 0)
            controls |= (isLow & ~isAllowed) | (byte == 0x7F ? 1 : 0)
        }
        hasHighBytes = union & 0x80 != 0
        hasControls = controls != 0
    }
}

extension Diagnostic {
    fileprivate static func tooLong(_ source: SourceFile, limit: Int) -> Self {
        Diagnostic(
            .yamlLimit,
            message:
                "the file has \(source.bytes.count) bytes, more than the limit of \(limit)",
            at: SourceRange(file: source.id, 0..<0),
            label: "the file was not read",
            help: ["split the rules into several files"])
    }

    fileprivate static func wideEncoding(_ encoding: String, in source: SourceFile) -> Self {
        Diagnostic(
            .yamlEncoding, message: "the file is encoded in \(encoding), not in UTF-8",
            at: SourceRange(file: source.id, 0..<2),
            label: "these bytes mark the file as \(encoding)",
            help: ["save the file in the encoding UTF-8"])
    }
}

extension CheckedText {
    /// Returns true if reading the file costs libyaml no more than the limits allow; otherwise
    /// reports it.
    func checkWork(
        _ source: SourceFile, limits: YAMLLimits, into diagnostics: inout Diagnostics
    ) -> Bool {
        if let place = directiveOverLimit(limits.directives) {
            diagnostics.report(
                .tooManyDirectives(limits.directives, at: SourceRange(file: file, place)))
            return false
        }
        let longest = longestGap()
        // A file of words with one blank between them has the most gaps.
        guard longest.count > 64, longest.count * (bytes.count / 2) > limits.scratchWork,
            longest.count * gapCount() > limits.scratchWork
        else { return true }
        diagnostics.report(.longGap(at: SourceRange(file: file, longest)))
        return false
    }

    /// Returns the place of the first surplus directive before the document.
    private func directiveOverLimit(_ limit: Int) -> Range<Int>? {
        var line: SourceLine? = SourceLine(bytes, at: start)
        var count = 0
        while let current = line, current.isBlank || bytes[current.start] == UInt8(ascii: "%") {
            if !current.isBlank { count += 1 }
            if count > limit { return current.start..<current.range.upperBound }
            line = current.next
        }
        return nil
    }

    private static let sampling = 64

    /// Returns the longest run of blanks and line breaks among those that are at least 64 bytes
    /// long.
    private func longestGap() -> Range<Int> {
        var longest = 0..<0
        var offset = Self.sampling - 1
        while offset < bytes.count {
            if isGap(bytes[offset]) {
                var lower = offset
                while lower > 0, isGap(bytes[lower - 1]) { lower -= 1 }
                var upper = offset
                while upper < bytes.count, isGap(bytes[upper]) { upper += 1 }
                if upper - lower > longest.count { longest = lower..<upper }
                offset = max(upper, offset)
            }
            offset += Self.sampling
        }
        return longest
    }

    private func gapCount() -> Int {
        var count = 0
        var wasGap = false
        for byte in bytes {
            let isGapByte = isGap(byte)
            if isGapByte, !wasGap { count += 1 }
            wasGap = isGapByte
        }
        return count
    }

    /// Returns true for blanks, and for the last bytes of every kind of line break.
    private func isGap(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0xC2, 0x85, 0xE2, 0x80, 0xA8, 0xA9: true
        default: false
        }
    }
}

extension Diagnostic {
    fileprivate static func longGap(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit,
            message: "the file contains \(range.bytes.count) spaces or line breaks in a row",
            at: range,
            label: "the longest such part of the file", help: ["remove them"])
    }

    fileprivate static func tooManyDirectives(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "more than \(limit) lines before the document start with `%`",
            at: range, label: "not read from here on", help: ["remove these lines"])
    }
}

/// The limits at which the parser stops reading a file; each is reported as `yaml/limit`. Each
/// number is a maximum.
public struct YAMLLimits: Sendable, Hashable {
    /// The size of a file, in bytes.
    public var bytes = 16 << 20
    /// The nesting depth of collections, including those from aliases.
    public var depth = 100
    /// Scalars, collections and aliases in a file.
    public var nodes = 4_000_000
    /// Nodes that a walk of the document visits in addition to those in the file, because aliases
    /// repeat them; a value of more than 32 bytes per node counts as one node for each 32 bytes.
    public var repeatedNodes = 200_000
    /// Lines that begin with `%` before the document.
    public var directives = 16
    /// The number of bytes in scratch buffers that libyaml may have to clear.
    ///
    /// At every gap between two words, libyaml clears buffers as long as the longest run of blanks
    /// in a scalar, so the cost of a hostile file is this product.
    public var scratchWork = 4_000_000_000
    /// Values that are set aside because of a syntax error, so that the rest can be checked.
    public var repairs = 32
    /// Bytes that are read again for such values in total.
    public var repairWork = 64 << 20
    /// The number of findings that are reported about the content of a file.
    public var diagnostics = 500
    /// Places with an invalid encoding, and characters that are invisible or look alike, that are
    /// reported one by one.
    public var reportedCharacters = 10

    /// The limits that the program uses.
    public static let standard = YAMLLimits()

    /// The standard limits, to change one by one.
    public init() {}
}

// The meaning of bytes for libyaml.

/// U+FEFF in UTF-8.
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

/// Returns true for a space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// Returns the number of bytes of the line break at an offset; 0 if there is no line break.
///
/// libyaml breaks lines at LF, CRLF, CR, NEL (U+0085), LS (U+2028) and PS (U+2029).
func lineBreakLength(_ bytes: [UInt8], at offset: Int) -> Int {
    guard offset < bytes.count else { return 0 }
    switch bytes[offset] {
    case UInt8(ascii: "\n"): return 1
    case UInt8(ascii: "\r"):
        return offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n") ? 2 : 1
    case 0xC2: return offset + 1 < bytes.count && bytes[offset + 1] == 0x85 ? 2 : 0
    case 0xE2:
        guard offset + 2 < bytes.count, bytes[offset + 1] == 0x80 else { return 0 }
        return bytes[offset + 2] == 0xA8 || bytes[offset + 2] == 0xA9 ? 3 : 0
    default: return 0
    }
}

/// Returns the number of bytes of a space at an offset that isn't ASCII, such as U+00A0; 0 if there
/// is no such space.
func otherSpaceLength(_ bytes: [UInt8], at offset: Int) -> Int {
    guard offset + 1 < bytes.count else { return 0 }
    switch (bytes[offset], bytes[offset + 1]) {
    case (0xC2, 0xA0): return 2
    case (0xE2, 0x80):
        // U+2000 to U+200A, and U+202F.
        guard offset + 2 < bytes.count else { return 0 }
        return bytes[offset + 2] <= 0x8A || bytes[offset + 2] == 0xAF ? 3 : 0
    case (0xE3, 0x80):
        return offset + 2 < bytes.count && bytes[offset + 2] == 0x80 ? 3 : 0
    default: return 0
    }
}

/// Returns true if a character may be part of the name of an anchor.
func isAnchorCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
    default: false
    }
}
