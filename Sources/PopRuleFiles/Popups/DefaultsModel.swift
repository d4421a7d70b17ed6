public import PopSource
package import PopYAML

/// The default values of popups: `defaults` of a file, or of a group.
public struct DefaultsModel: Sendable {
    /// A key of popups.
    struct Entry: Sendable {
        /// Its number among the keys of a popup.
        let index: Int
        let key: YAMLNode
        let value: YAMLNode
        /// True if the value has mistakes: popups take nothing of it then.
        var isBroken = false
    }

    private(set) var entries: [Entry]

    /// The names of the keys, in the order of the file.
    public var names: [Located<String>] {
        entries.map { Located(Table.popup.keys[$0.index].name, at: $0.key.range) }
    }

    /// The keys in a map that defaults may have by a table. The map's own keys come before merged
    /// keys.
    init(_ node: YAMLNode, allowedBy table: Table<PopupModel>) {
        var seen: Set<Int> = []
        entries = node.entries.compactMap { entry in
            guard table.index(ofAnyName: entry.key) != nil,
                let index = Table.popup.index(ofAnyName: entry.key), seen.insert(index).inserted
            else { return nil }
            return Entry(index: index, key: entry.key, value: entry.value)
        }
    }

    /// Finds out which values cannot be read, once for all popups.
    mutating func markBroken(by decoder: Decoder) {
        for number in entries.indices {
            let entry = entries[number]
            var probe = decoder
            var found = Diagnostics()
            probe.startOver(with: &found)
            var popup = PopupModel.none
            probe.inside(key: entry.key) {
                Table.popup.readers[entry.index](entry.value, &popup, &$0)
            }
            entries[number].isBroken = probe.diagnostics.hasErrors
        }
    }

    /// Returns true if there is a value for a key.
    func has(_ index: Int) -> Bool { entries.contains { $0.index == index } }
}

extension PopupModel {
    /// Returns true if a popup writes a key itself, even if the value is null.
    public func writes(_ name: String) -> Bool {
        Table.popup.keys.firstIndex { $0.name == name }.map { written & 1 << UInt64($0) != 0 }
            ?? false
    }
}

extension Table<PopupModel> {
    /// The keys that a file may set for all its popups.
    static let fileDefaults = Table("`defaults`", keys: popup.keys.filter { isShared($0) })

    /// The keys that a group may set for all its popups.
    static let groupDefaults = Table(
        "`defaults` of a group", keys: popup.keys.filter { isShared($0) && $0.name != "group" })

    /// Returns true if popups can have a key in common.
    private static func isShared(_ key: Key<PopupModel>) -> Bool {
        !["description", "content", "examples", "experiment"].contains(key.name)
    }

    /// The number of a key by the name that it has or had.
    func index(ofAnyName key: YAMLNode) -> Int? {
        shape.index(of: key) ?? shape.formerIndex(of: key)
    }
}

extension TableSchema {
    /// The same map, in which each key may be set to nothing.
    var unsettable: TableSchema {
        var copy = self
        for index in copy.keys.indices { copy.keys[index].takesNothing = true }
        return copy
    }
}

extension Format<DefaultsModel> {
    static func defaults(_ table: Table<PopupModel>) -> Format {
        Format(.table(table.schema)) { node, decoder in
            // Mistakes are reported here, and not with each popup that takes them.
            var popup = PopupModel.none
            decoder.read(table, at: node, into: &popup)
            _ = decoder.claim.take()
            decoder.adviseOnNulls(in: node)
            return decoder.defaults(at: node, allowedBy: table)
        }
    }
}

extension Decoder {
    /// Reads the defaults of a file or a group, without reporting the mistakes in them.
    func defaults(at node: YAMLNode, allowedBy table: Table<PopupModel>) -> DefaultsModel? {
        guard node.kind == .mapping else { return nil }
        var defaults = DefaultsModel(node, allowedBy: table)
        defaults.markBroken(by: self)
        return defaults
    }

    /// Adds help to findings about a `null` in defaults: where it has a meaning.
    fileprivate mutating func adviseOnNulls(in node: YAMLNode) {
        let nulls = node.entries.filter { $0.value.isNull && !$0.value.range.isEmpty }
        guard !nulls.isEmpty else { return }
        reviseFindings { finding in
            guard let entry = nulls.first(where: { $0.value.range == finding.range }) else {
                return
            }
            finding.help = [
                "remove `\(entry.key.nameForMessages)` here; to ignore a default in one popup, set"
                    + " `\(entry.key.nameForMessages): null` in that popup"
            ]
        }
    }

