package import PopCEL
package import PopScheduler
package import PopSource
internal import PopYAML

/// One key of a map in a rule file: its name, the form of its value, the target of the value, and
/// its purpose.
package struct Key<Target>: Sendable {
    package let name: String
    let schema: Schema
    let takesNothing: Bool
    private(set) var isRequired = false
    /// The value that holds if the key isn't written, in the syntax of rule files; nil if there is
    /// none.
    let defaultText: String?
    /// Other words that authors use for this key.
    let alsoCalled: [String]
    /// Names that the key had, which still work.
    private(set) var formerly: [String] = []
    /// Keys that authors often write next to this one although they belong in its value.
    let holds: [String]
    let summary: String
    /// An example of its value, for messages about values of another form.
    private(set) var example: String?
    /// Examples by other names that authors use for this key; `#` is replaced with the number that
    /// they wrote, `$` with all that they wrote. `!` is the opposite of the written value, and an
    /// empty string means that only the author knows the right value. Text on further lines is
    /// another meaning; after an empty line it is the whole help, and after two of them so for
    /// every form of the value, and `$` is replaced with the other name.
    private(set) var examplesByName: [String: String] = [:]
    /// The effective value of the key in the rule of a popup, nil for none; absent for keys with
    /// values that depend on the whole rule set.
    package private(set) var valueInRule: (@Sendable (PopupRule) -> Value?)?
    let read: @Sendable (YAMLNode, inout Target, inout Decoder) -> Void

    package init<Value>(
        _ name: String, format: Format<Value>, default defaultText: String? = nil,
        store: @escaping @Sendable (inout Target, Located<Value>) -> Void,
        alsoCalled: [String] = [], holds: [String] = [], summary: String
    ) {
        self.name = name
        schema = format.schema
        takesNothing = format.takesNothing
        self.defaultText = defaultText
        self.alsoCalled = alsoCalled
        self.holds = holds
        self.summary = summary
        read = { node, target, decoder in
            if let value = decoder.read(format, at: node) { store(&target, value) }
        }
    }

    /// The map is of no use without this key.
    package var required: Self {
        var key = self
        key.isRequired = true
        return key
    }
}

extension Key {
    /// The key with an example of its value, if its form is not enough to show how it is written.
    package func such(as example: String) -> Self {
        var key = self
        key.example = example
        return key
    }

    /// The key with examples for other names; `#` is replaced with the number that was written
    /// there, `$` with all of it.
    package func such(as examples: [String: String]) -> Self {
        var key = self
        key.examplesByName = examples
        return key
    }

    /// The key with its effective value in the rule of a popup.
    func comes(to value: @escaping @Sendable (PopupRule) -> Value?) -> Self {
        var key = self
        key.valueInRule = value
        return key
    }

    /// The key under names that it had before.
    func formerly(_ names: String...) -> Self {
        var key = self
        key.formerly = names
        return key
    }
}

/// All keys that a map takes, and how their values are read into a `Target`.
///
/// One reference, so that handing a table on is one retain and not one for each of its lists.
package final class Table<Target>: Sendable {
    /// The keys without the target that they are read into.
    let shape: TableShape
    package let keys: [Key<Target>]
    /// The reader of each key's value, apart from the keys: reading this from a key copies the
    /// whole key.
    let readers: [@Sendable (YAMLNode, inout Target, inout Decoder) -> Void]

    package init(
        _ title: String, keys: [Key<Target>], rules: [KeyRule] = [], helpOnOthers: [String] = []
    ) {
        shape = TableShape(
            TableSchema(
                title: title, keys: keys.map(\.inSchema), rules: rules, helpOnOthers: helpOnOthers
            ))
        self.keys = keys
        readers = keys.map(\.read)
    }

    package var schema: TableSchema { shape.schema }
    var title: String { shape.schema.title }
}

extension Key {
    fileprivate var inSchema: TableSchema.Key {
        TableSchema.Key(
            name: name, schema: schema, isRequired: isRequired, takesNothing: takesNothing,
            defaultText: defaultText, alsoCalled: alsoCalled, formerly: formerly, holds: holds,
            summary: summary, example: example, examplesByName: examplesByName)
    }
}

