import PopSource
import Testing

@Suite struct `The JSON reader` {
    private func parse(_ text: String) throws -> JSON { try JSON.parse(text.utf8) }

    @Test func `reads back what was written`() throws {
        let json = JSON.object([
            "a": .array([.null, .bool(true), .int(-3), .uint(.max), .double(1.5e300)]),
            "é\n\"": .string("\u{1}\u{1F600}\\/"), "empty": .object([]),
        ])
        #expect(try parse(json.compact) == json)
        #expect(try parse(json.pretty) == json)
    }

    @Test func `keeps the kind of numbers`() throws {
        #expect(
            try parse("[1, 1.0, 1e2, -0, 18446744073709551615]")
                == .array([.int(1), .double(1), .double(100), .int(0), .uint(.max)]))
    }

    @Test func `uses the last value of a duplicate key`() throws {
        #expect(try parse(#"{"a": 1, "b": 2, "a": 3}"#) == .object(["a": .int(3), "b": .int(2)]))
    }

    @Test func `decodes escapes`() throws {
        #expect(try parse(#""\u0041\ud83d\ude00\t\/""#) == .string("A\u{1F600}\t/"))
    }

    @Test(arguments: [
        "", " ", "[", "[1", "[1,", "[1,]", "{", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a: 1}", "01",
        "1.", "-", "+1", "1e", ".5", "nul", "'a'", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\u+123\"", "\"a\nb\"", "1 2", "1e999", "NaN",
    ])
    func `refuses text that isn't JSON`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(text.utf8) }
    }

    @Test func `refuses bytes that aren't UTF-8`() {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([0x22, 0xFF, 0x22]) }
    }

    @Test func `limits long, deep and crowded texts`() {
        var limits = JSONLimits()
        limits.bytes = 10
        #expect(throws: JSONSyntaxError(message: "longer than 10 bytes", offset: 0)) {
            try JSON.parse("[1, 2, 3, 4]".utf8, limits: limits)
        }
        limits = JSONLimits()
        limits.values = 3
        #expect(throws: JSONSyntaxError.self) { try JSON.parse("[1, 2, 3]".utf8, limits: limits) }
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONSyntaxError(message: "nested deeper than 64 levels", offset: 64)) {
            try JSON.parse(deep.utf8)
        }
    }
}
