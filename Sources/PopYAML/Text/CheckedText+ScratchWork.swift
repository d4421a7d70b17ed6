internal import PopSource

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
            .yamlLimit, message: "the long file contains \(range.bytes.count) blanks in a row",
            at: range,
            label: "the longest run of blanks", help: ["remove the blanks"])
    }

    fileprivate static func tooManyDirectives(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "more than \(limit) lines before the document start with `%`",
            at: range, label: "not read from here on", help: ["remove these lines"])
    }
}
