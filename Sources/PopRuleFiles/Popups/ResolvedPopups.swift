package import PopSource
package import PopYAML

/// The effective value of one key of a popup.
package struct ResolvedKey: Sendable {
    /// Where the value comes from: the first of these that has one.
    package enum Origin: String, Sendable, Hashable {
        /// The popup itself has the value.
        case written
        /// The `defaults` of its group do.
        case group
        /// The `defaults` of its file do.
        case file
        /// None of them: the value is the default of the key.
        case `default`
    }

    package let name: String
    /// As the popup's file has it; nil for a key that is not written and means nothing then.
    package let value: YAMLNode?
    package let origin: Origin
}

/// The effective values of all keys of popups, from their files and from the defaults of the keys.
package struct ResolvedPopups {
    private let sources: SourceSet
    private var files: [FileID: FileOfPopups] = [:]
    /// The default values of groups, by the names of the groups.
    private let defaultsOfGroups: [String: [Int: YAMLNode]]

    /// Takes the rules of these files, which must have no errors. Linear in the files.
    package init(_ sources: SourceSet) {
        self.sources = sources
        var groups: [String: [Int: YAMLNode]] = [:]
        for file in sources.files {
            for entry in file.root?["groups"]?.entries.map({ $0 }) ?? [] {
                guard let name = entry.key.scalar?.text, let node = entry.value["defaults"] else {
                    continue
                }
                groups[name] = node.valuesOfPopup
            }
        }
        defaultsOfGroups = groups
    }

    /// All keys of the popup with the id at a place, in the order of their rows. Linear in its file
    /// for the first popup of each.
    package mutating func keys(ofPopupAt id: SourceRange) -> [ResolvedKey] {
        let file = files[id.file] ?? FileOfPopups(sources[id.file])
        files[id.file] = file
        let own = file.popups[id]?.valuesOfPopup ?? [:]
        let group = group(of: own, in: file).flatMap { defaultsOfGroups[$0] } ?? [:]
        let sayers: [(ResolvedKey.Origin, [Int: YAMLNode])] = [
            (.written, own), (.group, group), (.file, file.defaults),
        ]
        return Table.popup.keys.indices.map { index in
            let name = Table.popup.keys[index].name
            for (origin, values) in sayers {
                guard let value = values[index] else { continue }
                // A null replaces the values of groups and files.
                return ResolvedKey(
                    name: name, value: value.isNull ? defaults[index] : value, origin: origin)
            }
            return ResolvedKey(name: name, value: defaults[index], origin: .default)
        }
    }

    private func group(of own: [Int: YAMLNode], in file: FileOfPopups) -> String? {
        guard let index = Table.popup.keys.firstIndex(where: { $0.name == "group" }) else {
            return nil
        }
        return (own[index] ?? file.defaults[index])?.scalar?.text
    }
}

/// The popups and defaults of a file.
private struct FileOfPopups {
    /// The maps of the popups, by the places of their ids.
    let popups: [SourceRange: YAMLNode]
    let defaults: [Int: YAMLNode]

    init(_ file: SourceFile) {
        let root = file.root
        let entries = root?["popups"]?.entries.map { ($0.key.range, $0.value) } ?? []
        popups = Dictionary(entries) { first, _ in first }
        defaults = root?["defaults"]?.valuesOfPopup ?? [:]
    }
}

extension YAMLNode {
    /// The values in a map of keys of popups, by the numbers of these.
    fileprivate var valuesOfPopup: [Int: YAMLNode] {
        var values: [Int: YAMLNode] = [:]
        for entry in entries {
            // Merged keys come after the map's own keys.
            if let index = Table.popup.index(ofAnyName: entry.key), values[index] == nil {
                values[index] = entry.value
            }
        }
        return values
    }
}

/// The value of each key of a popup if it is not written.
private let defaults: [YAMLNode?] = Table.popup.keys.map { key in
    key.defaultText.flatMap {
        YAMLDocument.parse(SourceFile(path: "<default>", text: $0)).value?.root
    }
}

extension SourceFile {
    fileprivate var root: YAMLNode? {
        YAMLDocument.parse(self, limits: RuleFileLimits.standard.yaml).value?.root
    }
}
