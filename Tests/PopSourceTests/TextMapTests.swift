import PopSource
import Testing

@Suite struct `The text map` {
    private let file = FileID(index: 0)

    @Test func `maps verbatim text byte for byte`() {
        let map = TextMap(file: file, offset: 10, length: 5)
        #expect(map.range(1..<3) == SourceRange(file: file, 11..<13))
    }

    @Test func `maps each byte of an escape to the whole escape`() {
        // "aé" written as "a\u00e9" at offset 4
        var map = TextMap(file: file, startingAt: 4)
        map.appendCopy(of: 4, length: 1)
        map.appendUnit(5..<11, length: 2)
        #expect(map.range(0..<1) == SourceRange(file: file, 4..<5))
        #expect(map.range(1..<2) == SourceRange(file: file, 5..<11))
        #expect(map.range(2..<3) == SourceRange(file: file, 5..<11))
        #expect(map.range(0..<3) == SourceRange(file: file, 4..<11))
    }

    @Test func `maps offsets after the text to its end`() {
        let map = TextMap(file: file, offset: 10, length: 5)
        #expect(map.range(5..<5) == SourceRange(file: file, 15..<15))
        #expect(map.range(7..<9) == SourceRange(file: file, 15..<15))
    }

    @Test func `maps an empty text to its position`() {
        #expect(
            TextMap(file: file, startingAt: 7).range(0..<0) == SourceRange(file: file, 7..<7))
    }

    @Test func `maps inserted text at the start to the start`() {
        let map = TextMap(file: file, offset: 3, length: 2).replacing([(0..<0, "true ")], length: 2)
        #expect(map.range(0..<5) == SourceRange(file: file, 3..<3))
        #expect(map.range(5..<6) == SourceRange(file: file, 3..<4))
        #expect(map.range(0..<7) == SourceRange(file: file, 3..<5))
    }

    @Test(arguments: 0..<200) func `keeps the positions of all other parts when it replaces parts`(
        seed: UInt64
    ) {
        var generator = Seeded(seed: seed)
        let length = Int.random(in: 0...12, using: &generator)
        let whole = TextMap(file: file, offset: 5, length: length)
        var changes: [(range: Range<Int>, replacement: String)] = []
        /// Where each byte of the new text was written.
        var places: [Range<Int>] = []
        var offset = 0
        while offset <= length {
            let end = Int.random(in: offset...length, using: &generator)
            if Bool.random(using: &generator) {
                let text = String(repeating: "x", count: Int.random(in: 0...3, using: &generator))
                changes.append((offset..<end, text))
                places += text.utf8.map { _ in 5 + offset..<5 + end }
            } else {
                places += (offset..<end).map { 5 + $0..<6 + $0 }
            }
            if end == length { break }
            offset = end
        }
        let map = whole.replacing(changes, length: length)
        for (byte, place) in places.enumerated() {
            #expect(map.range(byte..<byte + 1).bytes == place, "byte \(byte) of \(changes)")
        }
    }
}
