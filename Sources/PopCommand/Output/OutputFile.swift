import ArgumentParser
import PopBacktest
import PopPages
internal import PopReports
import PopRuleFiles
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The option that a command may replace files that it has not written.
struct ReplacingOption: ParsableArguments {
    @Flag(help: "Replace a file that poprules did not write.")
    var force = false
}

/// Files that commands write; `-` is standard output.
enum OutputFile {
    /// Writes a file as a whole: readers see the old content or all of the new content, never a
    /// part.
    ///
    /// An existing file of another kind than `kind` is replaced only with `force`.
    static func write(_ text: String, to path: String, kind: OutputKind, force: Bool) throws {
        try write(Array(text.utf8), to: path, kind: kind, force: force)
    }

    static func write(_ bytes: [UInt8], to path: String, kind: OutputKind, force: Bool) throws {
        if isStandardOutput(path) { return Terminal.putData(bytes) }
        if !force { try checkMayReplace(path, by: kind) }
        try replace(path, by: bytes)
    }

    /// Throws when a file is there that is not known to be one that this command wrote before.
    static func checkMayReplace(_ path: String, by kind: OutputKind) throws {
        guard !isStandardOutput(path), case .file(let target, _) = try place(at: path) else {
            return
        }
        let beginning: [UInt8]
        do {
            let file = try Descriptor(reading: target)
            defer { file.end() }
            beginning = try file.bytes(atMost: OutputKind.decisiveBytes)
        } catch {
            throw failure(path, reason: "it exists and cannot be read")
        }
        guard !kind.holds(beginning) else { return }
        let noun = OutputKind.noun(for: beginning, at: path)
        throw failure(path, reason: "it exists and is \(noun); use --force to replace it")
    }

    /// Throws if an output file is one of the input files, by any name, or one of the rule files of
    /// an input folder.
    static func checkIsNone(of inputs: [String], _ path: String) throws {
        guard !isStandardOutput(path), let identity = FileIdentity(path),
            let input = inputs.flatMap({ files(at: $0) })
                .first(where: { FileIdentity($0) == identity })
        else { return }
        throw failure(path, reason: "it is the same file as the input `\(input)`")
    }

    /// Throws if an output file is one of the files that were read, by any name.
    static func checkIsNone(of sources: SourceSet, _ path: String) throws {
        try checkIsNone(of: sources.files.filter(\.isOnDisk).map(\.path), path)
    }

    /// Returns the rule files of a folder, or the path of a file.
    private static func files(at path: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return [path]
        }
        return names.filter { RuleFiles.isRuleFile($0) }.sorted()
            .map { normalised("\(path)/\($0)") }
    }

    /// Returns true if two paths lead to the same file, even if it does not exist yet.
    static func isSame(_ first: String, as second: String) -> Bool {
        if first == second || place(of: first) == place(of: second) { return true }
        guard let identity = FileIdentity(first) else { return false }
        return FileIdentity(second) == identity
    }

    /// Returns the absolute path of a file in a folder without links.
    private static func place(of path: String) -> String {
        let home = FileManager.default.currentDirectoryPath
        let whole = path.hasPrefix("/") ? path : "\(home)/\(path)"
        let slash = whole.lastIndex(of: "/") ?? whole.startIndex
        return normalised("\(resolvedPath(String(whole[...slash])))\(whole[slash...])")
    }

    /// Replaces the known content of a file; a file that was changed in the meantime is left
    /// unchanged.
    static func change(_ path: String, from old: [UInt8], to new: [UInt8]) throws {
        guard case .file(let target, let rights) = try place(at: path) else {
            throw failure(path, reason: "it no longer exists")
        }
        let isChanged = try uninterrupted {
            try NewFile.write(new, inPlaceOf: target, thatHolds: old, rights: rights)
        }
        guard isChanged else {
            throw failure(
                path, reason: "another program changed it in the meantime; run the command again")
        }
    }

    static func append(_ text: String, to path: String) throws {
        do {
            let file = try Descriptor(appendingTo: path)
            defer { file.end() }
            try file.put(Array(text.utf8))
        } catch {
            throw failure(path, reason: error.words)
        }
    }

    /// Reports that a file was written, unless it is standard output, which the message would
    /// become part of.
    static func sayWritten(_ path: String, details: String = "") {
        if !isStandardOutput(path) {
            Terminal.say("wrote \(path)\(details)")
        }
    }

    /// Returns true if the path is the command's own output.
    static func isStandardOutput(_ path: String) -> Bool { path == "-" || path == "/dev/stdout" }
}

// MARK: places

extension OutputFile {
    private enum Place {
        case nothing(path: String)
        /// A link stays a link: its target is what it leads to.
        case file(target: String, rights: Any?)
        /// A pipe or a device takes what is written; a file must not come into its place.
        case stream
    }

    private static func replace(_ path: String, by bytes: [UInt8]) throws {
        let place = try place(at: path)
        do {
            switch place {
            case .nothing(let target):
                try uninterrupted {
                    try Data(bytes).write(to: URL(fileURLWithPath: target), options: .atomic)
                }
            case .file(let target, let rights):
                try uninterrupted {
                    try Data(bytes).write(to: URL(fileURLWithPath: target), options: .atomic)
                    guard let rights else { return }
                    try FileManager.default.setAttributes(
                        [.posixPermissions: rights], ofItemAtPath: target)
                }
            case .stream:
                let file = try Descriptor(writing: path)
                defer { file.end() }
                try file.put(bytes)
            }
        } catch let error as Descriptor.Failure where error.isUnread {
            throw failure(path, reason: "it is a named pipe that no program reads")
        } catch let error as Descriptor.Failure {
            throw failure(path, reason: error.words)
        } catch {
            throw failure(path)
        }
    }

