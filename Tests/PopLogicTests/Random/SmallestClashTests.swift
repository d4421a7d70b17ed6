import PopCEL
import PopLogic
import PopTestSupport
import Testing

/// The smallest set of conflicting parts, checked against all sets of parts and all users.
struct SmallestClashTests {
    /// By person, which of some parts hold for them.
    private struct Holding {
        private let sets: Set<Int>

        init(_ parts: [Program]) {
            sets = Set(
                FewValues.everybody.map { person in
                    parts.indices.reduce(0) { set, part in
                        let program = parts[part]
                        let isMet = program.isTrue(program.slotValues(person)) == .yes
                        return isMet ? set | 1 << part : set
                    }
                })
        }

        func isNever(_ chosen: Int) -> Bool { !sets.contains { $0 & chosen == chosen } }

        /// Returns the smallest number of parts that conflict; nil if all parts hold together for
        /// some user.
        func fewest(of count: Int) -> Int? {
            (1..<1 << count).filter(isNever).map(\.nonzeroBitCount).min()
        }
    }

    @Test func `a conflict has as few parts as possible, and each part is needed`() throws {
        var random = SeededGenerator(seed: 11)
        let names = try Names(all: FewValues.domains.map(\.variable))
        var (claims, larger) = (0, 0)
        for _ in 0..<250 {
            let texts = Self.parts(&random)
            let program = try names.condition(texts.joined(separator: " && "))
            var logic = names.logic(program)
            let clash = logic.clash(of: [program])
            // Nothing is known about sums.
            let isUnderstood = !texts.contains { $0.contains("+") }
            if clash != nil || isUnderstood {
                #expect((clash != nil) == Holding([program]).isNever(1), "\(texts)")
            }
            guard let clash else { continue }
            let parts = try clash.parts.map { part in
                try names.condition(part.isNegated ? "!(\(part.text))" : part.text)
            }
            let all = 1 << parts.count - 1
            let holding = Holding(parts)
            #expect(holding.isNever(all), "\(texts): \(clash.parts.map(\.text))")
            for part in parts.indices where parts.count > 1 {
                #expect(!holding.isNever(all & ~(1 << part)), "\(texts): \(part) is too many")
            }
            guard texts.count <= LogicLimits.standard.smallestParts else { continue }
            let whole = try texts.map { try names.condition($0) }
            #expect(clash.isSmallest || !isUnderstood, "\(texts)")
            guard clash.isSmallest else { continue }
            #expect(parts.count == Holding(whole).fewest(of: whole.count), "\(texts)")
            claims += 1
            if parts.count > 2 { larger += 1 }
        }
        #expect(claims > 60 && larger > 2, "\(claims) claims, \(larger) of more than two parts")
    }

    /// Returns the parts of a condition, to be joined by `&&`: tests, and some alternatives with
    /// `||`.
    private static func parts(_ random: inout SeededGenerator) -> [String] {
        (0..<Int.random(in: 2...8, using: &random)).flatMap { _ -> [String] in
            let test = FewValues.test(&random)
            if Int.random(in: 0...2, using: &random) == 0 {
                return ["(\(test) || \(FewValues.test(&random)))"]
            }
            return test.split(separator: " && ").map(String.init)
        }
    }
}
