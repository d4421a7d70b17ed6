import PopRuleFiles
import PopStories
import PopValidation

/// The rule files of a revision of a git repository; nothing that is checked out is touched.
struct GitFiles {
    let revision: String

    init(revision: String) throws {
        guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.contains(":") else {
            throw UsageFailure(message: "`\(revision)` is no revision of git such as main")
        }
        self.revision = revision
    }

    /// Returns the rule files at paths in the revision, by their paths.
    func rules(at paths: [String]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in paths.map(normalised) {
            guard let (repository, inner) = GitRepository.containing(path) else {
                throw EnvironmentFailure(
                    message: "`\(path)` is not in a git repository: no folder above it has `.git`")
            }
            try repository.checkOwner()
            let commit = try commit(in: repository)
            guard let entry = try entry(inner, of: commit, in: repository) else {
                throw EnvironmentFailure(message: "revision `\(revision)` has no `\(path)`")
            }
            switch entry.kind {
            case .file: files[path] = try content(of: entry, path, in: repository)
            case .folder:
                for file in try rules(inside: entry, path, in: repository) {
                    let name = normalised("\(path)/\(file.name)")
                    files[name] = try content(of: file, name, in: repository)
                }
            case .link, .submodule:
                throw EnvironmentFailure(
                    message: "`\(path)` is a \(entry.kind) in `\(revision)`, which is not followed")
            }
        }
        return files
    }
}

// MARK: - objects of git

extension GitFiles {
    /// An entry of a tree: its name and the object that it is.
    private struct Entry {
        enum Kind: String, CustomStringConvertible {
            case file
            case folder
            case link
            case submodule

            var description: String { rawValue }
        }

        var name: String
        var kind: Kind
        var object: String
    }

    /// Returns the id of the commit or tree that the revision names.
    private func commit(in repository: GitRepository) throws -> String {
        do {
            let id = try repository.output([
                "rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{tree}",
            ])
            return String(decoding: id.prefix { $0 > 0x20 }, as: UTF8.self)
        } catch ChildProcess.Failure.notStarted {
            throw EnvironmentFailure(
                message: "`git` cannot be started: is it installed? Folders of PATH that are"
                    + " relative or lie in the repository don't count")
        } catch {
            throw EnvironmentFailure(
                message: "the repository `\(repository.root)` has no revision `\(revision)`,"
                    + " or has not fetched it: `git fetch origin \(revision)` may bring it")
        }
    }

    /// Returns the entry of a tree at a path; the tree itself for an empty path.
    private func entry(
        _ path: String, of tree: String, in repository: GitRepository
    ) throws -> Entry? {
        guard !path.isEmpty else { return Entry(name: "", kind: .folder, object: tree) }
        return try entries([tree, "--", path], path, in: repository).first
    }

    /// Returns the rule files of a folder of the revision; one without any is a mistake.
    private func rules(
        inside folder: Entry, _ path: String, in repository: GitRepository
    ) throws -> [Entry] {
        let rules = try entries([folder.object], path, in: repository)
            .filter { $0.kind == .file && RuleFiles.isRuleFile($0.name) }
        guard !rules.isEmpty else {
            throw EnvironmentFailure(
                message: "there is no rule file (`*.yaml` or `*.yml`) in the folder `\(path)`"
                    + " of `\(revision)`")
        }
        return rules
    }

    private func entries(
        _ words: [String], _ path: String, in repository: GitRepository
    ) throws -> [Entry] {
        let lines: [UInt8]
        do {
            lines = try repository.output(["ls-tree", "--full-tree", "-z"] + words)
        } catch ChildProcess.Failure.tooLarge {
            throw EnvironmentFailure(
                message: "the folder `\(path)` of `\(revision)` has too many files")
        } catch {
            throw unreadable(path)
        }
        return lines.split(separator: 0).compactMap { line in
            // `100644 blob <id>`, a tab and the name.
            guard let tab = line.firstIndex(of: 0x09) else { return nil }
            let words = line[..<tab].split(separator: 0x20)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 3 else { return nil }
            let kind: Entry.Kind? =
                switch (words[0], words[1]) {
                case ("120000", _): .link
                case (_, "blob"): .file
                case (_, "tree"): .folder
                case (_, "commit"): .submodule
                default: nil
                }
            let name = String(decoding: line[line.index(after: tab)...], as: UTF8.self)
            return kind.map { Entry(name: name, kind: $0, object: words[2]) }
        }
    }

    private func content(
        of entry: Entry, _ path: String, in repository: GitRepository
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try repository.output(["cat-file", "blob", entry.object])
        } catch ChildProcess.Failure.tooLarge {
            throw EnvironmentFailure(
                message: "`\(path)` of `\(revision)` has more than"
                    + " \(RuleFileLimits.standard.fileBytes) bytes")
        } catch {
            throw unreadable(path)
        }
        do {
            try RuleFiles.check(bytes, path: "\(revision):\(path)")
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        return bytes
    }

    /// In a partial clone objects may be missing; poprules never fetches them itself.
    private func unreadable(_ path: String) -> EnvironmentFailure {
        EnvironmentFailure(
            message: "git cannot read `\(path)` of `\(revision)`: part of the revision is missing"
                + " here; `git fetch --refetch origin \(revision)` may bring it")
    }
}
