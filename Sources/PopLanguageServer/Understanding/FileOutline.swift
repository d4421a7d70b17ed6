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
            case declares(kind: String, name: String, of: NameOwner? = nil, whole: Range<Int>)
            /// A name of something that is declared somewhere.
            case names(kind: String, name: String, of: NameOwner? = nil)
            case expression(ExpressionText)
            /// What stands for a value in a text of the content of a popup.
            case placeholder(String, popup: String?)
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

/// What a name belongs to that several things may have.
enum NameOwner: Sendable, Hashable {
    /// The event whose field it is.
    case event(String)
    /// The popup whose variant it is, in its own experiment or in one that several share.
    case popup(String)
    /// The experiment of several popups whose variant it is.
    case experiment(String)
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
    /// What the entry of a section declares that is being gone through.
    private var owner: NameOwner?
    /// In a test file the popup that the map is about.
    private var popup: String?
    /// The places that were marked: what several merge in, or repeat by aliases, is marked once.
    private var marked: Set<Place> = []
    /// The aliases that were followed.
    private var followed: Set<Int> = []

    private struct Place: Hashable {
        var range: Range<Int>
        var kind: String
    }

    init(kind: FileKind) { self.kind = kind }

    /// Whether the value is to be gone through: what an alias names once for each of its places.
    private mutating func isNew(_ node: YAMLNode) -> Bool {
        !node.isAlias || followed.insert(node.range.lower).inserted
    }

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
        else { return walk(node, by: key.schema) }
        for entry in node.entries {
            declare(entry, kind: kind)
            owner = entry.key.text.flatMap { Self.owner(kind, named: $0) }
            walk(entry.value, by: schema)
        }
        owner = nil
    }

    /// What has names of its own.
    private static func owner(_ kind: String, named name: String) -> NameOwner? {
        switch kind {
        case "event": .event(name)
        case "popup": .popup(name)
        case "experiment": .experiment(name)
        default: nil
        }
    }

    /// What the names in a map are that belong to something.
    private var kindOfNames: String? {
        switch owner {
        case .event: "event field"
        case .popup, .experiment: "variant"
        case nil: nil
        }
    }

    private mutating func declare(_ entry: YAMLEntry, kind: String) {
        guard let name = entry.key.text else { return }
        let end = max(entry.key.range.upper, entry.value.isAlias ? 0 : entry.value.range.upper)
        let isOwned = kind == kindOfNames
        add(
            .declares(
                kind: kind, name: name, of: isOwned ? owner : nil,
                whole: entry.key.range.lower..<end),
            at: entry.key)
    }

    private mutating func add(_ kind: FileOutline.Mark.Kind, at node: YAMLNode) {
        if node.isBroken { return }
        let range =
            node.scalar?.textMap.range(0..<(node.scalar?.utf8Count ?? 0)) ?? node.definitionRange
        guard !range.isEmpty else { return }
        add(FileOutline.Mark(kind: kind, range: range.bytes))
    }

    private mutating func add(_ mark: FileOutline.Mark) {
        let kind =
            switch mark.kind {
            case .key: "key"
            case .topLevel: "section"
            case .declares(let kind, _, _, _): "declares \(kind)"
            case .names(let kind, _, _): "names \(kind)"
            case .expression: "expression"
            case .placeholder: "placeholder"
            case .word: "word"
            }
        guard marked.insert(Place(range: mark.range, kind: kind)).inserted else { return }
        marks.append(mark)
    }

    private mutating func walk(_ node: YAMLNode, by schema: Schema) {
        guard !node.isBroken, isNew(node) else { return }
        switch schema {
        case .condition: condition(node)
        case .table(let table): self.table(node, by: table)
        case .list(let item, _):
            for value in node.items { walk(value, by: item) }
        case .map(let value, let keys): map(node, values: value, keys: keys)
        case .either(let schemas): either(node, of: schemas)
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

    private mutating func either(_ node: YAMLNode, of schemas: [Schema]) {
        for schema in schemas {
            switch (schema, node.kind) {
            case (.condition, _), (.list, .sequence), (.table, .mapping), (.map, .mapping),
                (.either, _):
                return walk(node, by: schema)
            case (.reference, .scalar), (.pattern, .scalar): return walk(node, by: schema)
            case (.word(let words), .scalar):
                if let text = node.text, words.contains(text) { return walk(node, by: schema) }
            case (.any, _), (.bool, _), (.text, _), (.integer, _), (.number, _), (.duration, _),
                (.pattern, _), (.word, _), (.reference, _), (.list, _), (.map, _), (.table, _):
                continue
            }
        }
    }

    private mutating func table(_ node: YAMLNode, by table: TableSchema) {
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
            walk(entry.value, by: key.schema)
            if kind == .rules, name == "content" { placeholders(in: entry.value) }
            if kind == .tests, Self.keysOfVariants.contains(name) { variants(in: entry.value) }
        }
    }

    private mutating func placeholders(in content: YAMLNode) {
        for placeholder in placeholdersInTexts(of: content) {
            var popup: String?
            if case .popup(let name) = owner { popup = name }
            add(
                FileOutline.Mark(
                    kind: .placeholder(placeholder.name, popup: popup),
                    range: placeholder.range.bytes))
        }
    }

    /// The keys of test files behind which variants are named.
    private static let keysOfVariants: Set<String> = ["variant", "exposed"]

    /// The variant of the popup that a map is about, or those of several by their popups.
    private mutating func variants(in node: YAMLNode) {
        if let name = node.text, let popup {
            add(.names(kind: "variant", name: name, of: .popup(popup)), at: node)
        }
        for entry in node.entries {
            guard let popup = entry.key.text else { continue }
            add(.names(kind: "popup", name: popup), at: entry.key)
            guard let name = entry.value.text else { continue }
            add(.names(kind: "variant", name: name, of: .popup(popup)), at: entry.value)
        }
    }

    private mutating func map(_ node: YAMLNode, values value: Schema, keys: MapKeys) {
        for entry in node.entries {
            switch keys {
            case .references(let kind):
                guard let name = entry.key.text else { continue }
                add(.names(kind: kind, name: name), at: entry.key)
                if kind == "event" { payload(in: entry.value, of: name) }
                if self.kind == .tests, kind == "context key" { draws(in: entry, named: name) }
                if kind == "popup or event" { popup = name }
            case .declared:
                if let kindOfNames { declare(entry, kind: kindOfNames) }
            case .any: break
            }
            walk(entry.value, by: value)
            popup = nil
        }
    }

    /// The fields of an event that a test sends.
    private mutating func payload(in node: YAMLNode, of event: String) {
        for entry in node.entries {
            guard let field = entry.key.text else { continue }
            add(.names(kind: "event field", name: field, of: .event(event)), at: entry.key)
        }
    }

    /// What is drawn for a persona stands beside its context.
    private mutating func draws(in entry: YAMLEntry, named name: String) {
        if Self.keysOfVariants.contains(name) { variants(in: entry.value) }
        guard name == "rollout" else { return }
        for popup in entry.value.entries {
            guard let name = popup.key.text else { continue }
            add(.names(kind: "popup", name: name), at: popup.key)
        }
    }

    private mutating func condition(_ node: YAMLNode) {
        guard !node.isBroken else { return }
        switch node.kind {
        case .scalar: expression(node)
        case .sequence: for item in node.items { condition(item) }
        case .mapping:
            for entry in node.entries {
                guard let name = entry.key.text else { continue }
                if combinerWordsOfConditions.contains(name) {
                    add(.word(name), at: entry.key)
                    condition(entry.value)
                } else if let event, name.hasPrefix("event.") {
                    let field = String(name.dropFirst("event.".count))
                    add(.names(kind: "event field", name: field, of: .event(event)), at: entry.key)
                } else {
                    add(.names(kind: nameInCondition, name: name), at: entry.key)
                }
            }
        }
    }

    private mutating func expression(_ node: YAMLNode, isOfState: Bool = false) {
        guard let scalar = node.scalar, case .string = scalar.value else { return }
        let text = Array(scalar.utf8)
        let expression = ExpressionText(
            text: text, map: scalar.textMap, tokens: LexicalToken.all(in: text), event: event,
            isOfState: isOfState)
        add(FileOutline.Mark(kind: .expression(expression), range: node.definitionRange.bytes))
    }
}

/// The kind of a name that is a context key or a named condition.
let nameInCondition = "name in a condition"
