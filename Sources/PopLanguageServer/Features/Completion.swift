internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories

/// A completion item.
struct Completion: Sendable {
    /// The kinds of the protocol (`CompletionItemKind`).
    enum Kind: Int, Sendable {
        case method = 2
        case function = 3
        case field = 5
        case variable = 6
        case module = 9
        case property = 10
        case value = 12
        case keyword = 14
        case file = 17
        case reference = 18
        case enumMember = 20
        case event = 23
    }

    var label: String
    var kind: Kind
    /// A few words next to the label.
    var detail: String?
    /// The documentation of the item.
    var documentation: Markdown?
    /// The text to insert; if nil, the label. Places to fill in are `${1:…}`.
    var snippet: String?
    /// The position among the items; items with a smaller rank come first.
    var rank = 5

    static func json(_ site: inout RequestContext) -> JSON {
        let list = items(&site)
        let limit = ServerLimits.standard.completions
        let range = list.typed.lowerBound..<site.endOfWord(behind: list.typed.upperBound)
        return .object([
            "isIncomplete": .bool(list.items.count > limit),
            "items": .array(list.items.prefix(limit).map { $0.json(replacing: range, site) }),
        ])
    }

    private static func items(_ site: inout RequestContext) -> (
        items: [Completion], typed: Range<Int>
    ) {
        guard let place = CursorPlace(in: site.bytes, at: site.offset) else { return ([], 0..<0) }
        let paths = SchemaPath(kind: site.kind)
        var schemas = paths.schemas(along: place.path, model: site.model)
        let next = site.offset < site.bytes.count ? site.bytes[site.offset] : nil
        var typed = place.typed
        var found: [Completion] = []
        for beside in place.besideKeyAbove {
            let others = paths.schemas(along: beside.path, model: site.model)
            found += keys(of: others, at: beside, &site).map { $0.quoted(by: place.quote, next) }
            // A value can continue in the next line only if it is an expression or a string.
            schemas = schemas.filter { $0.takesExpression }
        }
        for case .contentText(let popup) in schemas {
            return placeholders(ofPopup: popup, in: place.typed, &site)
        }
        if place.role != .value {
            found += keys(of: schemas, at: place, &site).map { $0.quoted(by: place.quote, next) }
        }
        if place.role != .key {
            if let subject = subject(of: schemas, at: place) {
                let inside = ExpressionCompletion(
                    Array(site.bytes[place.typed]), names: site.names, about: subject,
                    followedBy: next)
                if inside.isInside || place.quote != nil || place.isBlock {
                    let start = site.offset - inside.typed.count
                    return (inside.items, start..<site.offset)
                }
                found += inside.items
                typed = place.typed
                if found.isEmpty || !inside.typed.isEmpty {
                    typed = site.offset - inside.typed.count..<site.offset
                }
            }
            found += values(of: schemas, at: place, site)
        }
        var seen: Set<String> = []
        return (found.filter { seen.insert($0.label).inserted }, typed)
    }

    /// Returns the subject of an expression at a place; nil if no expression is possible there.
    private static func subject(
        of schemas: [SchemaPath.Value], at place: CursorPlace
    ) -> ExpressionCompletion.Subject? {
        for schema in schemas where schema.takesExpression {
            guard case .schema(.condition) = schema else { return .state }
            // The payload that a `where` reads belongs to the event in the same map.
            return .rules(event: place.path.last == .key("where") ? place.beside["event"] : nil)
        }
        return nil
    }

    /// Returns the placeholders of a string if an open `{{` precedes the place.
    private static func placeholders(
        ofPopup popup: String?, in text: Range<Int>, _ site: inout RequestContext
    ) -> (items: [Completion], typed: Range<Int>) {
        let brace = UInt8(ascii: "{")
        let none = (items: [Completion](), typed: text.upperBound..<text.upperBound)
        var start = text.upperBound
        while start > text.lowerBound, site.isPartOfName(start - 1) { start -= 1 }
        var open = start
        while open > text.lowerBound, site.bytes[open - 1] == 0x20 { open -= 1 }
        guard open - 2 >= text.lowerBound, site.bytes[open - 1] == brace,
            site.bytes[open - 2] == brace
        else { return none }
        var next = site.endOfWord(behind: text.upperBound)
        while next < site.bytes.count, site.bytes[next] == 0x20 { next += 1 }
        let isClosed = next < site.bytes.count && "}|".utf8.contains(site.bytes[next])
        let variables = site.names?.variablesInTexts(of: popup) ?? []
        let items = variables.map { variable in
            var item = Completion(variable)
            if !isClosed { item.snippet = "\(variable.name)\\}\\}" }
            return item
        }
        return (items, start..<text.upperBound)
    }

