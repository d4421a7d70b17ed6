import PopSource
import PopYAML
import Testing

@Suite struct CharacterScanTests {
    @Test func `a byte of Latin-1 is reported with its letter`() throws {
        let file = SourceFile(
            path: "a.yaml", bytes: Array("a: f".utf8) + [0xFC] + Array("r\nb: 1\n".utf8))
        let checked = YAMLDocument.parse(file)
        let found = try #require(checked.diagnostics.list.first)
        #expect(checked.diagnostics.list.count == 1)
        #expect(found.check == .yamlEncoding)
        #expect(found.message == "the byte `0xFC` is not UTF-8")
        #expect(found.range.bytes == 4..<5)
        #expect(found.notes == ["read as Latin-1, this is `\u{FC}`"])
        #expect(found.fixes.map { apply($0, to: file) } == ["a: f\u{FC}r\nb: 1\n"])
        #expect(checked.value?.root["b"]?.scalar?.value == .int(1))
    }

    @Test(arguments: [
        [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0x00, 0x3A, 0x00],
    ])
    func `UTF-16 is distinguished from UTF-8`(bytes: [UInt8]) {
        let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", bytes: bytes))
        #expect(checked.value == nil)
        #expect(
            checked.diagnostics.list.map(\.message)
                == ["the file is encoded in UTF-16, not in UTF-8"])
    }

    @Test func `an invisible or confusable character is a warning`() {
        expectFinding(
            .yamlConfusable, in: "a: x«\u{202E}»y\n",
            "`U+202E` is a character that changes the direction of text", fixed: "a: xy\n")
        expectFinding(
            .yamlConfusable, in: "pay«\u{200B}»wall: 1\n",
            "`U+200B` is an invisible zero-width character", fixed: "paywall: 1\n")
        expectFinding(
            .yamlConfusable, in: "p«\u{430}»ywall: 1\n",
            "the Cyrillic letter `U+0430` is in a word with Latin letters",
            label: "looks like the Latin `a`", fixed: "paywall: 1\n")
    }

    @Test(arguments: [
        "a: \u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}\n", "\u{FEFF}a: 1\n",
        "a: \u{1F468}\u{200D}\u{1F469}\n",
        "a: 50\u{A0}%\n", "a: \u{65E5}\u{672C}\u{8A9E} text\n",
    ])
    func `other scripts, emoji and a byte order mark are accepted`(text: String) {
        #expect(YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.isEmpty)
    }
}
