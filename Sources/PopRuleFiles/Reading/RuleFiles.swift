public import PopSource

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
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
        var seen: Set<ExactText> = []
        var bytes = 0
        for path in group.paths {
            let files = try given.content(at: path) == nil ? files(at: path) : [path]
            // A named file must not be a link out of the project.
            let isFile = files == [path]
            let root =
                group.home
                ?? (isFile ? Self.root : nil).flatMap { root in
                    leadsOut(path, of: root) ? root : nil
                }
            let home = (isFile ? root : path).map(Home.init)
            for twin in twins(among: files) {
                sources.add(
                    path: twin, bytes: [],
                    problem: ReadError(path: twin, .misnamed).description)
            }
            for file in files where seen.insert(ExactText(file)).inserted {
                guard sources.files.count < limits.files else {
                    throw ReadError(path: path, .tooManyFiles(limit: limits.files))
                }
                if let content = given.content(at: file) {
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
        guard name.utf8.first != UInt8(ascii: "."), name != Configuration.fileName else {
            return false
        }
        return [".yaml", ".yml"].contains {
            ends(name, with: $0) && !ends(name, with: ".test" + $0)
                && name.utf8.count > $0.utf8.count
        } && !isMappingFile(name)
    }

    /// Returns true if a name ends with these bytes: some characters join a following dot.
    private static func ends(_ name: String, with ending: String) -> Bool {
        name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }

    /// Returns true for the name of a mapping file, which defines the meaning of a log's rows.
    package static func isMappingFile(_ name: String) -> Bool {
        ends(name, with: ".mapping.yaml") || ends(name, with: ".mapping.yml")
    }

    /// Returns true for the name of a file of rules, of tests or of a mapping.
    static func isKnownFile(_ name: String) -> Bool {
        isRuleFile(name) || isTestFile(name) || isMappingFile(name)
    }

    /// Returns true for the name of a test file.
    package static func isTestFile(_ name: String) -> Bool {
        ends(name, with: ".test.yaml") || ends(name, with: ".test.yml")
    }

    /// Returns true if a folder has a file of rules, of tests or of a mapping.
    static func hasFiles(inFolder path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { !$0.hasPrefix(".") && isKnownFile($0) }
    }

    /// Returns the names that several files of a folder seem to have: the bytes of names that
    /// aren't UTF-8 are replaced, so that one of these files would hide the others.
    private static func twins(among files: [String]) -> [String] {
        zip(files, files.dropFirst()).filter { ExactText($0) == ExactText($1) }.map(\.0)
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

    package static func isFolder(_ path: String) -> Bool {
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
        let disk = DiskPath(path)
        return !disk.isEndless && Home(folder).path(of: disk.target) != nil
    }

    /// The folder of the project that the program runs in.
    package static var root: String { root(of: ".") }

    /// Returns the folder of the project that a folder belongs to: the nearest one upwards with
    /// `.git`, or else with a configuration; without them, the folder itself.
    static func root(of folder: String) -> String {
        let files = FileManager.default
        let start = DiskPath(folder).target
        let folders = sequence(first: start) { folder in
            folder == "/" ? nil : DiskPath("\(folder)/..").target
        }.prefix(mostParents)
        func nearest(_ name: String) -> String? {
            folders.first { files.fileExists(atPath: $0 == "/" ? "/\(name)" : "\($0)/\(name)") }
        }
        return nearest(".git") ?? nearest(Configuration.fileName) ?? start
    }

    /// The maximum number of folders that are searched upwards.
    private static let mostParents = 64

    /// Returns true if links in a folder lead a path out of the folder.
    package static func leadsOut(_ path: String, of folder: String) -> Bool {
        DiskPath(path).leadsOut(of: DiskPath(folder).target)
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

    /// Returns true if a file is a private key, also after a byte order mark and blank lines.
    ///
    /// Messages quote parts of the files, and logs of CI keep the output.
    private static func isPrivateKey(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0 <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains($0) }
            .starts(with: "poprules-private-key:".utf8)
    }

    /// Returns true if the beginning holds a NUL although it isn't UTF-16, for which the YAML
    /// parser has better messages.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return !isUTF16 && bytes.prefix(8_192).contains(0)
    }
}

extension [String: [UInt8]] {
    /// The content of the file with exactly this path, and not of one whose name is another
    /// sequence of Unicode scalars for the same characters.
    fileprivate func content(at path: String) -> [UInt8]? {
        guard let place = index(forKey: path), ExactText(self[place].key) == ExactText(path) else {
            return nil
        }
        return self[place].value
    }
}

/// Files and folders that make one rule set, and the reason why they are read.
public struct FileGroup: Sendable, Hashable {
    /// Files and folders as they are printed; a folder means the rule files below it.
    public var paths: [String]
    /// The folder that a pattern was looked up in: no link may lead out of it, and a bad file is
    /// one finding among others.
    public var home: String?
    /// True if a file has named the paths, and not the user: then only files that declare
    /// themselves as rules or tests are read.
    public var isNamedByFile: Bool

    /// Paths that the user gave, by default.
    public init(_ paths: [String], foundIn home: String? = nil, isNamedByFile: Bool = false) {
        self.paths = paths
        self.home = home
        self.isNamedByFile = isNamedByFile
    }
}

/// The reason why rule files could not be read: a fault of the environment, not of the files'
/// content.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why a file could not be read.
    public enum Reason: Sendable, Hashable {
        /// Nothing has that path.
        case missing
        /// A symbolic link whose target cannot be reached.
        case brokenLink(to: String)
        /// The system refused, for lack of rights.
        case forbidden
        /// The system refused for another reason.
        case unreadable
        /// A folder where a file is wanted.
        case folder
        /// A device, a socket or the like.
        case noFile
        /// It holds bytes that no text has.
        case binary
        /// It holds a private key, of which nothing may be printed.
        case privateKey
        /// It has more bytes than the limit.
        case tooLarge(limit: Int)
        /// With it there are more rule files than the limit.
        case tooManyFiles(limit: Int)
        /// With it the rule files have more bytes than the limit.
        case tooLargeTogether(limit: Int)
        /// A pattern for paths is beyond a limit, such as `more than 1000 characters`.
        case largePattern(excess: String)
        /// The folder holds no file whose name ends in `.yaml` or `.yml`.
        case noRuleFiles
        /// It leads out of the folder that it must stay in, by a symbolic link or by `..`.
        case leadsOut(folder: String)
        /// Its name is not UTF-8, so that it cannot be opened by it.
        case misnamed
        /// Nothing marks it as a file of rules or tests, and the user has not named it.
        case unmarked
    }

    /// The path as it was given or found.
    public let path: String
    /// The reason why it could not be read.
    public let reason: Reason

    /// An error about a path; `description` explains it in a sentence.
    public init(path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    public var description: String {
        switch reason {
        case .missing: "there is no file or folder `\(path)`"
        case .brokenLink(let target):
            "`\(path)` is a symbolic link to `\(target)`, which does not exist or cannot be reached"
        case .forbidden:
            "no permission to read `\(path)`: check its permissions and those of its folders"
        case .unreadable: "`\(path)` cannot be read"
        case .folder: "`\(path)` is a folder, but a file is expected here"
        case .noFile: "`\(path)` is neither a file nor a folder"
        case .binary: "`\(path)` is not a text file"
        case .privateKey:
            "`\(path)` is a private key, so it is neither read nor printed"
        case .tooLarge(let limit): "`\(path)` is larger than \(limit >> 20) MiB"
        case .tooManyFiles(let limit):
            "there are more than \(limit) rule files, counted up to `\(path)`"
        case .tooLargeTogether(let limit):
            "the rule files have more than \(limit >> 20) MiB, counted up to `\(path)`"
        case .largePattern(let excess): "the pattern `\(path.shortened)` has \(excess)"
        case .noRuleFiles: "there is no rule file (`*.yaml` or `*.yml`) in the folder `\(path)`"
        case .leadsOut(let folder):
            "`\(path)` leads outside of the folder `\(folder)`"
                + (isWritten(below: folder) ? " through a symbolic link" : "")
        case .misnamed: "the name of `\(path)` is not UTF-8, so the file cannot be opened"
        case .unmarked: "`\(path)` has no line such as `poprules: 1`, so it is not read"
        }
    }

    /// Returns true if the path, as it is written, is below a folder: only a link leads out of it.
    private func isWritten(below folder: String) -> Bool {
        let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(start) && !path.dropFirst(start.count).hasPrefix("/")
            && !path.dropFirst(start.count).split(separator: "/").contains("..")
    }
}

/// The target of a path, links followed.
struct Target {
    let path: String
    private let kind: FileAttributeType
    private let size: UInt64

    init(of path: String) throws(ReadError) {
        let disk = DiskPath(path)
        self.path = disk.target
        if ProtectedFolders.refuses(disk) {
            throw ReadError(path: path, .leadsOut(folder: RuleFiles.root))
        }
        if disk.isEndless { throw Self.absence(of: path) }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: self.path)
            kind = attributes[.type] as? FileAttributeType ?? .typeUnknown
            size = attributes.number(.size) ?? 0
        } catch {
            // The target of an open descriptor of the system has no path.
            let exists = FileManager.default.fileExists(atPath: path)
            throw exists ? ReadError(path: path, .noFile) : Self.absence(of: path)
        }
        if kind == .typeSymbolicLink { throw Self.absence(of: path) }
    }

    /// The bytes of a file; errors name the path that the user knows.
    func content(of path: String, limit: Int) throws(ReadError) -> [UInt8] {
        switch kind {
        case .typeRegular: break
        case .typeDirectory: throw ReadError(path: path, .folder)
        default: throw ReadError(path: path, .noFile)
        }
        guard size <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: self.path)))
        } catch {
            throw ReadError(path: path, ReadError.Reason(error))
        }
        // It may have grown in the meantime.
        guard bytes.count <= limit else { throw ReadError(path: path, .tooLarge(limit: limit)) }
        return bytes
    }

    /// Returns the reason why nothing is found at a path.
    private static func absence(of path: String) -> ReadError {
        let manager = FileManager.default
        if let target = try? manager.destinationOfSymbolicLink(atPath: path) {
            return ReadError(path: path, .brokenLink(to: target))
        }
        do {
            _ = try manager.attributesOfItem(atPath: path)
            return ReadError(path: path, .unreadable)
        } catch {
            return ReadError(path: path, ReadError.Reason(error))
        }
    }
}

