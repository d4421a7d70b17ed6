internal import PopCEL
internal import PopSource

/// Searches an unreadable string for mistakes of authors who know other languages.
struct SyntaxRepairer {
    let bytes: [UInt8]
    let tokens: [LooseToken]
    /// The declared names, if known.
    let environment: Environment?

    init(_ bytes: [UInt8], environment: Environment?) {
        self.bytes = bytes
        self.environment = environment
        tokens = bytes.count <= CELLimits.mendedLength ? LooseLexer.tokens(of: bytes) : []
    }

    /// Returns the fixes, from left to right; no two change the same place.
    func mends() -> [SyntaxRepair] {
        if let whole = choiceBehind() { return [whole] }
        var mends: [SyntaxRepair] = []
        var index = 0
        while index < tokens.count, mends.count < CELLimits.mends {
            guard let found = mend(at: index) else {
                index += 1
                continue
            }
            if !found.mend.overlapsItself, !found.mend.overlaps(mends) { mends.append(found.mend) }
            index = max(found.next, index + 1)
        }
        return mends
    }

    typealias Found = (mend: SyntaxRepair, next: Int)

    private func mend(at index: Int) -> Found? {
        switch tokens[index].kind {
        case .text where !tokens[index].isStraight: return quotes(at: index)
        case .text: return nil
        case .date: return date(at: index)
        case .number: return number(at: index)
        case .pattern: return test(at: index) ?? patternInCall(at: index)
        case .word: return word(at: index)
        case .symbol: return sigil(at: index) ?? pattern(at: index) ?? sign(at: index)
        case .unknown: return character(at: index)
        }
    }
}

extension SyntaxRepair {
    /// True if a reading changes a place twice: words that belong together are not all there, as in
    /// `not or`.
    fileprivate var overlapsItself: Bool {
        readings.contains { reading in
            let ranges = [reading.changes].inOrder.map(\.range)
            return zip(ranges, ranges.dropFirst()).contains { $0.upperBound > $1.lowerBound }
        }
    }

    /// Returns true if it changes the same place as another fix, or inserts inside of it.
    fileprivate func overlaps(_ others: [SyntaxRepair]) -> Bool {
        let own = readings.flatMap { $0.changes }
        return others.flatMap { $0.readings }.flatMap { $0.changes }.contains { other in
            own.contains { change in
                if change.range == other.range { return !(closes(change) && closes(other)) }
                return change.range.lowerBound < other.range.upperBound
                    && other.range.lowerBound < change.range.upperBound
            }
        }
    }

    /// Returns true if a change only closes brackets: several changes may do so at one place.
    private func closes(_ change: Change) -> Bool {
        change.range.isEmpty && change.replacement.allSatisfy { ")]".contains($0) }
    }
}

// MARK: Looking around

