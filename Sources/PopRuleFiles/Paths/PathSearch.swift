#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension PathPattern {
    /// The files of rules, tests and mappings and the folders of them on the disk whose paths
    /// match, in the order of their paths by bytes.
    ///
    /// Names that begin with a dot are passed over, and links to folders are not followed.
    public static func search(
        _ text: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) -> [String] {
        if let excess = excess(of: text) {
            throw ReadError(path: text, .largePattern(excess: excess))
        }
        let home = fixedFolder(of: text)
        var search = PathSearch(pattern: PathPattern(text), home: home, limits: limits)
        try search.visit(home, depth: 0)
        return search.found.sorted {
            Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
        }
    }
}

private struct PathSearch {
    let pattern: PathPattern
    let home: String
    let limits: RuleFileLimits
    var found: [String] = []

    mutating func visit(_ folder: String, depth: Int) throws(ReadError) {
        let manager = FileManager.default
        guard depth < limits.folderDepth,
            let names = try? manager.contentsOfDirectory(atPath: folder)
        else { return }
        for name in names.sorted() where !name.hasPrefix(".") {
            let path =
                folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            let kind = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if kind == .typeDirectory {
                if pattern.matches(path), RuleFiles.hasFiles(inFolder: path) { try add(path) }
                if pattern.mayMatch(inFolder: path) { try visit(path, depth: depth + 1) }
            } else if pattern.matches(path), RuleFiles.isKnownFile(name) {
                try add(path)
            }
        }
    }

    private mutating func add(_ path: String) throws(ReadError) {
        guard found.count < limits.files else {
            throw ReadError(path: home, .tooManyFiles(limit: limits.files))
        }
        found.append(path)
    }
}
