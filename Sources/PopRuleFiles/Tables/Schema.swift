internal import PopSource
internal import PopYAML

/// What the value of a key looks like, apart from how it is read: messages are made from it, and
/// the JSON Schema can be.
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
    /// As many items as the range says.
    case list(Schema, count: ClosedRange<Int> = 0...Int.max)
    /// A map whose keys the author chooses.
    case map(Schema, keys: MapKeys = .any)
    case table(TableSchema)
    case either([Schema])

    /// Whether a map can be such a value.
    package var mayBeMap: Bool {
        switch self {
        case .any, .condition, .map, .table: true
        case .either(let schemas): schemas.contains { $0.mayBeMap }
        case .bool, .text, .integer, .number, .duration, .pattern, .word, .reference, .list: false
        }
    }

    /// Whether nothing is asked of a value.
    package var isAny: Bool {
        if case .any = self { true } else { false }
    }

    /// What to write, as the object of "must be".
    package var phrase: String {
        switch self {
        case .any: "a value"
        case .bool: "`true` or `false`"
        case .text: "text"
        case .integer: "a whole number"
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
    /// Whether a value is of this form; also no where its form alone does not tell.
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
    /// Whether a number that is written so is such a value; also yes where no number is asked for.
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
    /// Whether most texts are no value for it.
    fileprivate var tellsValuesApart: Bool {
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

/// What the keys of a map are whose keys the author chooses.
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
        /// Whether an empty value means something.
        package var takesNothing: Bool
        /// What holds where nobody writes the key, as a file would write it; nil for nothing.
        package let defaultText: String?
        /// Words under which people look for this key.
        let alsoCalled: [String]
        /// Names that the key had, which still work.
        package let formerly: [String]
        /// Keys that people write beside this one although they stand in its value.
        let holds: [String]
        package let summary: String
        /// What its value looks like.
        package let example: String?
        let examplesByName: [String: String]

        /// What to write where people wrote another name for this key, with a number as its value
        /// or something else.
        func example(for name: String, number: Int?, text: String) -> String? {
            guard let own = examplesByName[name.foldedForNames] else { return example }
            if own == "!" { return text == "true" ? "false" : "true" }
            return own.replacing("#", with: "\(number ?? 1)").replacing("$", with: text)
        }
    }

    /// What the map describes, such as "a popup".
    package let title: String
    package internal(set) var keys: [Key]
    /// What is asked of keys together.
    package let rules: [KeyRule]
    /// What to write in place of a key that is none of them and like none of them; `$` stands for
    /// its name.
    let helpOnOthers: [String]

    /// The key that a value without one must be meant for: the only one that takes it for more than
    /// a text or a name, those that are required first.
    func onlyKey(taking scalar: YAMLScalar, limits: RuleFileLimits) -> Key? {
        let takers = keys.filter {
            $0.schema.tellsValuesApart && $0.schema.takes(scalar, limits: limits)
        }
        let required = takers.filter(\.isRequired)
        let meant = required.isEmpty ? takers : required
        return meant.count == 1 ? meant[0] : nil
    }

    /// What to write instead of something that is no map.
    var helpWithKeys: String {
        let required = keys.filter(\.isRequired).map(\.name)
        return required.isEmpty
            ? "write a map of keys, of which there are \(enumeration(keys.map(\.name), atMost: 5))"
            : "write a map with \(enumeration(required))"
    }

    /// The first of the keys, as a list in a sentence.
    var keyList: String {
        let names = keys.prefix(4).map(\.name)
        return keys.count <= 4
            ? "the keys \(enumeration(names))" : "keys such as \(enumeration(names))"
    }
}

/// What a map asks of several of its keys together.
package enum KeyRule: Sendable {
    /// Without any of these the map says nothing.
    case anyOf([String])
    /// One of these is needed, and only one has a meaning.
    case oneOf([String])
    /// Only one of these has a meaning.
    case atMostOneOf([String])
    /// The first has no meaning without the second.
    case with(String, String)
    /// The first has no meaning beside any of the others.
    case apart(String, [String])
    /// The first has no meaning where the second is one of these words.
    case apartFrom(String, key: String, words: [String])
    /// The first names the type of the others: of values, of lists of values, and of bounds for
    /// values that have an
    /// order.
    case typed(by: String, values: [String], lists: [String], bounds: [String])
}
