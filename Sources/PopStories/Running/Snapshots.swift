internal import PopRuleFiles
internal import PopScheduler
package import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The event logs that tests of one file keep, each in a file of its own in the folder `snapshots`
/// next to the test file.
package struct Snapshots {
    /// The path of the folder.
    package let folder: String
    /// The folder of the test file; no link may lead out of it.
    private let home: String
    /// True if logs that differ are rewritten.
    package let isUpdating: Bool

    package init(besideFile path: String, isUpdating: Bool) {
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        folder = parent + "snapshots"
        home = parent.isEmpty ? "." : String(parent)
        self.isUpdating = isUpdating
    }

    /// Returns the difference between a test's log and the stored log; nil if they are equal, or if
    /// the log has been rewritten.
    package func difference(_ result: TestResult, from name: Located<String>) throws -> Diagnostic?
    {
        let path = "\(folder)/\(name.value).log"
        guard RuleFiles.leads(folder, into: home), RuleFiles.leads(path, into: home),
            !ProtectedFolders.refuses(path)
        else {
            return .leadsOut(name, path: path)
        }
        let found = Self.text(of: result)
        let kept = try keptText(at: path)
        if kept == found { return nil }
        guard isUpdating else {
            guard let kept else { return .noSnapshot(name, path: path) }
            return .snapshotDiffers(name, path: path, kept: kept, found: found)
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(found.utf8).write(
                to: URL(fileURLWithPath: DiskPath(path).target), options: .atomic)
        } catch {
            throw Failure(description: "cannot write the snapshot `\(path)`")
        }
        return nil
    }

    /// Returns the stored log; nil without one.
    private func keptText(at path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return String(decoding: try RuleFiles.bytes(of: path), as: UTF8.self)
        } catch {
            throw Failure(description: error.description)
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func text(of result: TestResult) -> String {
        result.plays.map { play in
            let title = play.title.map { "# \($0)\n" } ?? ""
            return title + play.log.map { $0.line + "\n" }.joined()
        }.joined()
    }
}

extension Diagnostic {
    fileprivate static func leadsOut(_ name: Located<String>, path: String) -> Self {
        Diagnostic(
            .testFailed,
            message: "the snapshot `\(name.value)` is outside the folder of its test",
            at: name.range, label: "`\(path)` is neither read nor written")
    }

    fileprivate static func noSnapshot(_ name: Located<String>, path: String) -> Self {
        Diagnostic(
            .testFailed, message: "there is no snapshot `\(name.value)` yet", at: name.range,
            label: "not found at `\(path)`",
            help: ["run `poprules test --update` to write the snapshot"])
    }

    fileprivate static func snapshotDiffers(
        _ name: Located<String>, path: String, kept: String, found: String
    ) -> Self {
        let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
        let new = found.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(old, new).prefix { $0 == $1 }.count
        func text(_ lines: [Substring]) -> String {
            guard lines.indices.contains(line), !lines[line].isEmpty else {
                return "the end of the log"
            }
            return "`\(lines[line].replacing("\t", with: "  "))`"
        }
        return Diagnostic(
            .testFailed, message: "the event log differs from the snapshot `\(name.value)`",
            at: name.range, label: "first difference in line \(line + 1) of `\(path)`",
            notes: ["snapshot: \(text(old))", "now:      \(text(new))"],
            help: [
                "if the new log is correct, run `poprules test --update` to replace the snapshot"
            ])
    }
}
