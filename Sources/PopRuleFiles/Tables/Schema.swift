internal import PopSource
internal import PopYAML

/// The form of a key's value, apart from how it is read: messages are made from it, and the JSON
/// Schema can be.
package indirect enum Schema: Sendable {
    case any
    case bool
    case text
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A duration of at least that many milliseconds.
    case duration(minimum: Int)
    /// Text of a form of its own; the phrase names it together with an example.
    case pattern(phrase: String, expression: String)
    /// One of these words.
    case word([String])
    /// The name of something that is declared elsewhere, such as "popup".
    case reference(String)
    case condition
    /// A list with as many items as the range allows.
    case list(Schema, count: ClosedRange<Int> = 0...Int.max)
    /// A map with keys that the author chooses.
    case map(Schema, keys: MapKeys = .any)
    case table(TableSchema)
    case either([Schema])

    /// True if a map can be such a value.
    package var mayBeMap: Bool {
        switch self {
        case .any, .condition, .map, .table: true
        case .either(let schemas): schemas.contains { $0.mayBeMap }
        case .bool, .text, .integer, .number, .duration, .pattern, .word, .reference, .list: false
        }
    }

    /// True if any value is valid.
    package var isAny: Bool {
        if case .any = self { true } else { false }
    }

    /// A phrase for the form, as the object of "must be".
    package var phrase: String {
        switch self {
        case .any: "a value"
        case .bool: "`true` or `false`"
        case .text: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .duration: "a duration such as `30s`"
        case .pattern(let phrase, _): phrase
        case .word(let words): alternatives(words)
        case .reference(let kind): "the name of \(withArticle(kind))"
        case .condition: "a condition: an expression, `true`, `false`, a list or a map"
        case .list: "a list"
        case .map: "a map"
        case .table(let table): "a map with \(table.keyList)"
        case .either(let schemas): schemas.map(\.phrase).joined(separator: ", or ")
        }
    }
}

extension Schema {
    /// Returns true if a value is of this form; false also if the form is not enough to decide.
    func takes(_ scalar: YAMLScalar, limits: RuleFileLimits) -> Bool {
        switch (self, scalar.value) {
        case (.bool, .bool): true
        case (.integer(let range), .int(let number)):
            Int(exactly: number).map(range.contains) ?? false
        case (.number(let range), .int(let number)): range.contains(Double(number))
        case (.number(let range), .float(let number)): range.contains(number)
        case (.duration(let minimum), .string):
            milliseconds(in: scalar.text)
                .map { $0 >= minimum && $0 <= limits.durationMilliseconds } ?? false
        case (.word(let words), .string): words.contains(scalar.text)
        case (.text, .string): true
        case (.reference, .string): NameForm.dotted.fits(scalar.text.utf8)
        case (.pattern(_, let expression), .string):
            (try? Regex(expression).firstMatch(in: scalar.text)) != nil
        case (.either(let schemas), _): schemas.contains { $0.takes(scalar, limits: limits) }
        case (.any, _), (.bool, _), (.text, _), (.integer, _), (.number, _), (.duration, _),
            (.pattern, _), (.word, _), (.reference, _), (.condition, _), (.list, _), (.map, _),
            (.table, _):
            false
        }
    }
}

extension Schema {
    /// Returns true if a number in this notation is such a value; true also if the form isn't a
    /// number.
    func takesNumber(_ text: String) -> Bool {
        switch self {
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .number(let range): Double(text).map(range.contains) ?? false
        case .either(let schemas): schemas.contains { $0.takesNumber(text) }
        case .word: false
        case .any, .bool, .text, .duration, .pattern, .reference, .condition, .list, .map, .table:
            true
        }
    }
}

extension String {
    /// In small letters with `_` between words: `dependsOn` and `depends-on` as `depends_on`.
    var foldedForNames: String {
        var folded = ""
        for character in self {
            if character.isUppercase, let last = folded.last, last != "_" { folded += "_" }
            folded += character == "-" || character == " " ? "_" : character.lowercased()
        }
        return folded
    }
}

extension Schema {
    /// True if most strings aren't valid values.
    var tellsValuesApart: Bool {
        switch self {
        case .bool, .integer, .number, .duration: true
        // Any text fits some, which are looked up where they are read.
        case .pattern(_, let expression): expression != "^.+$"
        case .either(let schemas): schemas.allSatisfy(\.tellsValuesApart)
        case .any, .text, .word, .reference, .condition, .list, .map, .table: false
        }
    }

    /// The keys of the map that this is or may be.
    var table: TableSchema? {
        switch self {
        case .table(let table): table
        case .either(let schemas): schemas.lazy.compactMap(\.table).first
        case .any, .bool, .text, .integer, .number, .duration, .pattern, .word, .reference,
            .condition, .list, .map:
            nil
        }
    }
}

