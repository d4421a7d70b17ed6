internal import PopRuleFiles
internal import PopSource
internal import PopValidation

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The arguments of the command line.
enum CommandArguments {
    /// Commands that create files whose names are plain arguments.
    private static let creating: Set = ["bundle", "generate", "init"]

    /// Throws if an argument isn't UTF-8 and would name another file than the one that was meant:
    /// Swift replaces such bytes.
    ///
    /// A file to read whose name isn't UTF-8 isn't refused here, because the other files are still
    /// read; it is reported where it is read.
    static func refuseForeignNames() throws {
        let arguments = CommandLine.arguments
        for (place, argument) in arguments.enumerated().dropFirst()
        where argument.contains("\u{FFFD}") && !isUTF8(place) {
            let isOfOption = argument.hasPrefix("-") || arguments[place - 1].hasPrefix("-")
            guard
                isOfOption || creating.contains(arguments[1])
                    || FileManager.default.fileExists(atPath: argument)
            else { continue }
            throw UsageFailure(message: "argument \(place) is not valid UTF-8: `\(argument)`")
        }
    }

    /// Throws if a link in the project leads an argument out of the project: others who may add
    /// files to a project must not choose which files outside of it are read or written.
    ///
    /// All functions that open files refuse such paths too. This check comes first, so that nothing
    /// is read or written before the message. A rule file that is a link isn't refused here,
    /// because the other files are still read; it is reported where it is read.
    static func refuseLinksOut() throws {
        let arguments = CommandLine.arguments
        for (place, argument) in arguments.enumerated().dropFirst(2) {
            let isOption = argument.hasPrefix("-")
            let word =
                isOption
                ? argument.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
                : argument
            guard let word, !word.isEmpty else { continue }
            let isOfOption = isOption || arguments[place - 1].hasPrefix("-")
            let folder = word.lastIndex(of: "/").map { String(word[..<$0]) } ?? "."
            if !isOfOption, hasRules(word), !RuleFiles.isFolder(word),
                !ProtectedFolders.refuses(folder.isEmpty ? "/" : folder)
            {
                continue
            }
            // A pattern may also be the name of a file.
            let paths =
                PathPattern.isPattern(word) ? [word, PathPattern.fixedFolder(of: word)] : [word]
            guard paths.contains(where: { ProtectedFolders.refuses($0) }) else { continue }
            throw EnvironmentFailure(
                message: "`\(word.shortened)` is a symbolic link that leads out of the project; to"
                    + " use what is there, give its own path")
        }
    }

    private static func hasRules(_ path: String) -> Bool {
        path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }

    private static func isUTF8(_ place: Int) -> Bool {
        guard let bytes = unsafe CommandLine.unsafeArgv[place] else { return true }
        return unsafe String(validatingCString: bytes) != nil
    }
}
