internal import PopCEL
internal import PopSource

/// The colours of expressions, and of names that are declared.
enum SemanticTokens {
    private static let types = [
        "variable", "property", "function", "method", "string", "number", "keyword", "operator",
        "macro", "class", "enumMember", "event",
    ]
    private static let modifiers = ["declaration"]

    static var legend: JSON {
        .object([
            "tokenTypes": .array(types.map(JSON.string)),
            "tokenModifiers": .array(modifiers.map(JSON.string)),
        ])
    }

    private static let macros: Set<String> = [
        "has", "all", "exists", "exists_one", "existsOne", "filter", "map",
    ]

    static func json(_ site: inout RequestContext, in range: Range<Int>?) -> JSON {
        let names = site.names
        var tokens: [(range: Range<Int>, type: String, isDeclaration: Bool)] = []
        for mark in site.outline.marks {
            switch mark.kind {
            case .declares(let kind, _, _, _): tokens.append((mark.range, type(of: kind), true))
            case .names(let kind, _, _): tokens.append((mark.range, type(of: kind), false))
            case .expression(let expression):
                for (range, type) in types(in: expression, names) {
                    tokens.append((range, type, false))
                }
            case .placeholder: tokens.append((mark.range, "variable", false))
            case .word: tokens.append((mark.range, "enumMember", false))
            case .key, .topLevel: break
            }
        }
        tokens = tokens.filter { range.map($0.range.overlaps) ?? true }
        tokens.sort { $0.range.lowerBound < $1.range.lowerBound }
        return .object(["data": .array(encoded(tokens, lines: site.lines).map(JSON.int))])
    }

    private static func types(
        in expression: ExpressionText, _ names: ExpressionNames?
    ) -> [(Range<Int>, String)] {
        var types: [Int: String] = [:]
        for chain in expression.chains {
            for (position, word) in chain.words.enumerated() {
                types[word] = position == 0 && chain.words.count > 0 ? "variable" : "property"
            }
            if chain.isCall, let last = chain.words.last {
                let name = expression.text(expression.tokens[last].range)
                types[last] =
                    macros.contains(name)
                    ? "macro" : chain.words.count > 1 ? "method" : "function"
            }
        }
        return expression.tokens.enumerated().compactMap { index, token in
            let type: String? =
                switch token.kind {
                case .name: types[index]
                case .number: "number"
                case .text: "string"
                case .constant, .keyword: "keyword"
                case .sign: isOperator(expression.text[token.range.lowerBound]) ? "operator" : nil
                }
            return type.map { (expression.range(token.range), $0) }
        }
    }

    private static func isOperator(_ sign: UInt8) -> Bool { "!<>=&|+-*/%?:".utf8.contains(sign) }

    private static func type(of kind: String) -> String {
        switch kind {
        case "popup", "template": "class"
        case "event": "event"
        case "named condition", nameInCondition, "context key": "variable"
        default: "enumMember"
        }
    }

    /// Five numbers a token: lines and columns since the last one, length, type, modifiers.
    private static func encoded(
        _ tokens: [(range: Range<Int>, type: String, isDeclaration: Bool)], lines: TextLines
    ) -> [Int] {
        var data: [Int] = []
        var last = (line: 0, character: 0)
        var end = 0
        var place = lines.start
        for token in tokens where token.range.lowerBound >= end && !token.range.isEmpty {
            let start = lines.position(at: token.range.lowerBound, from: &place)
            let stop = lines.position(at: token.range.upperBound, from: &place)
            // The protocol has no tokens over several lines.
            guard start.line == stop.line, let type = types.firstIndex(of: token.type) else {
                continue
            }
            let column =
                start.line == last.line ? start.character - last.character : start.character
            data += [
                start.line - last.line, column, stop.character - start.character, type,
                token.isDeclaration ? 1 : 0,
            ]
            last = start
            end = token.range.upperBound
        }
        return data
    }
}

/// A token of an expression, for editors: its kind and its place in the string.
struct LexicalToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case name, number, text, constant, keyword, sign
    }

    let kind: Kind
    /// In bytes of the text.
    let range: Range<Int>

    /// Returns the tokens of a string, as far as it can be split. Linear in the string.
    static func all(in text: [UInt8]) -> [LexicalToken] {
        var lexer = Lexer(text)
        var tokens: [LexicalToken] = []
        while let token = try? lexer.next(), token.kind != .end {
            tokens.append(LexicalToken(kind: token.kind.forReaders, range: token.start..<token.end))
        }
        return tokens
    }
}

extension Token.Kind {
    fileprivate var forReaders: LexicalToken.Kind {
        switch self {
        case .identifier, .quotedIdentifier: .name
        case .int, .uint, .double: .number
        case .string, .bytes: .text
        case .true, .false, .null: .constant
        case .in: .keyword
        case .end, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket, .leftBrace,
            .rightBrace, .dot, .comma, .colon, .question, .not, .minus, .plus, .star, .slash,
            .percent, .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual:
            .sign
        }
    }
}
