package import PopRuleFiles
package import PopSource
internal import PopStories

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
                message: "there is nothing to check: name files or folders, or create the folder"
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
