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
    /// Of a folder: its `*.yaml` and `*.yml`, in the order of their names by bytes. Left out are
    /// `*.test.yaml`, names that begin with a dot, and subfolders, which may hold other rule sets.
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
        var sources = SourceSet()
        var seen: Set<String> = []
        for path in paths {
            let files = try given[path] == nil ? files(at: path) : [path]
            for file in files where seen.insert(file).inserted {
                guard sources.files.count < limits.files else {
                    throw ReadError(path: path, .tooManyFiles(limit: limits.files))
                }
                let bytes =
                    if let bytes = given[file] { bytes } else {
                        try content(of: file, limit: limits.fileBytes)
                    }
                // In a folder it is one finding among others, made when the file is parsed.
                if file == path { try check(bytes, path: path, limits: limits) }
                sources.add(path: file, bytes: bytes)
            }
        }
        return sources
    }

    /// Whether a name is that of a rule file.
    public static func isRuleFile(_ name: String) -> Bool {
        guard !name.hasPrefix("."), name != Configuration.fileName else { return false }
        return [".yaml", ".yml"].contains {
            name.hasSuffix($0) && !name.hasSuffix(".test" + $0) && name.utf8.count > $0.utf8.count
        }
    }

    /// Whether a name is that of a rule file or of a test file.
    static func isRuleOrTestFile(_ name: String) -> Bool {
        isRuleFile(name) || name.hasSuffix(".test.yaml") || name.hasSuffix(".test.yml")
    }

    /// Whether a folder holds a rule file or a test file.
    static func hasFiles(inFolder path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { !$0.hasPrefix(".") && isRuleOrTestFile($0) }
    }

    private static func files(at path: String) throws(ReadError) -> [String] {
        guard try kind(of: path) == .typeDirectory else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ReadError(path: path, refusal(error))
        }
        let files = names.filter(isRuleFile)
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            .map { folder(path) + $0 }
            .filter { !isFolder($0) }
        guard !files.isEmpty else { throw ReadError(path: path, .noRuleFiles) }
        for file in files { try checkLink(file, in: path) }
        return files
    }

    /// What stands before the names of a folder's files in their paths.
    private static func folder(_ path: String) -> String {
        if path == "." { return "" }
        return path.hasSuffix("/") ? path : path + "/"
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The kind of what a path leads to, links followed.
    private static func kind(of path: String) throws(ReadError) -> FileAttributeType {
        if isFolder(path) { return .typeDirectory }
        let manager = FileManager.default
        guard manager.fileExists(atPath: path) else { throw absence(of: path) }
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            let kind = try manager.attributesOfItem(atPath: target)[.type] as? FileAttributeType
            return kind ?? .typeUnknown
        } catch {
            throw ReadError(path: path, refusal(error))
        }
    }

    /// Why nothing is found at a path.
    private static func absence(of path: String) -> ReadError {
        let manager = FileManager.default
        if let target = try? manager.destinationOfSymbolicLink(atPath: path) {
            return ReadError(path: path, .brokenLink(to: target))
        }
        do {
            _ = try manager.attributesOfItem(atPath: path)
            return ReadError(path: path, .unreadable)
        } catch {
            return ReadError(path: path, refusal(error))
        }
    }

    /// What an error of the system says, as far as people can do something about it.
    private static func refusal(_ error: any Error) -> ReadError.Reason {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: .missing
        case .fileReadNoPermission?: .forbidden
        default: .unreadable
        }
    }

    /// A file that stands in a folder must not lead out of it.
    package static func checkLink(_ file: String, in folder: String) throws(ReadError) {
        guard leads(file, into: folder) else {
            throw ReadError(path: file, .leadsOut(folder: folder))
        }
    }

    /// The subfolders of a folder that hold rule or test files, which reading the folder leaves out; in name order.
    public static func foldersLeftOut(of path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { folder(path) + $0 }
            .filter { isFolder($0) && hasFiles(inFolder: $0) }
    }

    /// Whether a path leads to a folder or to something in it, links followed.
    package static func leads(_ path: String, into folder: String) -> Bool {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let home = URL(filePath: folder).resolvingSymlinksInPath().path
        return target == home || target.hasPrefix(home.hasSuffix("/") ? home : home + "/")
    }

    /// Whether a folder holds a rule file.
    public static func hasRuleFiles(inFolder path: String) -> Bool {
        (try? files(at: path)).map { !$0.isEmpty } ?? false
    }

    /// The bytes of one text file.
    public static func bytes(
        of path: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) -> [UInt8] {
        let bytes = try content(of: path, limit: limits.fileBytes)
        try check(bytes, path: path, limits: limits)
        return bytes
    }

    private static func content(of path: String, limit: Int) throws(ReadError) -> [UInt8] {
        switch try kind(of: path) {
        case .typeRegular: break
        case .typeDirectory: throw ReadError(path: path, .folder)
        default: throw ReadError(path: path, .noFile)
        }
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let size = (try? FileManager.default.attributesOfItem(atPath: target))?[.size] as? UInt64
        guard size ?? 0 <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ReadError(path: path, refusal(error))
        }
        // It may have grown meanwhile.
        guard bytes.count <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        return bytes
    }

    /// Throws when bytes that do not come from the disk cannot be taken as a text file.
    public static func check(
        _ bytes: [UInt8], path: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) {
        let limit = limits.fileBytes
        guard bytes.count <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        guard !isBinary(bytes) else { throw ReadError(path: path, .binary) }
    }

    /// Whether the beginning holds a NUL although it is no UTF-16, about which the YAML parser has
    /// more to say.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return !isUTF16 && bytes.prefix(8_192).contains(0)
    }
}
