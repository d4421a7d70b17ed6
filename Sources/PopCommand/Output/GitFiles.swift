import PopRuleFiles
import PopSource
import PopStories
import PopValidation

/// The rule files of a revision of a git repository; nothing that is checked out is touched.
struct GitFiles {
    let revision: String

    init(revision: String) throws {
        guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.contains(":") else {
            throw UsageFailure(message: "`\(revision)` is not a git revision such as main")
        }
        self.revision = revision
    }

    /// Returns true if a word may be a revision, and isn't a path of rules or a bundle.
    static func looksLikeRevision(_ word: String) -> Bool {
        let ends = [".yaml", ".yml", ".popbundle", "/"]
        return !word.isEmpty && !word.hasPrefix("-") && !word.hasPrefix(".")
            && !word.contains(":") && !ends.contains { word.hasSuffix($0) }
    }

    /// Returns how to name a revision so that it can't be taken for a path of the same name; nil if
    /// no repository of the rules has a revision by that name.
    static func unambiguousName(of word: String, at paths: [String]) -> String? {
        guard looksLikeRevision(word), !word.hasPrefix("/"),
            let files = try? GitFiles(revision: word)
        else { return nil }
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(word)^{tree}"]
        for path in paths.map(normalised) {
            guard let (repository, _) = GitRepository.containing(path),
                (try? repository.checkOwner()) != nil,
                (try? repository.output(words)) != nil
            else { continue }
            let branch = "refs/heads/\(word)"
            return files.has(branch, in: repository) ? branch : "\(word)~0"
        }
        return nil
    }

