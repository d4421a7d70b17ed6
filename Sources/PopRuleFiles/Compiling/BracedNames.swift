/// The parts of a string that begin with braces and continue as a name may, from left to right.
struct BracedNames: Sequence, IteratorProtocol {
    private let text: ArraySlice<UInt8>
    private var index: Int

    struct Element {
        /// With its braces, and with a `$` before them.
        var whole: Range<Int>
        var name: Range<Int>
        /// True if the braces differ from those of placeholders.
        var isForeign: Bool
    }

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    mutating func next() -> Element? {
        while let open = text[index...].firstIndex(of: UInt8(ascii: "{")) {
            let first = end(of: UInt8(ascii: "{"), from: open)
            let name = first..<endOfName(from: first)
            let last = end(of: UInt8(ascii: "}"), from: name.upperBound)
            index = Swift.max(last, first)
            if name.isEmpty || last == name.upperBound { continue }
            let hasSign = open > text.startIndex && text[open - 1] == UInt8(ascii: "$")
            // Two or more braces on each side are a placeholder of ours, if with too many braces.
            return Element(
                whole: (hasSign ? open - 1 : open)..<last, name: name,
                isForeign: hasSign || first - open < 2 || last - name.upperBound < 2)
        }
        return nil
    }

    private func end(of byte: UInt8, from start: Int) -> Int {
        text[start...].firstIndex { $0 != byte } ?? text.endIndex
    }

    private func endOfName(from start: Int) -> Int {
        text[start...].firstIndex { byte in
            let letter = byte | 0x20
            return !(letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
                && !(byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "_")
        } ?? text.endIndex
    }
}
