internal import PopRuleFiles
internal import PopSource
internal import PopYAML

/// Goes through the tree of a file and the tables of the format side by side.
struct OutlineWalk {
    let kind: FileKind
    var marks: [FileOutline.Mark] = []
    /// The event whose payload a `where` may read, or whose fields a mapping names.
    var event: String?
    /// The declaration of the section entry that is being walked through.
    var owner: OutlineOwner?
    /// In a test file the popup that the map is about.
    var popup: String?
    /// The places that were marked: what several merge in, or repeat by aliases, is marked once.
    private var marked: Set<Place> = []
    /// The aliases that were followed.
    private var followed: Set<Int> = []

    private struct Place: Hashable {
        var range: Range<Int>
        var kind: String
    }

    init(kind: FileKind) { self.kind = kind }

    /// Returns true if the value has to be visited: the target of an alias is visited only once, at
    /// the first of its uses.
    mutating func isNew(_ node: YAMLNode) -> Bool {
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

    /// Returns the owner of names for a kind; nil if the kind has no names of its own.
    private static func owner(_ kind: String, named name: String) -> OutlineOwner? {
        switch kind {
        case "event": .event(name)
        case "popup": .popup(name)
        case "experiment": .experiment(name)
        default: nil
        }
    }

    /// The kind of the names in a map that belong to the owner.
    private var kindOfNames: String? {
        switch owner {
        case .event: "event field"
        case .popup, .experiment: "variant"
        case nil: nil
        }
    }

    mutating func declare(_ entry: YAMLEntry, kind: String) {
        guard let name = entry.key.text else { return }
        let end = max(entry.key.range.upper, entry.value.isAlias ? 0 : entry.value.range.upper)
        let isOwned = kind == kindOfNames
        add(
            .declares(
                kind: kind, name: name, of: isOwned ? owner : nil,
                whole: entry.key.range.lower..<end),
            at: entry.key)
    }

    mutating func add(_ kind: FileOutline.Mark.Kind, at node: YAMLNode) {
        if node.isBroken { return }
        let range =
            node.scalar?.textMap.range(0..<(node.scalar?.utf8Count ?? 0)) ?? node.definitionRange
        guard !range.isEmpty else { return }
        add(FileOutline.Mark(kind: kind, range: range.bytes))
    }

    mutating func add(_ mark: FileOutline.Mark) {
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

    mutating func walk(_ node: YAMLNode, by schema: Schema) {
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
            // A zone may be the name of a context key too; other strings name nothing.
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
        // The payload that a `where` reads belongs to the event in the same map.
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

    private mutating func map(_ node: YAMLNode, values value: Schema, keys: MapKeys) {
        let outer = event
        for entry in node.entries {
            switch keys {
            case .references("event field"):
                guard let name = entry.key.text, let event else { continue }
                add(.names(kind: "event field", name: name, of: .event(event)), at: entry.key)
            case .references(let kind):
                guard let name = entry.key.text else { continue }
                add(.names(kind: kind, name: name), at: entry.key)
                if kind == "event" {
                    if value.isAny { payload(in: entry.value, of: name) } else { event = name }
                }
                if self.kind == .tests, kind == "context key" { draws(in: entry, named: name) }
                if kind == "popup or event" { popup = name }
            case .declared:
                if let kindOfNames { declare(entry, kind: kindOfNames) }
            case .any: break
            }
            walk(entry.value, by: value)
            popup = nil
            event = outer
        }
    }
}

// Names in contents and tests, and what conditions mention.
extension OutlineWalk {
    mutating func placeholders(in content: YAMLNode) {
        for placeholder in placeholdersInTexts(of: content) {
            var popup: String?
            if case .popup(let name) = owner { popup = name }
            add(
                FileOutline.Mark(
                    kind: .placeholder(placeholder.name, popup: popup),
                    range: placeholder.range.bytes))
        }
    }

    /// The keys of test files that are followed by variants.
    static let keysOfVariants: Set<String> = ["variant", "exposed"]

    /// Marks the variant of the popup that a map is about, or the variants of several popups.
    mutating func variants(in node: YAMLNode) {
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

    /// The fields of an event that a test sends.
    mutating func payload(in node: YAMLNode, of event: String) {
        for entry in node.entries {
            guard let field = entry.key.text else { continue }
            add(.names(kind: "event field", name: field, of: .event(event)), at: entry.key)
        }
    }

    /// Marks the assignments of a persona, which are next to its context.
    mutating func draws(in entry: YAMLEntry, named name: String) {
        if Self.keysOfVariants.contains(name) { variants(in: entry.value) }
        guard name == "rollout" else { return }
        for popup in entry.value.entries {
            guard let name = popup.key.text else { continue }
            add(.names(kind: "popup", name: name), at: popup.key)
        }
    }

    mutating func condition(_ node: YAMLNode) {
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

    mutating func expression(_ node: YAMLNode, isOfState: Bool = false) {
        guard let scalar = node.scalar, case .string = scalar.value else { return }
        let text = Array(scalar.utf8)
        let expression = ExpressionText(
            text: text, map: scalar.textMap, tokens: LexicalToken.all(in: text), event: event,
            isOfState: isOfState)
        add(FileOutline.Mark(kind: .expression(expression), range: node.definitionRange.bytes))
    }
}
