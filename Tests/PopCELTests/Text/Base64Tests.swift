import Foundation
import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct Base64Tests {
    @Test func `any bytes are encoded as Foundation encodes them, and decoded again`() {
        var random = SeededGenerator(seed: 7)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
            #expect(Base64.decode(text.replacing("=", with: "")) == bytes)
        }
    }

    @Test(arguments: ["a", "aGVsbG8==", "aGVsbG8=a", "====", "=", "aGVs bG8=", "aGVsbG8-", "aGVs="])
    func `text that isn't Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
