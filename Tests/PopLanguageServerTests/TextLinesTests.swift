import PopLanguageServer
import Testing

/// Places in lines that are longer than a block of `TextLines`.
@Suite struct TextLinesTests {
    private static let encodings: [PositionEncoding] = [.utf8, .utf16, .utf32]

    @Test(arguments: encodings)
    func `positions in long lines match a count from the start`(
        encoding: PositionEncoding
    ) {
        let long = String(repeating: "aé日🎉b", count: 700)
        let text = "short\n" + long + "\r\n" + long + "é\n\n🎉"
        let lines = TextLines(Array(text.utf8), encoding: encoding)
        var (offset, line, column) = (0, 0, 0)
        for scalar in text.unicodeScalars {
            let place = lines.position(at: offset)
            #expect(place.line == line && place.character == column, "byte \(offset)")
            if scalar != "\n", scalar != "\r" {
                #expect(lines.offset(line: line, character: column) == offset, "byte \(offset)")
            }
            offset += UTF8.width(scalar)
            if scalar == "\n" {
                (line, column) = (line + 1, 0)
            } else {
                column += columns(of: scalar, in: encoding)
            }
        }
        #expect(lines.offset(line: 1, character: .max) == lines.bytes(ofLine: 1).upperBound)
    }

    private func columns(of scalar: Unicode.Scalar, in encoding: PositionEncoding) -> Int {
        switch encoding {
        case .utf8: UTF8.width(scalar)
        case .utf16: UTF16.width(scalar)
        case .utf32: 1
        }
    }
}
