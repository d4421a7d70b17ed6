package import PopRuleFiles
package import PopSource
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The project that a command runs in: its configuration and the place of that file.
package struct Project: Sendable {
    /// The path of the configuration as it is printed; nil without a configuration.
    package let path: String?
    /// The prefix of a path that is relative to the configuration: empty, or `../`.
    private let prefix: String
    private let bytes: [UInt8]

    /// The folder of the nearest configuration upwards; without a configuration, the folder that
    /// the program runs in.
    package static var home: String {
        guard let path = nearest, path.contains("/") else { return "." }
        return String(path.dropLast(Configuration.fileName.utf8.count + 1))
    }

    /// The configuration that is named, or the nearest `poprules.yaml` from here upwards.
    ///
    /// A file whose path is a key of `given` has that content, whatever the disk holds.
    package init(named path: String?, given: [String: [UInt8]] = [:]) throws {
        self.path = path ?? Self.nearest
        let slash = self.path?.lastIndex(of: "/")
        prefix = self.path.flatMap { path in slash.map { String(path[...$0]) } } ?? ""
        guard let found = self.path else {
            bytes = []
            return
        }
        // Others who may add files to a project must not choose which files outside of it are read.
        guard path != nil || RuleFiles.leads(found, into: prefix.isEmpty ? "." : prefix) else {
            throw EnvironmentFailure(
                message: "`\(found)` is a symbolic link that leads outside its folder")
        }
        if let text = given[found] {
            bytes = text
            return
        }
        do {
            bytes = try RuleFiles.bytes(of: found)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: found)) != nil
        guard path != nil || !isLink || RuleFiles.isMarked(bytes) else {
            throw EnvironmentFailure(
                message: "`\(found)` is a symbolic link to a file without `poprules_config: 1`")
        }
    }

    /// The configuration as written, read into a run's sources.
    package func configuration(in sources: inout SourceSet) -> Checked<Configuration> {
        guard let path else { return Checked(Configuration()) }
        let checked = Configuration.parse(sources.add(path: path, bytes: bytes))
        return Checked(checked.value ?? Configuration(), diagnostics: checked.diagnostics)
    }

    /// A path that the configuration names, relative to the user's folder.
    package func path(of named: String) -> String {
        normalised(named.hasPrefix("/") ? named : prefix + named)
    }

    /// Returns true if a path stays in the folder of the configuration, wherever links on it lead.
    package func holds(_ path: String) -> Bool {
        RuleFiles.leads(
            PathPattern.isPattern(path) ? PathPattern.fixedFolder(of: path) : path,
            into: prefix.isEmpty ? "." : prefix)
    }

    /// A path relative to the user's folder, made relative to the configuration; nil outside of
    /// that folder.
    package func relative(_ path: String) -> String? {
        let folder = Self.absolute(prefix)
        let whole = Self.absolute(path)
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return whole.hasPrefix(start) ? String(whole.dropFirst(start.count)) : nil
    }

    private static func absolute(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath
        return normalised(path.hasPrefix("/") ? path : "\(here)/\(path)")
    }

    /// The search for the nearest configuration from here upwards.
    package static var search: ConfigurationSearch {
        ConfigurationSearch(from: FileManager.default.currentDirectoryPath)
    }

    private static var nearest: String? {
        let search = search
        return search.path.map { _ in
            String(repeating: "../", count: search.height) + Configuration.fileName
        }
    }
}

/// The search for `poprules.yaml` from a folder upwards.
///
/// It ends with the folder that has `.git`, with the home of the user and with the file system, so
/// that no file far above decides what is checked. Other accounts may put a file into a folder
/// above, such as everyone in `/tmp`. They must not switch checks off below it. A configuration
/// therefore counts only if its owner is trusted: the user, root, or the owner of the folder with
/// the rules, where the search begins.
package struct ConfigurationSearch: Sendable {
    /// The most folders that are searched.
    package static let mostFolders = 64

    /// The path of the configuration; nil if no configuration was found.
    package private(set) var path: String?
    /// The number of folders that it is above the first one.
    private(set) var height = 0
    /// A sentence for each configuration that is passed over.
    package private(set) var notes: [String] = []

    /// Begins in a folder, which need not exist. A path of a configuration that `isOpen`, such as
    /// in an editor, counts even if nothing has been saved there.
    package init(
        from folder: String, through most: Int = mostFolders,
        isOpen: (String) -> Bool = { _ in false }
    ) {
        var trusted = TrustedAccounts.own
        let folders = foldersUpwards(from: folder, through: most, trusted: &trusted)
        let isRepository = folders.last.map { Self.isRepository($0, of: trusted) } ?? false
        for (height, folder) in folders.enumerated() {
            let path = Self.path(in: folder)
            if FileOwner(path) == nil {
                guard isOpen(path) else { continue }
            } else if let fault = Self.fault(
                of: path, in: folder, trusted: trusted, isInProject: height == 0 || isRepository)
            {
                pass(over: path, fault)
                continue
            }
            (self.path, self.height) = (path, height)
            return
        }
    }

    private static func path(in folder: String) -> String {
        folder == "/" ? "/\(Configuration.fileName)" : "\(folder)/\(Configuration.fileName)"
    }

    private mutating func pass(over path: String, _ fault: String) {
        notes.append(
            "the configuration `\(path)` is ignored: \(fault); pass it with `--config` to use it"
                + " anyway")
    }

    /// The folders to search. Trusts the owner of the first one that exists.
    private mutating func foldersUpwards(
        from first: String, through most: Int, trusted: inout TrustedAccounts
    ) -> [String] {
        let homes = Self.homes
        var folders: [String] = []
        var device: UInt64?
        var folder = first
        while folders.count < most {
            if let owner = FileOwner(folder, followingLinks: true) {
                if let device {
                    guard owner.device == device else { break }
                    // The owner of the folder could put any file there.
                    guard trusted.contains(owner.account) else {
                        let path = Self.path(in: folder)
                        if FileOwner(path) != nil {
                            pass(over: path, Self.owned("its folder", by: owner))
                        }
                        break
                    }
                } else {
                    device = owner.device
                    trusted.insert(owner.account)
                }
            }
            folders.append(folder)
            let ends = folder == "/" || homes.contains(folder)
            guard !ends, FileOwner("\(folder)/.git") == nil, let slash = folder.lastIndex(of: "/")
            else { break }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        return folders
    }

    /// The home of the user, as it is named and as its links resolve.
    private static var homes: Set<String> {
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
            return []
        }
        return [normalised(home), DiskPath(home).target]
    }

    private static func isRepository(_ folder: String, of trusted: TrustedAccounts) -> Bool {
        FileOwner("\(folder)/.git").map { trusted.contains($0.account) } ?? false
    }

    /// Returns why a file isn't used. In the folder where the search begins and in the repository
    /// around it, only its owner counts: some systems let everyone write to all files of a
    /// checkout.
    private static func fault(
        of path: String, in folder: String, trusted: TrustedAccounts, isInProject: Bool
    ) -> String? {
        for followsLinks in [false, true] {
            if let file = FileOwner(path, followingLinks: followsLinks) {
                guard trusted.contains(file.account) else { return owned("it", by: file) }
                if !isInProject, file.isOpenToAll { return "all accounts may write to it" }
            }
        }
        let isOpen = FileOwner(folder, followingLinks: true)?.isOpenToAll == true
        return !isInProject && isOpen ? "all accounts may write to its folder" : nil
    }

    private static func owned(_ what: String, by owner: FileOwner) -> String {
        "another account owns \(what) (user id \(owner.account))"
    }
}
