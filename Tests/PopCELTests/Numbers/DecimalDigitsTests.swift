import Foundation
import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct DecimalDigitsTests {
    @Test(arguments: [
        (1.2345, 3, "1.234"), (2.5, 0, "2"), (1.5, 0, "2"), (0.5, 0, "0"), (0.51, 0, "1"),
        (123.4999, 3, "123.500"), (-123.4994, 3, "-123.499"), (-1.2, 5, "-1.20000"),
        (9.999, 2, "10.00"), (0.009, 2, "0.01"), (0.001, 2, "0.00"), (-0.4, 0, "-0"),
        (0, 2, "0.00"), (1e22, 1, "10000000000000000000000.0"), (99.5, 0, "100"),
    ])
    func `fixed notation rounds half to even`(number: Double, precision: Int, text: String) {
        #expect(DecimalDigits(exact: number).fixed(precision: precision) == text)
    }

    @Test(arguments: [
        (1052.032911275, 6, "1.052033e+03"), (0, 6, "0.000000e+00"), (-3.14, 1, "-3.1e+00"),
        (9.96, 1, "1.0e+01"), (1e100, 0, "1e+100"), (.leastNonzeroMagnitude, 2, "4.94e-324"),
        (2.5, 0, "2e+00"),
    ])
    func `scientific notation rounds half to even`(number: Double, precision: Int, text: String) {
        #expect(DecimalDigits(exact: number).scientific(precision: precision) == text)
    }

    @Test func `both notations match C for any number`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let precision = Int.random(in: 0...20, using: &random)
            let digits = DecimalDigits(exact: number)
            #expect(digits.fixed(precision: precision) == String(format: "%.\(precision)f", number))
            #expect(
                digits.scientific(precision: precision) == String(format: "%.\(precision)e", number)
            )
        }
    }

    @Test func `integers keep all their digits`() {
        let digits = DecimalDigits(isNegative: true, magnitude: Int64.min.magnitude)
        #expect(digits.fixed(precision: 1) == "-9223372036854775808.0")
        #expect(DecimalDigits(isNegative: false, magnitude: 0).fixed(precision: 0) == "0")
    }

    @Test(arguments: [
        (123.456, "123.456"), (-4.5e-3, "-0.0045"), (1, "1"), (0, "0"), (-0.0, "-0"),
        (100_000, "100000"), (1_000_000, "1e+06"), (1_234_567.5, "1.2345675e+06"),
        (0.0001, "0.0001"), (0.00001, "1e-05"), (6.02214e23, "6.02214e+23"),
        (.leastNonzeroMagnitude, "5e-324"),
        (.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
    ])
    func `a double is written with the fewest digits`(number: Double, text: String) {
        #expect(NumberText.string(number) == text)
        #expect(NumberText.double(text)?.description == number.description)
    }

    @Test func `a written double is read back as the same double`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            #expect(NumberText.double(NumberText.string(number)) == number)
            #expect(NumberText.double(DisplayText.of(number)) == number)
        }
    }
}
