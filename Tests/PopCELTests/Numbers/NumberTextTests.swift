import Testing

@testable import PopCEL

@Suite struct NumberTextTests {
    @Test(arguments: [
        ("0", 0), ("-0.0", -0.0), ("123", 123), ("+1.", 1), (".5", 0.5), ("6.02214e23", 6.02214e23),
        ("-84.32E+7", -8.432e8), ("1e-400", 0), ("Inf", .infinity), ("-infinity", -.infinity),
    ])
    func `a double is read from decimal text`(text: String, number: Double) {
        #expect(NumberText.double(text)?.bitPattern == number.bitPattern)
    }

    @Test(arguments: [
        "", "-", ".", "e5", "1e", "1e+", " 1", "1 ", "0x10", "1_0", "1e400", "nan()", "١",
    ])
    func `text that isn't a double is refused`(text: String) {
        #expect(NumberText.double(text) == nil)
    }

    @Test func `integers are decimal digits within the range of their type`() {
        #expect(NumberText.int("-9223372036854775808") == .min)
        #expect(NumberText.int("+7") == 7)
        #expect(NumberText.uint("18446744073709551615") == .max)
        for text in ["", "-", "9223372036854775808", "1.0", " 1", "0x1", "１"] {
            #expect(NumberText.int(text) == nil)
        }
        for text in ["", "-0", "+1", "18446744073709551616"] {
            #expect(NumberText.uint(text) == nil)
        }
    }

    @Test func `bools are written with the words that Go accepts`() {
        #expect(["1", "t", "T", "true", "True", "TRUE"].allSatisfy { NumberText.bool($0) == true })
        #expect(
            ["0", "f", "F", "false", "False", "FALSE"].allSatisfy { NumberText.bool($0) == false })
        #expect(["", "TrUe", "FaLsE", "yes", "2"].allSatisfy { NumberText.bool($0) == nil })
    }

    @Test func `a double is truncated to an integer strictly within the bounds`() {
        #expect(NumberText.int(truncating: -7.9) == -7)
        #expect(NumberText.int(truncating: 0x1p63) == nil)
        #expect(NumberText.int(truncating: -0x1p63) == nil)
        #expect(NumberText.int(truncating: .nan) == nil)
        #expect(NumberText.uint(truncating: 25.5) == 25)
        #expect(NumberText.uint(truncating: -0.5) == nil)
        #expect(NumberText.uint(truncating: 0x1p64) == nil)
    }
}