    /// Returns the item as written between quotes; the second quote may already exist.
    private func quoted(by quote: UInt8?, _ next: UInt8?) -> Completion {
        guard let quote else { return self }
        var item = self
        let rest = snippet.map { $0.dropFirst(label.count) } ?? ""
        let closing = String(Character(Unicode.Scalar(quote)))
        item.snippet = next == quote ? nil : label + closing + rest
        return item
    }

    /// As the protocol writes it, in the place of what was typed.
    private func json(replacing typed: Range<Int>, _ site: RequestContext) -> JSON {
        // If the word already exists, its colon does too.
        let next = site.bytes[typed.upperBound...].first { $0 != 0x20 }
        let hasColon = next == UInt8(ascii: ":") && snippet?.contains(":") == true
        let snippet = hasColon ? label : snippet
        // A value needs a space after the colon.
        let isClose =
            typed.lowerBound > 0 && site.bytes[typed.lowerBound - 1] == UInt8(ascii: ":")
        let space = isClose ? " " : ""
        let isSnippet = snippet != nil && site.client.takesSnippets
        return .object([
            "label": .string(label), "kind": .int(kind.rawValue),
            "detail": detail.map(JSON.string),
            "documentation": documentation.map {
                .object(["kind": "markdown", "value": .string($0.source)])
            },
            "sortText": .string("\(rank)\(label)"),
            "insertTextFormat": isSnippet ? .int(2) : nil,
            "textEdit": .object([
                "range": site.lines.json(typed),
                "newText": .string(
                    space + (isSnippet ? snippet ?? label : snippet.map(plain) ?? label)),
            ]),
        ])
    }

    /// Returns a snippet for clients without snippet support: up to the first place to fill in,
    /// since the cursor ends at the end; a line break would only disturb.
    private func plain(_ snippet: String) -> String {
        let line = snippet.prefix { $0 != "\n" }
        for opening in ["[$1]", "{ $1 }"] where line.hasSuffix(opening) {
            return Self.withoutPlaces(String(line.dropLast(opening.count)))
        }
        var place = line.startIndex
        // A place after a word only marks an optional addition.
        var isBehindWord = false
        while place < line.endIndex, line[place] != "$" || isBehindWord {
            let isEscape = line[place] == "\\"
            isBehindWord = !" [{(".contains(line[place])
            line.formIndex(after: &place)
            if isEscape, place < line.endIndex { line.formIndex(after: &place) }
        }
        return Self.withoutPlaces(String(line[..<place]))
    }

    /// A snippet as plain text: `${1:word}` is `word`, `$1` nothing, `\}` a brace.
    static func withoutPlaces(_ snippet: String) -> String {
        var text = ""
        var rest = snippet[...]
        // Places do not nest; characters in a place that don't end it are escaped.
        var isInPlace = false
        while let character = rest.popFirst() {
            switch character {
            case "\\": if let escaped = rest.popFirst() { text.append(escaped) }
            case "$" where rest.first == "{":
                rest = rest.dropFirst().drop(while: \.isNumber).dropFirst()
                isInPlace = true
            case "$": rest = rest.drop(while: \.isNumber)
            case "}" where isInPlace: isInPlace = false
            default: text.append(character)
            }
        }
        return text
    }
}

extension RequestContext {
    /// Returns true if a name that conditions read is a Boolean.
    fileprivate func isTrueOrFalse(_ name: String) -> Bool {
        model?.context[name].map { $0.type?.value == .bool } ?? (model?.conditions[name] != nil)
    }

    fileprivate func isPartOfName(_ offset: Int) -> Bool { isPartOfWord(bytes[offset]) }

    /// Returns the end of the word at a place: the chosen item replaces the whole word.
    fileprivate func endOfWord(behind offset: Int) -> Int {
        var end = offset
        while end < bytes.count, isPartOfWord(bytes[end]) { end += 1 }
        return end
    }

    private func isPartOfWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
}

// MARK: - keys

