import PopSource
import PopTestSupport
import Testing

@testable import PopCEL

@Suite("The index of names")
struct NameIndexTests {
    @Test(
        "finds a name at its position in a string, and no other name",
        arguments: 0..<200 as Range<UInt64>)
    func agreesWithDictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var names: [String] = []
        var index = NameIndex()
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let name = Self.name(using: &random)
            if index[name] != nil { continue }
            index.append(name)
            names.append(name)
        }
        for _ in 0..<100 {
            let wanted = Self.name(using: &random)
            let known = names.firstIndex(of: wanted)
            #expect(index[wanted] == known)
            let text = Array("(\(wanted) == 1".utf8)
            let found = index.number(of: 1..<1 + wanted.utf8.count, in: text)
            // In a list with many names of one shape, some names are found only as strings.
            #expect(found == known || found == nil && names.count > 8)
        }
    }

    @Test("finds every name as a string, however many names have the same shape")
    func manyOfOneShape() {
        var index = NameIndex()
        let names = (100..<200).map { "a\($0)z" }
        for name in names { index.append(name) }
        for (number, name) in names.enumerated() {
            #expect(index[name] == number)
            let found = index.number(of: 0..<5, in: Array(name.utf8))
            #expect(found == (number < 8 ? number : nil))
        }
    }

    @Test(
        "finds a variable however its name is written",
        arguments: [
            "user.plan", "user . plan", "user.`plan`", "(user).plan", ".user.plan", "user\n.plan",
        ])
    func waysToWrite(text: String) throws {
        var environment = Environment()
        environment.declare(Variable("user.plan", type: .string))
        let program = try environment.compile("\(text) == \"pro\"", expecting: .bool).get()
        #expect(program.slots == [0])
        #expect(try program.evaluate(["user.plan": .string("pro")]) == .bool(true))
    }

    /// Returns a random name of few letters, so that many names share their shape.
    private static func name(using random: inout SeededGenerator) -> String {
        let letters = Array("ab._")
        return String(
            (0..<Int.random(in: 1...5, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            })
    }
}
