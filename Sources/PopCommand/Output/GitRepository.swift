import PopRuleFiles
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A git repository that is only read, and whose files aren't trusted.
///
/// Git accepts any folder that looks like a bare repository and obeys its `config`, which can name
/// programs to run; so does a `.git` folder of an archive. Therefore poprules finds the repository
/// itself, and starts git so that it fetches nothing, runs nothing and sees nothing of the
/// environment but PATH and HOME.
struct GitRepository {
    /// The folder that has `.git`, without links.
    let root: String
    /// The folders that are searched for git: neither in the repository, nor in the one where
    /// poprules runs, nor in worktrees of these or repositories around them.
    private let programs: ProgramPath

    /// Throws if the repository is inside the one that poprules runs in, such as a submodule: a
    /// revision of the same name is another one there.
    func refuseInnerRepository() throws {
        guard let outer = Self.place(of: ".")?.root, outer != root,
            DiskPath.isInside(root, outer)
        else { return }
        throw EnvironmentFailure(
            message: "the rules are in the repository `\(root)`, which is inside the repository of"
                + " the current folder; to compare them with a revision of that repository, run the"
                + " command there")
    }

    private init(root: String) {
        self.root = root
        let here = Self.place(of: ".")?.root
        programs = ProgramPath(
            ProcessInfo.processInfo.environment["PATH"],
            outside: Self.relatedFolders(of: [root] + [here].compactMap { $0 }))
    }

    /// Finds the repository of a path: the nearest parent folder with `.git`. If the path doesn't
    /// exist anymore, the search begins at the nearest folder that does.
    ///
    /// Returns the repository, and the path as seen from its root; nil if there is no repository.
    static func containing(_ path: String) -> (repository: GitRepository, path: String)? {
        guard let (root, inner) = place(of: path) else { return nil }
        return (GitRepository(root: root), inner)
    }

    /// Throws if links of the repository are on the way to a path: an older revision may have had a
    /// folder where the link is now, or another link.
    static func refuseLinks(onTheWayTo path: String) throws {
        guard let (root, _) = place(of: path) else { return }
        let target = DiskPath(path).target
        // Git knows a link in the last part by its name.
        var links = DiskPath(path.hasPrefix("/") ? path : "./\(path)").links(in: root)
        let last = normalised(path).split(separator: "/").last.map(String.init)
        if links.last?.name == last { links.removeLast() }
        if let link = links.first {
            throw EnvironmentFailure(
                message: "`\(path)` leads through the symbolic link `\(link.name)`, which another"
                    + " revision may not have; give the path without the link")
        }
        // The shell may have come here through a link.
        guard !path.hasPrefix("/"), let shell = ProcessInfo.processInfo.environment["PWD"],
            shell.hasPrefix("/"), DiskPath(shell).target == DiskPath(".").target,
            let link = DiskPath(shell).links(in: root).first, DiskPath.isInside(target, root)
        else { return }
        throw EnvironmentFailure(
            message: "the current folder was reached through the symbolic link `\(link.name)`,"
                + " which another revision may not have; run the command in `\(DiskPath(".").target)`"
                + " itself")
    }

    /// Returns the folder with the `.git` of a path, and the path as seen from there.
    private static func place(of path: String) -> (root: String, path: String)? {
        let files = FileManager.default
        let here = files.currentDirectoryPath
        let whole = normalised(path.hasPrefix("/") ? path : "\(here)/\(path)")
        if files.fileExists(atPath: "\(whole)/.git") {
            return (resolvedPath(whole), "")
        }
        var (folder, rest) = parted(whole)
        while folder != "/", !files.fileExists(atPath: folder) {
            let (outer, name) = parted(folder)
            (folder, rest) = (outer, "\(name)/\(rest)")
        }
        // Git knows a link in the last part by its name.
        folder = resolvedPath(folder)
        while !files.fileExists(atPath: normalised("\(folder)/.git")) {
            guard folder != "/" else { return nil }
            let (outer, name) = parted(folder)
            (folder, rest) = (outer, "\(name)/\(rest)")
        }
        return (folder, rest)
    }

