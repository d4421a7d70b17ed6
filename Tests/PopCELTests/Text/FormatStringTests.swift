import Testing

@testable import PopCEL

@Suite struct FormatStringTests {
    private func format(_ template: String, _ values: Value...) throws -> String {
        try FormatString.format(template, values: values, most: 1000)
    }

    @Test func `text and percent signs stay unchanged`() throws {
        #expect(try format("no substitution") == "no substitution")
        #expect(try format("%%%s%%", .string("text")) == "%text%")
    }

    @Test func `every clause formats in its own notation`() throws {
        #expect(try format("%d %d", .int(-5), .uint(64)) == "-5 64")
        #expect(try format("%b %b %b", .int(5), .uint(64), .bool(true)) == "101 1000000 1")
        #expect(try format("%o", .int(11)) == "13")
        #expect(try format("%x %X", .int(30), .uint(6000)) == "1e 1770")
        #expect(try format("%x", .int(-31)) == "-1f")
        #expect(try format("%X %x", .string("Hello\n"), .bytes([1, 255])) == "48656C6C6F0A 01ff")
        #expect(
            try format("%f %.3f %.0f", .int(2), .double(1.2345), .double(2.5)) == "2.000000 1.234 2"
        )
        #expect(try format("%e %.1e", .uint(3), .double(-3.14)) == "3.000000e+00 -3.1e+00")
        #expect(
            try format("%d %f %e", .double(.nan), .double(.infinity), .double(-.infinity))
                == "NaN Infinity -Infinity")
        #expect(try format("%d %s", .double(1e6), .double(1.5e-5)) == "1000000 0.000015")
    }

    @Test func `a string clause formats values of every type`() throws {
        let list = Value.list([.string("abc"), .double(3.14), .null, .list([.int(9)])])
        #expect(try format("%s", list) == "[abc, 3.14, null, [9]]")
        let map = Value.map([
            .string("strKey"): .string("x"), .int(6): .duration(.seconds(422)),
            .bool(true): .int(42),
        ])
        #expect(try format("%s", map) == "{6: 422s, strKey: x, true: 42}")
        #expect(
            try format("%s %s", .type(.string), .bytes([0x78, 0xFF, 0xFE, 0x79]))
                == "string x\u{FFFD}y")
        #expect(
            try format("%s", .timestamp(Timestamp(seconds: 1_675_467_080)))
                == "2023-02-03T23:31:20Z")
    }

    @Test(arguments: [
        ("%a", Value.int(1)), ("%E", .double(0.5)), ("%", .int(1)), ("%.", .int(1)),
        ("%.2", .int(1)),
        ("%.xf", .int(1)), ("%.101f", .int(1)), ("%.99999999999999999999f", .int(1)),
        ("%d %d", .int(1)),
        ("%b", .string("abc")), ("%d", .duration(.zero)), ("%o", .string("a")),
        ("%x", .double(0.5)),
        ("%f", .null), ("%é", .int(1)), ("%s", .optional(nil)), ("%s", .list([.optional(nil)])),
    ])
    func `a clause that is invalid or does not fit its value is an error`(
        template: String, value: Value
    ) {
        #expect(throws: EvaluationError.self) { try format(template, value) }
    }

    @Test func `a result beyond the limit is refused`() {
        let long = Value.string(String(repeating: "a", count: 600))
        #expect(throws: EvaluationError.self) { try format("%s%s", long, long) }
        #expect(throws: EvaluationError.self) { try format("%s", .list([long, long])) }
    }
}
