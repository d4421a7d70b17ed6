import Testing

@testable import PopCommand

@Suite struct `Key presses` {
    private func keys(_ pieces: [UInt8]...) -> [PlayKey] {
        var reader = PlayKeyReader()
        return pieces.flatMap { reader.keys(in: $0) }
    }

    @Test func `are parsed as characters or as special keys`() {
        let bytes = Array("a:\r\u{7F}\u{15}\u{3}".utf8)
        #expect(
            keys(bytes) == [
                .character("a"), .character(":"), .enter, .backspace, .clear, .interrupt,
            ])
    }

    @Test func `may arrive in pieces`() {
        let bytes = Array("ü€".utf8)
        #expect(
            keys([bytes[0]], Array(bytes[1...3]), [bytes[4]]) == [.character("ü"), .character("€")])
    }

    @Test
    func `that send escape sequences are recognized or skipped, and Escape differs from them`() {
        #expect(
            keys(Array("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}OF\t".utf8)) == [
                .up, .down, .pageUp, .pageDown, .home, .end, .tab,
            ])
        #expect(keys(Array("\u{1B}[Dx\u{1B}[1;5Cy\u{1B}OPz".utf8)) == "xyz".map { .character($0) })
        #expect(keys([0x1B]) == [.escape])
    }

    @Test func `that aren't UTF-8 are dropped`() {
        #expect(keys([0xFF, 0x80, 0xC3, 0x28, 0x61]) == [.character("a")])
    }
}
