internal import PopSource
internal import PopYAML

/// The text of an expression in a file.
struct ExpressionText: Sendable {
    let text: [UInt8]
    let map: TextMap
    let tokens: [LexicalToken]
    /// The event whose payload it may read; nil for none.
    let event: String?
    /// Indicates whether it is about the state of a test, where popups are named as strings.
    let isOfState: Bool

    /// Returns the range in the file for a part of the expression.
    func range(_ part: Range<Int>) -> Range<Int> { map.range(part).bytes }

    func text(_ part: Range<Int>) -> String { String(decoding: text[part], as: UTF8.self) }

    func isSign(_ index: Int, _ sign: UInt8) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .sign
            && tokens[index].range.count == 1 && text[tokens[index].range.lowerBound] == sign
    }

    /// A name of several words with dots between them, or a call.
    struct Chain: Sendable {
        /// The positions of its words among the tokens.
        var words: [Int]
        /// Indicates whether the last word is called.
        var isCall: Bool
    }

    /// The names in the order of the text.
    var chains: [Chain] {
        var found: [Chain] = []
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            guard tokens[index].kind == .name else { continue }
            var chain = Chain(words: [index], isCall: false)
            // A word after a dot that follows no name belongs to a value, such as the result of a
            // call.
            if isSign(index - 1, UInt8(ascii: ".")) { chain.words = [index] }
            while isSign(index + 1, UInt8(ascii: ".")), index + 2 < tokens.count,
                tokens[index + 2].kind == .name
            {
                index += 2
                chain.words.append(index)
            }
            chain.isCall = isSign(index + 1, UInt8(ascii: "("))
            found.append(chain)
        }
        return found
    }

    /// Returns the given number of words of a chain as a dotted name.
    func name(_ chain: Chain, words count: Int) -> String {
        chain.words.prefix(count).map { text(tokens[$0].range) }.joined(separator: ".")
    }

    /// Returns the range in the file for words of a chain.
    func range(_ chain: Chain, words: Range<Int>) -> Range<Int> {
        let first = tokens[chain.words[words.lowerBound]].range.lowerBound
        let last = tokens[chain.words[words.upperBound - 1]].range.upperBound
        return range(first..<last)
    }

    /// Returns the strings in the arguments of a call, without their quotes, by position, if they
    /// are constants.
    func texts(ofCall chain: Chain) -> [(position: Int, text: String, range: Range<Int>)] {
        guard chain.isCall, let last = chain.words.last else { return [] }
        var found: [(position: Int, text: String, range: Range<Int>)] = []
        var depth = 0
        var position = 0
        for index in (last + 1)..<tokens.count {
            let token = tokens[index]
            if token.kind == .sign, token.range.count == 1 {
                switch text[token.range.lowerBound] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return found }
                case UInt8(ascii: ",") where depth == 1: position += 1
                default: break
                }
            } else if token.kind == .text, depth == 1, token.range.count >= 2 {
                let inner = token.range.lowerBound + 1..<token.range.upperBound - 1
                found.append((position, text(inner), range(inner)))
            }
        }
        return found
    }
}
