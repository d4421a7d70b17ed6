import PopCEL
import Testing

@Test(arguments: [
    (Value.null, "null"), (.bool(true), "true"), (.int(-3), "-3"), (.uint(3), "3u"),
    (.double(1), "1.0"), (.double(.nan), #"double("NaN")"#), (.string("a\"\n"), #""a\"\n""#),
    (.bytes([0x41, 0x00, 0x22]), #"b"A\x00\x22""#),
    (.timestamp(Timestamp(seconds: 0)), #"timestamp("1970-01-01T00:00:00Z")"#),
    (.duration(.seconds(90)), #"duration("90s")"#),
    (.list([.int(1), .string("x")]), #"[1, "x"]"#), (.map([.string("a"): .int(1)]), #"{"a": 1}"#),
    (.optional(nil), "optional.none()"), (.optional(.int(1)), "optional.of(1)"),
])
func `a value is described as an expression would write it`(value: Value, text: String) {
    #expect(value.description == text)
}
