import PopReports
import PopRuleFiles
import PopSource
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is created as a whole, at a path that doesn't exist yet: it is written next to its
/// place first, so that a full disk leaves nothing.
struct NewFile {
    let path: String
    private let draft: String

    /// Writes the content next to the place. A file that is `secret` is readable only by its owner
    /// from the start.
    init(_ bytes: some Collection<UInt8>, at path: String, isSecret: Bool = false) throws {
        try OutputFile.refuseLinkOut(path)
        self.path = path
        draft = "\(path).\(UUID().uuidString.prefix(8)).part"
        let before = isSecret ? umask(0o077) : nil
        defer { if let before { umask(before) } }
        do {
            try Data(bytes).write(
                to: URL(fileURLWithPath: DiskPath(draft).target), options: .withoutOverwriting)
        } catch {
            remove()
            throw OutputFile.failure(path)
        }
    }

    /// Moves it to its place, if there is no file.
    func place() throws {
        defer { remove() }
        do {
            try FileManager.default.linkItem(atPath: draft, toPath: path)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw OutputFile.failure(path, reason: "it already exists")
        } catch {
            // Some file systems know no links.
            do {
                try FileManager.default.moveItem(atPath: draft, toPath: path)
            } catch {
                throw OutputFile.failure(path)
            }
        }
    }

    /// Puts it in the place of a file. Returns the path under which that file is kept; nil if there
    /// wasn't one.
    private func replace() throws -> String? {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else {
            try place()
            return nil
        }
        let aside = draft + ".old"
        takeOwner(of: path)
        do {
            try files.linkItem(atPath: path, toPath: aside)
        } catch {
            throw OutputFile.failure(path)
        }
        do {
            try Descriptor.rename(draft, over: path)
        } catch {
            try? files.removeItem(atPath: aside)
            throw OutputFile.failure(path, reason: error.words)
        }
        return aside
    }

    /// Gives the draft the owner and group of the file that it will replace, as far as the account
    /// may: root's `--fix` must not take a file away from its owner.
    private func takeOwner(of path: String) {
        let files = FileManager.default
        guard let known = try? files.attributesOfItem(atPath: path) else { return }
        let kept = known.filter { $0.key == .ownerAccountID || $0.key == .groupOwnerAccountID }
        try? files.setAttributes(kept, ofItemAtPath: draft)
    }

    /// Forgets the draft.
    func remove() { try? FileManager.default.removeItem(atPath: draft) }

    /// Writes several files, all or none.
    static func write(_ files: [(text: String, path: String, isSecret: Bool)], replacing: Bool)
        throws
    {
        try uninterrupted {
            var drafts: [NewFile] = []
            defer { for draft in drafts { draft.remove() } }
            for file in files {
                try OutputFile.refuseLinkOut(file.path)
                let path = replacing ? try OutputFile.target(of: file.path) : file.path
                drafts.append(try NewFile(file.text.utf8, at: path, isSecret: file.isSecret))
            }
            var placed: [(path: String, aside: String?)] = []
            do {
                for draft in drafts {
                    let aside = replacing ? try draft.replace() : nil
                    if !replacing { try draft.place() }
                    placed.append((draft.path, aside))
                }
            } catch {
                for file in placed {
                    if let aside = file.aside {
                        try? Descriptor.rename(aside, over: file.path)
                    } else {
                        try? FileManager.default.removeItem(atPath: file.path)
                    }
                }
                throw error
            }
            for aside in placed.compactMap(\.aside) {
                try? FileManager.default.removeItem(atPath: aside)
            }
        }
    }
}

extension NewFile {
    /// Replaces the content of a file; returns false if the file doesn't have the expected content.
    ///
    /// The file is moved aside first, so that it can't be saved between the check and the
    /// replacement; a file that is saved in the meantime stays.
    static func write(
        _ new: [UInt8], inPlaceOf path: String, thatHolds old: [UInt8], rights: Any?
    ) throws -> Bool {
        let draft = try NewFile(new, at: path)
        defer { draft.remove() }
        let files = FileManager.default
        // Most often that is known without touching the file.
        guard files.contents(atPath: path).map(Array.init) == old else { return false }
        let aside = draft.draft + ".old"
        draft.takeOwner(of: path)
        do {
            if let rights {
                try files.setAttributes([.posixPermissions: rights], ofItemAtPath: draft.draft)
            }
            try files.moveItem(atPath: path, toPath: aside)
        } catch {
            throw OutputFile.failure(path)
        }
        guard files.contents(atPath: aside).map(Array.init) == old else {
            try putBack(aside, to: path)
            return false
        }
        do {
            try draft.place()
        } catch {
            try putBack(aside, to: path)
            throw error
        }
        try? files.removeItem(atPath: aside)
        return true
    }

    /// Moves a file that was moved aside back to its place. If another program has created a file
    /// there in the meantime, that file stays, and so does the one that was moved aside.
    private static func putBack(_ aside: String, to path: String) throws {
        do {
            try FileManager.default.moveItem(atPath: aside, toPath: path)
        } catch {
            throw OutputFile.failure(
                path,
                reason: "another program replaced it in the meantime; the earlier content is in"
                    + " `\(aside)`")
        }
    }
}

extension FixOutcome {
    /// Writes the files. Files that were changed since they were read are left unchanged, and
    /// returned.
    func write() throws -> [EnvironmentFailure] {
        try files.compactMap { file in
            do {
                try OutputFile.change(file.path, from: file.old, to: file.new)
                return nil
            } catch let failure as EnvironmentFailure {
                return failure
            }
        }
    }

    func diff(style: TextStyle) -> String {
        files.map { UnifiedDiff(path: $0.path, old: $0.old, new: $0.new).text(style: style) }
            .joined()
    }
}
