import PopSource
import PopYAML
import Testing

/// Line breaks of other systems, and marks of byte order.
@Suite struct LineBreakTests {
    private func shown(_ text: String) throws -> [String] {
        var texts: [String] = []
        var rest = [try YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).get().root]
        while let node = rest.popLast() {
            if let scalar = node.scalar { texts.append(scalar.text) }
            rest += node.items
            for entry in node.entries { rest += [entry.key, entry.value] }
        }
        return texts
    }

    @Test(arguments: ["\r\n", "\r"])
    func `files have the same meaning with the line breaks of another system`(lineBreak: String)
        throws
    {
        for sample in Samples.all {
            let other = sample.replacing("\n", with: lineBreak)
            #expect(try shown(other) == shown(sample))
            check(Array(other.utf8))
        }
    }

    @Test func `a line break of any kind at any position causes no crash`() {
        for sample in Samples.all {
            let bytes = Array(sample.utf8)
            for position in bytes.indices {
                for lineBreak in ["\r", "\r\n", "\u{85}", "\u{2028}"] {
                    check(Array(bytes[..<position]) + lineBreak.utf8 + bytes[position...])
                }
            }
        }
    }

    @Test func `a byte order mark is skipped at the start, and causes no crash at any position`()
        throws
    {
        let mark = Array("\u{FEFF}".utf8)
        for sample in Samples.all {
            #expect(try shown("\u{FEFF}" + sample) == shown(sample))
            let bytes = Array(sample.utf8)
            for position in bytes.indices {
                check(Array(bytes[..<position]) + mark + bytes[position...])
            }
        }
    }
}
