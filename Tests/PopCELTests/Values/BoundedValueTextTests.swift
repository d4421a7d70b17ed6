import PopCEL
import Testing

/// S3: the printed text of a value has a limit.
@Suite struct `A value printed in limited space` {
    @Test func `is written completely if it fits`() {
        let value = Value.list([.int(1), .string("a\n"), .map(["k": .bytes([0x41])])])
        #expect(value.text(atMost: 100) == value.description)
    }

    @Test func `is cut off at the limit, and the omitted elements are counted`() {
        let numbers = Value.list((1...100).map { .int($0) })
        #expect(numbers.text(atMost: 10) == "[1, 2, 3, … 97 more]")
        #expect(Value.list([numbers, .int(1)]).text(atMost: 10) == "[[1, 2, 3, … 97 more], …]")
        let text = Value.string(String(repeating: "ä", count: 50))
        #expect(text.text(atMost: 5) == "\"äääää…\" (50 characters)")
        #expect(
            Value.list([text, text]).text(atMost: 6) == "[\"äääää…\" (50 characters), … 1 more]")
        #expect(Value.bytes([0x41, 0x42, 0x43]).text(atMost: 2) == "b\"AB\"… (3 bytes)")
        let map = Value.map(["a": .int(1), "b": .int(2)])
        #expect(map.text(atMost: 4) == "{\"a\": 1, … 1 more}")
    }

    @Test func `costs only the characters written, however often its parts are shared`() {
        var value = Value.list([.int(1)])
        for _ in 0..<1_000 { value = .list([value, value]) }
        let text = value.text(atMost: 120)
        #expect(text.hasPrefix("[[[["))
        #expect(text.count < 1_000)
    }
}
