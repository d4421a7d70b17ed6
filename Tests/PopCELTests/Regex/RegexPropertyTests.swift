import PopTestSupport
import Testing

@testable import PopCEL

/// A pattern that writes itself and finds its matches by trying everything.
private indirect enum Sample {
    case character(Character)
    case any
    case oneOf([Character], isNegated: Bool)
    case start, end, lineStart, lineEnd, boundary, noBoundary
    case sequence([Sample])
    case either([Sample])
    case repeated(Sample, Int, Int?)

    var pattern: String {
        switch self {
        case .character(let character): String(character)
        case .any: "."
        case .oneOf(let characters, let isNegated): "[\(isNegated ? "^" : "")\(String(characters))]"
        case .start: "^"
        case .end: "$"
        case .lineStart: "(?m:^)"
        case .lineEnd: "(?m:$)"
        case .boundary: #"\b"#
        case .noBoundary: #"\B"#
        case .sequence(let parts): parts.map(\.pattern).joined()
        case .either(let parts): "(\(parts.map(\.pattern).joined(separator: "|")))"
        case .repeated(let part, 0, nil): "(?:\(part.pattern))*"
        case .repeated(let part, 1, nil): "(\(part.pattern))+?"
        case .repeated(let part, let least, let most):
            "(\(part.pattern)){\(least),\(most.map(String.init) ?? "")}"
        }
    }

    /// Where matches end that begin at an offset.
    func ends(_ text: [Character], from start: Int) -> Set<Int> {
        switch self {
        case .character(let character):
            start < text.count && text[start] == character ? [start + 1] : []
        case .any: start < text.count && text[start] != "\n" ? [start + 1] : []
        case .oneOf(let characters, let isNegated):
            start < text.count && characters.contains(text[start]) != isNegated ? [start + 1] : []
        case .start: start == 0 ? [start] : []
        case .end: start == text.count ? [start] : []
        case .lineStart: start == 0 || text[start - 1] == "\n" ? [start] : []
        case .lineEnd: start == text.count || text[start] == "\n" ? [start] : []
        case .boundary: isBoundary(text, start) ? [start] : []
        case .noBoundary: isBoundary(text, start) ? [] : [start]
        case .sequence(let parts):
            parts.reduce([start]) { starts, part in
                Set(starts.flatMap { part.ends(text, from: $0) })
            }
        case .either(let parts): Set(parts.flatMap { $0.ends(text, from: start) })
        case .repeated(let part, let least, let most):
            repeatedEnds(part, least, most, text, from: start)
        }
    }

    private func repeatedEnds(
        _ part: Sample, _ least: Int, _ most: Int?, _ text: [Character], from start: Int
    ) -> Set<Int> {
        var current: Set<Int> = [start]
        for _ in 0..<least { current = Set(current.flatMap { part.ends(text, from: $0) }) }
        var all = current
        for _ in 0..<(most.map { $0 - least } ?? text.count + 1) {
            current = Set(current.flatMap { part.ends(text, from: $0) })
            all.formUnion(current)
        }
        return all
    }

    private func isBoundary(_ text: [Character], _ place: Int) -> Bool {
        let isWord = { (index: Int) in
            text.indices.contains(index) && "ab".contains(text[index])
        }
        return isWord(place - 1) != isWord(place)
    }

    static func random(_ depth: Int, using random: inout SeededGenerator) -> Sample {
        let characters: [Character] = ["a", "b", "é", "😀", "\n"]
        let character = { (random: inout SeededGenerator) in
            characters[Int.random(in: 0..<characters.count, using: &random)]
        }
        switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &random) {
        case 0...2: return .character(character(&random))
        case 3: return .any
        case 4:
            return .oneOf(
                [character(&random), character(&random)], isNegated: Bool.random(using: &random))
        case 5:
            let places: [Sample] = [.start, .end, .lineStart, .lineEnd, .boundary, .noBoundary]
            return places[Int.random(in: 0..<6, using: &random)]
        case 6...7:
            return .sequence((0..<3).map { _ in .random(depth - 1, using: &random) })
        case 8...9:
            return .either((0..<2).map { _ in .random(depth - 1, using: &random) })
        default:
            let least = Int.random(in: 0...2, using: &random)
            let most =
                Bool.random(using: &random) ? nil : least + Int.random(in: 0...2, using: &random)
            return .repeated(.random(depth - 1, using: &random), least, most)
        }
    }
}

@Suite struct RegexPropertyTests {
    @Test func `matching with and without a table agrees with a backtracking matcher`() throws {
        var random = SeededGenerator(seed: 9)
        let characters: [Character] = ["a", "b", "é", "😀", "\n"]
        for _ in 0..<1000 {
            let sample = Sample.random(4, using: &random)
            let node = try RegexParser.parse(sample.pattern, limits: .standard)
            let program = try #require(RegexProgram(node, mostStates: 10_000))
            let table = StateTable(program, limits: .standard)
            for _ in 0..<6 {
                let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    characters[Int.random(in: 0..<characters.count, using: &random)]
                }
                let expected = (0...text.count).contains { !sample.ends(text, from: $0).isEmpty }
                var machine = Determinizer(program)
                let bytes = Array(String(text).utf8)
                let isMatch = machine.matches(bytes)
                #expect(isMatch == expected, "\(sample.pattern) in \(text)")
                if let table {
                    #expect(table.matches(bytes) == expected, "\(sample.pattern) in \(text)")
                    let isMatchOfSpan = table.matches(bytes.span)
                    #expect(isMatchOfSpan == expected, "\(sample.pattern) in \(text)")
                }
            }
        }
    }

    @Test func `no pattern crashes the parser`() {
        var random = SeededGenerator(seed: 10)
        let alphabet = Array("ab(){}[]|*+?.^$\\-,:=!<>PQEimsUdDwpLx019é😀\n")
        for _ in 0..<8_000 {
            let pattern = String(
                (0..<Int.random(in: 0...14, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
            do throws(RegularExpressionError) {
                _ = try RegularExpression(pattern).isMatch("ab1é")
            } catch {
                #expect(!error.message.isEmpty)
                #expect(error.range.lowerBound >= 0)
                #expect(error.range.upperBound <= pattern.utf8.count)
            }
        }
    }
}
