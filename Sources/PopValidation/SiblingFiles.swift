internal import PopRuleFiles
internal import PopSource
internal import PopStories

/// The rule files in the folders of files that were named one by one.
///
/// They are read only when names are unknown that may be declared there.
struct SiblingFiles {
    private static let unknownNames: Set<Check> = [
        .refUndefinedPopup, .refUndefinedScheduler, .refUndefinedGroup, .refUndefinedEvent,
        .refUndefinedTemplate, .refUndefinedKey, .refUndefinedExperiment, .conditionUnknownKey,
    ]
    /// Unknown names that are looked up.
    private static let mostNames = 100

    /// The findings with a hint on the first unknown name that another file of the same folder
    /// declares: that the folder must be named.
    static func hint(
        in findings: Diagnostics, about paths: [String], of sources: SourceSet
    ) -> Diagnostics {
        // If a folder was named, all its files are read.
        let named = Set(paths).intersection(sources.files.map(\.path))
        if named.isEmpty { return findings }
        var list = findings.list
        let unknown = list.indices.filter { index in
            let path = sources[list[index].range.file].path
            return named.contains(path) && unknownNames.contains(list[index].check)
                && !path.hasPrefix("<")
        }.sorted { list[$0].range < list[$1].range }
        guard let first = unknown.first else { return findings }
        let folder = folder(of: sources[list[first].range.file].path)
        let declarations = declarations(in: folder, besides: Set(sources.files.map(\.path)))
        let known = unknown.prefix(mostNames).compactMap { index -> (index: Int, name: String)? in
            let name = name(at: list[index].range, in: sources)
            return declarations[list[index].check]?[name].map { _ in (index, name) }
        }
        guard let culprit = known.first,
            let path = declarations[list[culprit.index].check]?[culprit.name]
        else { return findings }
        let others = Set(known.map(\.name)).count - 1
        let names =
            others == 0 ? "`\(culprit.name)` is" : "`\(culprit.name)` and \(others) more are"
        list[culprit.index].help.insert(
            "run `poprules validate \(folder.quotedForShell)` to check these files together:"
                + " \(names) declared in `\(path)`", at: 0)
        return Diagnostics(list)
    }

    /// The files that declare names, by name, for each check that misses such a name.
    private static func declarations(
        in folder: String, besides looked: Set<String>
    ) -> [Check: [String: String]] {
        guard let sources = try? RuleFiles.read(folder) else { return [:] }
        var declarations: [Check: [String: String]] = [:]
        for source in sources.files where !looked.contains(source.path) {
            guard let file = RuleFile.parse(source).value else { continue }
            for (check, names) in names(in: file) {
                declarations[check, default: [:]].merge(names.map { ($0, source.path) }) {
                    first, _ in
                    first
                }
            }
        }
        return declarations
    }

    private static func names(in file: RuleFile) -> [(Check, [String])] {
        let keys = file.context.map(\.name.value)
        return [
            (.refUndefinedScheduler, file.schedulers.map(\.name.value)),
            (.refUndefinedKey, keys), (.conditionUnknownKey, keys),
            (.refUndefinedTemplate, file.templates.map(\.name.value)),
            (.refUndefinedEvent, file.events.map(\.name.value)),
            (.conditionUnknownKey, file.conditions.map(\.name.value)),
            (.refUndefinedGroup, file.groups.map(\.name.value)),
            (
                .refUndefinedExperiment,
                (file.experiments.map(\.name) + file.layers.map(\.name)).map(\.value)
            ),
            (.refUndefinedPopup, file.popups.map(\.name.value)),
        ]
    }

    /// The name that a finding is about, without quotes.
    private static func name(at range: SourceRange, in sources: SourceSet) -> String {
        sources[range.file].text(in: range).filter { $0 != "\"" && $0 != "'" }
    }
}
