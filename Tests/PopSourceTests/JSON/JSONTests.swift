import PopSource
import Testing

@Suite struct `JSON writing` {
    @Test func `members keep their order and nil ones are left out`() {
        let json = JSON.object(["b": .int(1), "a": nil, "c": .array([.null, .bool(true)])])
        #expect(json.compact == #"{"b":1,"c":[null,true]}"#)
        #expect(json.pretty == "{\n  \"b\": 1,\n  \"c\": [\n    null,\n    true\n  ]\n}")
    }

    @Test func `strings are escaped, control and bidirectional characters too`() {
        #expect(JSON.string("\"\\\n\u{1}\u{202E}é").compact == #""\"\\\n\u0001\u202eé""#)
    }

    @Test func `a number that is not finite is null`() {
        #expect(JSON.double(.nan).compact == "null")
        #expect(JSON.double(1.5).compact == "1.5")
    }
}