    /// Adds help to findings about the value of a popup's key for which the file has a default: the
    /// default is used if the key is left out.
    mutating func adviseOnDefaults(in popup: YAMLNode) {
        guard let defaults, !diagnostics.isEmpty else { return }
        reviseFindings { finding in
            guard [.schemaType, .schemaRange].contains(finding.check) else { return }
            let entry = popup.entries.first { entry in
                [entry.key.range, entry.value.range].contains(finding.range)
            }
            guard let index = entry.flatMap({ Table.popup.index(ofAnyName: $0.key) }),
                defaults.has(index)
            else { return }
            // Helps on `none` tell to remove the key, but then the popup has the default.
            if let text = entry?.value.scalar?.text, isWordForNoTime(text) { finding.help = [] }
            finding.help.append(
                "remove the key to use the value from `defaults`, or set"
                    + " `\(Table.popup.keys[index].name): null` to ignore the value from"
                    + " `defaults`")
        }
    }

    /// Reads the values that a popup takes from defaults: its own values take precedence.
    mutating func take(_ defaults: DefaultsModel, into popup: inout PopupModel) {
        silently { decoder in
            for entry in defaults.entries
            where !entry.isBroken && popup.written & 1 << UInt64(entry.index) == 0 {
                decoder.inside(key: entry.key) {
                    Table.popup.readers[entry.index](entry.value, &popup, &$0)
                }
            }
        }
    }
}

extension DefaultsModel {
    /// Returns the finding about defaults that are too long for the number of popups that take
    /// them; nil if they aren't.
    static func excess(
        of range: SourceRange, for popups: Int, limits: RuleFileLimits
    ) -> Diagnostic? {
        let (bytes, isOver) = (range.upper - range.lower).multipliedReportingOverflow(by: popups)
        guard isOver || bytes > limits.inheritedBytes else { return nil }
        return Diagnostic(
            .schemaLimit,
            message: "these defaults are too long for \(popups) popups", at: range,
            label: "\(range.upper - range.lower) bytes, which each popup repeats",
            notes: [
                "the length of the defaults times the number of their popups can be at most"
                    + " \(limits.inheritedBytes) bytes"
            ],
            help: ["define a long condition under `conditions`, and use its name in `defaults`"])
    }
}

extension Linker {
    /// Returns the finding about a group whose defaults are too long for its popups.
    func excessOfDefaults(in files: [RuleFile]) -> Diagnostic? {
        let groups = model.groups.entries.filter { $0.defaults != nil }
        if groups.isEmpty { return nil }
        var members: [String: Int] = [:]
        for popup in files.lazy.flatMap(\.popups) {
            if let group = popup.place.group?.value { members[group, default: 0] += 1 }
        }
        return groups.lazy.compactMap { group in
            group.defaults.flatMap { defaults in
                DefaultsModel.excess(
                    of: defaults.range, for: members[group.name.value] ?? 0, limits: limits)
            }
        }.first
    }

    /// Gives popups the defaults of their groups, which take precedence over those of their files.
    func withDefaultsOfGroups(_ popups: [PopupModel]) -> [PopupModel] {
        let groups = model.groups.entries.filter { $0.defaults != nil }
        if groups.isEmpty { return popups }
        return popups.map { popup in
            guard let name = popup.place.group?.value,
                let group = groups.first(where: { $0.name.value == name }),
                let defaults = group.defaults
            else { return popup }
            var decoder = Decoder(model.sources[group.name.range.file], limits: limits)
            var popup = popup
            decoder.take(defaults.value, into: &popup)
            return popup
        }
    }
}

/// Returns where an entry of `defaults` with the name of a section belongs.
func adviceOnSections(_ entry: YAMLEntry, in table: TableSchema) -> String? {
    guard table.title == Table.fileDefaults.title, entry.value.kind == .mapping else { return nil }
    switch entry.key.nameForMessages {
    case "popup", "popups":
        return "write shared keys directly under `defaults`, such as"
            + " `defaults: { priority: low }`"
    case "group", "groups":
        return "write the shared keys of a group in the section `groups`, such as"
            + " `groups: { offers: { defaults: { priority: low } } }`"
    default: return nil
    }
}

/// Returns help on a key that isn't allowed in the defaults, or that is written next to them.
func adviceOnDefaults(_ name: String, in table: TableSchema) -> String? {
    let isOfPopup = Table.popup.keys.contains { $0.name == name }
    guard isOfPopup else { return nil }
    if table.title == Table.group.title {
        return "write shared keys under `defaults` of the group, such as"
            + " `defaults: { priority: low }`"
    }
    let isInDefaults = [Table.fileDefaults.title, Table.groupDefaults.title].contains(table.title)
    return isInDefaults
        ? "set `\(name)` in each popup that needs it, because `\(name)` cannot be a default"
        : nil
}

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
