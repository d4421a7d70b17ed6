import PopRuleFiles
import PopStories

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A git repository that is only read, whoever wrote its files.
///
/// Git takes any folder that looks like a bare repository for one and obeys its `config`, which can
/// name programs to run; so does a `.git` folder of an archive. Therefore poprules finds the
/// repository itself, and starts git so that it fetches nothing, runs nothing and sees nothing of
/// the environment but PATH and HOME.
struct GitRepository {
    /// The folder that has `.git`, without links.
    let root: String

    /// Finds the repository of a path: the nearest folder upwards that has `.git`. A path that
    /// doesn't exist anymore is looked for from the nearest folder that does.
    ///
    /// Returns the repository, and the path as seen from its root; nil if there is none.
    static func containing(_ path: String) -> (repository: GitRepository, path: String)? {
        let files = FileManager.default
        let here = files.currentDirectoryPath
        let whole = normalised(path.hasPrefix("/") ? path : "\(here)/\(path)")
        if files.fileExists(atPath: "\(whole)/.git") {
            return (GitRepository(root: resolved(whole)), "")
        }
        var (folder, rest) = parted(whole)
        while folder != "/", !files.fileExists(atPath: folder) {
            let (outer, name) = parted(folder)
            (folder, rest) = (outer, "\(name)/\(rest)")
        }
        // Git knows a link in the last part by its name.
        folder = resolved(folder)
        while !files.fileExists(atPath: normalised("\(folder)/.git")) {
            guard folder != "/" else { return nil }
            let (outer, name) = parted(folder)
            (folder, rest) = (outer, "\(name)/\(rest)")
        }
        return (GitRepository(root: folder), rest)
    }

    private static func resolved(_ path: String) -> String {
        normalised(URL(filePath: path).resolvingSymlinksInPath().path)
    }

    /// The folder and the last part of an absolute path.
    private static func parted(_ path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }

    /// Returns the output of a git command that reads the repository.
    func output(_ words: [String]) throws(ChildProcess.Failure) -> [UInt8] {
        try ChildProcess.output(
            of: ["git"] + Self.settings + words, environment: environment,
            limit: RuleFileLimits.standard.fileBytes)
    }

    /// Settings of the command line take precedence over the repository's.
    private static let settings = [
        "safe.bareRepository=explicit", "protocol.allow=never", "core.fsmonitor=false",
        "core.hooksPath=/dev/null", "core.pager=cat",
    ].flatMap { ["-c", $0] }

    private var environment: [String: String] {
        var variables = [
            "GIT_DIR": normalised("\(root)/.git"), "GIT_WORK_TREE": root,
            // The repository's `protocol.file.allow` would take precedence over `protocol.allow`;
            // nothing takes precedence over this list, in which no protocol is.
            "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_LITERAL_PATHSPECS": "1",
        ]
        for name in ["PATH", "HOME"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        return variables
    }
}
