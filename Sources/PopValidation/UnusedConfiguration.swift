internal import PopRuleFiles
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Configurations that are not used because of their name or their place.
enum UnusedConfiguration {
    /// Returns a sentence for each one in this folder and in the folders of the arguments, for a
    /// run without a configuration.
    static func notes(_ arguments: [String]) -> [String] {
        let name = Configuration.fileName
        let folders = arguments.isEmpty ? ["rules"] : arguments
        let misplaced = folders.prefix(8).map { normalised("\($0)/\(name)") }
            .filter { $0 != name && isConfiguration($0) }
        let otherNames = ["poprules.yml", ".poprules.yaml", ".poprules.yml", "poprules.json"]
            .filter { isConfiguration($0) }
        return otherNames.map {
            "`\($0)` is not used, because a configuration must have the name `\(name)`; rename it,"
                + " or pass it with `--config`"
        }
            + misplaced.map {
                "`\($0)` is not used, because a configuration must be in the folder in which the"
                    + " command runs, or above it; move it, or pass it with `--config`"
            }
    }

    /// Returns true if a file begins as a configuration does, perhaps after comments.
    private static func isConfiguration(_ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path),
            let bytes = try? RuleFiles.bytes(of: path)
        else { return false }
        return String(decoding: bytes.prefix(4_096), as: UTF8.self).contains("poprules_config")
    }
}
