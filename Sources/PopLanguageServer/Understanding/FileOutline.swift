internal import PopCEL
internal import PopRuleFiles
package import PopSource
internal import PopYAML

/// What the places of a file are: keys, names that are declared or mentioned, expressions.
///
/// It goes through the tree and the tables of the format side by side, so that no key is known here
/// by its name.
package struct FileOutline: Sendable {
    /// What stands at a place.
    struct Mark: Sendable {
        enum Kind: Sendable {
            /// A key of a map with fixed keys.
            case key(TableSchema.Key)
            case topLevel(TopLevelKey)
            /// A name that the file declares, and the place of all that belongs to it.
            case declares(kind: String, name: String, whole: Range<Int>)
            /// A name of something that is declared somewhere.
            case names(kind: String, name: String)
            case expression(ExpressionText)
            /// What stands for a value in a text of the content.
            case placeholder(String)
            /// One of the words that a key takes.
            case word(String)
        }

        var kind: Kind
        /// Of a name or a word what stands between quotes.
        var range: Range<Int>
    }

    /// In the order of the file.
    private(set) var marks: [Mark] = []
    /// The tree, for what is asked of shape alone; nil where there is none.
    let root: YAMLNode?
    let kind: FileKind

    package init(_ source: SourceFile, kind: FileKind) {
        self.kind = kind
        root = YAMLDocument.parse(source).value?.root
        guard let root else { return }
        var walk = Walk(kind: kind)
        walk.top(root)
        marks = walk.marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// What stands at a byte, the innermost.
    func marks(at offset: Int) -> [Mark] {
        marks.filter { $0.range.contains(offset) || $0.range.upperBound == offset }
    }
}

/// The text of an expression in a file.
struct ExpressionText: Sendable {
    let text: [UInt8]
    let map: TextMap
    let tokens: [LexicalToken]
    /// The event whose payload it may read; nil for none.
    let event: String?
    /// Whether it is about the state of a test, where popups are named as texts.
    let isOfState: Bool

    /// What stands in the file for a part of the text.
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
        /// Whether the last word is called.
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
            // A word behind a dot that follows no name belongs to a value, such as that of a call.
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

    /// The words of a chain as a dotted name, as many as asked for.
    func name(_ chain: Chain, words count: Int) -> String {
        chain.words.prefix(count).map { text(tokens[$0].range) }.joined(separator: ".")
    }

    /// What stands in the file for the words of a chain.
    func range(_ chain: Chain, words: Range<Int>) -> Range<Int> {
        let first = tokens[chain.words[words.lowerBound]].range.lowerBound
        let last = tokens[chain.words[words.upperBound - 1]].range.upperBound
        return range(first..<last)
    }

    /// The texts between the quotes of the arguments of a call, by their position, where they are
    /// constants.
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

// MARK: - walking

private struct Walk {
    let kind: FileKind
    var marks: [FileOutline.Mark] = []
    /// The event whose payload a `where` may read.
    private var event: String?

    init(kind: FileKind) { self.kind = kind }

    mutating func top(_ root: YAMLNode) {
        for entry in root.entries {
            guard let name = entry.key.text,
                let key = kind.topLevel.first(where: { $0.name == name })
            else { continue }
            add(.topLevel(key), at: entry.key)
            section(entry.value, of: key)
        }
    }

    private mutating func section(_ node: YAMLNode, of key: TopLevelKey) {
        guard let kind = key.kind, case .map(let schema, _) = key.schema, node.kind == .mapping
        else { return walk(node, key.schema) }
        for entry in node.entries {
            declare(entry, kind: kind)
            walk(entry.value, schema)
        }
    }

    private mutating func declare(_ entry: YAMLEntry, kind: String) {
        guard let name = entry.key.text else { return }
        let end = max(entry.key.range.upper, entry.value.isAlias ? 0 : entry.value.range.upper)
        add(
            .declares(kind: kind, name: name, whole: entry.key.range.lower..<end),
            at: entry.key)
    }

    private mutating func add(_ kind: FileOutline.Mark.Kind, at node: YAMLNode) {
        if node.isAlias || node.isBroken { return }
        let range = node.scalar?.textMap.range(0..<(node.scalar?.utf8Count ?? 0)) ?? node.range
        guard !range.isEmpty else { return }
        marks.append(FileOutline.Mark(kind: kind, range: range.bytes))
    }

    private mutating func walk(_ node: YAMLNode, _ schema: Schema) {
        if node.isBroken || node.isAlias { return }
        switch schema {
        case .condition: condition(node)
        case .table(let table): self.table(node, table)
        case .list(let item, _):
            for value in node.items { walk(value, item) }
        case .map(let value, let keys): map(node, value, keys)
        case .either(let schemas): either(node, schemas)
        case .reference(let kind):
            if let name = node.text { add(.names(kind: kind, name: name), at: node) }
        case .word:
            if let text = node.text { add(.word(text), at: node) }
        case .pattern(let phrase, _):
            if phrase.hasPrefix("an expression") { return expression(node, isOfState: true) }
            // Also a zone may be the name of one; what is none names nothing.
            if phrase.contains("context key"), let name = node.text {
                add(.names(kind: "context key", name: name), at: node)
            }
        case .any, .bool, .text, .integer, .number, .duration: break
        }
    }

    private mutating func either(_ node: YAMLNode, _ schemas: [Schema]) {
        for schema in schemas {
            switch (schema, node.kind) {
            case (.condition, _), (.list, .sequence), (.table, .mapping), (.map, .mapping),
                (.either, _):
                return walk(node, schema)
            case (.reference, .scalar), (.pattern, .scalar): return walk(node, schema)
            case (.word(let words), .scalar):
                if let text = node.text, words.contains(text) { return walk(node, schema) }
            case (.any, _), (.bool, _), (.text, _), (.integer, _), (.number, _), (.duration, _),
                (.pattern, _), (.word, _), (.reference, _), (.list, _), (.map, _), (.table, _):
                continue
            }
        }
    }

    private mutating func table(_ node: YAMLNode, _ table: TableSchema) {
        let outer = event
        // The payload that a `where` reads is that of the event beside it.
        if let name = node.entries.first(where: { $0.key.text == "event" })?.value.text {
            event = name
        }
        defer { event = outer }
        for entry in node.entries {
            guard let name = entry.key.text,
                let key = table.keys.first(where: { $0.name == name || $0.formerly.contains(name) })
            else { continue }
            add(.key(key), at: entry.key)
            walk(entry.value, key.schema)
            if kind == .rules, name == "content" { placeholders(in: entry.value) }
        }
    }

    private mutating func placeholders(in content: YAMLNode) {
        for placeholder in placeholdersInTexts(of: content) {
            marks.append(
                FileOutline.Mark(
                    kind: .placeholder(placeholder.name), range: placeholder.range.bytes))
        }
    }

    private mutating func map(_ node: YAMLNode, _ value: Schema, _ keys: MapKeys) {
        for entry in node.entries {
            if case .references(let kind) = keys, let name = entry.key.text {
                add(.names(kind: kind, name: name), at: entry.key)
            }
            walk(entry.value, value)
        }
    }

    private mutating func condition(_ node: YAMLNode) {
        switch node.kind {
        case .scalar: expression(node)
        case .sequence: for item in node.items { condition(item) }
        case .mapping:
            for entry in node.entries {
                guard let name = entry.key.text else { continue }
                if combinerWordsOfConditions.contains(name) {
                    add(.word(name), at: entry.key)
                    condition(entry.value)
                } else {
                    add(.names(kind: nameInCondition, name: name), at: entry.key)
                }
            }
        }
    }

    private mutating func expression(_ node: YAMLNode, isOfState: Bool = false) {
        guard !node.isAlias, let scalar = node.scalar, case .string = scalar.value else { return }
        let text = Array(scalar.utf8)
        let expression = ExpressionText(
            text: text, map: scalar.textMap, tokens: LexicalToken.all(in: text), event: event,
            isOfState: isOfState)
        marks.append(FileOutline.Mark(kind: .expression(expression), range: node.range.bytes))
    }
}

/// The kind of a name that is a context key or a named condition.
let nameInCondition = "name in a condition"