    /// The folder and the last part of an absolute path.
    private static func parted(_ path: String) -> (folder: String, name: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
    }

    /// Returns the output of a git command that reads the repository, at most `limit` bytes.
    func output(
        _ words: [String], input: [UInt8] = [],
        limit: Int = RuleFileLimits.standard.fileBytes
    ) throws(ChildProcess.Failure) -> [UInt8] {
        try output(words, input: input, environment: environment, limit: limit)
    }

    private func output(
        _ words: [String], input: [UInt8] = [], environment: [String: String], limit: Int
    ) throws(ChildProcess.Failure) -> [UInt8] {
        guard let git = programs.program(named: "git") else { throw .notStarted }
        return try ChildProcess.output(
            of: [git] + Self.settings + words, input: input, environment: environment,
            limit: limit)
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
        variables.merge(outerVariables) { own, _ in own }
        return variables
    }

    /// The environment variables that git gets. A home inside the repository has a configuration
    /// that a pull request can change, so git doesn't get it then.
    private var outerVariables: [String: String] {
        var variables = ["PATH": programs.text]
        if let home = ProcessInfo.processInfo.environment["HOME"], !programs.isExcluded(home) {
            variables["HOME"] = home
        }
        return variables
    }
}

// MARK: - worktrees

extension GitRepository {
    /// Returns the folders whose files may come from the repositories: their worktrees, what these
    /// share, and the same of each repository around them.
    private static func relatedFolders(of roots: [String]) -> [String] {
        var folders: Set<String> = []
        var waiting = roots
        while let start = waiting.popLast() {
            for folder in withParents(start) where isRoot(folder) {
                guard folders.insert(folder).inserted else { continue }
                let common = commonFolder(of: folder)
                guard folders.insert(common).inserted else { continue }
                // The folder around the common one is the main worktree.
                waiting += [common] + linkedWorktrees(of: common)
            }
        }
        return folders.sorted()
    }

    /// Returns an absolute path and the folders above it.
    private static func withParents(_ path: String) -> [String] {
        var folders = [path]
        while let last = folders.last, last != "/" { folders.append(parted(last).folder) }
        return folders
    }

    private static func isRoot(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: normalised("\(folder)/.git"))
    }

    /// Returns the folder that all worktrees of a repository share, without links.
    private static func commonFolder(of root: String) -> String {
        let own = resolvedPath(linkedFolder(of: root) ?? normalised("\(root)/.git"))
        return path(in: "commondir", of: own).map(resolvedPath) ?? own
    }

    /// Returns the linked worktrees that the common folder of a repository lists, without links.
    private static func linkedWorktrees(of common: String) -> [String] {
        let list = "\(common)/worktrees"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: list)) ?? []
        return names.compactMap { name in
            path(in: "gitdir", of: "\(list)/\(name)").map { resolvedPath(parted($0).folder) }
        }
    }

    /// Returns the folder that `.git` names if it is a file, as in a worktree.
    private static func linkedFolder(of root: String) -> String? {
        path(in: ".git", of: root, after: "gitdir: ")
    }

    /// The maximum number of bytes of a path, as on Linux (`PATH_MAX`): each of its parent folders
    /// is looked at.
    private static let mostPathBytes = 4_096

    /// Returns the path that a file of a folder contains after a prefix; a relative path starts at
    /// the folder. Nil for a path that is too long.
    private static func path(
        in name: String, of folder: String, after prefix: String = ""
    ) -> String? {
        guard let bytes = try? RuleFiles.bytes(of: normalised("\(folder)/\(name)")),
            bytes.starts(with: prefix.utf8)
        else { return nil }
        let line = bytes.dropFirst(prefix.utf8.count).prefix { $0 != 0x0A && $0 != 0x0D }
        guard (1...mostPathBytes).contains(line.count) else { return nil }
        let path = String(decoding: line, as: UTF8.self)
        return normalised(path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }
}

// MARK: - the owner

