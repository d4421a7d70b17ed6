package import PopBacktest
internal import PopRuleFiles
package import PopSource
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A mapping file, the findings about it without rules, and the rules in its folder.
package struct Mapping: Sendable {
    package var source: SourceFile
    package var checked: Checked<MappingFile>
    /// Indices into the rule sets; none where none can be read.
    package let rules: [Int]

    /// Reads mapping files together with rule sets: a mapping is checked against the rule sets that
    /// have files in its folder; without such a rule set, the rules of the folder are read for it.
    static func read(
        _ groups: [FileGroup], given: [String: [UInt8]], into workspace: inout Workspace
    ) throws -> [Mapping] {
        var mappings: [Mapping] = []
        var seen: Set<ExactText> = []
        do {
            for group in groups {
                for file in try RuleFiles.read(group, given: given).files
                where seen.insert(ExactText(file.path)).inserted {
                    let source = workspace.add(file)
                    mappings.append(
                        Mapping(
                            source: source, checked: MappingFile.parse(source),
                            rules: workspace.rules(beside: file.path, given: given)))
                }
            }
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        return mappings
    }
}

extension Workspace {
    /// The rule sets with files in the folder of a file; if the user has named none, they are read.
    fileprivate mutating func rules(beside path: String, given: [String: [UInt8]]) -> [Int] {
        let home = folder(of: path)
        let known = ruleSets.indices.filter { index in
            ruleSets[index].files.contains { folder(of: $0) == home }
        }
        if !known.isEmpty { return known }
        // A folder of logs may hold YAML of others.
        let files = (try? RuleFiles.read([home], given: given).files) ?? []
        guard files.contains(where: { RuleFiles.isMarked($0.bytes) }) else { return [] }
        return (try? load(rulesIn: home)).map { [$0] } ?? []
    }
}

/// Separates mapping files from other paths.
enum MappingPaths {
    /// The files and folders of rules and tests, and the mapping files that are named or found.
    static func parted(
        _ groups: [FileGroup]
    ) -> (others: [FileGroup], mappings: [FileGroup]) {
        var others: [FileGroup] = []
        var mappings: [FileGroup] = []
        for group in groups {
            var rest = group
            rest.paths = []
            var named = group
            named.paths = []
            for path in group.paths {
                if RuleFiles.isMappingFile(path) {
                    named.paths.append(path)
                    continue
                }
                let names = names(inFolder: path)
                let found = names.filter(RuleFiles.isMappingFile)
                if !found.isEmpty {
                    mappings.append(
                        FileGroup(
                            found.map { normalised("\(path)/\($0)") }, foundIn: path,
                            isNamedByFile: group.isNamedByFile))
                }
                let hasOthers = names.contains {
                    RuleFiles.isRuleFile($0) || RuleFiles.isTestFile($0)
                }
                if found.isEmpty || hasOthers { rest.paths.append(path) }
            }
            if !rest.paths.isEmpty { others.append(rest) }
            if !named.paths.isEmpty { mappings.append(named) }
        }
        return (others, mappings)
    }

    /// The names in a folder that are not hidden, in their order; empty if the path isn't a folder.
    private static func names(inFolder path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}

extension Workspace.Rules {
    /// True if a file could not be read, or a part of it that may be a declaration.
    fileprivate var mayLackNames: Bool {
        !isComplete
            || checked.diagnostics.list.contains {
                $0.level == .error && ["yaml", "schema"].contains($0.check.group)
            }
    }
}

extension OpenedFiles {
    /// The findings about all files: rules, tests and mappings.
    package var diagnostics: Diagnostics {
        var all = workspace.diagnostics
        var found = Diagnostics()
        for mapping in mappings { found.report(contentsOf: link(mapping).diagnostics) }
        all.report(
            contentsOf: found.withoutFixesOfKeysThatStand(in: { workspace.sources[$0] }))
        return all
    }

    /// A mapping, checked against the rules in its folder; only its own findings if some
    /// declarations of these may be unknown.
    private func link(_ mapping: Mapping) -> Checked<MappingFile> {
        mapping.checked.then { file in
            let sets = mapping.rules.map { workspace.ruleSets[$0] }
            let rules = sets.compactMap { $0.mayLackNames ? nil : $0.checked.value }
            guard !sets.isEmpty, rules.count == sets.count else { return Checked(file) }
            return Checked(file, diagnostics: file.findings(among: rules))
        }
    }

    /// Takes the new content of a file; returns false if everything must be read again.
    package mutating func replace(_ file: SourceFile) -> Bool {
        if let index = mappings.firstIndex(where: { $0.source.id == file.id }) {
            mappings[index].source = file
            mappings[index].checked = MappingFile.parse(file)
        }
        return workspace.replace(file)
    }
}
