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
    /// every form of the value.
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
