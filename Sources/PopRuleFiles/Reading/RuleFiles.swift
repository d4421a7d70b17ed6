public import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads rule files from the disk.
public enum RuleFiles {
    /// Reads a file, or the rule files of a folder.
    ///
    /// In a folder, it reads `*.yaml` and `*.yml`, in the order of their names by bytes. It leaves
    /// out `*.test.yaml`, `*.mapping.yaml`, names that begin with a dot, and subfolders, which may
    /// hold other rule sets.
    public static func read(
        _ path: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) -> SourceSet {
        try read([path], limits: limits)
    }

    /// Reads several files and folders; a file that is named twice is read once.
    ///
    /// The files whose paths are keys of `given` have that content, whatever the disk holds.
    public static func read(
        _ paths: [String], given: [String: [UInt8]] = [:], limits: RuleFileLimits = .standard
    ) throws(ReadError) -> SourceSet {
        try read(FileGroup(paths), given: given, limits: limits)
    }

    /// Reads the files of a group. A file that cannot be read is among the results, with the
    /// reason, and does not keep the others from being read; a path that the user named and that
    /// does not exist throws.
    public static func read(
        _ group: FileGroup, given: [String: [UInt8]] = [:], limits: RuleFileLimits = .standard
    ) throws(ReadError) -> SourceSet {
        var sources = SourceSet()
        var seen: Set<String> = []
        var bytes = 0
        for path in group.paths {
            let files = try given[path] == nil ? files(at: path) : [path]
            let home = (files == [path] ? group.home : path).map(Home.init)
            for file in files where seen.insert(file).inserted {
                guard sources.files.count < limits.files else {
                    throw ReadError(path: path, .tooManyFiles(limit: limits.files))
                }
                if let content = given[file] {
                    // If the content came from no file, the parser reports that it isn't text.
                    sources.add(path: file, bytes: content)
                } else {
                    try add(file, from: home, group: group, to: &sources, limits: limits)
                }
                bytes += sources.files.last?.bytes.count ?? 0
                guard bytes <= limits.allFileBytes else {
                    throw ReadError(path: path, .tooLargeTogether(limit: limits.allFileBytes))
                }
            }
        }
        return sources
    }

    /// Adds a file, or the reason why it cannot be read. A file that has vanished since its folder
    /// was listed is passed over.
    private static func add(
        _ file: String, from home: Home?, group: FileGroup, to sources: inout SourceSet,
        limits: RuleFileLimits
    ) throws(ReadError) {
        do throws(ReadError) {
            let target = try Target(of: file)
            let isUsual = try home?.holds(target, namedBy: file) ?? true
            let bytes = try target.content(of: file, limit: limits.fileBytes)
            if home == nil { try check(bytes, path: file, limits: limits) }
            guard !isPrivateKey(bytes) else { throw ReadError(path: file, .privateKey) }
            guard isUsual && !group.isNamedByFile || isMarked(bytes) else {
                throw ReadError(path: file, .unmarked)
            }
            sources.add(path: file, bytes: bytes)
        } catch {
            var problem = error
            if error.reason == .missing {
                let isMisnamed = file.contains("\u{FFFD}")
                if home == nil, !isMisnamed { throw error }
                guard isMisnamed else { return }
                problem = ReadError(path: file, .misnamed)
            }
            sources.add(path: file, bytes: [], problem: problem.description)
        }
    }

    /// Returns true if a line begins with a key that marks a file of poprules.
    package static func isMarked(_ bytes: [UInt8]) -> Bool {
        let mark = Array("poprules".utf8)
        return bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.contains {
            let blanks: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x7B, 0x22, 0x27]
            return $0.drop { blanks.contains($0) }.starts(with: mark)
        }
    }

    /// Returns true for the name of a rule file.
    public static func isRuleFile(_ name: String) -> Bool {
        guard !name.hasPrefix("."), name != Configuration.fileName else { return false }
        return [".yaml", ".yml"].contains {
            name.hasSuffix($0) && !name.hasSuffix(".test" + $0) && name.utf8.count > $0.utf8.count
        } && !isMappingFile(name)
    }

    /// Returns true for the name of a mapping file, which defines the meaning of a log's rows.
    package static func isMappingFile(_ name: String) -> Bool {
        name.hasSuffix(".mapping.yaml") || name.hasSuffix(".mapping.yml")
    }

    /// Returns true for the name of a file of rules, of tests or of a mapping.
    static func isKnownFile(_ name: String) -> Bool {
        isRuleFile(name) || isTestFile(name) || isMappingFile(name)
    }

    /// Returns true for the name of a test file.
    package static func isTestFile(_ name: String) -> Bool {
        name.hasSuffix(".test.yaml") || name.hasSuffix(".test.yml")
    }

    /// Returns true if a folder has a file of rules, of tests or of a mapping.
    static func hasFiles(inFolder path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { !$0.hasPrefix(".") && isKnownFile($0) }
    }

    private static func files(at path: String) throws(ReadError) -> [String] {
        // A folder that is called like a test file or a mapping is one that cannot be read, not one
        // of rules.
        guard isFolder(path), !isTestFile(path), !isMappingFile(path) else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ReadError(path: path, ReadError.Reason(error))
        }
        let files = names.filter(isRuleFile)
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            .map { folder(path) + $0 }
        guard !files.isEmpty else { throw ReadError(path: path, .noRuleFiles) }
        return files
    }

    /// Returns the prefix of the paths of a folder's files.
    private static func folder(_ path: String) -> String {
        if path == "." { return "" }
        return path.hasSuffix("/") ? path : path + "/"
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The subfolders of a folder that hold files of rules, tests or mappings, which reading the
    /// folder leaves out; in name order.
    public static func foldersLeftOut(of path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { folder(path) + $0 }
            .filter { isFolder($0) && hasFiles(inFolder: $0) }
    }

    /// Returns true if a path leads to a folder or into it, links followed.
    package static func leads(_ path: String, into folder: String) -> Bool {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        return Home(folder).path(of: target) != nil
    }

    /// Returns true if a folder has a rule file.
    public static func hasRuleFiles(inFolder path: String) -> Bool {
        (try? files(at: path)).map { !$0.isEmpty } ?? false
    }

    /// The bytes of one text file, which is a private key only where the caller wants one.
    public static func bytes(
        of path: String, limits: RuleFileLimits = .standard, mayBePrivateKey: Bool = false
    ) throws(ReadError) -> [UInt8] {
        let bytes = try Target(of: path).content(of: path, limit: limits.fileBytes)
        if mayBePrivateKey, isPrivateKey(bytes) { return bytes }
        try check(bytes, path: path, limits: limits)
        return bytes
    }

    /// Throws if bytes that do not come from the disk cannot be read as a text file.
    public static func check(
        _ bytes: [UInt8], path: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) {
        let limit = limits.fileBytes
        guard bytes.count <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        guard !isBinary(bytes) else { throw ReadError(path: path, .binary) }
        guard !isPrivateKey(bytes) else { throw ReadError(path: path, .privateKey) }
    }

    /// Messages quote parts of the files, and logs of CI keep the output.
    private static func isPrivateKey(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "poprules-private-key:".utf8)
    }

    /// Returns true if the beginning holds a NUL although it isn't UTF-16, for which the YAML
    /// parser has better messages.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return !isUTF16 && bytes.prefix(8_192).contains(0)
    }
}
