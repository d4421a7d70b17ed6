package import PopRuleFiles
internal import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension FileGroup {
    /// The rule sets of paths: each folder is one, and so are the files that a pattern has found in
    /// a folder. Files that are named make one together, or belong to their folder if that is named
    /// too.
    package static func each(
        of paths: [String], foundBy pattern: String? = nil, isNamedByFile: Bool = false
    ) -> [FileGroup] {
        let folders = Set(paths.filter(isFolder))
        let home = pattern.map { PathPattern.fixedFolder(of: $0) }
        var groups: [FileGroup] = []
        var positions: [String: Int] = [:]
        for path in paths {
            let parent = folder(of: path)
            let isApart = pattern != nil || folders.contains(parent)
            let key = folders.contains(path) ? path : isApart ? parent : ""
            if let position = positions[key] {
                groups[position].paths.append(path)
            } else {
                positions[key] = groups.count
                groups.append(FileGroup([path], foundIn: home, isNamedByFile: isNamedByFile))
            }
        }
        return groups
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
