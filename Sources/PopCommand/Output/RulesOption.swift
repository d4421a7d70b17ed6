import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `--rules`, for commands that take paths as arguments: what other commands call by that name.
struct RulesOption: ParsableArguments {
    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp("Rule files and folders, like the arguments.", visibility: .hidden),
        completion: .yamlFiles)
    var more: [String] = []

    /// The paths that were given in one way or the other.
    func paths(_ arguments: [String], default usual: [String] = ["rules"]) -> [String] {
        more.isEmpty ? arguments : arguments == usual ? more : arguments + more
    }
}

/// Arguments that are popup IDs, and arguments that are paths of rules.
struct PopupsAndRules {
    let popups: [String]
    let rules: [String]

    /// Separates paths from popups among the arguments; `--rules` gives further paths.
    init(_ arguments: [String], rules: [String]) {
        let paths = arguments.filter(Self.isPath)
        popups = arguments.filter { !Self.isPath($0) }
        self.rules = paths.isEmpty ? rules : rules == ["rules"] ? paths : rules + paths
    }

    private static func isPath(_ argument: String) -> Bool {
        argument.contains("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml")
            || leadsSomewhere(argument)
    }
}

/// Returns true if a file or folder exists at the path.
func leadsSomewhere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
