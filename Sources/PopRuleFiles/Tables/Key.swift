package import PopCEL
package import PopScheduler
package import PopSource
internal import PopYAML

/// One key of a map in a rule file: its name, what its value may be, where the value goes, and what
/// it is for.
package struct Key<Target>: Sendable {
    package let name: String
    let schema: Schema
    let takesNothing: Bool
    private(set) var isRequired = false
    /// What holds where nobody writes the key, as a file would write it; nil where nothing does.
    let defaultText: String?
    /// Words under which people look for this key.
    let alsoCalled: [String]
    /// Names that the key had, which still work.
    private(set) var formerly: [String] = []
    /// Keys that people write beside this one although they stand in its value.
    let holds: [String]
    let summary: String
    /// What its value looks like, for messages about values of another shape.
    private(set) var example: String?
    /// The same for other names by which people look for this key; `#` stands for the number that
    /// they wrote, `$` for all that they wrote;
    /// `!` says the opposite of it, and an empty text that only they know what to write. What
    /// stands on further lines is another meaning, and behind an empty line all that there is;
    /// behind two of them whatever the form of the value.
    private(set) var examplesByName: [String: String] = [:]
    /// What the key comes to in the rule of a popup, nil for nothing; absent for keys whose value
    /// is told with words of the whole rule set.
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
    /// The key with an example of its value, for when its form alone does not show what belongs
    /// into it.
    package func such(as example: String) -> Self {
        var key = self
        key.example = example
        return key
    }

    /// The key with what to write instead of other names; `#` stands for the number that was
    /// written there,
    /// `$` for all of it.
    package func such(as examples: [String: String]) -> Self {
        var key = self
        key.examplesByName = examples
        return key
    }

    /// The key with what it comes to in the rule of a popup.
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
    /// What the keys are, which is the same whatever they are read into.
    let shape: TableShape
    package let keys: [Key<Target>]
    /// What reads the value of each key, apart from the keys: asking a key itself copies all that
    /// it has.
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

/// What is known of the keys of a table without what they are read into.
///
/// Apart from `Table`, so that what walks a map is compiled once and not for each target.
final class TableShape: Sendable {
    let schema: TableSchema
    /// Those of the rules that whoever reads the table holds to.
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

    /// The number of the key that was called as the node says. Linear in the keys.
    func formerIndex(of node: YAMLNode) -> Int? {
        guard let scalar = node.scalar else { return nil }
        return schema.keys.firstIndex { $0.formerly.contains { scalar.hasText($0) } }
    }

    /// The number of the key that is called as the node says.
    func index(of node: YAMLNode) -> Int? { names.index(of: node) }

    /// The number of the key that is called as a key of a map is.
    func index(ofKeyAt position: Int, in entries: YAMLEntries) -> Int? {
        names.index(ofKeyAt: position, in: entries)
    }
}
