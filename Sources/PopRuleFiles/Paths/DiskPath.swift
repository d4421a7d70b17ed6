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
/// Paths are compared by bytes, as the system does: in a Swift string, a `/` and a following
/// combining mark are one character. Foundation's functions leave long links and long chains of
/// links as they are, and expand `~`.
package struct DiskPath: Sendable {
    /// A link that was followed.
    package struct Link: Sendable, Hashable {
        /// The folder that contains the link, absolute and without links.
        package let folder: String
        package let name: String
    }

    /// The absolute path without links. Parts that don't exist are as written.
    package let target: String
    /// The links that were followed, in order.
    package private(set) var links: [Link] = []
    /// True if no path can be found: there are more links than the system follows, more parts than
    /// the limit, or the target isn't UTF-8. `target` is where the search ended.
    package private(set) var isEndless = false

    /// The maximum number of links that are followed; Linux follows 40.
    private static let mostLinks = 64
    /// The maximum number of parts of a path, those of followed links included.
    private static let mostParts = 4_096
    private static let slash = UInt8(ascii: "/")

    package init(_ path: String) {
        let path = Array(path.utf8)
        var bytes = path.first == Self.slash ? [] : Self.currentFolder ?? []
        var rest = Self.parts(of: path)
        var count = 0
        while let part = rest.popLast() {
            count += 1
            guard count <= Self.mostParts else {
                isEndless = true
                break
            }
            if part == Array(".".utf8)[...] { continue }
            if part == Array("..".utf8)[...] {
                bytes.removeSubrange((bytes.lastIndex(of: Self.slash) ?? 0)...)
                continue
            }
            let whole = bytes + [Self.slash] + part
            guard let destination = Self.destination(ofLink: whole) else {
                bytes = whole
                continue
            }
            links.append(
                Link(
                    folder: bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self),
                    name: String(decoding: part, as: UTF8.self)))
            guard links.count <= Self.mostLinks else {
                isEndless = true
                bytes = whole
                break
            }
            if destination.first == Self.slash { bytes = [] }
            rest += Self.parts(of: destination)
        }
        if !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { isEndless = true }
        target = bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
    }

    /// The path of the current folder, without links; nil if the system can't tell it. Empty for
    /// the root.
    private static var currentFolder: [UInt8]? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        let bytes = unsafe Array(UnsafeBufferPointer(start: path, count: strlen(path)))
            .map { UInt8(bitPattern: $0) }
        return bytes == [slash] ? [] : bytes
    }

    /// True if all functions agree on the path of the current folder: Foundation knows no long
    /// path, and reads one that isn't UTF-8 as another one.
    package static var isCurrentFolderKnown: Bool {
        let path = FileManager.default.currentDirectoryPath
        return currentFolder.map { $0.isEmpty ? [slash] : $0 } == Array(path.utf8)
    }

    /// The parts of a path, the last one first.
    private static func parts(of path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: slash).reversed()
    }

    /// Returns the text of a link; nil if a path isn't a link.
    private static func destination(ofLink path: [UInt8]) -> [UInt8]? {
        let size = 4_097
        let path = path.map { CChar(bitPattern: $0) } + [0]
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let length = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.map { unsafe readlink(path, $0, size) } ?? 0
            }
            count = max(length, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns true if an absolute path without links is a folder or something in it.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        inner(path, of: folder) != nil
    }

    /// Returns the path of something relative to a folder, empty for the folder itself; nil if it
    /// isn't in the folder. Both are absolute and without links.
    static func inner(_ path: String, of folder: String) -> String? {
        let (path, folder) = (Array(path.utf8), Array(folder.utf8))
        if path == folder { return "" }
        let start = folder == [slash] ? folder : folder + [slash]
        guard path.starts(with: start) else { return nil }
        return String(decoding: path.dropFirst(start.count), as: UTF8.self)
    }

    /// The links in a folder without links, or below it.
    package func links(in folder: String) -> [Link] {
        links.filter { Self.isInside($0.folder, folder) }
    }

    /// Returns true if a link in a folder leads out of that folder, or into the folder's
    /// repository.
    package func leadsOut(of folder: String) -> Bool {
        if links(in: folder).isEmpty { return false }
        guard !isEndless, let inner = Self.inner(target, of: folder) else { return true }
        return inner.utf8.split(separator: Self.slash).contains { $0.elementsEqual(".git".utf8) }
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
    package static func refuses(_ path: String) -> Bool { refuses(DiskPath(path)) }

    static func refuses(_ path: DiskPath) -> Bool {
        !path.links.isEmpty && folders.withLock { $0 }.contains { path.leadsOut(of: $0) }
    }

    /// Returns the folder of the project that a path belongs to; nil if it is in none.
    package static func project(of path: String) -> String? {
        let target = DiskPath(path).target
        return folders.withLock { folders in
            folders.filter { DiskPath.isInside(target, $0) }.max { $0.utf8.count < $1.utf8.count }
        }
    }
}