    /// Throws if a path is in the project, but its links lead out of it: others who may add files
    /// to a project must not choose which files outside of it are written.
    static func refuseLinkOut(_ path: String) throws {
        guard ProtectedFolders.refuses(path) else { return }
        throw failure(
            path,
            reason: "it is a symbolic link that leads out of the project; to write there, give that"
                + " path")
    }

    /// Returns the target of a path.
    private static func place(at path: String) throws -> Place {
        guard !path.isEmpty else { throw UsageFailure(message: "the name of a file is empty") }
        // The files of open descriptors are reached, and never replaced.
        if path.hasPrefix("/dev/") || path.hasPrefix("/proc/") { return .stream }
        try refuseLinkOut(path)
        let target = DiskPath(path).target
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        switch attributes?[.type] as? FileAttributeType {
        case nil where (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil:
            throw failure(path, reason: "it is a broken symbolic link")
        case nil where path.hasSuffix("/"):
            throw failure(path, reason: "the folder does not exist")
        case nil: return .nothing(path: target)
        case .typeRegular? where path.hasSuffix("/"):
            throw failure(path, reason: "it is a file, not a folder")
        case .typeRegular?: return .file(target: target, rights: attributes?[.posixPermissions])
        case .typeDirectory?: throw failure(path, reason: "it is a folder")
        default: return .stream
        }
    }

    /// Returns the path where the replacement of a file is written: for a link, its target.
    static func target(of path: String) throws -> String {
        switch try place(at: path) {
        case .nothing(let target), .file(let target, _): return target
        case .stream: throw failure(path, reason: "it is not a regular file")
        }
    }

    static func failure(_ path: String, reason: String? = nil) -> EnvironmentFailure {
        let folder = DiskPath("\(path)/..").target
        let isHomeless = !FileManager.default.fileExists(atPath: folder)
        let words = isHomeless ? "its folder does not exist" : reason
        return EnvironmentFailure(
            message: "cannot write `\(path)`" + (words.map { ": \($0)" } ?? ""))
    }
}

/// The kind of a command's output: the command may replace a file of the same kind.
enum OutputKind {
    /// Reports, coverage and schemas, which the next run creates again.
    case result
    case baseline
    /// Bundles, signed or not.
    case bundle
    /// Swift types of rules.
    case swift

    /// The number of bytes at the beginning of a file that determine its kind.
    static let decisiveBytes = 4_096

    /// Returns true if a file with this beginning was written by poprules, and can be replaced.
    func holds(_ beginning: [UInt8]) -> Bool {
        if beginning.isEmpty { return true }
        let text = String(decoding: beginning, as: UTF8.self)
        return switch self {
        case .result: Self.isResult(text)
        case .baseline: Baseline.isBaseline(beginning)
        case .bundle: text.hasPrefix(#"{"popbundle":"#) || Self.isSigned(beginning)
        case .swift: text.hasPrefix(SwiftCode.header)
        }
    }

    /// Returns true if a file with this beginning is a signed bundle.
    static func isSigned(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: "popbundle-signed ".utf8)
    }

    /// Returns a description of a file with this beginning.
    static func noun(for beginning: [UInt8], at path: String) -> String {
        if beginning.starts(with: "poprules-private-key:".utf8) { return "a private key" }
        if beginning.starts(with: "poprules-public-key:".utf8) { return "a public key" }
        return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            ? "a YAML file" : "not known to be a file that this command wrote"
    }
}

// MARK: results

extension OutputKind {
    private static func isResult(_ text: String) -> Bool {
        signs.contains { sign in
            text.hasPrefix(sign.beginning) && text.contains(sign.mark)
        } || isForPeople(text)
    }

    /// The beginnings of results for programs, each with a mark that only results of poprules have
    /// near the beginning. A result without such a mark, such as JSON, is replaced only with
    /// `--force`.
    private static let signs: [(beginning: String, mark: String)] = [
        ("{\"check\":\"P", "\"name\":\""), ("{\n  \"$schema\": ", "\"poprules"),
        ("{\n  \"source\": {", "\"name\": \"poprules\""),
        (xml + "<testsuites name=\"poprules\"", ""), ("<!doctype html>", Page.mark),
        ("<!doctype html>", ">Coverage of the rules<"),
        ("<!doctype html>", BacktestReport.htmlMark), (BacktestReport.csvHead + "\r\n", ""),
        ("::error ", "title=P"), ("::warning ", "title=P"), ("::notice ", "title=P"),
    ]

    private static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Returns true if the first line belongs to readable text: a diagnostic in one form or the
    /// other, the closing line, or the summary of a backtest.
    private static func isForPeople(_ text: String) -> Bool {
        let line = text.prefix { $0 != "\n" }
        let forms = [
            #/(?:error|warning|info)\[P\d{4}\]: .*/#, #/.*: (?:error|warning|info): .* \[P\d{4}\]/#,
            #/\d+ popups? in \d+ files?: .*/#,
            #/[\d,]+ events? of [\d,]+ users?(?: \(and [\d,]+ cop(?:y|ies)\))?, \d{4}-.* \(.*\)/#,
        ]
        return forms.contains { line.wholeMatch(of: $0) != nil }
    }
}