/// The keys of a table without the target that they are read into.
///
/// Apart from `Table`, so that code that walks a map is compiled once and not for each target.
final class TableShape: Sendable {
    let schema: TableSchema
    /// The rules that hold for every reader of the table.
    let choices: [KeyRule]
    private let names: WordList
    /// The example of each key.
    let examples: [String?]
    /// The keys without which the map is of no use, a bit for each.
    let required: UInt64

    fileprivate init(_ schema: TableSchema) {
        let keys = schema.keys
        precondition(keys.count <= 64, "the keys that were seen are counted in 64 bits")
        self.schema = schema
        choices = schema.rules.filter(\.isChoice)
        names = WordList(keys.map(\.name))
        examples = keys.map(\.example)
        required = keys.indices.filter { keys[$0].isRequired }.reduce(0) { $0 | 1 << UInt64($1) }
    }

    /// The number of the key with the node's text as a former name. Linear in the keys.
    func formerIndex(of node: YAMLNode) -> Int? {
        guard let scalar = node.scalar else { return nil }
        return schema.keys.firstIndex { $0.formerly.contains { scalar.hasText($0) } }
    }

    /// The number of the key with the node's text as its name.
    func index(of node: YAMLNode) -> Int? { names.index(of: node) }

    /// The number of the key that is called as a key of a map is.
    func index(ofKeyAt position: Int, in entries: YAMLEntries) -> Int? {
        names.index(ofKeyAt: position, in: entries)
    }
}

extension KeyRule {
    /// True if it holds for every reader of a table; other rules are checked where the table is
    /// read.
    var isChoice: Bool {
        switch self {
        case .oneOf, .atMostOneOf, .with: true
        case .anyOf, .apart, .apartFrom, .typed: false
        }
    }
}

