package import PopSource
package import PopYAML

/// What one key of a popup comes to.
package struct ResolvedKey: Sendable {
    /// Where the value comes from.
    ///
    /// What a file or a group sets for its popups would be a case between the two.
    package enum Origin: String, Sendable, Hashable {
        /// The popup itself says so.
        case written
        /// Nobody does: the row of the key has it.
        case `default`
    }

    package let name: String
    /// As the popup's file has it; nil for a key that is not written and means nothing then.
    package let value: YAMLNode?
    package let origin: Origin
}

/// What every key of popups comes to, by their files and by the rows of the keys.
package struct ResolvedPopups {
    private let sources: SourceSet
    /// The maps of the popups of a file, by the places of their ids.
    private var maps: [FileID: [SourceRange: YAMLNode]] = [:]

    /// Of rules without errors that were read from these files.
    package init(_ sources: SourceSet) { self.sources = sources }

    /// All keys of the popup whose id stands there, in the order of their rows. Linear in its file
    /// for the first popup of each.
    package mutating func keys(ofPopupAt id: SourceRange) -> [ResolvedKey] {
        let written = written(id)
        return Table.popup.keys.indices.map { index in
            let name = Table.popup.keys[index].name
            if let value = written[index] {
                return ResolvedKey(name: name, value: value, origin: .written)
            }
            return ResolvedKey(name: name, value: defaults[index], origin: .default)
        }
    }

    /// The values in the popup's map, by the numbers of their keys.
    private mutating func written(_ id: SourceRange) -> [Int: YAMLNode] {
        let popups = maps[id.file] ?? sources[id.file].maps(inSection: "popups")
        maps[id.file] = popups
        var values: [Int: YAMLNode] = [:]
        for entry in popups[id]?.entries.map({ $0 }) ?? [] {
            let index = Table.popup.index(of: entry.key) ?? Table.popup.formerIndex(of: entry.key)
            // What is merged in stands behind what the popup says itself.
            if let index, values[index] == nil { values[index] = entry.value }
        }
        return values
    }
}

/// What holds without each key of a popup.
private let defaults: [YAMLNode?] = Table.popup.keys.map { key in
    key.defaultText.flatMap {
        YAMLDocument.parse(SourceFile(path: "<default>", text: $0)).value?.root
    }
}

extension SourceFile {
    /// What stands below each name of a section.
    fileprivate func maps(inSection name: String) -> [SourceRange: YAMLNode] {
        let root = YAMLDocument.parse(self, limits: RuleFileLimits.standard.yaml).value?.root
        let entries = root?[name]?.entries.map { ($0.key.range, $0.value) } ?? []
        return Dictionary(entries) { first, _ in first }
    }
}
