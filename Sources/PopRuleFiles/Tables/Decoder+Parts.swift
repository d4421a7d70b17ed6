internal import PopSource
internal import PopYAML

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
