import PopSource
import Testing

@Suite struct `Text map` {
    private let file = FileID(index: 0)

    @Test func `a text that stands in the file as it is maps byte for byte`() {
        let map = TextMap(file: file, offset: 10, length: 5)
        #expect(map.range(1..<3) == SourceRange(file: file, 11..<13))
    }

    @Test func `an escape maps as a whole to each of its bytes`() {
        // "aé" written as "a\u00e9" at offset 4
        var map = TextMap(file: file, startingAt: 4)
        map.appendCopy(of: 4, length: 1)
        map.appendUnit(5..<11, length: 2)
        #expect(map.range(0..<1) == SourceRange(file: file, 4..<5))
        #expect(map.range(1..<2) == SourceRange(file: file, 5..<11))
        #expect(map.range(2..<3) == SourceRange(file: file, 5..<11))
        #expect(map.range(0..<3) == SourceRange(file: file, 4..<11))
    }

    @Test func `what lies behind the text maps to its end`() {
        let map = TextMap(file: file, offset: 10, length: 5)
        #expect(map.range(5..<5) == SourceRange(file: file, 15..<15))
        #expect(map.range(7..<9) == SourceRange(file: file, 15..<15))
    }

    @Test func `an empty text lies at its place`() {
        #expect(
            TextMap(file: file, startingAt: 7).range(0..<0) == SourceRange(file: file, 7..<7))
    }
}
