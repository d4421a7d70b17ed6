#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The owner of a file or folder, and who else may change it.
package struct FileOwner: Sendable {
    /// The id of the user who owns it.
    package let account: UInt32
    /// The file system that it is on.
    let device: UInt64
    package let isFolder: Bool
    /// True if everyone may write to it. In a folder with the sticky bit, such as `/tmp`, accounts
    /// make files of their own and cannot touch those of others: that counts as false.
    let isOpenToAll: Bool

    /// Returns nil if nothing exists there. A link is a file itself, unless it is followed.
    package init?(_ path: String, followingLinks: Bool = false) {
        var status = stat()
        let code = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard code == 0 else { return nil }
        account = UInt32(status.st_uid)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        let isSticky = isFolder && status.st_mode & S_ISVTX != 0
        isOpenToAll = status.st_mode & S_IWOTH != 0 && !isSticky && !isLink
    }
}

/// The accounts whose files the program obeys.
package struct TrustedAccounts: Sendable {
    private var accounts: Set<UInt32>

    /// The account that runs the program, root, who can do everything anyway, and under `sudo` the
    /// account that called it.
    package static var own: TrustedAccounts {
        var accounts: Set<UInt32> = [UInt32(geteuid()), 0]
        if geteuid() == 0, let caller = ProcessInfo.processInfo.environment["SUDO_UID"] {
            if let caller = UInt32(caller) { accounts.insert(caller) }
        }
        return TrustedAccounts(accounts: accounts)
    }

    package func contains(_ account: UInt32) -> Bool { accounts.contains(account) }

    mutating func insert(_ account: UInt32) { accounts.insert(account) }
}
