import PopSource
import Testing

@Suite struct `The JSON writer` {
    @Test func `keeps the order of members and omits nil members`() {
        let json = JSON.object(["b": .int(1), "a": nil, "c": .array([.null, .bool(true)])])
        #expect(json.compact == #"{"b":1,"c":[null,true]}"#)
        #expect(json.pretty == "{\n  \"b\": 1,\n  \"c\": [\n    null,\n    true\n  ]\n}")
    }

    @Test func `escapes strings, including control and bidirectional characters`() {
        #expect(JSON.string("\"\\\n\u{1}\u{202E}é").compact == #""\"\\\n\u0001\u202eé""#)
    }

    @Test func `writes a number that isn't finite as null`() {
        #expect(JSON.double(.nan).compact == "null")
        #expect(JSON.double(1.5).compact == "1.5")
    }
}
