#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where the folders of paths lie once links are followed; each is looked up once.
struct LinkTargets {
    private var known: [Substring: String] = [:]

    /// The path with the links of its folder followed. A file that is a link is one of its own.
    mutating func target(of path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return path }
        let folder = path[..<slash]
        let target = known[folder] ?? URL(filePath: String(folder)).resolvingSymlinksInPath().path
        known[folder] = target
        return (target == "/" ? "" : target) + path[slash...]
    }
}
