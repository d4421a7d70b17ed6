package import PopRuleFiles
package import PopSource
package import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The input of a run: paths that exist, and findings about names of paths that don't.
package struct ValidationInput: Sendable {
    /// The folder that is checked if no path is named.
    private static let usualFolder = "rules"

    /// The rule sets.
    package private(set) var groups: [FileGroup] = []
    package private(set) var diagnostics = Diagnostics()

    package var paths: [String] { groups.flatMap(\.paths) }

    /// Resolves the arguments of the command line: files, folders, patterns, `-` for the text on
    /// standard input.
    init(arguments: [String], standardInput: String?, in sources: inout SourceSet) throws {
        try Workspace.refuseEmpty(arguments)
        var named: [String] = []
        for argument in arguments {
            if argument == "-", let standardInput {
                named.append(standardInput)
            } else if Self.isPattern(argument) {
                let found = try Self.search(argument)
                groups += FileGroup.each(of: found, foundBy: argument)
                if found.isEmpty {
                    let line = sources.add(path: "<command line>", bytes: Array(argument.utf8))
                    diagnostics.report(.noMatch(Located(argument, at: line.range)))
                }
            } else {
                named.append(normalised(argument))
            }
        }
        groups += FileGroup.each(of: named)
    }

    /// Resolves the paths in the configuration; if it has no paths, `rules/` next to it.
    init(_ configuration: Configuration, of project: Project) throws {
        var files: [String] = []
        for named in configuration.rules {
            let path = project.path(of: named.value)
            guard project.holds(path) else {
                diagnostics.report(.leadsOut(named))
                continue
            }
            if Self.isPattern(path) {
                let found = try Self.search(path)
                groups += FileGroup.each(of: found, foundBy: path, isNamedByFile: true)
                if found.isEmpty { diagnostics.report(.noMatch(named)) }
            } else if FileManager.default.fileExists(atPath: path) {
                files.append(path)
            } else {
                diagnostics.report(.noMatch(named))
            }
        }
        groups += FileGroup.each(of: files, isNamedByFile: true)
        guard configuration.rules.isEmpty else { return }
        let usual = project.path(of: Self.usualFolder)
        guard FileManager.default.fileExists(atPath: usual) else {
            throw EnvironmentFailure(
                message: "there is nothing to check: give files or folders, or create the folder"
                    + " `\(usual)` with `poprules init`")
        }
        groups = [FileGroup([usual])]
    }

    private static func isPattern(_ text: String) -> Bool {
        PathPattern.isPattern(text) && !FileManager.default.fileExists(atPath: text)
    }

    private static func search(_ pattern: String) throws -> [String] {
        do {
            return try PathPattern.search(pattern)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }
}

extension Diagnostic {
    static func leadsOut(_ named: Located<String>) -> Self {
        Diagnostic(
            .configNoMatch,
            message: "`\(named.value)` is outside the folder of the configuration",
            at: named.range, label: "files outside are not read",
            help: ["put `poprules.yaml` into a folder that contains all rules"])
    }

    fileprivate static func noMatch(_ named: Located<String>) -> Self {
        let isPattern = PathPattern.isPattern(named.value)
        return Diagnostic(
            .configNoMatch,
            message: isPattern
                ? "no rule file and no test file matches `\(named.value)`"
                : "there is no file or folder `\(named.value)`", at: named.range,
            label: isPattern ? "matches nothing" : "not found",
            help: isPattern
                ? [
                    "use `*` for a part of a name, `**` for any folders, and names that end with"
                        + " `.yaml`"
                ]
                : [])
    }
}

extension FileGroup {
    /// The rule sets of paths: each folder is one, and so are the files that a pattern has found in
    /// a folder. Files that are named make one together, or belong to their folder if that is named
    /// too.
    package static func each(
        of paths: [String], foundBy pattern: String? = nil, isNamedByFile: Bool = false
    ) -> [FileGroup] {
        let folders = Set(paths.filter(isFolder).map { ExactText($0) })
        let home = pattern.map { PathPattern.fixedFolder(of: $0) }
        var groups: [FileGroup] = []
        var positions: [ExactText: Int] = [:]
        for path in paths {
            let own = ExactText(path)
            let parent = ExactText(folder(of: path))
            let isApart = pattern != nil || folders.contains(parent)
            let key = folders.contains(own) ? own : isApart ? parent : ExactText("")
            if let position = positions[key] {
                groups[position].paths.append(path)
            } else {
                positions[key] = groups.count
                groups.append(FileGroup([path], foundIn: home, isNamedByFile: isNamedByFile))
            }
        }
        return groups
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}

extension Workspace {
    /// The folder that commands read unless others are named.
    private static let usualFolder = "rules"

    /// A name that is empty is that of a variable that was not set, and not meant to be the folder
    /// that one is in.
    package static func refuseEmpty(_ paths: [String]) throws {
        guard paths.contains("") else { return }
        throw UsageFailure(message: "the name of a file or folder is empty")
    }

    /// Throws if paths are in the project, and links lead them out of it: others who may add files
    /// to a project must not choose which files outside of it are read or written.
    ///
    /// Without `includingFiles`, a single file isn't refused: it gets a finding, and the other
    /// files are read.
    package static func refuseLinkOut(_ paths: [String], includingFiles: Bool = false) throws {
        let isUsual = paths.contains { path in
            path.split(separator: "/").first { $0 != "." }.map { $0 == usualFolder } == true
                && !path.hasPrefix("/")
        }
        var link = paths.map { PathPattern.isPattern($0) ? PathPattern.fixedFolder(of: $0) : $0 }
            .first { path in
                (includingFiles || RuleFiles.isFolder(path)) && ProtectedFolders.refuses(path)
            }
        if isUsual, RuleFiles.leadsOut(usualFolder, of: Project.home) { link = usualFolder }
        guard let link else { return }
        throw EnvironmentFailure(
            message: "`\(link)` is a symbolic link that leads outside its folder; to use the files"
                + " there, give their own path")
    }

    package init(
        readable groups: [FileGroup], given: [String: [UInt8]] = [:],
        beside sources: SourceSet = SourceSet()
    ) throws {
        try Self.refuseLinkOut(groups.compactMap(\.home) + groups.flatMap(\.paths))
        do {
            try self.init(groups, given: given, beside: sources, home: Project.home)
        } catch {
            throw EnvironmentFailure(message: error.description + Self.subfolders(of: error))
        }
    }

    /// Returns the end of the message about a folder without rule files that names the subfolders
    /// with files; empty for other errors.
    private static func subfolders(of error: ReadError) -> String {
        guard error.reason == .noRuleFiles else { return "" }
        let folders = RuleFiles.foldersLeftOut(of: error.path)
        let names = folders.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
        let more = folders.count > 3 ? " and \(folders.count - 3) more" : ""
        return folders.isEmpty
            ? "" : "; subfolders are read only if you name them: \(names)\(more)"
    }
}

/// Thrown when the environment does not let a command do its work.
package struct EnvironmentFailure: Error {
    /// A message that makes sense without context.
    package var message: String

    package init(message: String) { self.message = message }
}

/// Thrown when the words of a command line cannot be meant.
package struct UsageFailure: Error {
    /// A message that makes sense without context.
    package var message: String

    package init(message: String) { self.message = message }
}