/// The folder that files are looked up in.
struct Home {
    private let named: String
    private let target: String

    init(_ path: String) {
        named = path
        target = DiskPath(path).target
    }

    /// The path of something relative to the folder, empty for the folder itself; nil if it is
    /// elsewhere.
    func path(of other: String) -> String? { DiskPath.inner(other, of: target) }

    /// Returns true if a file leads to one that is named like files of rules, tests or mappings,
    /// and isn't hidden: links can have other names than their targets. Throws if it leads out of
    /// the folder.
    func holds(_ file: Target, namedBy path: String) throws(ReadError) -> Bool {
        guard let inside = self.path(of: file.path) else {
            throw ReadError(path: path, .leadsOut(folder: named))
        }
        let names = inside.utf8.split(separator: UInt8(ascii: "/"))
        return names.allSatisfy { $0.first != UInt8(ascii: ".") }
            && names.last.map { RuleFiles.isKnownFile(String($0) ?? "") } == true
    }
}

extension ReadError.Reason {
    /// The reason of a system error, as far as users can do something about it.
    init(_ error: any Error) {
        self =
            switch (error as? CocoaError)?.code {
            case .fileNoSuchFile?, .fileReadNoSuchFile?: .missing
            case .fileReadNoPermission?: .forbidden
            default: .unreadable
            }
    }
}

extension [FileAttributeKey: Any] {
    /// The number that an attribute is: in which type it comes differs from system to system.
    package func number(_ key: FileAttributeKey) -> UInt64? {
        (self[key] as? any BinaryInteger).flatMap { UInt64(exactly: $0) }
    }
}
