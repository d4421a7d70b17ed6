package import PopSource
package import PopYAML

/// A possible meaning of a value that is written in another form, in the form in which it must be
/// written.
package struct Reading: Hashable, Sendable {
    package var text: String
    /// The meaning in words, for an author who must choose; empty if no words are needed.
    package var meaning: String
    /// True if it means exactly what was written, and not something near it.
    package var isExact: Bool

    package init(_ text: String, meaning: String = "", isExact: Bool = true) {
        self.text = text
        self.meaning = meaning
        self.isExact = isExact
    }
}

extension Decoder {
    /// Reports that a node isn't a valid value of the current key, with its possible meanings, and
    /// returns nil.
    ///
    /// Without readings, `help` is reported.
    package mutating func mismatch<Value>(
        _ schema: Schema, at node: YAMLNode, readings: [Reading], help: [String] = []
    ) -> Value? {
        report(readings, of: schema, at: node, help: help)
        return nil
    }

    private mutating func report(
        _ readings: [Reading], of schema: Schema, at node: YAMLNode, help: [String]
    ) {
        guard let key = namedKey, readings.first?.text.hasPrefix("{") == true else {
            return reportMismatch(
                schema, at: node, help: readings.isEmpty ? help : readings.help,
                fixes: readings.fixes(at: node.range))
        }
        // A map is shown with its key: its entries may begin on a line of their own.
        let maps = readings.map {
            Reading("\(key.value): \($0.text)", meaning: $0.meaning, isExact: $0.isExact)
        }
        reportMismatch(
            schema, at: node, help: maps.help, fixes: maps.fixes(at: key.range.union(node.range)))
    }
}

extension [Reading] {
    /// Help with the one reading, or with all of them and their meanings.
    package var help: [String] {
        guard count > 1 else {
            return map {
                $0.meaning.isEmpty ? "write `\($0.text)`" : "write `\($0.text)`: \($0.meaning)"
            }
        }
        return map { "if you mean \($0.meaning): `\($0.text)`" }
    }

    /// The same for values of a key.
    func help(behind key: String) -> [String] {
        map { Reading("\(key): \($0.text)", meaning: $0.meaning, isExact: $0.isExact) }.help
    }

    /// A fix for each reading; it is safe if it is the only one and means exactly what was written.
    package func fixes(at range: SourceRange) -> [Diagnostic.Fix] {
        map { reading in
            Diagnostic.Fix(
                "write `\(reading.text)`", edits: [.init(range, replacement: reading.text)],
                isSafe: count == 1 && reading.isExact)
        }
    }
}

/// A list of words by which something is known, as a table from word to thing.
func wordTable<Thing>(_ entries: [(words: String, thing: Thing)]) -> [String: Thing] {
    var table: [String: Thing] = [:]
    for entry in entries {
        for word in entry.words.split(separator: " ") { table[String(word)] = entry.thing }
    }
    return table
}

/// Longer strings aren't values that someone wrote by hand.
let longestReading = 64
