import PopRuleFiles
import PopStories
import PopValidation

/// Files as a revision of a git repository has them; nothing that is checked out is touched.
struct GitFiles {
    let revision: String

    init(revision: String) throws {
        guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.contains(":") else {
            throw UsageFailure(message: "`\(revision)` is no revision of git such as main")
        }
        self.revision = revision
    }

    /// The content of the rule files that paths stood for, by their paths.
    func rules(at paths: [String]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in paths.map(normalised) {
            let (folder, name) = Self.split(path)
            let object = "\(revision):./\(name)"
            guard let kind = try? git(folder, ["cat-file", "-t", object]) else {
                throw EnvironmentFailure(
                    message: "git has no `\(path)` in `\(revision)`, or there is no git here")
            }
            if kind.starts(with: Array("blob".utf8)) {
                files[path] = try content(object, in: folder)
                continue
            }
            let names = try git(folder, ["ls-tree", "--full-tree", "-z", "--name-only", object])
                .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            for file in names where RuleFiles.isRuleFile(file) {
                let inner = name.isEmpty ? file : "\(name)/\(file)"
                files[normalised("\(path)/\(file)")] = try content(
                    "\(revision):./\(inner)", in: folder)
            }
            if !names.contains(where: { RuleFiles.isRuleFile($0) }) {
                throw EnvironmentFailure(
                    message: "there is no rule file (`*.yaml` or `*.yml`) in the folder"
                        + " `\(path)` of `\(revision)`")
            }
        }
        return files
    }

    private func content(_ object: String, in folder: String) throws -> [UInt8] {
        let bytes = try git(folder, ["cat-file", "blob", object])
        do {
            try RuleFiles.check(bytes, path: object)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        return bytes
    }

    /// A folder to be in, and what is meant in it.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard path != ".", path != "/" else { return (path, "") }
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    private func git(_ folder: String, _ words: [String]) throws -> [UInt8] {
        try ChildProcess.output(of: ["git", "-C", folder] + words)
    }
}
