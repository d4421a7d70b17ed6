import PopTestSupport

/// Writes random trees in layouts that no two people would agree on.
struct SloppyWriter {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func document() -> String {
        var text = oneIn(4) ? "\n\n# first\n" : ""
        text += mapping(at: oneIn(5) ? 2 : 0, depth: 0)
        if oneIn(3) { text += "\n\n# last" }
        if oneIn(6) { text = text.replacing("\n", with: "\r\n") }
        return text
    }

    private mutating func mapping(at column: Int, depth: Int) -> String {
        var text = ""
        for _ in 0..<number(1...4) {
            text += between(column) + spaces(column) + key() + colon()
            text += value(under: column, depth: depth + 1, mayBeIndentless: true)
        }
        return text
    }

    private mutating func sequence(at column: Int, depth: Int) -> String {
        var text = ""
        for _ in 0..<number(1...3) {
            text += between(column) + spaces(column) + "-"
            let gap = number(1...3)
            if depth < 4, oneIn(3) {
                let inner = column + 1 + gap
                let nested = mapping(at: inner, depth: depth + 1)
                // The first line begins after the dash.
                let lines = nested.split(separator: "\n", omittingEmptySubsequences: false)
                let first = lines.firstIndex {
                    !$0.isEmpty && !$0.contains("#") || $0.contains(":")
                }
                let rest = lines[(first ?? 0)...].joined(separator: "\n")
                text += spaces(gap) + rest.drop { $0 == " " }
            } else {
                text += value(under: column, depth: depth + 1, mayBeIndentless: false)
            }
        }
        return text
    }

    private mutating func value(under column: Int, depth: Int, mayBeIndentless: Bool) -> String {
        let inner = column + number(1...5)
        switch number(0...9) {
        case 0 where depth < 4: return comment() + "\n" + mapping(at: inner, depth: depth)
        case 1 where depth < 4:
            let start = mayBeIndentless && oneIn(2) ? column : inner
            return comment() + "\n" + sequence(at: start, depth: depth)
        case 2, 3: return blank() + flow(depth: depth, at: inner) + comment() + "\n"
        case 4: return blank() + block(at: inner)
        case 5: return blank() + "\"a\n" + spaces(inner) + "b \\\n\n" + spaces(inner + 2) + "c\"\n"
        case 6: return blank() + "one\n" + spaces(inner) + "two\n"
        case 7: return comment() + "\n" + spaces(inner) + scalar() + "\n"
        default: return blank() + scalar() + comment() + "\n"
        }
    }

    private mutating func block(at column: Int) -> String {
        let style = ["|", ">", "|-", ">-", "|+", ">+"].randomElement(using: &generator) ?? "|"
        var text = style + (oneIn(3) ? "  # folded" : "") + "\n"
        for _ in 0..<number(1...3) {
            if oneIn(4) { text += oneIn(2) ? "\n" : spaces(number(0...column)) + "\n" }
            text += spaces(column) + "text: # {" + "\n"
            if oneIn(3) { text += spaces(column + 3) + "more" + spaces(number(0...2)) + "\n" }
        }
        return text + (oneIn(3) ? "\n\n" : "")
    }

    private mutating func flow(depth: Int, at column: Int) -> String {
        let isMap = oneIn(2)
        let items = (0..<number(0...3)).map { _ -> String in
            let value = depth < 4 && oneIn(3) ? flow(depth: depth + 1, at: column) : scalar()
            let gap =
                oneIn(5) ? (oneIn(2) ? " # in\n" : "\n") + spaces(column) : spaces(number(0...2))
            return gap + (isMap ? key() + colon() + blank() : "") + value + spaces(number(0...1))
        }
        return (isMap ? "{" : "[") + items.joined(separator: ",") + (isMap ? "}" : "]")
    }

    private mutating func key() -> String {
        let name = "k\(number(0...1_000_000_000))"
        return oneIn(6) ? "\"\(name)\"" : name
    }

    private mutating func scalar() -> String {
        ["1", "x", "'it''s  '", "\"a # b\"", "-1.5", "~", "a b", "é", "a:b", "http://x#y"]
            .randomElement(using: &generator) ?? "x"
    }

    private mutating func colon() -> String { (oneIn(6) ? " " : "") + ":" }
    private mutating func blank() -> String { spaces(number(1...4)) }
    private mutating func comment() -> String { oneIn(4) ? blank() + "# note  " : "" }

    /// Empty lines and comments in front of a line.
    private mutating func between(_ column: Int) -> String {
        var text = oneIn(5) ? "\n\n\n" : ""
        if oneIn(6) { text += spaces(oneIn(2) ? column : number(0...column)) + "# c\n" }
        return text
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }
    private mutating func oneIn(_ count: Int) -> Bool { number(1...count) == 1 }
}
