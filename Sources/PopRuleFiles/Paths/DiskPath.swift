internal import PopSource

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

/// A path as the system follows it when it opens the path: link by link, with `..` as the folder
/// above the target of a link.
///
/// Foundation's functions leave long links and long chains of links as they are, and expand `~`.
package struct DiskPath: Sendable {
    /// A link that was followed.
    package struct Link: Sendable, Hashable {
        /// The folder that contains the link, absolute and without links.
        package let folder: String
        package let name: String
    }

    /// The absolute path without links. Parts that don't exist are as written.
    package private(set) var target: String
    /// The links that were followed, in order.
    package private(set) var links: [Link] = []
    /// True if there are more links than the system follows, or more parts than the limit: `target`
    /// is where the search ended.
    package private(set) var isEndless = false

    /// The maximum number of links that are followed; Linux follows 40.
    private static let mostLinks = 64
    /// The maximum number of parts of a path, those of followed links included.
    private static let mostParts = 65_536

    package init(_ path: String) {
        target = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
        if target == "/" { target = "" }
        var rest = Self.parts(of: path)
        var count = 0
        while let part = rest.popLast() {
            count += 1
            guard count <= Self.mostParts else {
                isEndless = true
                break
            }
            if part == "." { continue }
            if part == ".." {
                target = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
                continue
            }
            let whole = "\(target)/\(part)"
            guard let destination = Self.destination(ofLink: whole) else {
                target = whole
                continue
            }
            guard links.count < Self.mostLinks else {
                isEndless = true
                target = whole
                break
            }
            links.append(Link(folder: target.isEmpty ? "/" : target, name: part))
            if destination.hasPrefix("/") { target = "" }
            rest += Self.parts(of: destination)
        }
        if target.isEmpty { target = "/" }
    }

    /// The parts of a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init)
    }

    /// Returns the text of a link; nil if a path isn't a link.
    private static func destination(ofLink path: String) -> String? {
        let size = 4_097
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let length = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.map { unsafe readlink(path, $0, size) } ?? 0
            }
            count = max(length, 0)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns true if an absolute path without links is a folder or something in it.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix("\(folder)/")
    }

    /// The links in a folder without links, or below it.
    package func links(in folder: String) -> [Link] {
        links.filter { Self.isInside($0.folder, folder) }
    }

    /// Returns true if a link in a folder leads out of that folder, or into the folder's
    /// repository.
    package func leadsOut(of folder: String) -> Bool {
        if links(in: folder).isEmpty { return false }
        if isEndless || !Self.isInside(target, folder) { return true }
        let inner = folder == "/" ? target[...] : target.dropFirst(folder.utf8.count)
        return inner.split(separator: "/").contains(".git")
    }
}

/// The folders of the projects that the program works on. Others may add files to them, and must
/// not choose, by links, which files outside are read or written.
package enum ProtectedFolders {
    private static let folders = LockedValue<[String]>([])
    /// The maximum number of folders; a further one isn't protected.
    private static let most = 1_000

    /// Protects the project of a folder.
    package static func add(projectOf folder: String) {
        let root = DiskPath(RuleFiles.root(of: folder)).target
        folders.withLock { known in
            if known.count < most, !known.contains(root) { known.append(root) }
        }
    }

    /// Returns true if a link of a project leads a path out of the project.
    package static func refuses(_ path: String) -> Bool {
        let folders = folders.withLock { $0 }
        if folders.isEmpty { return false }
        let disk = DiskPath(path)
        return folders.contains { disk.leadsOut(of: $0) }
    }

    /// Returns the folder of the project that a path belongs to; nil if it is in none.
    package static func project(of path: String) -> String? {
        let target = DiskPath(path).target
        return folders.withLock { folders in
            folders.filter { DiskPath.isInside(target, $0) }.max { $0.utf8.count < $1.utf8.count }
        }
    }
}
