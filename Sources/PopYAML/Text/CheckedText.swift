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
            at: SourceRange(file: source.id, 0..<2), label: "\(encoding) starts here",
            help: ["save the file in the encoding UTF-8"])
    }
}