extension GitRepository {
    /// The maximum number of bytes that are read of git's settings.
    private static let mostSettingBytes = 64 << 10

    /// Refuses a repository of another account, as git does: its configuration may name programs.
    ///
    /// Git itself doesn't check the owner if `GIT_DIR` gives the repository. As with git,
    /// `safe.directory` makes exceptions, but only in the user's or the system's configuration.
    func checkOwner() throws {
        let trusted = TrustedAccounts.own
        let places =
            [root, normalised("\(root)/.git")]
            + [Self.linkedFolder(of: root)].compactMap { $0 }
        for place in places {
            let owners = [false, true].compactMap { FileOwner(place, followingLinks: $0) }
            guard let owner = owners.first(where: { !trusted.contains($0.account) }) else {
                continue
            }
            if isSafe { return }
            throw EnvironmentFailure(
                message: "the repository `\(root)` is not read: `\(place)` belongs to another"
                    + " account (user id \(owner.account)); if you trust it, run"
                    + " `git config --global --add safe.directory \(root.quotedForShell)`")
        }
    }

    /// Indicates whether `safe.directory` names the repository: its path, a folder above with `/*`,
    /// or `*`.
    private var isSafe: Bool {
        var isSafe = false
        for scope in ["--system", "--global"] {
            let words = ["config", scope, "--null", "--type=path", "--get-all", "safe.directory"]
            // No repository: only what belongs to the user or the system counts.
            let environment = outerVariables.merging(["GIT_DIR": "/dev/null"]) { $1 }
            let bytes = try? output(
                words, environment: environment, limit: Self.mostSettingBytes)
            let entries = (bytes ?? []).split(separator: 0, omittingEmptySubsequences: false)
            for entry in entries.dropLast() {
                let entry = String(decoding: entry, as: UTF8.self)
                if entry.isEmpty {
                    isSafe = false
                } else if entry == "*" || entry.hasPrefix("/") && resolvedPath(entry) == root {
                    isSafe = true
                } else if entry.hasSuffix("/*"), "\(root)/".hasPrefix(entry.dropLast()) {
                    isSafe = true
                }
            }
        }
        return isSafe
    }
}

/// The folders in which a child process and its own children are looked for.
///
/// Two kinds of entries of PATH are ignored. A relative or empty entry depends on the folder where
/// poprules runs. An entry that leads into the repository, into another worktree or into a
/// repository around it depends on the contents of a pull request.
struct ProgramPath {
    private static let usual = "/usr/bin:/bin"

    let entries: [String]
    private let excluded: [String]

    /// The entries of PATH that lead into none of the folders, which have no links.
    init(_ path: String?, outside folders: [String]) {
        // The root folder contains everything, so it can't be excluded.
        let excluded = folders.filter { $0 != "/" }
        entries = (path ?? Self.usual).split(separator: ":").map(String.init).filter { entry in
            entry.hasPrefix("/") && !Self.leads(entry, into: excluded)
        }
        self.excluded = excluded
    }

    /// The PATH of the child.
    var text: String { entries.joined(separator: ":") }

    /// Returns true if a path leads into one of the excluded folders.
    func isExcluded(_ path: String) -> Bool { Self.leads(path, into: excluded) }

    /// Returns the path of a program, as the system would find it; nil if it isn't there.
    func program(named name: String) -> String? {
        entries.lazy.map { "\($0)/\(name)" }.first { path in
            FileOwner(path, followingLinks: true)?.isFolder == false
                && FileManager.default.isExecutableFile(atPath: path)
                && !Self.leads(path, into: excluded)
        }
    }

    private static func leads(_ path: String, into folders: [String]) -> Bool {
        let disk = DiskPath(path)
        // A link in the repository decides as much as a file in it.
        return disk.isEndless
            || folders.contains {
                DiskPath.isInside(disk.target, $0) || !disk.links(in: $0).isEmpty
            }
    }
}

/// An absolute path without links.
func resolvedPath(_ path: String) -> String { DiskPath(path).target }