extension Decoder {
    /// Reports keys that exclude each other, and that one of several is missing, unless an unknown
    /// key may have been meant for it.
    mutating func check(
        _ choices: [KeyRule], of table: TableSchema, in node: YAMLNode, mayLack: Bool
    ) {
        let keys = node.entries.map(\.key)
        func key(_ name: String) -> YAMLNode? { keys.first { $0.scalar?.hasText(name) == true } }
        for choice in choices {
            switch choice {
            case .oneOf(let names), .atMostOneOf(let names):
                let present = names.compactMap { name in key(name).map { (name, $0.range) } }
                if let first = present.first {
                    for other in present.dropFirst() { report(.together(first, other)) }
                } else if case .oneOf = choice, !mayLack {
                    let lacking = names.compactMap { name in
                        table.keys.first { $0.name == name }
                    }
                    report(
                        .lacking(oneOf: lacking, title: table.title, at: rangeToBlame(for: node)))
                }
            case .with(let name, let other):
                if let range = key(name)?.range, key(other) == nil {
                    report(.useless(name, without: other, at: range))
                }
            case .anyOf, .apart, .apartFrom, .typed: break
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func together(
        _ first: (name: String, range: SourceRange), _ other: (name: String, range: SourceRange)
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(first.name)` and `\(other.name)` cannot be used together",
            at: other.range, label: "only one of the two keys is allowed",
            secondary: [Label("`\(first.name)` is the other key", at: first.range)],
            help: ["remove `\(first.name)` or `\(other.name)`"])
    }

    fileprivate static func lacking(
        oneOf keys: [TableSchema.Key], title: String, at range: SourceRange
    ) -> Self {
        let names = alternatives(keys.map(\.name))
        return Diagnostic(
            .schemaMissingKey, message: "\(title) needs one of the keys \(names)",
            at: range, label: "has none of these keys",
            help: keys.enumerated().map { index, key in
                let example = key.example.map { ", such as `\(key.name): \($0)`" } ?? ""
                return "\(index == 0 ? "" : "or ")add `\(key.name)`\(example) (\(key.summary))"
            })
    }

    fileprivate static func useless(
        _ name: String, without other: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys, message: "`\(name)` has no effect without `\(other)`",
            at: range, label: "has no effect here", help: ["add `\(other)`, or remove `\(name)`"])
    }
}

// Parts of the value of a key that are written as keys of their own.
extension Decoder {
    /// Reports keys by other names that are parts of one, such as `start_date` and `end_date`;
    /// returns the others, and the keys that were meant.
    mutating func parts(
        of entries: [YAMLEntry], _ table: TableSchema
    ) -> (others: [YAMLEntry], meant: Set<String>) {
        guard entries.count > 1 else { return (entries, []) }
        var groups: [String: [(entry: YAMLEntry, text: String)]] = [:]
        for entry in entries where entry.value.kind == .scalar {
            let name = entry.key.nameForMessages
            guard let key = table.key(alsoCalled: name, for: entry.value),
                let form = key.examplesByName[name.foldedForNames]?.prefix(while: { $0 != "\n" }),
                form.hasPrefix("{") && form.contains("$")
                    || form.hasPrefix("[") && form.contains("#")
            else { continue }
            let number = entry.value.scalar.flatMap { Int($0.text) }
            if form.hasPrefix("["), number == nil { continue }
            let text = form.dropFirst().dropLast().replacing("$", with: entry.value.nameForMessages)
                .replacing("#", with: "\(number ?? 1)")
            groups[key.name, default: []].append((entry, String(text)))
        }
        groups = groups.filter { $0.value.count > 1 }
        for key in table.keys {
            guard let group = groups[key.name] else { continue }
            report(.partsOfOneKey(key, parts: group, title: table.title))
        }
        let taken = groups.values.flatMap { $0.map(\.entry.key.range) }
        return (entries.filter { !taken.contains($0.key.range) }, Set(groups.keys))
    }

    /// `set.app.screen: home`, in which the first part is a key that takes a map.
    func keyInName(_ entry: YAMLEntry, in table: TableSchema) -> Diagnostic? {
        guard let name = entry.key.scalar?.text, let dot = name.firstIndex(of: "."),
            let key = table.keys.first(where: { $0.name == name[..<dot] }),
            case .map = key.schema, entry.value.kind == .scalar
        else { return nil }
        let value = source.text(in: entry.value.range)
        let text = "\(key.name): { \(name[name.index(after: dot)...]): \(value) }"
        var diagnostic = Diagnostic.unknownKey(entry.key, title: table.title)
        diagnostic.help = ["write `\(text)`"]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "write `\(text)`",
                edits: [.init(entry.key.range.union(entry.value.range), replacement: text)],
                isSafe: false)
        ]
        return diagnostic
    }
}

extension Diagnostic {
    fileprivate static func partsOfOneKey(
        _ key: TableSchema.Key, parts: [(entry: YAMLEntry, text: String)], title: String
    ) -> Self {
        let names = enumeration(parts.map(\.entry.key.nameForMessages), atMost: 5)
        let inner = parts.map { $0.text.drop { $0 == " " } }
            .map { $0.hasSuffix(" ") ? $0.dropLast() : $0 }.joined(separator: ", ")
        let isList = if case .list = key.schema { true } else { false }
        let value = isList ? "[\(inner)]" : "{ \(inner) }"
        // Notes on one of them hold here too.
        let notes = parts.compactMap { part -> [String]? in
            let name = part.entry.key.nameForMessages.foldedForNames
            return key.examplesByName[name]?.split(separator: "\n").dropFirst().map(String.init)
        }
        return Diagnostic(
            .schemaUnknownKey, message: "unknown keys \(names) in \(title)",
            at: parts[0].entry.key.range,
            label: "not a key of \(title)",
            secondary: parts.dropFirst().prefix(4).map {
                Label("also not a key of \(title)", at: $0.entry.key.range)
            },
            help: ["use `\(key.name)` instead, such as `\(key.name): \(value)`"]
                + Set(notes.joined()).sorted())
    }
}