/// The kinds of keys of a map with keys that the author chooses.
package enum MapKeys: Sendable {
    case any
    /// Names that the map declares.
    case declared(NameForm)
    /// Names of things that are declared elsewhere, such as "popup".
    case references(String)
}

/// The keys that a map takes, without the values that they are read into.
package struct TableSchema: Sendable {
    package struct Key: Sendable {
        package let name: String
        package let schema: Schema
        package let isRequired: Bool
        /// True if an empty value has a meaning.
        package var takesNothing: Bool
        /// The value that holds if the key isn't written, in the syntax of rule files; nil for
        /// none.
        package let defaultText: String?
        /// Other words that authors use for this key.
        let alsoCalled: [String]
        /// Names that the key had, which still work.
        package let formerly: [String]
        /// Keys that authors often write next to this one although they belong in its value.
        let holds: [String]
        package let summary: String
        /// An example of its value.
        package let example: String?
        let examplesByName: [String: String]

        /// Returns the value to write if the author used another name for this key, with a number
        /// or something else as its value.
        func example(for name: String, number: Int?, text: String) -> String? {
            guard let own = examplesByName[name.foldedForNames] else { return example }
            if own == "!" { return text == "true" ? "false" : "true" }
            return own.replacing("#", with: "\(number ?? 1)").replacing("$", with: text)
        }
    }

    /// The thing that the map describes, such as "a popup".
    package let title: String
    package internal(set) var keys: [Key]
    /// The rules about several keys together.
    package let rules: [KeyRule]
    /// Help on an unknown key without similar names; `$` is replaced with its name.
    let helpOnOthers: [String]

    /// The key that a value without a key must be meant for: the only one that takes it as more
    /// than a string or a name, required keys first.
    func onlyKey(taking scalar: YAMLScalar, limits: RuleFileLimits) -> Key? {
        let takers = keys.filter {
            $0.schema.tellsValuesApart && $0.schema.takes(scalar, limits: limits)
        }
        let required = takers.filter(\.isRequired)
        let meant = required.isEmpty ? takers : required
        return meant.count == 1 ? meant[0] : nil
    }

    /// Help on a value that must be a map.
    var helpWithKeys: String {
        let required = keys.filter(\.isRequired).map(\.name)
        return required.isEmpty
            ? "write a map with keys such as \(enumeration(keys.map(\.name), atMost: 5)), each with"
                + " a `:` and a value"
            : "write a map with \(enumeration(required))"
    }

    /// The first of the keys, as a list in a sentence.
    var keyList: String {
        let names = keys.prefix(4).map(\.name)
        return keys.count == 1 || keys.count <= 4 && keys.allSatisfy(\.isRequired)
            ? "the \(names.count == 1 ? "key" : "keys") \(enumeration(names))"
            : "keys such as \(enumeration(names))"
    }
}

/// A rule about several keys of a map together.
package enum KeyRule: Sendable {
    /// Without any of these the map has no meaning.
    case anyOf([String])
    /// One of these is needed, and only one has a meaning.
    case oneOf([String])
    /// Only one of these has a meaning.
    case atMostOneOf([String])
    /// The first has no meaning without the second.
    case with(String, String)
    /// The first has no meaning next to any of the others.
    case apart(String, [String])
    /// The first has no meaning where the second is one of these words.
    case apartFrom(String, key: String, words: [String])
    /// The first names the type of the others: of values, of lists of values, and of bounds for
    /// values that have an
    /// order.
    case typed(by: String, values: [String], lists: [String], bounds: [String])
}

/// Every map with fixed keys that rule files have.
package let allTables: [TableSchema] = [
    Table.scheduler.schema, Table.contextKey.schema, Table.template.schema,
    Table.contentField.schema,
    Table.action.schema, Table.locales.schema, Table.quiet.schema, Table.session.schema,
    Table.group.schema, Table.popup.schema, Table.trigger.schema, Table.predecessor.schema,
    Table.schedule.schema, Table.cap.schema,
    Table.windowCap.schema, Table.sharedLimit.schema, Table.rollout.schema, Table.holdout.schema,
    Table.layer.schema, Table.namedExperiment.schema, Table.experiment.schema,
    Table.variant.schema, Table.goal.schema,
    Table.examples.schema,
]

/// The top-level sections of a rule file, each with what it declares.
package var allSections: [(name: String, summary: String)] {
    SectionKey.all.map { ($0.name, $0.summary) } + SettingKey.all.map { ($0.name, $0.summary) }
}

/// The maps that have a key of that name, such as "a scheduler"; a popup first.
package func homes(of key: String) -> [String] {
    let titles = allTables.filter { $0.keys.contains { $0.name == key } }.map(\.title)
    let popup = Table.popup.title
    return titles.filter { $0 == popup } + titles.filter { $0 != popup }
}
