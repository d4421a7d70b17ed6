internal import PopRuleFiles
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

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
        return [normalised(home), normalised(URL(filePath: home).resolvingSymlinksInPath().path)]
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
