import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folders in which a child process and its own children are looked for.
///
/// Two kinds of entries of PATH are ignored. A relative or empty entry depends on the folder where
/// poprules runs. An entry that leads into the repository depends on the contents of a pull
/// request.
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
        let whole = resolvedPath(path)
        return folders.contains { whole == $0 || whole.hasPrefix("\($0)/") }
    }
}

/// An absolute path without links.
func resolvedPath(_ path: String) -> String {
    normalised(URL(filePath: path).resolvingSymlinksInPath().path)
}
