import Foundation
import PopRuleFiles
import PopSource
import PopTesting

/// What a run looks at: paths that exist, and what was named in vain.
struct ValidationInput {
    /// The folder that is looked at when nothing is named.
    private static let usualFolder = "rules"

    private(set) var paths: [String] = []
    private(set) var diagnostics = Diagnostics()

    /// Resolves what the command line names: files, folders, patterns, `-` for the text on standard input.
    init(arguments: [String], standardInput: String?, in sources: inout SourceSet) throws {
        for argument in arguments {
            if argument == "-", let standardInput {
                paths.append(standardInput)
            } else if Self.isPattern(argument) {
                let found = try Self.search(argument)
                paths += found
                if found.isEmpty {
                    let line = sources.add(path: "<command line>", bytes: Array(argument.utf8))
                    diagnostics.report(.noMatch(Located(argument, at: line.range)))
                }
            } else {
                paths.append(normalised(argument))
            }
        }
    }

    /// Resolves what the configuration names; without that, `rules/` beside it.
    init(_ configuration: Configuration, of project: Project) throws {
        for named in configuration.rules {
            let path = project.path(of: named.value)
            guard project.holds(path) else {
                diagnostics.report(.leadsOut(named))
                continue
            }
            let found =
                Self.isPattern(path)
                ? try Self.search(path)
                : FileManager.default.fileExists(atPath: path) ? [path] : []
            paths += found
            if found.isEmpty { diagnostics.report(.noMatch(named)) }
        }
        guard configuration.rules.isEmpty else { return }
        let usual = project.path(of: Self.usualFolder)
        guard FileManager.default.fileExists(atPath: usual) else {
            throw EnvironmentFailure(
                message: "there is nothing to look at: name files or folders, or make a folder"
                    + " `\(usual)` (`poprules init` does)")
        }
        paths = [usual]
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
    fileprivate static func leadsOut(_ named: Located<String>) -> Self {
        Diagnostic(
            .configNoMatch, "`\(named.value)` leads out of the folder of the configuration",
            at: named.range, label: "nothing outside is read",
            help: ["a `poprules.yaml` stands in a folder that holds all rules"])
    }

    fileprivate static func noMatch(_ named: Located<String>) -> Self {
        let isPattern = PathPattern.isPattern(named.value)
        return Diagnostic(
            .configNoMatch,
            isPattern
                ? "no rule file and no test file matches `\(named.value)`"
                : "there is no file or folder `\(named.value)`", at: named.range,
            label: isPattern ? "matches nothing" : "not found",
            help: isPattern
                ? ["`*` stands for a part of a name, `**` for any folders; names end with `.yaml`"]
                : [])
    }
}
