import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// A folder with files that is removed when nothing refers to it.
private final class TemporaryFolder {
    let path: String

    init(_ files: [String: String]) throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "rule-files-\(UUID().uuidString)")
        path = url.path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: name)) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

struct RuleFilesTests {
    private let manager = FileManager.default

    private func names(_ path: String) throws -> [String] {
        try RuleFiles.read(path).files.map { String($0.path.split(separator: "/").last ?? "") }
    }

    @Test func `a folder is read in the order of names, without tests and hidden files`() throws {
        let folder = try TemporaryFolder([
            "b.yaml": "", "a.yml": "", "B.yaml": "", "a.test.yaml": "", ".c.yaml": "",
            "notes.txt": "", "x.test.yml": "", "a.mapping.yaml": "", "x.mapping.yml": "",
        ])
        #expect(try names(folder.path) == ["B.yaml", "a.yml", "b.yaml"])
        #expect(try names(folder.path + "/") == ["B.yaml", "a.yml", "b.yaml"])
    }

    @Test func `subfolders are other rule sets`() throws {
        let folder = try TemporaryFolder(["a.yaml": ""])
        try manager.createDirectory(
            atPath: folder.path + "/more", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.path + "/more/b.yaml"))
        #expect(try names(folder.path) == ["a.yaml"])
    }

    /// Returns the problem of the file in a folder that can't be read; nil if all can be read.
    private func problem(_ folder: String, limits: RuleFileLimits = .standard) throws -> String? {
        try RuleFiles.read(folder, limits: limits).files.compactMap(\.problem).first
    }

    @Test func `a folder with the name of a file is reported as unreadable (S13)`() throws {
        let folder = try TemporaryFolder(["a.yaml": ""])
        let path = folder.path + "/more.yaml"
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(try names(folder.path) == ["a.yaml", "more.yaml"])
        #expect(try problem(folder.path) == ReadError(path: path, .folder).description)
        #expect(try RuleSet.load(folder.path).diagnostics.list.last?.check == .yamlUnreadable)
    }

    @Test func `a folder in place of a file is an error`() throws {
        let folder = try TemporaryFolder([:])
        let error = ReadError(path: folder.path, .folder)
        #expect(throws: error) { try RuleFiles.bytes(of: folder.path) }
    }

    @Test func `a link to a missing file is reported as a broken link`() throws {
        let folder = try TemporaryFolder([:])
        let link = folder.path + "/a.yaml"
        try manager.createSymbolicLink(atPath: link, withDestinationPath: "gone.yaml")
        let error = ReadError(path: link, .brokenLink(to: "gone.yaml"))
        #expect(try problem(folder.path) == error.description)
    }

    @Test func `a file with bytes that aren't UTF-8 does not hide the other files`() throws {
        let folder = try TemporaryFolder(["a.yaml": "a\0b", "b.yaml": "poprules: 2"])
        let found = try RuleSet.load(folder.path).diagnostics.list.map(\.check)
        #expect(found.contains(.yamlEncoding) && found.contains(.schemaVersion))
    }

    @Test func `a file is read whatever its name is`() throws {
        let folder = try TemporaryFolder(["rules.txt": "poprules: 1"])
        #expect(try names(folder.path + "/rules.txt") == ["rules.txt"])
    }

    @Test func `a file that is named twice is read once`() throws {
        let folder = try TemporaryFolder(["a.yaml": ""])
        #expect(try RuleFiles.read([folder.path, folder.path + "/a.yaml"]).files.count == 1)
    }

    #if !canImport(Darwin)
        // The file systems of Apple have one file for both names.
        @Test func `names that differ only in their normalization are two files`() throws {
            let folder = try TemporaryFolder(["\u{E9}.yaml": "poprules: 1"])
            let path = folder.path + "/e\u{301}.yaml"
            #expect(manager.createFile(atPath: path, contents: Data("poprules: 1 #".utf8)))
            let files = try RuleFiles.read(folder.path).files
            #expect(files.count == 2)
            let paths = files.map(\.path)
            #expect(try RuleFiles.read(paths).files.count == 2)
            let given = try RuleFiles.read(paths, given: [path: []]).files
            #expect(given.filter { $0.bytes.isEmpty }.count == 1)
        }
    #endif

    @Test func `a missing path cannot be read`() throws {
        #expect(throws: ReadError(path: "no/such", .missing)) { try RuleFiles.read("no/such") }
        let folder = try TemporaryFolder(["a.txt": ""])
        #expect(throws: ReadError(path: folder.path, .noRuleFiles)) {
            try RuleFiles.read(folder.path)
        }
    }

    @Test func `a path that isn't a file cannot be read`() throws {
        let error = ReadError(path: "/dev/null", .noFile)
        #expect(try problem("/dev/null") == error.description)
        #expect(throws: error) { try RuleFiles.bytes(of: "/dev/null") }
    }

    @Test func `the sizes of files are limited`() throws {
        let folder = try TemporaryFolder(["a.yaml": String(repeating: "#", count: 101)])
        var limits = RuleFileLimits.standard
        limits.fileBytes = 100
        let error = ReadError(path: folder.path + "/a.yaml", .tooLarge(limit: 100))
        #expect(try problem(folder.path, limits: limits) == error.description)
        limits.fileBytes = 101
        limits.allFileBytes = 100
        #expect(throws: ReadError(path: folder.path, .tooLargeTogether(limit: 100))) {
            try RuleFiles.read(folder.path, limits: limits)
        }
        limits.files = 0
        #expect(throws: ReadError(path: folder.path, .tooManyFiles(limit: 0))) {
            try RuleFiles.read(folder.path, limits: limits)
        }
    }

    @Test func `a link must not lead out of its folder`() throws {
        let other = try TemporaryFolder(["out.yaml": "poprules: 1"])
        let folder = try TemporaryFolder(["a.yaml": ""])
        try manager.createSymbolicLink(
            atPath: folder.path + "/b.yaml", withDestinationPath: folder.path + "/a.yaml")
        #expect(try names(folder.path) == ["a.yaml", "b.yaml"])
        let link = folder.path + "/c.yaml"
        try manager.createSymbolicLink(
            atPath: link, withDestinationPath: other.path + "/out.yaml")
        let error = ReadError(path: link, .leadsOut(folder: folder.path))
        #expect(try problem(folder.path) == error.description)
    }

    @Test func `a rule set is loaded in one line`() throws {
        let folder = try TemporaryFolder(["a.yaml": "poprules: 1\npopups: { welcome: {} }\n"])
        #expect(try RuleSet.load(folder.path).get().popups.map(\.id) == ["welcome"])
    }
}
