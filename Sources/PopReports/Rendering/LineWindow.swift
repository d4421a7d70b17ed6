internal import PopSource

/// The part of a line that is shown: all of it, or the surroundings of the marked places if it is
/// wider than the page.
struct LineWindow {
    private let file: [UInt8]
    private let line: Range<Int>
    private var shownBytes: Range<Int>

    /// Chooses the part. `marks` are the ranges that it should contain, `width` is the number of
    /// columns. Linear in the width.
    init(_ file: [UInt8], line: Range<Int>, marks: [Range<Int>], width: Int) {
        self.file = file
        self.line = line
        shownBytes = line
        if end(from: line.lowerBound, width: width) == line.upperBound { return }
        let first = marks.map(\.lowerBound).min() ?? line.lowerBound
        let last = marks.map(\.upperBound).max() ?? line.lowerBound
        var lower = line.lowerBound
        // One column is for the ellipsis at the end, another for the ellipsis at the start.
        if end(from: lower, width: width - 1) < min(last, line.upperBound) {
            lower = start(before: first, width: width / 3)
        }
        let room = lower > line.lowerBound ? width - 2 : width - 1
        shownBytes = lower..<max(lower, end(from: lower, width: room))
    }

    var shown: String {
        (isCutBefore ? "…" : "") + text(shownBytes).text
            + (shownBytes.upperBound < line.upperBound ? "…" : "")
    }

    /// Returns the number of columns before a range of bytes, and the number that the range takes.
    func columns(of range: Range<Int>) -> (before: Int, length: Int) {
        let lower = max(range.lowerBound, shownBytes.lowerBound)
        let before = text(shownBytes.lowerBound..<lower).width + (isCutBefore ? 1 : 0)
        return (before, text(lower..<max(lower, range.upperBound)).width)
    }

    private var isCutBefore: Bool { shownBytes.lowerBound > line.lowerBound }

    private func text(_ range: Range<Int>) -> TerminalText {
        TerminalText(String(decoding: file[range.clamped(to: shownBytes)], as: UTF8.self))
    }

    /// Returns the end of the characters that fit into a number of columns.
    private func end(from lower: Int, width: Int) -> Int {
        var (upper, left) = (lower, width)
        while upper < line.upperBound {
            var next = upper + 1
            while next < line.upperBound, isInside(next) { next += 1 }
            left -= self.width(of: upper..<next)
            if left < 0 { break }
            upper = next
        }
        return upper
    }

    /// Returns the start of the characters that fit into a number of columns before a place.
    private func start(before upper: Int, width: Int) -> Int {
        var (lower, left) = (min(upper, line.upperBound), width)
        while lower > line.lowerBound {
            var previous = lower - 1
            while previous > line.lowerBound, isInside(previous) { previous -= 1 }
            left -= self.width(of: previous..<lower)
            if left < 0 { break }
            lower = previous
        }
        return lower
    }

    /// Returns at least 1, so that a page ends however many characters of zero width there are.
    private func width(of character: Range<Int>) -> Int {
        max(1, TerminalText(String(decoding: file[character], as: UTF8.self)).width)
    }

    /// Returns true if a byte isn't the first of its character.
    private func isInside(_ offset: Int) -> Bool { file[offset] & 0xC0 == 0x80 }
}
