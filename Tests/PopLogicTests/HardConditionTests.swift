import PopCEL
import PopLogic
import Testing

/// Conditions that are hard on purpose: their analysis takes bounded work, and its claims are
/// right.
@Suite struct HardConditionTests {
    /// Limits under which even these take little time.
    private static var limits: LogicLimits {
        var limits = LogicLimits()
        limits.nodes = 20_000
        limits.steps = 200_000
        return limits
    }

    private func names(_ count: Int) throws -> Names {
        var variables: [Variable] = []
        for number in 0..<count { variables.append(Variable("x\(number)", type: .bool)) }
        return try Names(all: variables)
    }

    @Test func `pairs in a bad variable order stay within the limits`() throws {
        let names = try names(60)
        let order = (0..<60).map { "(x\($0) || true)" }.joined(separator: " && ")
        let pairs = (0..<30).map { "(x\($0) && x\($0 + 30))" }.joined(separator: " || ")
        let condition = try names.condition("\(order) && !(\(pairs)) && (\(pairs))")
        var logic = names.logic(condition, limits: Self.limits)
        #expect(["yes", "not known"].contains(logic.isNever(condition).word))
    }

    @Test func `more pigeons than holes stay within the limits`() throws {
        let (pigeons, holes) = (8, 7)
        let names = try names(pigeons * holes)
        func sits(_ pigeon: Int, _ hole: Int) -> String { "x\(pigeon * holes + hole)" }
        var parts: [String] = []
        for pigeon in 0..<pigeons {
            let places = (0..<holes).map { sits(pigeon, $0) }.joined(separator: " || ")
            parts.append("(\(places))")
        }
        for hole in 0..<holes {
            for one in 0..<pigeons {
                for other in 0..<one {
                    parts.append("!(\(sits(one, hole)) && \(sits(other, hole)))")
                }
            }
        }
        let condition = try names.condition(parts.joined(separator: " && "))
        var logic = names.logic(condition, limits: Self.limits)
        #expect(["yes", "not known"].contains(logic.isNever(condition).word))
    }

    @Test func `a bit indexed by the number of set bits stays within the limits`() throws {
        let count = 14
        let names = try names(count)
        // After each bit, the counts that are possible, written out with sharing by names.
        let sum = (0..<count).map { "(x\($0) ? 1 : 0)" }.joined(separator: " + ")
        let cases = (0..<count).map { "(\(sum)) == \($0 + 1) && x\($0)" }
        let condition = try names.condition(cases.joined(separator: " || "))
        var logic = names.logic(condition, limits: Self.limits)
        #expect(["no", "not known"].contains(logic.isNever(condition).word))
    }

    @Test func `a dozen substrings of one string stay within the limits`() throws {
        let names = try Names(Variable("name", type: .string))
        let parts = (0..<12).map {
            "name.contains(\"\(Character(UnicodeScalar(97 + UInt8($0))))z\")"
        }
        let condition = try names.condition(parts.joined(separator: " && "))
        var logic = names.logic(condition, limits: Self.limits)
        let answer = logic.isNever(condition)
        #expect(["no", "not known"].contains(answer.word))
        let shorter = try names.condition((parts + ["size(name) < 13"]).joined(separator: " && "))
        #expect(["yes", "not known"].contains(logic.isNever(shorter).word))
    }

    @Test func `patterns with a large product stay within the limits`() throws {
        let names = try Names(Variable("name", type: .string))
        let parts = (8..<14).map { "name.matches(\"^(a|b)*a(a|b){\($0)}$\")" }
        let condition = try names.condition(
            (parts + ["!name.contains(\"a\")"]).joined(separator: " && "))
        var logic = names.logic(condition, limits: Self.limits)
        #expect(["yes", "not known"].contains(logic.isNever(condition).word))
    }
}
