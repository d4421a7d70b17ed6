import PopSource
import PopYAML
import Testing

/// Files as large as any may be, and every character that there is.
@Suite struct HostileSizesTests {
    private let limit = YAMLLimits.standard.bytes

    private func parse(_ bytes: [UInt8]) -> Checked<YAMLDocument> {
        let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", bytes: bytes))
        for finding in checked.diagnostics.list {
            #expect(finding.range.lower <= finding.range.upper)
            #expect(finding.range.upper <= bytes.count)
        }
        return checked
    }

    @Test func `a scalar that fills the largest file is read, and one more byte is refused`() throws
    {
        let head = Array("a: ".utf8)
        let largest = head + [UInt8](repeating: UInt8(ascii: "x"), count: limit - head.count)
        let root = try parse(largest).get().root
        #expect(root["a"]?.scalar?.utf8Count == limit - head.count)
        let checked = parse(largest + [UInt8(ascii: "x")])
        #expect(checked.value == nil)
        #expect(checked.diagnostics.list.map(\.check) == [.yamlLimit])
    }

    @Test func `a million keys are read`() throws {
        var bytes: [UInt8] = []
        for key in 0..<1_000_000 {
            bytes += "k".utf8
            bytes += String(key).utf8
            bytes += ":\n".utf8
        }
        #expect(try parse(bytes).get().root.entries.count == 1_000_000)
    }

    @Test func `every code point is read unchanged, or reported at its position`() {
        let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: all.count, by: 8_192) {
            let scalars = all[start..<min(start + 8_192, all.count)]
            var bytes = Array("a:\n".utf8)
            for scalar in scalars {
                bytes += "- \"".utf8
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
                bytes += "\"\n".utf8
            }
            let checked = parse(bytes)
            #expect(checked.value != nil || checked.diagnostics.hasErrors)
        }
    }
}