extension SyntaxRepairer {
    func token(_ index: Int) -> LooseToken? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }

    /// Returns tokens in the notation of the language: strings in straight quotes.
    func written(_ range: Range<Int>) -> String {
        var text = ""
        var end: Int?
        for token in tokens[range] {
            if let end {
                text += String(decoding: bytes[end..<token.range.lowerBound], as: UTF8.self)
            }
            text += written(token)
            end = token.range.upperBound
        }
        return text
    }

    func written(_ token: LooseToken) -> String {
        switch token.kind {
        case .text where !token.isStraight: straight(token.text)
        case .pattern: raw(token.text)
        case .word, .number, .date, .text, .symbol, .unknown:
            String(decoding: bytes[token.range], as: UTF8.self)
        }
    }

    /// Returns a string in straight quotes, if possible the kind that doesn't occur in it.
    func straight(_ text: String) -> String {
        if !text.contains("\"") { return "\"\(text)\"" }
        return text.contains("'") ? "\"\(text.replacing("\"", with: "\\\""))\"" : "'\(text)'"
    }

    private func raw(_ text: String) -> String {
        text.contains("\\") ? "r" + straight(text) : straight(text)
    }

    /// Returns true if an operand ends with a token, so that an operator follows it.
    func endsOperand(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        switch token.kind {
        case .number, .date, .text, .pattern: return true
        case .word: return !isOperatorWord(index)
        case .symbol: return [")", "]", "}", "}}"].contains(token.text) || isPercent(index)
        case .unknown: return false
        }
    }

    func isOperatorWord(_ index: Int) -> Bool {
        ["in", "and", "or", "not", "if", "then", "else", "unless", "when"]
            .contains(tokens[index].text.lowercased())
    }

    /// The first token of the operand that ends with a token.
    func operandStart(_ last: Int) -> Int {
        var start = last
        if let token = token(last), token.isSymbol(")") || token.isSymbol("]") {
            start = opening(of: last) ?? last
            if start > 0, tokens[start - 1].kind == .word, touches(start - 1, start),
                !isOperatorWord(start - 1)
            {
                start -= 1
            }
        }
        return start
    }

    /// Returns the place after the operand that begins with a token; nil if none does.
    func operandEnd(_ first: Int) -> Int? {
        var index = first
        while let token = token(index), token.isSymbol("!") || token.isSymbol("-") { index += 1 }
        guard let token = token(index) else { return nil }
        switch token.kind {
        case .symbol:
            guard ["(", "[", "{"].contains(token.text), let end = closing(of: index) else {
                return nil
            }
            index = end + 1
        case .unknown: return nil
        case .word, .number, .date, .text, .pattern: index += 1
        }
        while let next = self.token(index), next.isSymbol("(") || next.isSymbol("["),
            touches(index - 1, index), let end = closing(of: index)
        {
            index = end + 1
        }
        return index
    }

    func touches(_ left: Int, _ right: Int) -> Bool {
        tokens[left].range.upperBound == tokens[right].range.lowerBound
    }

    func closing(of index: Int) -> Int? {
        match(index, step: 1, deeper: ["(", "[", "{"], back: [")", "]", "}"])
    }

    func opening(of index: Int) -> Int? {
        match(index, step: -1, deeper: [")", "]", "}"], back: ["(", "[", "{"])
    }

    private func match(
        _ index: Int, step: Int, deeper: Set<String>, back: Set<String>
    ) -> Int? {
        var depth = 0
        var index = index
        while let token = token(index) {
            if token.kind == .symbol, deeper.contains(token.text) { depth += 1 }
            if token.kind == .symbol, back.contains(token.text) { depth -= 1 }
            if depth == 0 { return index }
            index += step
        }
        return nil
    }

    /// Returns the place after the last token of a part between `&&`, `||` and the like, from a
    /// token on.
    func clauseEnd(_ first: Int) -> Int {
        var index = first
        while let token = token(index), !isBoundary(index) {
            if token.kind == .symbol, ["(", "[", "{"].contains(token.text),
                let end = closing(of: index)
            {
                index = end
            }
            index = joined(behind: index) ?? index + 1
        }
        return index
    }

    /// Returns the place after operands that `between` or `in` joins by an `and` or by commas that
    /// aren't separators.
    private func joined(behind index: Int) -> Int? {
        guard let token = token(index), token.kind == .word else { return nil }
        if ForeignWords.betweens.contains(token.text.lowercased()) {
            return operandEnd(index + 1).flatMap { isLogical($0) ? $0 + 1 : nil }
        }
        return token.isWord("in") ? endOfItems(index + 1) : nil
    }

    /// Returns the place after words or strings with commas between; nil if there is only one.
    func endOfItems(_ first: Int) -> Int? {
        var end = first
        while let kind = token(end)?.kind, kind == .word || kind == .text,
            token(end + 1)?.isSymbol(",") == true, token(end + 2)?.kind == kind
        {
            end += 2
        }
        return end > first ? end + 1 : nil
    }

    func isLogical(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        if token.kind == .word {
            switch ForeignWords.phrases.first(where: { $0.words == [token.text.lowercased()] })?
                .meaning
            {
            case .and?, .or?: return true
            case nil, .comparison, .method, .membership, .between, .like, .presence, .null:
                return false
            }
        }
        return token.kind == .symbol && ["&&", "||", "&", "|"].contains(token.text)
    }

    private func isBoundary(_ index: Int) -> Bool {
        let token = tokens[index]
        if isLogical(index) || token.isWord("then") || token.isWord("else") { return true }
        return token.kind == .symbol && [")", "]", "}", ",", "?", ":", ";"].contains(token.text)
    }

    /// The type that a name is declared with.
    func type(of token: LooseToken?) -> CELType? {
        guard let token, token.kind == .word else { return nil }
        return environment?.variable(named: token.text)?.type
    }
}

/// A part of a string that is not in the language, and its probable meaning.
struct SyntaxRepair {
    typealias Change = (range: Range<Int>, replacement: String)

    /// A meaning that it may have.
    struct Reading {
        /// The beginning of the help on it.
        let help: String
        let changes: [Change]
    }

    let range: Range<Int>
    let message: String
    let label: String
    /// The likely one first.
    let readings: [Reading]
    let isSafe: Bool
    /// False if the changes only make the rest readable, and are not what the user should write.
    let isOffered: Bool

    /// Creates a fix with one meaning; a certain one is safe.
    init(
        _ range: Range<Int>, message: String, label: String, help: String, changes: [Change],
        isSafe: Bool = true, isOffered: Bool = true
    ) {
        self.range = range
        self.message = message
        self.label = label
        readings = [Reading(help: help, changes: changes)]
        self.isSafe = isSafe
        self.isOffered = isOffered
    }

    /// Creates a fix with several meanings, none of which is safe.
    init(_ range: Range<Int>, message: String, label: String, readings: [Reading]) {
        self.range = range
        self.message = message
        self.label = label
        self.readings = readings
        isSafe = false
        isOffered = true
    }
}