    /// Returns the rule files at paths in the revision, by their paths.
    func rules(at paths: [String]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for written in paths {
            let path = normalised(written)
            guard let (repository, inner) = GitRepository.containing(path) else {
                throw EnvironmentFailure(
                    message: "`\(path)` is not in a git repository: no folder above it has `.git`")
            }
            try repository.refuseInnerRepository()
            try GitRepository.refuseLinks(onTheWayTo: written)
            try repository.checkOwner()
            let commit = try commit(in: repository)
            guard let entry = try entry(inner, of: commit, in: repository) else {
                throw EnvironmentFailure(message: "revision `\(revision)` has no `\(path)`")
            }
            switch entry.kind {
            case .file: try read([(path, entry.object)], in: repository, into: &files)
            case .folder:
                let rules = try rules(inside: entry, path, in: repository)
                let named = rules.map { (normalised("\(path)/\($0.name)"), $0.object) }
                try read(named, in: repository, into: &files)
            case .link, .submodule:
                throw EnvironmentFailure(
                    message: "`\(path)` is a \(entry.kind) in `\(revision)`, not a file or folder")
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
        } catch ChildProcess.Failure.tooSlow {
            throw EnvironmentFailure(
                message: "git didn't answer within \(ChildProcess.longestSilence / 1_000) seconds:"
                    + " a file in `\(repository.root)/.git` may be a named pipe or a device")
        } catch ChildProcess.Failure.notStarted {
            throw EnvironmentFailure(
                message: "`git` cannot be started: is it installed? Folders in PATH that are"
                    + " relative or inside the repository, its worktrees or a repository around it"
                    + " are ignored")
        } catch ChildProcess.Failure.failed(code: 1) {
            throw noRevision(in: repository)
        } catch {
            throw unreadable(repository)
        }
    }

    private func unreadable(_ repository: GitRepository) -> EnvironmentFailure {
        EnvironmentFailure(
            message: "git cannot read `\(revision)` in the repository `\(repository.root)`: its"
                + " `.git` may be damaged, unreadable for you or written by a newer git, or the"
                + " revision does not exist")
    }

    /// Returns why the revision doesn't exist: nothing is committed, or the revision has another
    /// name, was never fetched or isn't a commit.
    private func noRevision(in repository: GitRepository) -> EnvironmentFailure {
        guard let branches = branches(of: repository), !branches.contains(revision) else {
            return unreadable(repository)
        }
        if branches.isEmpty, !has("HEAD", in: repository) {
            return EnvironmentFailure(
                message: "the repository `\(repository.root)` has no commit yet, so it has no"
                    + " revision `\(revision)`")
        }
        if (try? repository.output(["cat-file", "-t", revision])) != nil {
            return EnvironmentFailure(
                message: "`\(revision)` in the repository `\(repository.root)` is neither a commit"
                    + " nor a folder")
        }
        let remote = "origin/\(revision)"
        if mayBeFetched, has("refs/remotes/\(remote)", in: repository) {
            return EnvironmentFailure(
                message: "the repository `\(repository.root)` has no revision `\(revision)`; did"
                    + " you mean the remote branch `\(remote)`?")
        }
        let fetching =
            mayBeFetched && hasOrigin(repository)
            ? ", or has not fetched it: try `git fetch origin \(revision.quotedForShell)`, then use"
                + " the revision `FETCH_HEAD`"
            : ", or has not fetched it"
        let names = branches.prefix(Self.mostBranches).map { "`\($0)`" }
        let isCut = branches.count > names.count
        let known =
            names.isEmpty || revision.hasPrefix("HEAD")
            ? ""
            : "; \(branches.count == 1 ? "its branch is" : "its branches are")"
                + " \(names.joined(separator: ", "))\(isCut ? " and more" : "")"
        return EnvironmentFailure(
            message: "the repository `\(repository.root)` has no revision `\(revision)`"
                + fetching + known + shallowness(of: repository))
    }

    /// Returns the addition to a message if the clone lacks most commits, as those of CI usually
    /// do.
    private func shallowness(of repository: GitRepository) -> String {
        let answer = try? repository.output(["rev-parse", "--is-shallow-repository"])
        guard answer?.starts(with: "true".utf8) == true else { return "" }
        return "; it is a shallow clone, which lacks older commits and may lack branches: make a"
            + " full clone (in GitHub Actions: `fetch-depth: 0`)"
    }

    /// Returns true if a repository has a commit by that name.
    private func has(_ name: String, in repository: GitRepository) -> Bool {
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"]
        return (try? repository.output(words)) != nil
    }

    /// The maximum number of branches in a message.
    private static let mostBranches = 5

    private func hasOrigin(_ repository: GitRepository) -> Bool {
        (try? repository.output(["config", "--local", "--get", "remote.origin.url"])) != nil
    }

    /// The names of branches of a repository, at most one more than a message names; nil if git
    /// cannot read them.
    private func branches(of repository: GitRepository) -> [String]? {
        let words = [
            "for-each-ref", "--count=\(Self.mostBranches + 1)", "--sort=-committerdate",
            "--format=%(refname:short)", "refs/heads",
        ]
        let bytes = try? repository.output(words)
        return bytes?.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns true if the revision can be the name of a branch, a tag or a commit: git fetches no
    /// expression such as `HEAD~5`.
    private var mayBeFetched: Bool {
        revision != "HEAD" && !revision.contains("..") && !revision.hasPrefix("origin/")
            && revision.allSatisfy { $0.isLetter || $0.isNumber || "-_./".contains($0) }
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
        let named = try entries([folder.object], path, in: repository)
            .filter { RuleFiles.isRuleFile($0.name) }
        // Without its target, the popups of a link would be reported as added or removed.
        if let link = named.first(where: { $0.kind == .link }) {
            throw EnvironmentFailure(
                message: "`\(normalised("\(path)/\(link.name)"))` is a link in `\(revision)`; links"
                    + " are not read from git")
        }
        let rules = named.filter { $0.kind == .file }
        guard !rules.isEmpty else {
            throw EnvironmentFailure(
                message: "there is no rule file (`*.yaml` or `*.yml`) in the folder `\(path)`"
                    + " of `\(revision)`")
        }
        let limit = RuleFileLimits.standard.files
        guard rules.count <= limit else {
            throw EnvironmentFailure(
                message: "the folder `\(path)` of `\(revision)` has \(rules.count) rule files,"
                    + " and poprules reads at most \(limit)")
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

    /// Reads files by the ids of their objects, many with each call of git: a process for each file
    /// would take minutes for a large folder.
    private func read(
        _ named: [(path: String, object: String)], in repository: GitRepository,
        into files: inout [String: [UInt8]]
    ) throws {
        // An id of SHA-256 and the end of its line.
        let most = ChildProcess.mostInput / 65
        var bytesRead = files.values.reduce(0) { $0 + $1.count }
        for start in stride(from: 0, to: named.count, by: most) {
            let part = named[start..<min(start + most, named.count)]
            let sizes = try sizes(of: part, in: repository)
            bytesRead += sizes.reduce(0, +)
            guard bytesRead <= RuleFileLimits.standard.allFileBytes else {
                throw EnvironmentFailure(
                    message: "the rule files of `\(revision)` have more than"
                        + " \(RuleFileLimits.standard.allFileBytes >> 20) MiB")
            }
            let ids = part.map { $0.object + "\n" }.joined()
            // Each content follows a line with the id, and ends in another line break.
            let limit = sizes.reduce(0) { $0 + $1 + 128 }
            guard
                let bytes = try? repository.output(
                    ["cat-file", "--batch"], input: Array(ids.utf8), limit: limit)
            else { throw unreadable(part.first?.path ?? "") }
            var rest = bytes[...]
            for ((path, _), size) in zip(part, sizes) {
                guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")),
                    rest.endIndex - lineEnd > size + 1
                else { throw unreadable(path) }
                let content = Array(rest[(lineEnd + 1)...].prefix(size))
                rest = rest[(lineEnd + size + 2)...]
                do {
                    try RuleFiles.check(content, path: "\(revision):\(path)")
                } catch {
                    throw EnvironmentFailure(message: error.description)
                }
                // Such files have the same key here, so that one would stand for both.
                if let place = files.index(forKey: path),
                    !files[place].key.utf8.elementsEqual(path.utf8)
                {
                    throw EnvironmentFailure(
                        message: "`\(revision)` has two files whose names look alike, `\(path)`,"
                            + " and differ only in their Unicode normalization: rename one of them")
                }
                files[path] = content
            }
        }
    }

    /// Returns how many bytes files have, so that none is read that has too many.
    private func sizes(
        of named: ArraySlice<(path: String, object: String)>, in repository: GitRepository
    ) throws -> [Int] {
        let ids = named.map { $0.object + "\n" }.joined()
        guard
            let bytes = try? repository.output(
                ["cat-file", "--batch-check=%(objectsize)"], input: Array(ids.utf8))
        else { throw unreadable(named.first?.path ?? "") }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let limit = RuleFileLimits.standard.fileBytes
        return try zip(named, lines + Array(repeating: "", count: named.count)).map { file, line in
            // For a missing object, the line has a message instead of the size.
            guard let size = Int(line) else { throw unreadable(file.path) }
            guard size <= limit else {
                throw EnvironmentFailure(
                    message: "`\(file.path)` of `\(revision)` has more than \(limit) bytes")
            }
            return size
        }
    }

    /// In a partial clone objects may be missing; poprules never fetches them itself.
    private func unreadable(_ path: String) -> EnvironmentFailure {
        EnvironmentFailure(
            message: "git cannot read `\(path)` of `\(revision)`: part of the revision is missing"
                + " here; try `git fetch --refetch --no-filter`")
    }
}
