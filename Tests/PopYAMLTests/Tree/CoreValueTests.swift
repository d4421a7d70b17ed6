import PopSource
import PopYAML
import Testing

@Suite struct CoreValueTests {
    @Test(arguments: [
        ("~", CoreValue.null), ("null", .null), ("Null", .null), ("NULL", .null), ("", .null),
        ("nULL", .string), ("nul", .string),
        ("true", .bool(true)), ("True", .bool(true)), ("TRUE", .bool(true)), ("tRUE", .string),
        ("false", .bool(false)), ("False", .bool(false)), ("FALSE", .bool(false)),
        ("yes", .string), ("on", .string), ("Off", .string), ("n", .string),
        ("0", .int(0)), ("012", .int(12)), ("-17", .int(-17)), ("+3", .int(3)),
        ("0o14", .int(12)), ("0x1F", .int(31)), ("0o8", .string), ("0x", .string),
        ("-0x1", .string), ("1_000", .string), ("1:30", .string), ("+", .string),
        ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("9223372036854775808", .unsigned(1 << 63)),
        ("18446744073709551615", .unsigned(.max)), ("18446744073709551616", .hugeInteger),
        ("-9223372036854775809", .hugeInteger),
        ("1.5", .float(1.5)), ("-1.", .float(-1)), (".5", .float(0.5)), ("+.5", .float(0.5)),
        ("1e3", .float(1000)), ("1.E+2", .float(100)), ("12e03", .float(12000)),
        (".", .string), ("1e", .string), ("1.2.3", .string), ("e3", .string), ("..", .string),
        (".inf", .float(.infinity)), ("-.Inf", .float(-.infinity)), ("+.INF", .float(.infinity)),
        ("-.nan", .string), (".infinite", .string), ("2026-11-01", .string), ("0b1", .string),
    ])
    func `plain scalars have the types of the core schema`(text: String, value: CoreValue) throws {
        #expect(try scalar(text).value == value)
    }

    @Test func `.nan is a number`() throws {
        guard case .float(let value) = try scalar(".nan").value else {
            Issue.record("no float")
            return
        }
        #expect(value.isNaN)
    }

    @Test(arguments: ["'12'", "\"true\"", "'~'", "!!str 12", "!!str null", "|\n  12", ">-\n  true"])
    func `quoted, block and tagged scalars are strings`(text: String) throws {
        #expect(try scalar(text).value == .string)
    }

    @Test func `tags of the core schema change the type`() throws {
        #expect(try scalar("!!int '12'").value == .int(12))
        #expect(try scalar("!!float 1").value == .float(1))
        #expect(try scalar("!!bool \"true\"").value == .bool(true))
        expectFinding(
            .yamlUnexpectedTag, in: "a: «!!int» x\n", "the value does not match the tag `!!int`")
        expectFinding(
            .yamlUnexpectedTag, in: "a: «!map» { b: 1 }\n", "the tag `!map` has no meaning here",
            fixed: "a:  { b: 1 }\n")
    }

    @Test(arguments: [
        ("yes", Resemblance.truthValue(true)), ("Off", .truthValue(false)),
        ("1_000", .groupedNumber), ("1:30", .base60Number), ("1.10", .trailingZero),
        ("2026-11-01", .date),
    ])
    func `the possible other meaning of a scalar is reported`(text: String, wanted: Resemblance)
        throws
    {
        #expect(try scalar(text).resemblance == wanted)
        #expect(try scalar("'\(text)'").resemblance == nil)
    }

    @Test(arguments: ["maybe", "1.1", "2.0", "12", "09:00-21:00", "true", "1__"])
    func `most scalars have no other meaning`(text: String) throws {
        #expect(try scalar(text).resemblance == nil)
    }

    @Test func `a leading zero of a number is reported`() {
        expectFinding(
            .yamlImplicitType, in: "zip: «01234»\nother: 0\nthird: 0x1F\nfourth: 0.5\n",
            "`01234` is read as the number 1234",
            fixed: "zip: 1234\nother: 0\nthird: 0x1F\nfourth: 0.5\n")
    }

    private func scalar(_ text: String) throws -> YAMLScalar {
        let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", text: "a: \(text)\n"))
        #expect(!checked.diagnostics.hasErrors)
        return try #require(checked.value?.root["a"]?.scalar)
    }
}