extension Completion {
    private static func keys(
        of schemas: [SchemaPath.Value], at place: CursorPlace, _ site: inout RequestContext
    ) -> [Completion] {
        var found: [Completion] = []
        for schema in schemas {
            switch schema {
            case .top(let keys):
                found += keys.enumerated().map { position, key in
                    Completion(
                        label: key.name, kind: .module, documentation: .message(key.summary),
                        snippet: snippet(
                            for: key.name, schema: key.schema, at: place, example: nil),
                        // The key that identifies the kind of the file comes first.
                        rank: position == 0 ? 0 : 5)
                }
            case .schema(.table(let table)):
                found += table.keys.map { Completion($0, of: table, at: place) }
            case .schema(.map(let value, .references(let kind))):
                found += NameList(site).named(kind, of: place.entry).map { name in
                    var item = name
                    item.snippet = snippet(for: name.label, schema: value, at: place, example: nil)
                    return item
                }
            case .schema(.condition):
                found += combinerWordsOfConditions.map {
                    Completion(
                        label: $0, kind: .keyword,
                        documentation: "true if \($0) of a list of"
                            + " conditions \($0 == "all" ? "are" : "is") true",
                        snippet: snippet(ofCombiner: $0, at: place), rank: 6)
                }
                let event = place.path.last == .key("where") ? place.around["event"] : nil
                let fields = event.flatMap { site.names?.fields(ofEvent: $0) } ?? []
                let names =
                    fields.map { Completion($0, name: "event.\($0.name.value)") }
                    + NameList(site).named(nameInCondition)
                found += names.map { name in
                    // A Boolean name is a condition by itself if no map has begun.
                    if place.role == .open, place.beside.isEmpty, site.isTrueOrFalse(name.label) {
                        return name
                    }
                    var item = name
                    item.snippet = "\(name.label): "
                    return item
                }
            case .comparison:
                found += matcherWords.map {
                    Completion(label: $0, kind: .keyword, snippet: "\($0): ")
                }
            case .content(let template):
                found += NameList(site).fields(ofTemplate: template)
            case .payload(let event):
                found += (site.names?.fields(ofEvent: event) ?? []).map { Completion(payload: $0) }
            case .schema, .value, .action, .contentText, .valueOfType: continue
            }
        }
        return found.filter { place.beside[$0.label] == nil }
    }

    private static func snippet(ofCombiner word: String, at place: CursorPlace) -> String {
        place.isFlow ? "\(word): [$1]" : "\(word):\n\(indentation(below: place))- $1"
    }

    private static func indentation(below place: CursorPlace) -> String {
        String(repeating: " ", count: place.column + 2)
    }

    static func snippet(
        for name: String, schema: Schema, at place: CursorPlace, example: String?
    ) -> String {
        if let example, place.isFlow || !example.contains("\n") {
            return "\(name): ${1:\(example.replacing("}", with: "\\}"))}"
        }
        return switch schema {
        case .table, .map:
            place.isFlow ? "\(name): { $1 }" : "\(name):\n\(indentation(below: place))$1"
        case .list: "\(name): [$1]"
        case .any, .bool, .text, .integer, .number, .duration, .pattern, .word, .reference,
            .condition, .either:
            "\(name): "
        }
    }
}

extension Completion {
    /// A field of an event.
    fileprivate init(_ field: FieldModel, name: String) {
        self.init(label: name, kind: .field, detail: field.type.map { "\($0.value)" }, rank: 2)
    }

    /// A field of an event in what the app sends with it.
    init(payload field: FieldModel) {
        self.init(field, name: field.name.value)
        snippet = "\(label): "
    }

    /// Creates the item for a key of a map; required keys come first.
    init(_ key: TableSchema.Key, of table: TableSchema, at place: CursorPlace) {
        self.init(
            label: key.name, kind: .property, detail: key.schema.phrase,
            documentation: key.documentation,
            snippet: Self.snippet(
                for: key.name, schema: key.schema, at: place, example: key.example),
            rank: key.isRequired ? 1 : table.needs(key.name) ? 4 : 5)
    }
}

extension TableSchema {
    /// Returns true if at least one of several keys is required, and this is one of them.
    fileprivate func needs(_ name: String) -> Bool {
        rules.contains { rule in
            switch rule {
            case .anyOf(let names), .oneOf(let names): names.contains(name)
            case .atMostOneOf, .with, .apart, .apartFrom, .typed: false
            }
        }
    }
}

extension TableSchema.Key {
    /// The documentation of the key: its purpose, its type, its default, and an example.
    var documentation: Markdown {
        var lines: [Markdown] = [.message(summary), "value: \(message: schema.phrase)"]
        if isRequired { lines.append("required") }
        if let defaultText {
            lines.append("default: \(code: "\(name): \(defaultText)")")
        }
        if let example { lines.append("example: \(code: "\(name): \(example)")") }
        return lines.joined(separator: "\n\n")
    }
}
