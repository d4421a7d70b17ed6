import Testing

@testable import PopCEL

@Suite struct MathFunctionsTests {
    @Test func `the greatest and least of mixed numbers keep their type`() throws {
        let numbers: [Value] = [.double(5.4), .int(10), .uint(3), .double(-5)]
        #expect(try isInt(MathFunctions.greatest(numbers), 10))
        #expect(try MathFunctions.least(numbers) == .double(-5))
        #expect(try isInt(MathFunctions.greatest([.int(1), .double(1)]), 1))
        #expect(try MathFunctions.greatest([.string("a")]) == nil)
        #expect(try MathFunctions.least([.int(1), .bool(true)]) == nil)
    }

    private func isInt(_ value: Value?, _ number: Int64) -> Bool {
        if case .int(number) = value { true } else { false }
    }

    @Test func `an empty list and NaN have no extremes`() {
        #expect(throws: EvaluationError.self) { try MathFunctions.greatest([]) }
        #expect(throws: EvaluationError.self) {
            try MathFunctions.least([.double(.nan), .int(1)])
        }
    }

    @Test func `the absolute value of the smallest int is too large`() throws {
        #expect(throws: EvaluationError.self) { try MathFunctions.abs(.int(.min)) }
        #expect(try MathFunctions.abs(.int(-11)) == .int(11))
        #expect(try MathFunctions.abs(.double(-1.5)) == .double(1.5))
        #expect(try MathFunctions.abs(.string("1")) == nil)
    }

    @Test func `a sign is minus one, zero or one`() {
        #expect(MathFunctions.sign(.int(-11)) == .int(-1))
        #expect(MathFunctions.sign(.uint(100)) == .uint(1))
        #expect(MathFunctions.sign(.double(-0.0)) == .double(0))
        #expect(MathFunctions.sign(.bool(true)) == nil)
    }

    @Test func `bits are combined within one type`() {
        #expect(MathFunctions.bitAnd(.int(1), .int(-1)) == .int(1))
        #expect(MathFunctions.bitOr(.int(4), .int(-2)) == .int(-2))
        #expect(MathFunctions.bitXor(.uint(1), .uint(3)) == .uint(2))
        #expect(MathFunctions.bitNot(.uint(1)) == .uint(.max - 1))
        #expect(MathFunctions.bitAnd(.int(1), .uint(1)) == nil)
    }

    @Test func `shifts fill with zeros and refuse negative places`() throws {
        #expect(
            try MathFunctions.bitShiftRight(.int(-1024), places: .int(3))
                == .int(2_305_843_009_213_693_824)
        )
        #expect(try MathFunctions.bitShiftRight(.int(-1024), places: .int(64)) == .int(0))
        #expect(try MathFunctions.bitShiftLeft(.int(-1), places: .int(200)) == .int(0))
        #expect(try MathFunctions.bitShiftLeft(.uint(1), places: .int(2)) == .uint(4))
        #expect(throws: EvaluationError.self) {
            try MathFunctions.bitShiftLeft(.uint(1), places: .int(-1))
        }
        #expect(try MathFunctions.bitShiftLeft(.double(4.3), places: .int(1)) == nil)
    }

    @Test func `the square root of a negative number is NaN`() {
        #expect(MathFunctions.sqrt(.int(81)) == .double(9))
        guard case .double(let root) = MathFunctions.sqrt(.int(-15)) else {
            Issue.record("no double")
            return
        }
        #expect(root.isNaN)
    }
}
